// SPDX-License-Identifier: MIT
#pragma once
// Writes values down as bytes, one after the other, and takes them back. Types with members are given by fields() (see
// trace_fields.h), the same function for both ways, so that what is written is what is read. Bytes that were not
// written by an ArchiveWriter make a reader fail, never read past their end, and never give a bool or an enum a value
// that it does not have.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/event_column.h"
#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/event_id.h"
#include "core/trace/track.h"

namespace warpline::cache {

template <class T>
inline constexpr bool kIsId = false;
template <class Tag>
inline constexpr bool kIsId<Id<Tag>> = true;
template <>
inline constexpr bool kIsId<StringId> = true;
template <>
inline constexpr bool kIsId<EventId> = true;

/// Every value of its bytes is one of its own, and it has no others: copied as it is.
template <class T>
concept Plain = (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || kIsId<T> || std::is_same_v<T, TimeRange> ||
                std::is_same_v<T, Lane>;

/// The last value of an enum that counts from 0.
template <class E>
inline constexpr E kLastValue = E::kLastValueIsNotGiven;

template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsList<EventColumn<T>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

class ArchiveWriter {
public:
    template <class T>
    ArchiveWriter& operator()(const T& value) {
        if constexpr (Plain<T>) {
            append(&value, sizeof value);
        } else if constexpr (std::is_same_v<T, bool> || std::is_enum_v<T>) {
            const auto byte = static_cast<uint8_t>(value);
            append(&byte, 1);
        } else if constexpr (std::is_same_v<T, std::string>) {
            (*this)(uint64_t{value.size()});
            append(value.data(), value.size());
        } else if constexpr (kIsOptional<T>) {
            (*this)(value.has_value());
            if (value) {
                (*this)(*value);
            }
        } else if constexpr (kIsList<T>) {
            (*this)(uint64_t{value.size()});
            if constexpr (Plain<typename T::value_type>) {
                append(value.data(), value.size() * sizeof(typename T::value_type));
            } else {
                for (const auto& item : value) {
                    (*this)(item);
                }
            }
        } else {
            fields(*this, value);
        }
        return *this;
    }
    ArchiveWriter& operator()(const std::map<std::string, std::string>& texts) {
        (*this)(uint64_t{texts.size()});
        for (const auto& [key, value] : texts) {
            (*this)(key)(value);
        }
        return *this;
    }

    std::span<const std::byte> bytes() const { return std::as_bytes(std::span(m_bytes)); }

private:
    void append(const void* from, size_t count) { m_bytes.append(static_cast<const char*>(from), count); }

    std::string m_bytes;
};

class ArchiveReader {
public:
    explicit ArchiveReader(std::span<const std::byte> bytes) : m_left(bytes) {}

    template <class T>
    ArchiveReader& operator()(T& value) {
        if constexpr (Plain<T>) {
            take(&value, sizeof value);
        } else if constexpr (std::is_same_v<T, bool>) {
            value = byteUpTo(1) != 0;
        } else if constexpr (std::is_enum_v<T>) {
            value = static_cast<T>(byteUpTo(static_cast<uint8_t>(kLastValue<T>)));
        } else if constexpr (std::is_same_v<T, std::string>) {
            value.resize(countOf(1));
            take(value.data(), value.size());
        } else if constexpr (kIsOptional<T>) {
            bool isThere = false;
            (*this)(isThere);
            value.reset();
            if (isThere) {
                (*this)(value.emplace());
            }
        } else if constexpr (kIsList<T>) {
            using Item = typename T::value_type;
            if constexpr (Plain<Item>) {
                value.resize(countOf(sizeof(Item)));
                take(value.data(), value.size() * sizeof(Item));
            } else {
                // Nothing is made for items that are not there.
                for (size_t left = countOf(1); left > 0 && !m_failed; --left) {
                    Item item;
                    (*this)(item);
                    value.push_back(std::move(item));
                }
            }
        } else {
            fields(*this, value);
        }
        return *this;
    }
    ArchiveReader& operator()(std::map<std::string, std::string>& texts) {
        for (size_t left = countOf(1); left > 0 && !m_failed; --left) {
            std::string key;
            std::string value;
            (*this)(key)(value);
            texts[std::move(key)] = std::move(value);
        }
        return *this;
    }

    /// Everything was there, and nothing is left over.
    bool ok() const { return !m_failed && m_left.empty(); }

private:
    void take(void* to, size_t count) {
        if (m_failed || count > m_left.size()) {
            m_failed = true;
            return;
        }
        if (count != 0) {
            std::memcpy(to, m_left.data(), count);
        }
        m_left = m_left.subspan(count);
    }
    uint8_t byteUpTo(uint8_t last) {
        uint8_t byte = 0;
        take(&byte, 1);
        m_failed = m_failed || byte > last;
        return m_failed ? 0 : byte;
    }
    /// A count of items that take `itemBytes` at least, and no more of them than there can be; 0 on failure.
    size_t countOf(size_t itemBytes) {
        uint64_t count = 0;
        take(&count, sizeof count);
        m_failed = m_failed || count > m_left.size() / itemBytes;
        return m_failed ? 0 : static_cast<size_t>(count);
    }

    std::span<const std::byte> m_left;
    bool m_failed = false;
};

}  // namespace warpline::cache
