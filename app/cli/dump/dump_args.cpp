// SPDX-License-Identifier: MIT
#include "app/cli/dump/dump_args.h"

#include <numeric>
#include <tuple>
#include <utility>

#include "core/base/stoppable.h"
#include "core/trace/args_reader.h"

namespace warpline::cli {

namespace {

/// In the order of the files, which is cheap for compressed ones.
Status readSlices(const Trace& trace, ArgsReader& reader, const JobControl& job, std::vector<std::string>& args) {
    const SliceColumns& slices = trace.slices();
    std::vector<uint32_t> order(slices.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto place = [&](uint32_t row) {
        return std::tuple(trace.fileOf(slices.track[row]), slices.sourceOffset[row]);
    };
    if (!stableSortByKeyUnlessStopped(order, place, job)) {
        return Error::cancelled();
    }
    args.resize(slices.size());
    for (const uint32_t row : order) {
        auto text = reader.read(EventRow(row));
        if (!text.ok() || job.stopRequested()) {
            return text.ok() ? Error::cancelled() : text.error();
        }
        args[row] = std::move(text).value();
    }
    return {};
}

template <class Events, class Read>
Status readEach(const Events& events, const Read& read, const JobControl& job, std::vector<std::string>& args) {
    for (const auto& event : events) {
        auto text = read(event);
        if (!text.ok() || job.stopRequested()) {
            return text.ok() ? Error::cancelled() : text.error();
        }
        args.push_back(std::move(text).value());
    }
    return {};
}

}  // namespace

Result<DumpArgs> readDumpArgs(const Trace& trace, const JobControl& job) {
    DumpArgs args;
    ArgsReader reader(trace);
    const auto readPoint = [&](const auto& event) { return reader.read(event.track, event.source); };
    const auto readAsync = [&](const AsyncSlice& slice) {
        return reader.read(slice.track, slice.source, slice.endSource);
    };
    Status status = readSlices(trace, reader, job, args.slices);
    if (status.ok()) {
        status = readEach(trace.asyncSlices(), readAsync, job, args.asyncSlices);
    }
    if (status.ok()) {
        status = readEach(trace.asyncInstants(), readPoint, job, args.asyncInstants);
    }
    if (status.ok()) {
        status = readEach(trace.instants(), readPoint, job, args.instants);
    }
    if (!status.ok()) {
        return status.error();
    }
    args.issues = reader.issues();
    return args;
}

}  // namespace warpline::cli
