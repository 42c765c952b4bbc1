// SPDX-License-Identifier: MIT
// How long the search takes in a made trace in Kineto's layout: names within a view ("first", what the window shows
// before the rest), names everywhere ("all"), and args, of plain and compressed text. The argument is the size of the
// trace in MB (100; 1000 holds 3.1 million events), or a file. Medians of five runs; prints a JSON line a figure. Needs
// python3 to make the trace.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "core/analyses/event_search.h"
#include "core/loaders/load_trace.h"

using namespace warpline;

namespace {

void print(const std::string& name, const char* metric, double value, const char* unit) {
    std::printf("{\"bench\": \"search\", \"case\": \"%s\", \"metric\": \"%s\", \"value\": %.4g, \"unit\": \"%s\"}\n",
                name.c_str(), metric, value, unit);
    std::fflush(stdout);
}

double median(std::vector<double>& values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

using Search = Result<SearchHits> (*)(const Trace&, const SearchQuery&, JobControl&);

/// Processor time too: it changes less when the machine does other things.
bool measure(const std::string& name, const Trace& trace, const SearchQuery& query, Search search, int rounds) {
    std::vector<double> wallMs, cpuMs;
    uint64_t total = 0;
    for (int i = 0; i < rounds; ++i) {
        JobControl job;
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t cpuStart = std::clock();
        const auto hits = search(trace, query, job);
        cpuMs.push_back(1e3 * static_cast<double>(std::clock() - cpuStart) / CLOCKS_PER_SEC);
        wallMs.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        if (!hits) {
            std::fprintf(stderr, "%s: %s\n", name.c_str(), hits.error().message.c_str());
            return false;
        }
        total = hits.value().total();
    }
    print(name, "hits", static_cast<double>(total), "");
    print(name, "wall", median(wallMs), "ms");
    print(name, "cpu", median(cpuMs), "ms");
    return true;
}

bool searchAll(const std::string& prefix, const std::string& path) {
    constexpr int kRounds = 5;
    JobControl job;
    const auto loaded = loadTrace({path}, {}, job);
    if (!loaded) {
        std::fprintf(stderr, "%s\n", loaded.error().message.c_str());
        return false;
    }
    const Trace& trace = *loaded.value();
    print(prefix + "trace", "slices", trace.sliceCount(), "");
    print(prefix + "trace", "texts", trace.stringCount(), "");
    const TimeRange range = trace.range().value_or(TimeRange());
    const DurationNs hundredth = range.length() / 100;

    struct Case {
        const char* name;
        const char* text;
        bool isRegex;
    };
    bool isGood = true;
    for (const Case& c :
         {Case{"none", "no such name", false}, Case{"some", "gemm", false}, Case{"launches", "launch", false},
          Case{"most", "a", false}, Case{"regex", "(add|mul).*float", true}}) {
        SearchQuery query;
        query.text = c.text;
        query.isRegex = c.isRegex;
        isGood = isGood && measure(prefix + "names, all, " + c.name, trace, query, &findByName, kRounds);
        query.scope.range = TimeRange{range.begin + 50 * hundredth, range.begin + 51 * hundredth};
        isGood = isGood && measure(prefix + "names, first, " + c.name, trace, query, &findByName, kRounds);
    }
    for (const Case& c : {Case{"none", "no such text", false}, Case{"shapes", "[4096, 4096]", false},
                          Case{"streams", "stream", false}}) {
        SearchQuery query;
        query.text = c.text;
        isGood = isGood && measure(prefix + "args, " + c.name, trace, query, &findInArgs, 3);
    }
    SearchQuery query;
    query.text = "\"stream\": 7\\b";
    query.isRegex = true;
    return isGood && measure(prefix + "args, regex", trace, query, &findInArgs, 1);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string argument = argc > 1 ? argv[1] : "100";
    if (std::filesystem::is_regular_file(argument)) {
        return searchAll("", argument) ? 0 : 1;
    }
    const double megabytes = std::atof(argument.c_str());
    if (megabytes < 1) {
        std::fprintf(stderr, "usage: search [MB of text, or FILE]\n");
        return 2;
    }
    std::string pattern = (std::filesystem::temp_directory_path() / "warpline-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        std::perror(pattern.c_str());
        return 1;
    }
    const std::string plain = pattern + "/made.json", packed = plain + ".gz";
    const std::string make = "python3 " WARPLINE_SOURCE_DIR "/tests/bench/gen_kineto.py --seed 1 --bytes " +
                             std::to_string(static_cast<uint64_t>(megabytes * 1e6)) + " -o " + plain +
                             " >&2 && gzip -6 -k " + plain;
    const bool isGood = std::system(make.c_str()) == 0 && searchAll("plain, ", plain) && searchAll("gzip, ", packed);
    std::filesystem::remove_all(pattern);
    return isGood ? 0 : 1;
}
