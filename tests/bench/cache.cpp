// SPDX-License-Identifier: MIT
// How long a file takes to load, to be put into the cache, and to be opened from there; each in a process of its own,
// as a user would start it. The argument is a trace; without one, the largest sample. Prints a JSON line a figure.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/page_memory.h"
#include "core/cache/cached_load.h"

using namespace warpline;

namespace {

constexpr int kRounds = 5;

void print(const char* what, const char* metric, double value, const char* unit) {
    std::printf("{\"bench\": \"cache\", \"case\": \"%s\", \"metric\": \"%s\", \"value\": %.4g, \"unit\": \"%s\"}\n",
                what, metric, value, unit);
    std::fflush(stdout);
}

/// Median of some rounds; false if one fails.
bool measure(const char* what, int rounds, const std::function<bool()>& work) {
    std::vector<double> seconds;
    std::vector<double> cpuSeconds;
    for (int i = 0; i < rounds; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const pid_t child = ::fork();
        if (child == 0) {
            returnLargeBlocksWhenFreed();  // as the programs do
            std::_Exit(work() ? 0 : 1);
        }
        int status = 0;
        rusage usage{};
        if (child < 0 || ::wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
            WEXITSTATUS(status) != 0) {
            std::fprintf(stderr, "%s failed\n", what);
            return false;
        }
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        cpuSeconds.push_back(static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                             static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6);
    }
    std::ranges::sort(seconds);
    std::ranges::sort(cpuSeconds);
    print(what, "time", seconds[seconds.size() / 2], "s");
    print(what, "fastest_time", seconds.front(), "s");
    print(what, "cpu_time", cpuSeconds[cpuSeconds.size() / 2], "s");
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string path = argc > 1 ? argv[1] : WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz";
    std::string folder = (std::filesystem::temp_directory_path() / "warpline-bench-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) {
        std::perror(folder.c_str());
        return 1;
    }
    const CacheSettings settings{folder, uint64_t{64} << 30, {}, 0};
    const auto load = [&](bool fromCache) {
        JobControl job;
        const auto loaded = loadTraceCached({path}, {}, fromCache ? settings : CacheSettings(), job);
        return loaded.ok() && loaded.value().isFromCache == fromCache;
    };
    const auto store = [&] {
        JobControl job;
        const auto loaded = loadTraceCached({path}, {}, settings, job);
        return loaded.ok() && loaded.value().toStore &&
               storeTrace(*loaded.value().trace, *loaded.value().toStore, settings, job).ok();
    };
    const bool isGood = measure("load", kRounds, [&] { return load(false); }) && measure("load_and_store", 1, store) &&
                        measure("reopen", kRounds, [&] { return load(true); });
    print("image", "size", static_cast<double>(TraceCache(settings).bytes()) / 1e6, "MB");
    std::filesystem::remove_all(folder);
    return isGood ? 0 : 1;
}
