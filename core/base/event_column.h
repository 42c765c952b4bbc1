// SPDX-License-Identifier: MIT
#pragma once
// One fact of many events: an array of plain values that may become very long. Like a std::vector, but growing copies
// nothing, new values cost nothing until they are written, and clear() gives the memory back.

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

#include "core/base/page_memory.h"

namespace warpline {

/// REQUIRES: a T of zero bytes is a valid one; for values that are not set, see resize().
template <class T>
class EventColumn {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    using value_type = T;
    using iterator = T*;
    using const_iterator = const T*;

    EventColumn() = default;
    EventColumn(EventColumn&& other) noexcept
        : m_memory(std::move(other.m_memory)), m_size(std::exchange(other.m_size, 0)) {}
    EventColumn& operator=(EventColumn&& other) noexcept {
        std::swap(m_memory, other.m_memory);
        std::swap(m_size, other.m_size);
        return *this;
    }

    size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    T* data() { return static_cast<T*>(m_memory.data()); }
    const T* data() const { return static_cast<const T*>(m_memory.data()); }
    T* begin() { return data(); }
    T* end() { return data() + m_size; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + m_size; }
    T& operator[](size_t i) { return data()[i]; }
    const T& operator[](size_t i) const { return data()[i]; }
    T& back() { return data()[m_size - 1]; }
    const T& back() const { return data()[m_size - 1]; }

    void reserve(size_t count) { m_memory.growTo(count * sizeof(T)); }
    void push_back(const T& value) {
        if ((m_size + 1) * sizeof(T) > m_memory.bytes()) {
            const T copy = value;
            grow(m_size + 1);
            data()[m_size++] = copy;
            return;
        }
        data()[m_size++] = value;
    }
    void append(size_t count, const T& value) {
        reserve(m_size + count);
        std::fill_n(end(), count, value);
        m_size += count;
    }
    /// New values are zero bytes, if none were here before.
    void resize(size_t count) {
        reserve(count);
        m_size = count;
    }
    void clear() { *this = EventColumn(); }

    /// An empty column in memory that was another's; what resize() gives is what that left there.
    static EventColumn in(PageMemory memory) {
        EventColumn column;
        column.m_memory = std::move(memory);
        return column;
    }
    /// Its memory; the column is empty afterwards.
    PageMemory release() {
        m_size = 0;
        return std::exchange(m_memory, PageMemory());
    }

private:
    void grow(size_t count) {
        constexpr size_t kFirstBytes = size_t{4} << 10;
        m_memory.growTo(std::max({count * sizeof(T), m_memory.bytes() * 2, kFirstBytes}));
    }

    PageMemory m_memory;
    size_t m_size = 0;
};

}  // namespace warpline
