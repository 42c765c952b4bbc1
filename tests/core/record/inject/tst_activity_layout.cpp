// SPDX-License-Identifier: MIT
// The recorder's own picture of CUPTI's records against CUPTI's header, as far as that one knows them.
#include <cupti.h>

#include <QTest>

#include "core/record/decode/activity_layout.h"
#include "tests/support/standin/cupti_records.h"

using namespace warpline;
namespace layout = warpline::record::layout;

class TestActivityLayout : public QObject {
    Q_OBJECT

private slots:
    void members();
    void sizes();
    void kinds();
};

#define SAME(OURS, THEIRS, member, theirs)                                              \
    QCOMPARE(offsetof(layout::OURS, member), offsetof(CUpti_Activity##THEIRS, theirs)); \
    QCOMPARE(sizeof(layout::OURS::member), sizeof(CUpti_Activity##THEIRS::theirs))
/// The first of several members that are one array here.
#define BEGINS(OURS, THEIRS, member, theirs) \
    QCOMPARE(offsetof(layout::OURS, member), offsetof(CUpti_Activity##THEIRS, theirs))

#if CUPTI_API_VERSION >= 130000

void TestActivityLayout::members() {
    SAME(Kernel, Kernel10, kind, kind);
    SAME(Kernel, Kernel10, registersPerThread, registersPerThread);
    SAME(Kernel, Kernel10, start, start);
    SAME(Kernel, Kernel10, end, end);
    SAME(Kernel, Kernel10, deviceId, deviceId);
    SAME(Kernel, Kernel10, contextId, contextId);
    SAME(Kernel, Kernel10, streamId, streamId);
    BEGINS(Kernel, Kernel10, grid, gridX);
    BEGINS(Kernel, Kernel10, block, blockX);
    SAME(Kernel, Kernel10, staticShared, staticSharedMemory);
    SAME(Kernel, Kernel10, dynamicShared, dynamicSharedMemory);
    SAME(Kernel, Kernel10, localPerThread, localMemoryPerThread);
    SAME(Kernel, Kernel10, correlationId, correlationId);
    SAME(Kernel, Kernel10, name, name);
    SAME(Kernel, Kernel10, queued, queued);
    SAME(Kernel, Kernel10, submitted, submitted);
    SAME(Kernel, Kernel10, sharedExecuted, sharedMemoryExecuted);
    SAME(Kernel, Kernel10, graphNodeId, graphNodeId);
    SAME(Kernel, Kernel10, graphId, graphId);
    SAME(Kernel, Kernel10, channelId, channelID);
    BEGINS(Kernel, Kernel10, cluster, clusterX);
    SAME(Kernel, Kernel10, localTotal, localMemoryTotal_v2);

    SAME(Memcpy, Memcpy6, copyKind, copyKind);
    SAME(Memcpy, Memcpy6, sourceKind, srcKind);
    SAME(Memcpy, Memcpy6, targetKind, dstKind);
    SAME(Memcpy, Memcpy6, flags, flags);
    SAME(Memcpy, Memcpy6, bytes, bytes);
    SAME(Memcpy, Memcpy6, start, start);
    SAME(Memcpy, Memcpy6, end, end);
    SAME(Memcpy, Memcpy6, deviceId, deviceId);
    SAME(Memcpy, Memcpy6, streamId, streamId);
    SAME(Memcpy, Memcpy6, correlationId, correlationId);
    SAME(Memcpy, Memcpy6, graphNodeId, graphNodeId);
    SAME(Memcpy, Memcpy6, graphId, graphId);
    SAME(Memcpy, Memcpy6, channelId, channelID);

    SAME(PeerMemcpy, MemcpyPtoP4, copyKind, copyKind);
    SAME(PeerMemcpy, MemcpyPtoP4, bytes, bytes);
    SAME(PeerMemcpy, MemcpyPtoP4, streamId, streamId);
    SAME(PeerMemcpy, MemcpyPtoP4, sourceDevice, srcDeviceId);
    SAME(PeerMemcpy, MemcpyPtoP4, targetDevice, dstDeviceId);
    SAME(PeerMemcpy, MemcpyPtoP4, correlationId, correlationId);
    SAME(PeerMemcpy, MemcpyPtoP4, graphNodeId, graphNodeId);
    SAME(PeerMemcpy, MemcpyPtoP4, graphId, graphId);

    SAME(Memset, Memset4, value, value);
    SAME(Memset, Memset4, bytes, bytes);
    SAME(Memset, Memset4, start, start);
    SAME(Memset, Memset4, streamId, streamId);
    SAME(Memset, Memset4, correlationId, correlationId);
    SAME(Memset, Memset4, memoryKind, memoryKind);
    SAME(Memset, Memset4, graphNodeId, graphNodeId);
    SAME(Memset, Memset4, graphId, graphId);

    SAME(Api, API, cbid, cbid);
    SAME(Api, API, start, start);
    SAME(Api, API, end, end);
    SAME(Api, API, threadId, threadId);
    SAME(Api, API, correlationId, correlationId);
    SAME(Api, API, returnValue, returnValue);

    SAME(Memory2, Memory4, operation, memoryOperationType);
    SAME(Memory2, Memory4, memoryKind, memoryKind);
    SAME(Memory2, Memory4, correlationId, correlationId);
    SAME(Memory2, Memory4, address, address);
    SAME(Memory2, Memory4, bytes, bytes);
    SAME(Memory2, Memory4, timestamp, timestamp);
    SAME(Memory2, Memory4, deviceId, deviceId);
    SAME(Memory2, Memory4, streamId, streamId);
    SAME(Memory2, Memory4, name, name);
    SAME(Memory2, Memory4, poolType, memoryPoolConfig.memoryPoolType);
    SAME(Memory2, Memory4, poolAddress, memoryPoolConfig.address);
    SAME(Memory2, Memory4, poolThreshold, memoryPoolConfig.releaseThreshold);
    SAME(Memory2, Memory4, poolSize, memoryPoolConfig.pool.size);
    SAME(Memory2, Memory4, poolUsed, memoryPoolConfig.utilizedSize);
    SAME(Memory2, Memory4, source, source);

    SAME(MemoryPool, MemoryPool3, operation, memoryPoolOperationType);
    SAME(MemoryPool, MemoryPool3, poolType, memoryPoolType);
    SAME(MemoryPool, MemoryPool3, deviceId, deviceId);
    SAME(MemoryPool, MemoryPool3, minBytesToKeep, minBytesToKeep);
    SAME(MemoryPool, MemoryPool3, address, address);
    SAME(MemoryPool, MemoryPool3, size, size);
    SAME(MemoryPool, MemoryPool3, threshold, releaseThreshold);
    SAME(MemoryPool, MemoryPool3, timestamp, timestamp);
    SAME(MemoryPool, MemoryPool3, used, utilizedSize);

    SAME(Device, Device5, memoryBandwidth, globalMemoryBandwidth);
    SAME(Device, Device5, memoryBytes, globalMemorySize);
    SAME(Device, Device5, l2Bytes, l2CacheSize);
    SAME(Device, Device5, warpSize, numThreadsPerWarp);
    SAME(Device, Device5, coreClockKhz, coreClockRate);
    SAME(Device, Device5, smCount, numMultiprocessors);
    SAME(Device, Device5, maxWarpsPerSm, maxWarpsPerMultiprocessor);
    SAME(Device, Device5, maxBlocksPerSm, maxBlocksPerMultiprocessor);
    SAME(Device, Device5, sharedPerSm, maxSharedMemoryPerMultiprocessor);
    SAME(Device, Device5, registersPerSm, maxRegistersPerMultiprocessor);
    SAME(Device, Device5, registersPerBlock, maxRegistersPerBlock);
    SAME(Device, Device5, sharedPerBlock, maxSharedMemoryPerBlock);
    SAME(Device, Device5, maxThreadsPerBlock, maxThreadsPerBlock);
    SAME(Device, Device5, computeMajor, computeCapabilityMajor);
    SAME(Device, Device5, computeMinor, computeCapabilityMinor);
    SAME(Device, Device5, id, id);
    SAME(Device, Device5, uuid, uuid);
    SAME(Device, Device5, name, name);

    SAME(Context, Context3, contextId, contextId);
    SAME(Context, Context3, deviceId, deviceId);
    SAME(Context, Context3, api, computeApiKind);
    SAME(Context, Context3, nullStreamId, nullStreamId);
    SAME(Stream, Stream, contextId, contextId);
    SAME(Stream, Stream, streamId, streamId);
    SAME(Stream, Stream, priority, priority);
    SAME(Stream, Stream, flag, flag);
    SAME(Name, Name, objectKind, objectKind);
    SAME(Name, Name, object, objectId);
    SAME(Name, Name, name, name);
    SAME(Marker, Marker2, flags, flags);
    SAME(Marker, Marker2, timestamp, timestamp);
    SAME(Marker, Marker2, id, id);
    SAME(Marker, Marker2, object, objectId);
    SAME(Marker, Marker2, name, name);
    SAME(Marker, Marker2, domain, domain);
    SAME(Overhead, Overhead3, overheadKind, overheadKind);
    SAME(Overhead, Overhead3, objectKind, objectKind);
    SAME(Overhead, Overhead3, object, objectId);
    SAME(Overhead, Overhead3, start, start);
    SAME(Overhead, Overhead3, end, end);
    SAME(Synchronization, Synchronization2, type, type);
    SAME(Synchronization, Synchronization2, start, start);
    SAME(Synchronization, Synchronization2, correlationId, correlationId);
    SAME(Synchronization, Synchronization2, contextId, contextId);
    SAME(Synchronization, Synchronization2, streamId, streamId);
    SAME(Synchronization, Synchronization2, eventId, cudaEventId);
    SAME(Jit, Jit2, entryType, jitEntryType);
    SAME(Jit, Jit2, operation, jitOperationType);
    SAME(Jit, Jit2, deviceId, deviceId);
    SAME(Jit, Jit2, start, start);
    SAME(Jit, Jit2, end, end);
    SAME(Jit, Jit2, correlationId, correlationId);
    SAME(Jit, Jit2, cacheBytes, cacheSize);
    SAME(Jit, Jit2, cachePath, cachePath);
    SAME(Jit, Jit2, threadId, threadId);
    SAME(GraphTrace, GraphTrace2, correlationId, correlationId);
    SAME(GraphTrace, GraphTrace2, start, start);
    SAME(GraphTrace, GraphTrace2, deviceId, deviceId);
    SAME(GraphTrace, GraphTrace2, graphId, graphId);
    SAME(GraphTrace, GraphTrace2, streamId, streamId);
    QCOMPARE(offsetof(layout::ObjectId, threadOrContext), offsetof(CUpti_ActivityObjectKindId, pt.threadId));
    QCOMPARE(offsetof(layout::ObjectId, stream), offsetof(CUpti_ActivityObjectKindId, dcs.streamId));
}

/// What the stand-in writes is as long as the real ones.
void TestActivityLayout::sizes() {
    using namespace layout;
    const auto bytes = [](uint32_t kind, uint32_t version) { return test::cuptiRecordBytes(kind, version); };
    QCOMPARE(bytes(kConcurrentKernel, test::kCupti118), sizeof(CUpti_ActivityKernel8));
    QCOMPARE(bytes(kConcurrentKernel, test::kCupti120), sizeof(CUpti_ActivityKernel9));
    QCOMPARE(bytes(kConcurrentKernel, test::kCupti130), sizeof(CUpti_ActivityKernel10));
    QCOMPARE(bytes(kMemcpy, test::kCupti118), sizeof(CUpti_ActivityMemcpy5));
    QCOMPARE(bytes(kMemcpy, test::kCupti130), sizeof(CUpti_ActivityMemcpy6));
    QCOMPARE(bytes(kPeerMemcpy, test::kCupti130), sizeof(CUpti_ActivityMemcpyPtoP4));
    QCOMPARE(bytes(kMemset, test::kCupti130), sizeof(CUpti_ActivityMemset4));
    QCOMPARE(bytes(kRuntime, test::kCupti130), sizeof(CUpti_ActivityAPI));
    QCOMPARE(bytes(kMemory2, test::kCupti118), sizeof(CUpti_ActivityMemory3));
    QCOMPARE(bytes(kMemory2, test::kCupti130), sizeof(CUpti_ActivityMemory4));
    QCOMPARE(bytes(kMemoryPool, test::kCupti118), sizeof(CUpti_ActivityMemoryPool2));
    QCOMPARE(bytes(kMemoryPool, test::kCupti130), sizeof(CUpti_ActivityMemoryPool3));
    QCOMPARE(bytes(kDevice, test::kCupti118), sizeof(CUpti_ActivityDevice4));
    QCOMPARE(bytes(kDevice, test::kCupti130), sizeof(CUpti_ActivityDevice5));
    QCOMPARE(bytes(kContext, test::kCupti118), sizeof(CUpti_ActivityContext));
    QCOMPARE(bytes(kContext, test::kCupti130), sizeof(CUpti_ActivityContext3));
    QCOMPARE(bytes(kStream, test::kCupti130), sizeof(CUpti_ActivityStream));
    QCOMPARE(bytes(kName, test::kCupti130), sizeof(CUpti_ActivityName));
    QCOMPARE(bytes(kMarker, test::kCupti130), sizeof(CUpti_ActivityMarker2));
    QCOMPARE(bytes(kOverhead, test::kCupti118), sizeof(CUpti_ActivityOverhead));
    QCOMPARE(bytes(kOverhead, test::kCupti130), sizeof(CUpti_ActivityOverhead3));
    QCOMPARE(bytes(kSynchronization, test::kCupti118), sizeof(CUpti_ActivitySynchronization));
    QCOMPARE(bytes(kSynchronization, test::kCupti130), sizeof(CUpti_ActivitySynchronization2));
    QCOMPARE(bytes(kJit, test::kCupti118), sizeof(CUpti_ActivityJit));
    QCOMPARE(bytes(kJit, test::kCupti130), sizeof(CUpti_ActivityJit2));
    QCOMPARE(bytes(kGraphTrace, test::kCupti118), sizeof(CUpti_ActivityGraphTrace));
    QCOMPARE(bytes(kGraphTrace, test::kCupti130), sizeof(CUpti_ActivityGraphTrace2));
}

#else

void TestActivityLayout::members() {
    QSKIP("CUPTI's header is older than 13.0");
}

void TestActivityLayout::sizes() {
    QSKIP("CUPTI's header is older than 13.0");
}

#endif

void TestActivityLayout::kinds() {
    using namespace layout;
    QCOMPARE(int(kMemcpy), int(CUPTI_ACTIVITY_KIND_MEMCPY));
    QCOMPARE(int(kMemset), int(CUPTI_ACTIVITY_KIND_MEMSET));
    QCOMPARE(int(kKernel), int(CUPTI_ACTIVITY_KIND_KERNEL));
    QCOMPARE(int(kDriver), int(CUPTI_ACTIVITY_KIND_DRIVER));
    QCOMPARE(int(kRuntime), int(CUPTI_ACTIVITY_KIND_RUNTIME));
    QCOMPARE(int(kDevice), int(CUPTI_ACTIVITY_KIND_DEVICE));
    QCOMPARE(int(kContext), int(CUPTI_ACTIVITY_KIND_CONTEXT));
    QCOMPARE(int(kConcurrentKernel), int(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    QCOMPARE(int(kName), int(CUPTI_ACTIVITY_KIND_NAME));
    QCOMPARE(int(kMarker), int(CUPTI_ACTIVITY_KIND_MARKER));
    QCOMPARE(int(kMarkerData), int(CUPTI_ACTIVITY_KIND_MARKER_DATA));
    QCOMPARE(int(kOverhead), int(CUPTI_ACTIVITY_KIND_OVERHEAD));
    QCOMPARE(int(kPeerMemcpy), int(CUPTI_ACTIVITY_KIND_MEMCPY2));
    QCOMPARE(int(kStream), int(CUPTI_ACTIVITY_KIND_STREAM));
    QCOMPARE(int(kSynchronization), int(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION));
    QCOMPARE(int(kInternalLaunchApi), int(CUPTI_ACTIVITY_KIND_INTERNAL_LAUNCH_API));
    QCOMPARE(int(kMemory2), int(CUPTI_ACTIVITY_KIND_MEMORY2));
    QCOMPARE(int(kMemoryPool), int(CUPTI_ACTIVITY_KIND_MEMORY_POOL));
    QCOMPARE(int(kGraphTrace), int(CUPTI_ACTIVITY_KIND_GRAPH_TRACE));
    QCOMPARE(int(kJit), int(CUPTI_ACTIVITY_KIND_JIT));
    QCOMPARE(int(kMarkerInstant), int(CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS));
    QCOMPARE(int(kMarkerStart), int(CUPTI_ACTIVITY_FLAG_MARKER_START));
    QCOMPARE(int(kMarkerEnd), int(CUPTI_ACTIVITY_FLAG_MARKER_END));
}

QTEST_GUILESS_MAIN(TestActivityLayout)
#include "tst_activity_layout.moc"
