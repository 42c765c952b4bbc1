// SPDX-License-Identifier: MIT
#pragma once
// Slices as they come in, before they are sorted: columns that grow by blocks, so that growing copies nothing and takes
// no more memory than is used.

#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/base/ids.h"
#include "core/base/page_memory.h"
#include "core/base/time.h"
#include "core/trace/event_kind.h"
#include "core/trace/slices.h"

namespace warpline {

/// T is a plain value.
template <class T>
class BlockColumn {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    void push_back(T value) {
        if ((m_size & kMask) == 0) {
            m_blocks.emplace_back(kBlock * sizeof(T));
        }
        block(m_blocks.size() - 1)[m_size++ & kMask] = value;
    }
    T& operator[](uint32_t i) { return block(i >> kShift)[i & kMask]; }
    const T& operator[](uint32_t i) const { return block(i >> kShift)[i & kMask]; }
    uint32_t size() const { return m_size; }
    void release() {
        m_blocks.clear();
        m_size = 0;
    }

private:
    static constexpr uint32_t kShift = 16;
    static constexpr uint32_t kBlock = 1U << kShift;
    static constexpr uint32_t kMask = kBlock - 1;
    T* block(size_t i) const { return static_cast<T*>(m_blocks[i].data()); }

    std::vector<PageMemory> m_blocks;
    uint32_t m_size = 0;
};

/// See SliceColumns for what each is; in the order in which the slices were added.
struct SliceBlocks {
    BlockColumn<TimeNs> begin;
    BlockColumn<DurationNs> duration;
    BlockColumn<StringId> name;
    BlockColumn<StringId> category;
    BlockColumn<EventKind> kind;
    BlockColumn<uint8_t> flags;
    BlockColumn<TrackId> track;
    BlockColumn<uint64_t> correlation;
    BlockColumn<uint64_t> externalId;
    BlockColumn<StringId> shapes;
    BlockColumn<uint64_t> sourceOffset;
    BlockColumn<uint32_t> sourceLength;

    uint32_t size() const { return begin.size(); }
    SourceRef source(uint32_t i) const { return {sourceOffset[i], sourceLength[i]}; }
    TimeNs end(uint32_t i) const { return begin[i] + duration[i]; }
};

}  // namespace warpline
