// SPDX-License-Identifier: MIT
#include "tests/support/standin/cupti_records.h"

namespace warpline::test {

size_t cuptiRecordBytes(uint32_t kind, uint32_t version) {
    using namespace record::layout;
    constexpr uint32_t kCupti124 = 22, kCupti126 = 24, kCudaEvent = 36;
    switch (kind) {
        case kKernel:
        case kConcurrentKernel:
            return version >= kCupti131 ? 224 : version >= kCupti130 ? 216 : version >= kCupti120 ? 208 : 200;
        case kMemcpy:
            return version >= kCupti130 ? 96 : 88;
        case kPeerMemcpy:
            return 96;
        case kMemset:
            return 88;
        case kDriver:
        case kRuntime:
        case kInternalLaunchApi:
            return 40;
        case kMemory2:
            return version >= kCupti126 ? 128 : 120;
        case kMemoryPool:
            return version >= kCupti130 ? 80 : 72;
        case kDevice:
            return version >= kCupti130 ? 184 : 176;
        case kContext:
            return version >= kCupti130 ? 32 : version >= kCupti126 ? 24 : 16;
        case kStream:
            return 24;
        case kName:
            return 32;
        case kMarker:
            return 56;
        case kMarkerData:
            return 40;
        case kOverhead:
            return version >= kCupti130 ? 56 : version >= kCupti126 ? 48 : 40;
        case kSynchronization:
            return version >= kCupti126 ? 56 : 40;
        case kJit:
            return version >= kCupti128 ? 72 : 64;
        case kGraphTrace:
            return version >= kCupti124 ? 56 : 48;
        case kCudaEvent:
            return 48;
        default:
            return 0;
    }
}

}  // namespace warpline::test
