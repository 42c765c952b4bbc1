// SPDX-License-Identifier: MIT
#pragma once
// Numbers of the fields that are read, by Perfetto's public .proto files (protos/perfetto/trace).

#include <cstdint>

namespace warpline::loaders::perfetto_proto {

inline constexpr uint32_t kTracePacket = 1;  // Trace.packet

namespace packet {
enum Field : uint32_t {
    kFtraceEvents = 1,
    kTrustedUid = 3,
    kClockSnapshot = 6,
    kTimestamp = 8,
    kSequenceId = 10,
    kTrackEvent = 11,
    kInternedData = 12,
    kSequenceFlags = 13,
    kTraceConfig = 33,
    kTraceStats = 35,
    kSyncMarker = 36,
    kStateCleared = 41,
    kPreviousDropped = 42,
    kProcessDescriptor = 43,
    kThreadDescriptor = 44,
    kSystemInfo = 45,
    kCompressedPackets = 50,
    kChromeMetadata = 51,
    kClockId = 58,
    kDefaults = 59,
    kTrackDescriptor = 60,
    kServiceEvent = 69,
    kExtensionDescriptor = 72,
    kTrustedPid = 79,
    kFirstOnSequence = 87,
    kTraceUuid = 89,
    kMachineId = 98,
    kProvenance = 124,
    kZstdPackets = 133,
};
inline constexpr uint64_t kFlagCleared = 1;
inline constexpr uint64_t kFlagNeedsState = 2;
}  // namespace packet

namespace defaults {
enum Field : uint32_t { kTrackEvent = 11, kClockId = 58 };
}

namespace event {
enum Field : uint32_t {
    kDeltaUs = 1,
    kThreadTimeDeltaUs = 2,
    kCategoryIids = 3,
    kAnnotations = 4,
    kTaskExecution = 5,
    kLegacy = 6,
    kType = 9,
    kNameIid = 10,
    kTrackUuid = 11,
    kExtraCounterValues = 12,
    kAbsoluteUs = 16,
    kLogMessage = 21,
    kCategories = 22,
    kName = 23,
    kCounterValue = 30,
    kExtraCounterTracks = 31,
    kSourceLocation = 33,
    kFlowIdsOld = 36,
    kTerminatingFlowIdsOld = 42,
    kDoubleCounterValue = 44,
    kExtraDoubleCounterTracks = 45,
    kExtraDoubleCounterValues = 46,
    kFlowIds = 47,
    kTerminatingFlowIds = 48,
};
enum Type : uint64_t { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4 };
}  // namespace event

namespace legacy {
enum Field : uint32_t {
    kNameIid = 1,
    kPhase = 2,
    kDurationUs = 3,
    kUnscopedId = 6,
    kIdScope = 7,
    kBindId = 8,
    kLocalId = 10,
    kGlobalId = 11,
    kBindToEnclosing = 12,
    kFlowDirection = 13,
    kInstantScope = 14,
    kPidOverride = 18,
    kTidOverride = 19,
};
}

namespace track {
enum Field : uint32_t {
    kUuid = 1,
    kName = 2,
    kProcess = 3,
    kThread = 4,
    kParentUuid = 5,
    kChromeProcess = 6,
    kCounter = 8,
    kStaticName = 10,
    kAtraceName = 13,
};
}

namespace process {
enum Field : uint32_t { kPid = 1, kCommandLine = 2, kSortIndex = 3, kName = 6 };
}

namespace thread {
enum Field : uint32_t { kPid = 1, kTid = 2, kSortIndex = 3, kName = 5, kReferenceUs = 6 };
}

namespace counter {
enum Field : uint32_t { kType = 1, kUnit = 3, kMultiplier = 4, kIsIncremental = 5, kUnitName = 6 };
}

namespace interned {
enum Field : uint32_t { kCategories = 1, kNames = 2, kAnnotationNames = 3, kAnnotationTexts = 29 };
inline constexpr uint32_t kIid = 1;   // of every entry
inline constexpr uint32_t kText = 2;  // "name" or "str"
}  // namespace interned

namespace annotation {
enum Field : uint32_t {
    kNameIid = 1,
    kBool = 2,
    kUnsigned = 3,
    kSigned = 4,
    kDouble = 5,
    kText = 6,
    kPointer = 7,
    kNested = 8,
    kLegacyJson = 9,
    kName = 10,
    kDictEntries = 11,
    kArrayValues = 12,
    kProtoValue = 14,
    kTextIid = 17,
};
}

namespace nested {
enum Field : uint32_t {
    kType = 1,
    kKeys = 2,
    kValues = 3,
    kArrayValues = 4,
    kSigned = 5,
    kDouble = 6,
    kBool = 7,
    kText = 8
};
inline constexpr uint64_t kDict = 1;
inline constexpr uint64_t kArray = 2;
}  // namespace nested

namespace snapshot {
enum Field : uint32_t { kClocks = 1, kPrimaryClock = 2 };
enum ClockField : uint32_t { kClockId = 1, kTimestamp = 2, kIsIncremental = 3, kMultiplier = 4 };
}  // namespace snapshot

}  // namespace warpline::loaders::perfetto_proto
