// SPDX-License-Identifier: MIT
#pragma once
// The wire format of protocol buffers: a message is a run of fields, each with a number, a sort and a value. Reads in
// place and never past the end. Pure.

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace warpline::loaders::perfetto_proto {

enum class WireType : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

struct WireField {
    uint32_t number = 0;
    WireType type = WireType::Varint;
    uint64_t value = 0;      ///< of a number, as its bits
    std::string_view bytes;  ///< of a text, message or packed list

    bool isBytes() const { return type == WireType::Bytes; }
    int64_t asSigned() const { return static_cast<int64_t>(value); }
    double asDouble() const { return std::bit_cast<double>(value); }
};

/// A number of 7 bits a byte. Its length in bytes is added to `place`; nullopt: the text ends, or it is longer than 10
/// bytes or 64 bits.
std::optional<uint64_t> readVarint(std::string_view text, size_t& place);

class WireReader {
public:
    explicit WireReader(std::string_view message) : m_text(message) {}

    /// False at the end, or where the message is malformed.
    bool next();
    const WireField& field() const { return m_field; }
    bool failed() const { return m_failed; }
    size_t place() const { return m_place; }

private:
    std::string_view m_text;
    size_t m_place = 0;
    WireField m_field;
    bool m_failed = false;
};

/// A field's numbers: itself, or each of a packed list (of varints, or of 8 bytes each if `isFixed`). False if
/// malformed.
template <class Take>
bool forEachNumber(const WireField& field, bool isFixed, Take take) {
    if (!field.isBytes()) {
        take(field.value);
        return true;
    }
    size_t place = 0;
    while (place < field.bytes.size()) {
        if (!isFixed) {
            const auto value = readVarint(field.bytes, place);
            if (!value) {
                return false;
            }
            take(*value);
        } else {
            uint64_t value = 0;
            if (field.bytes.size() - place < sizeof(value)) {
                return false;
            }
            std::memcpy(&value, field.bytes.data() + place, sizeof(value));
            place += sizeof(value);
            take(value);
        }
    }
    return true;
}

}  // namespace warpline::loaders::perfetto_proto
