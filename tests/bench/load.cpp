// SPDX-License-Identifier: MIT
// How fast a made trace in Kineto's layout is read, plain and compressed, with how much memory, beside a walk near the
// limit of the machine and, with --peers, the usual ways; how soon a stop is heard; then texts that invite slow
// reading. The first argument is the size of the trace in MB (100). Prints a JSON line a figure. Needs python3 to make
// the trace.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/page_memory.h"
#include "core/base/parallel.h"
#include "core/loaders/load_trace.h"
#include "tests/bench/load_peers.h"

using namespace warpline;
using namespace warpline::bench;

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

/// What one run in a process of its own took.
struct Cost {
    double seconds = 0;
    double cpuSeconds = 0;
    double peakMebibytes = 0;
};

/// Runs in a process of its own, so that memory is counted from nothing; nullopt if the work fails.
std::optional<Cost> costOf(const std::function<bool()>& work) {
    const auto start = Clock::now();
    const pid_t child = ::fork();
    if (child == 0) {
        returnLargeBlocksWhenFreed();  // as the programs do
        std::_Exit(work() ? 0 : 1);
    }
    int status = 0;
    rusage usage{};
    if (child < 0 || ::wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return std::nullopt;
    }
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    return Cost{secondsSince(start), seconds(usage.ru_utime) + seconds(usage.ru_stime),
                static_cast<double>(usage.ru_maxrss) / 1024};
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values.empty() ? 0 : values[values.size() / 2];
}

/// A way of reading a file, and what it took each time.
struct Subject {
    std::string name;
    std::string path;
    std::function<bool()> work;
    std::vector<Cost> costs;

    double medianOf(double Cost::*member) const {
        std::vector<double> values;
        for (const Cost& cost : costs) {
            values.push_back(cost.*member);
        }
        return median(values);
    }
};

bool load(const std::string& path) {
    JobControl job;
    const auto trace = loadTrace({path}, {}, job);
    if (!trace) {
        std::fprintf(stderr, "%s\n", trace.error().message.c_str());
    }
    return trace.ok();
}

void printSubject(const Subject& subject, double textBytes) {
    const double seconds = subject.medianOf(&Cost::seconds);
    print(subject.name, "wall", seconds, "s");
    print(subject.name, "cpu", subject.medianOf(&Cost::cpuSeconds), "s");
    print(subject.name, "throughput", textBytes / 1e6 / seconds, "MB/s of text");
    print(subject.name, "peak_memory", subject.medianOf(&Cost::peakMebibytes), "MiB");
    print(subject.name, "peak_over_text", subject.medianOf(&Cost::peakMebibytes) * 1048576 / textBytes, "");
}

/// Ours and the walk near the limit take turns, so that what else the machine does meets both. Then, once each, the
/// usual ways, if asked for.
bool compareReaders(const std::string& plain, const std::string& packed, double textBytes, int rounds, bool withPeers) {
    const unsigned threads = usableThreads();
    Subject limit{"near_limit", plain, [&] { return walkInChunks(plain, threads).has_value(); }, {}};
    Subject ours{"ours", plain, [&] { return load(plain); }, {}};
    Subject gzip{"ours_gzip", packed, [&] { return load(packed); }, {}};
    std::vector<double> ratios;
    for (int round = 0; round < rounds; ++round) {
        for (Subject* subject : {&limit, &ours, &gzip}) {
            const auto cost = costOf(subject->work);
            if (!cost) {
                std::fprintf(stderr, "%s failed\n", subject->name.c_str());
                return false;
            }
            subject->costs.push_back(*cost);
        }
        ratios.push_back(ours.costs.back().seconds / limit.costs.back().seconds);
    }
    for (const Subject* subject : {&limit, &ours, &gzip}) {
        printSubject(*subject, textBytes);
    }
    print("ours", "wall_over_near_limit", median(ratios), "");
    if (!withPeers) {
        return true;
    }
    Subject peers[] = {{"simdjson_whole_file", plain, [&] { return walkWhole(plain).has_value(); }, {}},
                       {"nlohmann_sax", plain, [&] { return nlohmannSax(plain).has_value(); }, {}},
                       {"nlohmann_tree", plain, [&] { return nlohmannTree(plain).has_value(); }, {}}};
    for (Subject& peer : peers) {
        if (const auto cost = costOf(peer.work)) {
            peer.costs.push_back(*cost);
            printSubject(peer, textBytes);
        } else {
            std::fprintf(stderr, "%s cannot read this file here\n", peer.name.c_str());
        }
    }
    return true;
}

/// From the request to the return of loadTrace(), asked for at moments spread over the time that it takes.
void measureStop(const std::string& name, const std::string& path) {
    const auto start = Clock::now();
    JobControl whole;
    static_cast<void>(loadTrace({path}, {}, whole).ok());
    const double seconds = secondsSince(start);
    double worst = 0;
    constexpr int kMoments = 24;
    for (int i = 0; i < kMoments; ++i) {
        JobControl job;
        Clock::time_point asked;
        std::thread stopper([&] {
            std::this_thread::sleep_for(std::chrono::duration<double>(seconds * i / kMoments));
            asked = Clock::now();
            job.requestStop();
        });
        const auto trace = loadTrace({path}, {}, job);
        const auto returned = Clock::now();
        stopper.join();
        if (!trace && trace.error().isCancelled()) {
            worst = std::max(worst, std::chrono::duration<double>(returned - asked).count());
        }
    }
    print(name, "stop_latency_worst", worst * 1e3, "ms");
}

std::string repeated(const std::string& text, size_t count) {
    std::string out;
    for (size_t i = 0; i < count; ++i) {
        out += text;
    }
    return out;
}

/// How fast texts are read that invite slow reading.
bool measureOddTexts(const std::filesystem::path& folder) {
    std::string series;
    for (int i = 0; i < 50'000; ++i) {
        series += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":1";
    }
    const std::vector<std::pair<std::string, std::string>> odd = {
        {"event_starts_in_garbage", "[{\"ph\":\"X\"\"x\", " + repeated("{\"name\":", 300'000)},
        {"broken_events_in_garbage", "[{\"ph\":\"X\"\"x\", " + repeated("{\"name\":\"a\"b,", 300'000)},
        {"many_series", "[{\"ph\":\"C\",\"name\":\"c\",\"pid\":1,\"ts\":1,\"args\":{" + series + "," + series + "}}]"},
        {"deep_args",
         "[{\"ph\":\"X\",\"args\":" + repeated("{\"a\":", 300'000) + "1" + std::string(300'000, '}') + "}]"},
        {"commas", "[" + std::string(3'000'000, ',') + "]"},
        {"stray_braces", "[" + std::string(3'000'000, '}') + ",{\"ph\":\"X\"}]"},
        {"backslashes", "[\"" + std::string(3'000'000, '\\') + "\"]"},
    };
    for (const auto& [name, text] : odd) {
        const std::string path = folder / "odd.json";
        if (!writeFile(path, text, false)) {
            return false;
        }
        const auto start = Clock::now();
        JobControl job;
        // Most hold nothing that can be used; the time it takes to say so is what counts.
        static_cast<void>(loadTrace({path}, {}, job).ok());
        print(name, "throughput", static_cast<double>(text.size()) / 1e6 / secondsSince(start), "MB/s of text");
    }
    return true;
}

/// How soon a stop is heard while one event goes on and on.
bool measureStopInLongEvents(const std::filesystem::path& folder) {
    std::string members;
    for (int i = 0; i < 3'000'000; ++i) {
        members += "\"key" + std::to_string(i) + "\":1,";
    }
    const auto event = [](const std::string& args) {
        return "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"args\":{" + args + "\"z\":1}}]";
    };
    constexpr size_t kLevels = 5'000'000;
    const std::vector<std::pair<std::string, std::string>> texts = {
        {"long_event_members", event(members)},
        {"long_event_deep", event("\"x\":" + repeated("{\"a\":", kLevels) + "1" + std::string(kLevels, '}') + ",")},
        {"long_event_list", event("\"x\":[" + repeated("1.5e3, ", kLevels) + "1],")},
        {"long_event_odd_list", event("\"x\":[" + repeated("NaN, ", kLevels) + "1],")},
    };
    const std::string path = folder / "long.json";
    for (const auto& [name, text] : texts) {
        if (!writeFile(path, text, false)) {
            return false;
        }
        measureStop(name, path);
    }
    return true;
}

/// Copies a file through gzip.
bool packFile(const std::string& from, const std::string& to) {
    std::ifstream in(from, std::ios::binary);
    gzFile out = gzopen(to.c_str(), "wb6");
    std::vector<char> piece(size_t{4} << 20);
    bool isGood = in.good() && out != nullptr;
    while (isGood && in) {
        in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        const auto count = static_cast<int>(in.gcount());
        isGood = count == 0 || gzwrite(out, piece.data(), static_cast<unsigned>(count)) == count;
    }
    return out != nullptr && gzclose(out) == Z_OK && isGood;
}

}  // namespace

int main(int argc, char** argv) {
    double megabytes = 100;
    int rounds = 5;
    bool withPeers = false;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--peers") {
            withPeers = true;
        } else if (argument == "--rounds" && i + 1 < argc) {
            rounds = std::max(1, std::atoi(argv[++i]));
        } else if (megabytes = std::atof(argv[i]); megabytes < 1) {
            std::fprintf(stderr, "usage: load [MB of text] [--rounds N] [--peers]\n");
            return 2;
        }
    }
    std::string pattern = (std::filesystem::temp_directory_path() / "warpline-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        std::perror(pattern.c_str());
        return 1;
    }
    const std::filesystem::path folder = pattern;
    const std::string plain = folder / "made.json", packed = folder / "made.json.gz";
    const std::string make = "python3 " WARPLINE_SOURCE_DIR "/tests/bench/gen_kineto.py --seed 1 --bytes " +
                             std::to_string(static_cast<uint64_t>(megabytes * 1e6)) + " -o " + plain + " >&2";
    bool isGood = std::system(make.c_str()) == 0 && packFile(plain, packed);
    if (isGood) {
        const auto textBytes = static_cast<double>(std::filesystem::file_size(plain));
        isGood = compareReaders(plain, packed, textBytes, rounds, withPeers);
        if (isGood) {
            measureStop("ours", plain);
            measureStop("ours_gzip", packed);
        }
        isGood = isGood && measureOddTexts(folder) && measureStopInLongEvents(folder);
    }
    std::filesystem::remove_all(folder);
    return isGood ? 0 : 1;
}
