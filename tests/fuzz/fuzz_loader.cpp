// SPDX-License-Identifier: MIT
// libFuzzer on one loader: whatever the bytes are, it ends with a trace or with an error that says why, and everything
// that the trace has can be asked for.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "core/analyses/registry.h"
#include "core/capture/frame.h"
#include "core/loaders/load_trace.h"
#include "core/loaders/registry.h"
#include "core/trace/lod_pyramid.h"
#include "core/trace/trace.h"

using namespace warpline;

namespace {

const Loader& fuzzedLoader() {
    static const auto all = loaders::all();
    for (const auto& loader : all) {
        if (loader->info().id == WARPLINE_FUZZED_LOADER) {
            return *loader;
        }
    }
    std::abort();
}

void require(bool isTrue, const char* what) {
    if (!isTrue) {
        std::fprintf(stderr, "broken: %s\n", what);
        std::abort();
    }
}

/// What every trace promises about its rows, and what a window asks of them.
void lookAt(const Trace& trace) {
    const SliceColumns& s = trace.slices();
    for (const Track& track : trace.tracks()) {
        for (uint32_t lane = track.firstLane; lane < track.firstLane + track.laneCount; ++lane) {
            const Lane& rows = trace.lanes()[lane];
            for (uint32_t row = rows.firstRow + 1; row < rows.firstRow + rows.count; ++row) {
                require(s.begin[row] >= s.end(row - 1), "a lane without overlaps, by time");
            }
            std::vector<LodBar> bars;
            const auto begin = std::span(s.begin).subspan(rows.firstRow, rows.count);
            const auto duration = std::span(s.duration).subspan(rows.firstRow, rows.count);
            const TimeRange all = trace.range().value_or(TimeRange{});
            trace.lod(lane).collect(begin, duration, all, 1, bars);
            trace.lod(lane).collect(begin, duration, all, 1e15, bars);
        }
    }
    for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
        require(s.duration[row] >= 0, "no negative duration");
        require(!s.parent[row].valid() || s.depth[row] == s.depth[s.parent[row].value] + 1, "depth below the parent");
        for (const EventRow child : trace.childrenOf(EventRow(row))) {
            require(s.parent[child.value] == EventRow(row), "children know their parent");
        }
        static_cast<void>(trace.selfDuration(EventRow(row)));
        static_cast<void>(trace.string(s.name[row]).size());
        if (row < 64) {
            static_cast<void>(trace.argsJson(s.track[row], s.source(row)).ok());
        }
    }
    JobControl job;
    for (const auto& analysis : analyses::all()) {
        static_cast<void>(analysis->run(trace, {}, job).ok());
    }
}

#ifdef WARPLINE_FUZZED_FRAMES
/// Frames with right sums, made of {type, flags, source, two bytes of length, content}: what stands behind the sums is
/// what is to be fuzzed.
std::string inputOf(std::string_view data) {
    constexpr size_t kHead = 5;
    std::string stream;
    for (uint64_t sequence = 0; data.size() >= kHead; ++sequence) {
        const auto byte = [&](size_t at) { return static_cast<uint8_t>(data[at]); };
        const std::string_view payload = data.substr(kHead, size_t{byte(4)} << 8 | byte(3));
        const capture::FrameHeader header =
            capture::makeHeader(capture::FrameType(byte(0)), byte(2), sequence, payload, byte(1));
        stream.append(reinterpret_cast<const char*>(&header), sizeof header);
        stream += payload;
        data.remove_prefix(kHead + payload.size());
    }
    return stream;
}
#else
std::string inputOf(std::string_view data) {
    return std::string(data);
}
#endif

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) {
        return 0;
    }
    const auto source = makeMemorySource(inputOf({reinterpret_cast<const char*>(data), size}));
    TraceBuilder builder;
    FileInfo info;
    info.path = "fuzzed";
    const FileId file = builder.addFile(std::move(info));
    JobControl job;
    LoadOptions options;
    options.threads = 1;
    const Status loaded = fuzzedLoader().load(source, file, builder, options, job);
    if (!loaded) {
        require(!loaded.error().message.empty(), "an error says why");
        return 0;
    }
    const auto trace = builder.seal(job, 1);
    require(trace.ok(), "sealing fails only when stopped");
    lookAt(*trace.value());
    return 0;
}
