// SPDX-License-Identifier: MIT
// How fast a made trace in Kineto's layout is read, plain and compressed, with how much memory, and how soon a stop is
// heard; then texts that invite slow reading. The first argument is the size of the trace in MB (100). Prints a JSON
// line a figure.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/loaders/load_trace.h"

using namespace warpline;

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void print(const std::string& name, const char* metric, double value, const char* unit) {
    std::printf("{\"bench\": \"load\", \"case\": \"%s\", \"metric\": \"%s\", \"value\": %.4g, \"unit\": \"%s\"}\n",
                name.c_str(), metric, value, unit);
    std::fflush(stdout);
}

/// Ops with shapes, their launches, flow arrows and kernels; host side first, then the device's, as Kineto writes.
/// The same `bytes` give the same text.
std::string makeKinetoText(size_t bytes) {
    std::mt19937 random(7);
    std::string host, device;
    const auto number = [](uint64_t value) { return std::to_string(value); };
    uint64_t now = 5110050593696;
    for (uint64_t id = 1; host.size() + device.size() < bytes; ++id) {
        const std::string op = "aten::operation_" + number(random() % 300);
        const std::string rows = number(64 + random() % 64);
        const uint64_t duration = 20 + random() % 50;
        host += "  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"" + op +
                "\", \"pid\": 1234, \"tid\": 1234,\n    \"ts\": " + number(now) + ".125, \"dur\": " + number(duration) +
                ".250,\n    \"args\": {\n      \"External id\": " + number(id) +
                ",\"Record function id\": 0, \"Concrete Inputs\": [\"\", \"\", \"1.\"], \"Input type\": "
                "[\"c10::BFloat16\", \"c10::BFloat16\", \"Scalar\"], \"Input Strides\": [[4096, 1], [4096, 1], []], "
                "\"Input Dims\": [[" +
                rows + ", 4096], [" + rows + ", 4096], []], \"Ev Idx\": " + number(id) + "\n    }\n  },\n";
        const std::string launch = number(now + 5);
        host +=
            "  {\n    \"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 1234, "
            "\"tid\": 1234,\n    \"ts\": " +
            launch + ".500, \"dur\": 4.750,\n    \"args\": {\n      \"External id\": " + number(id) +
            ", \"cbid\": 211, \"correlation\": " + number(id) + "\n    }\n  },\n";
        host += "  {\n    \"ph\": \"s\", \"id\": " + number(id) + ", \"pid\": 1234, \"tid\": 1234, \"ts\": " + launch +
                ".500,\n    \"cat\": \"ac2g\", \"name\": \"ac2g\"\n  },\n";
        const std::string begin = number(now + 12);
        device +=
            "  {\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"void at::native::"
            "vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, " +
            number(1 + random() % 40) + "ul> >(int)\", \"pid\": 0, \"tid\": 7,\n    \"ts\": " + begin +
            ".001, \"dur\": " + number(duration - 8) + ".375,\n    \"args\": {\n      \"External id\": " + number(id) +
            ", \"queued\": 0, \"device\": 0, \"context\": 1, \"stream\": 7, \"correlation\": " + number(id) +
            ", \"registers per thread\": 32, \"shared memory\": 0, \"blocks per SM\": 15.515152, \"warps per SM\": "
            "62.060608, \"grid\": [2048, 1, 1], \"block\": [128, 1, 1], \"est. achieved occupancy %\": 97\n    "
            "}\n  },\n";
        device += "  {\n    \"ph\": \"f\", \"id\": " + number(id) + ", \"pid\": 0, \"tid\": 7, \"ts\": " + begin +
                  ".001,\n    \"cat\": \"ac2g\", \"name\": \"ac2g\", \"bp\": \"e\"\n  },\n";
        now += duration + 3;
    }
    return "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [{\"id\": 0, \"name\": \"Example GPU\"}],\n"
           "  \"baseTimeNanoseconds\": 1790857026000000000,\n  \"traceEvents\": [\n" +
           host + device +
           "  {\n    \"name\": \"process_name\", \"ph\": \"M\", \"ts\": 0, \"pid\": 1234, \"tid\": 0,\n    \"args\": "
           "{\n  "
           "    \"name\": \"python\"\n    }\n  }\n  ],\n  \"traceName\": \"made.json\"\n}\n";
}

bool writeFile(const std::string& path, const std::string& text, bool isCompressed) {
    // "T" writes without compression.
    gzFile file = gzopen(path.c_str(), isCompressed ? "wb6" : "wbT");
    bool isGood = file != nullptr;
    constexpr size_t kPiece = size_t{64} << 20;
    for (size_t at = 0; isGood && at < text.size(); at += kPiece) {
        const auto count = static_cast<unsigned>(std::min(kPiece, text.size() - at));
        isGood = gzwrite(file, text.data() + at, count) == static_cast<int>(count);
    }
    return file != nullptr && gzclose(file) == Z_OK && isGood;
}

/// Runs in a process of its own, so that memory is counted from nothing.
bool inChild(const std::function<bool()>& work) {
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child == 0) {
        const bool isGood = work();
        std::fflush(stdout);
        std::_Exit(isGood ? 0 : 1);
    }
    int status = 0;
    return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

double peakMegabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1000;
}

bool measureLoad(const std::string& name, const std::string& path, double textBytes) {
    const auto before = peakMegabytes();
    const auto start = Clock::now();
    JobControl job;
    const auto trace = loadTrace({path}, {}, job);
    if (!trace) {
        std::fprintf(stderr, "%s\n", trace.error().message.c_str());
        return false;
    }
    const double seconds = secondsSince(start);
    const double slices = static_cast<double>(trace.value()->sliceCount());
    print(name, "throughput", textBytes / 1e6 / seconds, "MB/s of text");
    print(name, "slices", slices / seconds, "1/s");
    print(name, "peak_memory", peakMegabytes() - before, "MB");
    print(name, "memory_per_slice", (peakMegabytes() - before) * 1e6 / slices, "B");
    return true;
}

/// From the request to the return of loadTrace(), asked for at several places of the file and while it is sealed.
bool measureStop(const std::string& name, const std::string& path) {
    double worst = 0;
    for (int place = 1; place <= 9; ++place) {
        JobControl job;
        Clock::time_point asked;
        bool ended = false;
        std::thread stopper([&] {
            while (job.total() == 0 || job.done() * 10 < job.total() * static_cast<uint64_t>(place)) {
                std::this_thread::yield();
            }
            asked = Clock::now();
            job.requestStop();
        });
        const auto trace = loadTrace({path}, {}, job);
        const auto returned = Clock::now();
        stopper.join();
        ended = !trace && trace.error().isCancelled();
        if (ended) {
            worst = std::max(worst, std::chrono::duration<double>(returned - asked).count());
        }
    }
    print(name, "stop_latency_worst", worst * 1e3, "ms");
    return true;
}

std::string repeated(const std::string& text, size_t count) {
    std::string out;
    for (size_t i = 0; i < count; ++i) {
        out += text;
    }
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    const double megabytes = argc > 1 ? std::atof(argv[1]) : 100;
    if (megabytes < 1) {
        std::fprintf(stderr, "usage: load [MB of text]\n");
        return 2;
    }
    std::string pattern = (std::filesystem::temp_directory_path() / "warpline-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        std::perror(pattern.c_str());
        return 1;
    }
    const std::filesystem::path folder = pattern;
    bool isGood = true;
    double textBytes = 0;
    const std::string plain = folder / "made.json", packed = folder / "made.json.gz";
    {
        const std::string text = makeKinetoText(static_cast<size_t>(megabytes * 1e6));
        textBytes = static_cast<double>(text.size());
        isGood = writeFile(plain, text, false) && writeFile(packed, text, true);
    }
    isGood = isGood && inChild([&] { return measureLoad("kineto", plain, textBytes); }) &&
             inChild([&] { return measureLoad("kineto_gzip", packed, textBytes); }) &&
             inChild([&] { return measureStop("kineto", plain); });
    std::string series;
    for (int i = 0; i < 50'000; ++i) {
        series += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":1";
    }
    const std::vector<std::pair<std::string, std::string>> odd = {
        {"event_starts_in_garbage", "[{\"ph\":\"X\"\"x\", " + repeated("{\"name\":", 300'000)},
        {"broken_events_in_garbage", "[{\"ph\":\"X\"\"x\", " + repeated("{\"name\":\"a\"b,", 300'000)},
        {"many_series", "[{\"ph\":\"C\",\"name\":\"c\",\"pid\":1,\"ts\":1,\"args\":{" + series + "," + series + "}}]"},
        {"commas", "[" + std::string(3'000'000, ',') + "]"},
        {"stray_braces", "[" + std::string(3'000'000, '}') + ",{\"ph\":\"X\"}]"},
        {"backslashes", "[\"" + std::string(3'000'000, '\\') + "\"]"},
    };
    for (const auto& [name, text] : odd) {
        const std::string path = folder / "odd.json";
        isGood = isGood && writeFile(path, text, false);
        const auto start = Clock::now();
        JobControl job;
        // Most hold nothing that can be used; the time it takes to say so is what counts.
        static_cast<void>(loadTrace({path}, {}, job).ok());
        print(name, "throughput", static_cast<double>(text.size()) / 1e6 / secondsSince(start), "MB/s of text");
    }
    std::filesystem::remove_all(folder);
    return isGood ? 0 : 1;
}
