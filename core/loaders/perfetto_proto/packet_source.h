// SPDX-License-Identifier: MIT
#pragma once
// Reads a packet back from its file and decodes the args of its event. Any thread.

#include <memory>

#include "core/loaders/loader.h"
#include "core/loaders/perfetto_proto/annotations.h"
#include "core/trace/source_ref.h"

namespace warpline::loaders::perfetto_proto {

/// A packet in the text; one of those that a `compressed_packets` packet holds is told by its number there.
inline constexpr uint32_t kCompressedBit = 0x8000'0000U;
constexpr SourceRef compressedReference(uint64_t outerOffset, uint32_t number) {
    return {outerOffset, kCompressedBit | number};
}

constexpr AnnotationTable::Place placeOf(SourceRef source) {
    return {source.offset, (source.length & kCompressedBit) != 0 ? source.length & ~kCompressedBit : 0};
}

std::shared_ptr<const EventSource> makePacketSource(std::shared_ptr<const TextSource> text,
                                                    std::shared_ptr<const AnnotationTable> texts,
                                                    const LoadOptions& options);

}  // namespace warpline::loaders::perfetto_proto
