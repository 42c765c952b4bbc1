// SPDX-License-Identifier: MIT
// How fast a capture is written, read and sealed, with how much memory: five million kernels with their calls, or as
// many millions as the first argument says, on eight streams. Prints a JSON line a figure.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/page_memory.h"
#include "core/capture/capture_writer.h"
#include "core/capture/texts.h"
#include "core/loaders/capture/capture_appender.h"
#include "core/loaders/capture/repack.h"
#include "core/loaders/load_trace.h"

using namespace warpline;

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void print(const char* name, const char* metric, double value, const char* unit) {
    std::printf(
        "{\"bench\": \"capture_load\", \"case\": \"%s\", \"metric\": \"%s\", \"value\": %.4g, \"unit\": \"%s\"}\n",
        name, metric, value, unit);
    std::fflush(stdout);
}

void writeCapture(const std::string& path, uint32_t kernels) {
    std::ofstream file(path, std::ios::binary);
    capture::CaptureWriter writer([&](std::span<const char> header, std::span<const char> payload) {
        file.write(header.data(), static_cast<std::streamsize>(header.size()));
        file.write(payload.data(), static_cast<std::streamsize>(payload.size()));
        return file.good();
    });
    std::string facts;
    capture::appendFact(facts, capture::fact::kPid, "4242");
    capture::appendFact(facts, capture::fact::kProgram, "bench");
    writer.writeFacts(facts);
    constexpr int64_t kStart = 1'800'000'000'000'000'000;
    constexpr uint32_t kStreams = 8;
    constexpr int64_t kApart = 5000;
    for (uint32_t i = 0; i < kernels; ++i) {
        const int64_t at = kStart + int64_t{i} * kApart;
        capture::KernelRecord kernel;
        kernel.begin = at + 3000;
        kernel.end = kernel.begin + 4000;
        kernel.correlation = i + 1;
        kernel.context = 1;
        kernel.stream = 7 + i % kStreams;
        kernel.name = writer.number("_Z6kernelILi" + std::to_string(i % 100) + "EEvPf");
        kernel.grid[0] = kernel.grid[1] = kernel.grid[2] = 1;
        kernel.block[0] = 256;
        kernel.block[1] = kernel.block[2] = 1;
        kernel.registers = 32;
        writer.add(kernel);
        writer.add(capture::CallRecord{at, at + 2000, 4242, i + 1, writer.number("cudaLaunchKernel_v7000"),
                                       capture::CallDomain::Runtime, 0, 0});
    }
    writer.writeEnd({});
}

/// In a process of its own, so that memory is counted from nothing.
bool load(const char* name, const std::string& path, double millions) {
    const pid_t child = ::fork();
    if (child == 0) {
        returnLargeBlocksWhenFreed();
        JobControl job;
        LoadOptions options;
        options.maxTraceBytes = uint64_t{64} << 30;
        const auto start = Clock::now();
        const auto trace = loadTrace({path}, options, job);
        if (!trace) {
            std::fprintf(stderr, "%s\n", trace.error().message.c_str());
            std::_Exit(1);
        }
        const double seconds = secondsSince(start);
        print(name, "load", seconds, "s");
        print(name, "rate", millions / seconds, "million records/s");
        std::_Exit(0);
    }
    int status = 0;
    rusage usage{};
    if (child < 0 || ::wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return false;
    }
    constexpr double kPerGibibyte = 1024 * 1024;
    print(name, "peak memory", static_cast<double>(usage.ru_maxrss) / kPerGibibyte, "GiB");
    return true;
}

/// Reading alone, as a view of a growing capture does it before it seals.
bool append(const std::string& path, double millions) {
    JobControl job;
    const auto source = openTextSource(path, job);
    if (!source) {
        return false;
    }
    const auto start = Clock::now();
    TraceBuilder builder;
    const FileId file = builder.addFile({});
    loaders::capture::CaptureReader reader;
    loaders::capture::CaptureAppender appender(builder, file);
    std::string block(size_t{1} << 20, '\0');
    for (auto count = source.value()->readNext(block); count && count.value() > 0;
         count = source.value()->readNext(block)) {
        reader.add(std::string_view(block).substr(0, count.value()));
        while (const auto frame = reader.next()) {
            appender.add(*frame);
        }
    }
    print("append", "rate", millions / secondsSince(start), "million records/s");
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    const double wanted = argc > 1 ? std::atof(argv[1]) : 5;
    const auto kernels = static_cast<uint32_t>(wanted * 1e6);
    const double millions = 2 * wanted;
    const auto folder = std::filesystem::temp_directory_path() / ("warpline-capture-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const std::string plain = folder / "plain.wcap";
    const std::string packed = folder / "packed.wcap";
    const auto start = Clock::now();
    writeCapture(plain, kernels);
    print("write", "rate", millions / secondsSince(start), "million records/s");
    print("plain", "size", static_cast<double>(std::filesystem::file_size(plain)) / 1e9, "GB");
    bool isGood = load("plain", plain, millions) && append(plain, millions);
    JobControl job;
    if (const auto source = openTextSource(plain, job); source.ok()) {
        std::ofstream out(packed, std::ios::binary);
        const auto write = [&](std::string_view bytes) {
            out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
            return Status::success();
        };
        isGood = loaders::capture::repack(*source.value(), write, job).ok() && isGood;
    }
    print("packed", "size", static_cast<double>(std::filesystem::file_size(packed)) / 1e9, "GB");
    isGood = load("packed", packed, millions) && isGood;
    std::filesystem::remove_all(folder);
    return isGood ? 0 : 1;
}
