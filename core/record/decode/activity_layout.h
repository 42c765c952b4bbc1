// SPDX-License-Identifier: MIT
#pragma once
// How CUPTI lays out its activity records, from 11.8 on: later versions only append members. So these are prefixes;
// what a version lacks is guarded by the length of the record (see ActivityDecoder). Facts of CUPTI's public headers,
// written down here so that decoding needs no header of a particular version; tests/core/record/inject holds them to
// the header that is there.

#include <cstdint>

namespace warpline::record::layout {

enum Kind : uint32_t {
    kMemcpy = 1,
    kMemset = 2,
    kKernel = 3,
    kDriver = 4,
    kRuntime = 5,
    kDevice = 8,
    kContext = 9,
    kConcurrentKernel = 10,
    kName = 11,
    kMarker = 12,
    kMarkerData = 13,
    kOverhead = 17,
    kPeerMemcpy = 22,
    kStream = 37,
    kSynchronization = 38,
    kInternalLaunchApi = 48,
    kMemory2 = 49,
    kMemoryPool = 50,
    kGraphTrace = 51,
    kJit = 52,
};

enum MarkerFlag : uint32_t { kMarkerInstant = 1, kMarkerStart = 2, kMarkerEnd = 4 };

// Records are packed, and each begins at a multiple of 8 bytes.
#define WARPLINE_PACKED __attribute__((packed, aligned(8)))

struct WARPLINE_PACKED Kernel {
    uint32_t kind;
    uint8_t cacheConfig, sharedMemoryConfig;
    uint16_t registersPerThread;
    uint32_t cacheRequested, cacheExecuted;
    uint64_t start, end, completed;
    uint32_t deviceId, contextId, streamId;
    int32_t grid[3], block[3];
    int32_t staticShared, dynamicShared;
    uint32_t localPerThread, localTotal32;
    uint32_t correlationId;
    int64_t gridId;
    const char* name;
    uint64_t reserved;
    uint64_t queued, submitted;
    uint8_t launchType, carveoutIsRequested, carveoutRequested, padding;
    uint32_t sharedExecuted;
    uint64_t graphNodeId;
    uint32_t sharedLimitConfig;
    uint32_t graphId;
    uint64_t accessPolicyWindow;
    uint32_t channelId, channelType;
    uint32_t cluster[3];
    uint32_t clusterPolicy;
    uint64_t localTotal;
};
static_assert(sizeof(Kernel) == 200);

struct WARPLINE_PACKED Memcpy {
    uint32_t kind;
    uint8_t copyKind, sourceKind, targetKind, flags;
    uint64_t bytes, start, end;
    uint32_t deviceId, contextId, streamId;
    uint32_t correlationId, runtimeCorrelationId, padding;
    uint64_t reserved;
    uint64_t graphNodeId;
    uint32_t graphId;
    uint32_t channelId, channelType;
};
static_assert(sizeof(Memcpy) == 88);

struct WARPLINE_PACKED PeerMemcpy {
    uint32_t kind;
    uint8_t copyKind, sourceKind, targetKind, flags;
    uint64_t bytes, start, end;
    uint32_t deviceId, contextId, streamId;
    uint32_t sourceDevice, sourceContext, targetDevice, targetContext;
    uint32_t correlationId;
    uint64_t reserved;
    uint64_t graphNodeId;
    uint32_t graphId;
    uint32_t channelId, channelType;
};
static_assert(sizeof(PeerMemcpy) == 96);

struct WARPLINE_PACKED Memset {
    uint32_t kind;
    uint32_t value;
    uint64_t bytes, start, end;
    uint32_t deviceId, contextId, streamId, correlationId;
    uint16_t flags, memoryKind;
    uint32_t padding;
    uint64_t reserved;
    uint64_t graphNodeId;
    uint32_t graphId;
    uint32_t channelId, channelType;
};
static_assert(sizeof(Memset) == 88);

struct WARPLINE_PACKED Api {
    uint32_t kind;
    uint32_t cbid;
    uint64_t start, end;
    uint32_t processId, threadId, correlationId, returnValue;
};
static_assert(sizeof(Api) == 40);

struct WARPLINE_PACKED Memory2 {
    uint32_t kind;
    uint32_t operation, memoryKind, correlationId;
    uint64_t address, bytes, timestamp, pc;
    uint32_t processId, deviceId, contextId, streamId;
    const char* name;
    uint32_t isAsync, padding;
    uint32_t poolType, poolPadding;
    uint64_t poolAddress, poolThreshold, poolSize, poolUsed;
    // From the version on that can tell who asked for the memory.
    const char* source;
};
static_assert(sizeof(Memory2) == 128);

struct WARPLINE_PACKED MemoryPool {
    uint32_t kind;
    uint32_t operation, poolType, correlationId, processId, deviceId;
    uint64_t minBytesToKeep;
    uint64_t address, size, threshold, timestamp, used;
};
static_assert(sizeof(MemoryPool) == 72);

struct WARPLINE_PACKED Device {
    uint32_t kind;
    uint32_t flags;
    uint64_t memoryBandwidth, memoryBytes;  // the bandwidth in kbytes a second
    uint32_t constantBytes, l2Bytes, warpSize, coreClockKhz, copyEngines, smCount, maxIpc;
    uint32_t maxWarpsPerSm, maxBlocksPerSm, sharedPerSm, registersPerSm, registersPerBlock, sharedPerBlock;
    uint32_t maxThreadsPerBlock, maxBlockDim[3], maxGridDim[3];
    uint32_t computeMajor, computeMinor, id, eccEnabled;
    uint8_t uuid[16];
    const char* name;
};
static_assert(sizeof(Device) == 144);

struct WARPLINE_PACKED Context {
    uint32_t kind;
    uint32_t contextId, deviceId;
    uint16_t api, nullStreamId;
};
static_assert(sizeof(Context) == 16);

struct WARPLINE_PACKED Stream {
    uint32_t kind;
    uint32_t contextId, streamId, priority, flag, correlationId;
};
static_assert(sizeof(Stream) == 24);

/// Of a process and thread, or of a device, context and stream.
struct __attribute__((packed)) ObjectId {
    uint32_t processOrDevice, threadOrContext, stream;
};

struct WARPLINE_PACKED Name {
    uint32_t kind;
    uint32_t objectKind;
    ObjectId object;
    uint32_t padding;
    const char* name;
};
static_assert(sizeof(Name) == 32);

struct WARPLINE_PACKED Marker {
    uint32_t kind;
    uint32_t flags;
    uint64_t timestamp;
    uint32_t id;
    uint32_t objectKind;
    ObjectId object;
    uint32_t padding;
    const char *name, *domain;
};
static_assert(sizeof(Marker) == 56);

struct WARPLINE_PACKED Overhead {
    uint32_t kind;
    uint32_t overheadKind, objectKind;
    ObjectId object;
    uint64_t start, end;
};
static_assert(sizeof(Overhead) == 40);

struct WARPLINE_PACKED Synchronization {
    uint32_t kind;
    uint32_t type;
    uint64_t start, end;
    uint32_t correlationId, contextId, streamId, eventId;
};
static_assert(sizeof(Synchronization) == 40);

struct WARPLINE_PACKED Jit {
    uint32_t kind;
    uint32_t entryType, operation, deviceId;
    uint64_t start, end;
    uint32_t correlationId, padding;
    uint64_t operationCorrelation, cacheBytes;
    const char* cachePath;
    // From 12.8 on, as far as known.
    uint32_t processId, threadId;
};
static_assert(sizeof(Jit) == 72);

struct WARPLINE_PACKED GraphTrace {
    uint32_t kind;
    uint32_t correlationId;
    uint64_t start, end;
    uint32_t deviceId, graphId, contextId, streamId;
    uint64_t reserved;
};
static_assert(sizeof(GraphTrace) == 48);

#undef WARPLINE_PACKED

}  // namespace warpline::record::layout
