// SPDX-License-Identifier: MIT
// What ran on devices: kernels, copies, memsets, whole graphs, waits.
#include <limits>

#include "core/base/demangle.h"
#include "core/base/sum.h"
#include "core/loaders/nsys_sqlite/export_reader.h"

namespace warpline::loaders::nsys_sqlite {

namespace {

int32_t narrow(std::optional<int64_t> value) {
    return value && *value >= 0 && *value <= std::numeric_limits<int32_t>::max() ? static_cast<int32_t>(*value) : -1;
}

/// Negative numbers of bytes and the like are no facts.
int64_t factOf(std::optional<int64_t> value) {
    return value && *value >= 0 ? *value : kUnknownFact;
}

/// CUPTI's number for "all streams of the context".
bool isAllStreams(std::optional<int64_t> stream) {
    return stream && (*stream == -1 || *stream == std::numeric_limits<uint32_t>::max());
}

constexpr int64_t kFirstDeviceSort = 5'000'000;  // below every host process, as Kineto sorts them

}  // namespace

std::optional<SliceRecord> ExportReader::sliceOf(TableScan& row, EventTable table) {
    SliceRecord slice;
    slice.source = rowReference(table, m_database.bytes().lastOffset(), row.rowid());
    const auto begin = row.integer(0);
    if (!begin) {
        note("bad_timestamp", Severity::DataLoss, tableName(table));
        return std::nullopt;
    }
    slice.begin = *begin;
    const auto end = row.integer(1);
    if (!end) {
        slice.duration = kUnknownDuration;
        note("missing_duration", Severity::Warning, tableName(table));
        return slice;
    }
    if (*end < *begin) {
        slice.flags = kSliceBadTime;
        note("negative_duration", Severity::Warning, tableName(table));
        return slice;
    }
    slice.duration = distanceSaturated(*begin, *end);
    return slice;
}

TrackId ExportReader::deviceTrack(std::optional<int64_t> globalPid, int32_t device, std::optional<int64_t> stream) {
    const uint32_t process = m_identities.processNumber(globalPid);
    const int64_t number = isAllStreams(stream) ? -1 : stream.value_or(-2);
    const auto [it, isNew] = m_deviceTracks.try_emplace({process, device, number});
    if (!isNew) {
        return it->second;
    }
    // Streams are numbered in each process anew; those of the first on a device need no more to tell them apart.
    const uint32_t first = m_firstProcessOfDevice.try_emplace(device, process).first->second;
    const auto [shown, isNewProcess] = m_deviceProcesses.try_emplace({device, process});
    if (isNewProcess) {
        // Not the bare number: a process in a container may have it for its id.
        const std::string label = "GPU " + (device < 0 ? "?" : std::to_string(device));
        std::string id = label;
        std::string name = label;
        const auto gpu = m_gpuNames.find(device);
        name += gpu == m_gpuNames.end() || gpu->second.empty() ? "" : " " + gpu->second;
        if (first != process) {
            const std::string owner = globalPid ? std::to_string(processOf(*globalPid)) : "none";
            id += ", pid " + owner;
            name += ", pid " + owner;
        }
        shown->second = m_builder.process(m_file, id);
        m_builder.nameProcess(shown->second, m_builder.intern(name));
        m_builder.labelProcess(shown->second, m_builder.intern(label));
        m_builder.sortProcess(shown->second, kFirstDeviceSort + device);
    }
    if (number == -2) {
        it->second = m_builder.track(shown->second, std::nullopt);
    } else {
        it->second = m_builder.track(shown->second, std::to_string(number));
        m_builder.nameTrack(it->second,
                            m_builder.intern(number == -1 ? "all streams" : "stream " + std::to_string(number)));
    }
    return it->second;
}

bool ExportReader::readKernels() {
    enum : size_t {
        kStart,
        kEnd,
        kDevice,
        kStream,
        kDemangled,
        kGridX,
        kGridY,
        kGridZ,
        kBlockX,
        kBlockY,
        kBlockZ,
        kRegisters,
        kStatic,
        kDynamic,
        kCorrelation,
        kPid,
        kContext,
        kLocal,
        kShort,
        kMangled,
        kGraphNode
    };
    const StringId category = m_builder.intern("kernel");
    return scanEvents(
        EventTable::Kernel,
        {"start",
         "end",
         "deviceId",
         "streamId",
         "demangledName",
         "gridX",
         "gridY",
         "gridZ",
         "blockX",
         "blockY",
         "blockZ",
         "registersPerThread",
         "staticSharedMemory",
         "dynamicSharedMemory",
         "correlationId",
         "globalPid",
         "contextId",
         "localMemoryPerThread",
         "shortName",
         "mangledName",
         "graphNodeId"},
        kShort, [&](TableScan& row) {
            auto slice = sliceOf(row, EventTable::Kernel);
            if (!slice) {
                return;
            }
            const auto pid = row.integer(kPid);
            const auto name = row.integer(kDemangled) ? row.integer(kDemangled)
                              : row.integer(kMangled) ? row.integer(kMangled)
                                                      : row.integer(kShort);
            slice->name = stringOf(name, "CUPTI_ACTIVITY_KIND_KERNEL");
            if (m_builder.string(slice->name).starts_with("_Z")) {
                slice->name = m_builder.intern(demangledName(m_builder.string(slice->name)));
            }
            slice->category = category;
            slice->kind = EventKind::Kernel;
            KernelFacts facts;
            facts.device = m_identities.device(pid, row.integer(kDevice));
            slice->track = deviceTrack(pid, facts.device, row.integer(kStream));
            slice->correlation = m_identities.correlation(pid, row.integer(kCorrelation));
            facts.stream = factOf(row.integer(kStream));
            facts.context = factOf(row.integer(kContext));
            facts.grid = {narrow(row.integer(kGridX)), narrow(row.integer(kGridY)), narrow(row.integer(kGridZ))};
            facts.block = {narrow(row.integer(kBlockX)), narrow(row.integer(kBlockY)), narrow(row.integer(kBlockZ))};
            facts.registersPerThread = narrow(row.integer(kRegisters));
            facts.staticSharedBytes = factOf(row.integer(kStatic));
            facts.dynamicSharedBytes = factOf(row.integer(kDynamic));
            if (facts.staticSharedBytes != kUnknownFact && facts.dynamicSharedBytes != kUnknownFact) {
                Sum shared(facts.staticSharedBytes);
                facts.sharedBytes = (shared += facts.dynamicSharedBytes).value().value_or(kUnknownFact);
            }
            facts.localBytesPerThread = factOf(row.integer(kLocal));
            facts.graphNode = static_cast<uint64_t>(row.integer(kGraphNode).value_or(0));
            m_builder.addKernelFacts(m_builder.addSlice(*slice), facts);
        });
}

bool ExportReader::readCopies() {
    enum : size_t { kStart, kEnd, kDevice, kStream, kBytes, kKind, kCorrelation, kPid, kFrom, kTo };
    const StringId category = m_builder.intern("gpu_memcpy");
    return scanEvents(EventTable::Memcpy,
                      {"start", "end", "deviceId", "streamId", "bytes", "copyKind", "correlationId", "globalPid",
                       "srcKind", "dstKind"},
                      kFrom + 2, [&](TableScan& row) {
                          auto slice = sliceOf(row, EventTable::Memcpy);
                          if (!slice) {
                              return;
                          }
                          const auto pid = row.integer(kPid);
                          slice->name = m_builder.intern(copyName(nameOf(m_copyKinds, row.integer(kKind)),
                                                                  nameOf(m_memoryKinds, row.integer(kFrom)),
                                                                  nameOf(m_memoryKinds, row.integer(kTo))));
                          slice->category = category;
                          slice->kind = EventKind::Memcpy;
                          CopyFacts facts;
                          facts.device = m_identities.device(pid, row.integer(kDevice));
                          facts.stream = factOf(row.integer(kStream));
                          facts.bytes = factOf(row.integer(kBytes));
                          slice->track = deviceTrack(pid, facts.device, row.integer(kStream));
                          slice->correlation = m_identities.correlation(pid, row.integer(kCorrelation));
                          m_builder.addCopyFacts(m_builder.addSlice(*slice), facts);
                      });
}

bool ExportReader::readMemsets() {
    enum : size_t { kStart, kEnd, kDevice, kStream, kBytes, kCorrelation, kPid, kMemory };
    const StringId category = m_builder.intern("gpu_memset");
    return scanEvents(EventTable::Memset,
                      {"start", "end", "deviceId", "streamId", "bytes", "correlationId", "globalPid", "memKind"},
                      kMemory, [&](TableScan& row) {
                          auto slice = sliceOf(row, EventTable::Memset);
                          if (!slice) {
                              return;
                          }
                          const auto pid = row.integer(kPid);
                          slice->name = m_builder.intern(memsetName(nameOf(m_memoryKinds, row.integer(kMemory))));
                          slice->category = category;
                          slice->kind = EventKind::Memset;
                          CopyFacts facts;
                          facts.device = m_identities.device(pid, row.integer(kDevice));
                          facts.stream = factOf(row.integer(kStream));
                          facts.bytes = factOf(row.integer(kBytes));
                          slice->track = deviceTrack(pid, facts.device, row.integer(kStream));
                          slice->correlation = m_identities.correlation(pid, row.integer(kCorrelation));
                          m_builder.addCopyFacts(m_builder.addSlice(*slice), facts);
                      });
}

/// Recorded with --cuda-graph-trace=graph (the default), a launch of a graph is one stretch of work: the device was
/// busy, with what is not told. Its row counts as a kernel, with the category of one, so that it is one in a trace that
/// is written of it too; its name says that it is a whole graph.
bool ExportReader::readGraphs() {
    enum : size_t { kStart, kEnd, kDevice, kStream, kCorrelation, kPid, kGraph };
    const StringId category = m_builder.intern("kernel");
    return scanEvents(
        EventTable::Graph, {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "graphId"}, kGraph,
        [&](TableScan& row) {
            auto slice = sliceOf(row, EventTable::Graph);
            if (!slice) {
                return;
            }
            const auto pid = row.integer(kPid);
            const auto graph = row.integer(kGraph);
            slice->name = m_builder.intern("CUDA graph " + (graph ? std::to_string(*graph) : "?") + " (whole)");
            slice->category = category;
            slice->kind = EventKind::Kernel;
            KernelFacts facts;
            facts.device = m_identities.device(pid, row.integer(kDevice));
            facts.stream = factOf(row.integer(kStream));
            slice->track = deviceTrack(pid, facts.device, row.integer(kStream));
            slice->correlation = m_identities.correlation(pid, row.integer(kCorrelation));
            m_builder.addKernelFacts(m_builder.addSlice(*slice), facts);
            note("graph_as_whole", Severity::Info, m_builder.string(slice->name));
        });
}

bool ExportReader::readSyncs() {
    enum : size_t { kStart, kEnd, kDevice, kStream, kType, kCorrelation, kPid };
    const StringId category = m_builder.intern("cuda_sync");
    return scanEvents(
        EventTable::Sync, {"start", "end", "deviceId", "streamId", "syncType", "correlationId", "globalPid"}, kPid + 1,
        [&](TableScan& row) {
            auto slice = sliceOf(row, EventTable::Sync);
            if (!slice) {
                return;
            }
            const auto pid = row.integer(kPid);
            const std::string name = nameOf(m_syncTypes, row.integer(kType));
            slice->name = m_builder.intern(name.empty() ? "Sync" : name);
            slice->category = category;
            slice->kind = EventKind::Sync;
            slice->track = deviceTrack(pid, m_identities.device(pid, row.integer(kDevice)), row.integer(kStream));
            slice->correlation = m_identities.correlation(pid, row.integer(kCorrelation));
            m_builder.addSlice(*slice);
        });
}

}  // namespace warpline::loaders::nsys_sqlite
