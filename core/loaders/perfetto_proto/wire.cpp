// SPDX-License-Identifier: MIT
#include "core/loaders/perfetto_proto/wire.h"

namespace warpline::loaders::perfetto_proto {

namespace {

constexpr size_t kLongestVarint = 10;
constexpr uint64_t kLargestNumber = (1U << 29) - 1;

template <class T>
uint64_t fixedAt(const char* p) {
    T value;
    std::memcpy(&value, p, sizeof(value));
    return value;
}

}  // namespace

static_assert(std::endian::native == std::endian::little, "fixed fields are read as they stand");

std::optional<uint64_t> readVarint(std::string_view text, size_t& place) {
    uint64_t value = 0;
    for (size_t i = 0; i < kLongestVarint && place + i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[place + i]);
        if (i == kLongestVarint - 1 && byte > 1) {
            return std::nullopt;
        }
        value |= uint64_t{byte & 0x7fU} << (7 * i);
        if (byte < 0x80) {
            place += i + 1;
            return value;
        }
    }
    return std::nullopt;
}

bool WireReader::next() {
    if (m_failed || m_place >= m_text.size()) {
        return false;
    }
    m_failed = true;  // until the field is whole
    const auto tag = readVarint(m_text, m_place);
    if (!tag || *tag >> 3 == 0 || *tag >> 3 > kLargestNumber) {
        return false;
    }
    m_field.number = static_cast<uint32_t>(*tag >> 3);
    m_field.type = static_cast<WireType>(*tag & 7);
    m_field.bytes = {};
    const size_t left = m_text.size() - m_place;
    switch (m_field.type) {
        case WireType::Varint: {
            const auto value = readVarint(m_text, m_place);
            if (!value) {
                return false;
            }
            m_field.value = *value;
            break;
        }
        case WireType::Fixed64:
            if (left < 8) {
                return false;
            }
            m_field.value = fixedAt<uint64_t>(m_text.data() + m_place);
            m_place += 8;
            break;
        case WireType::Fixed32:
            if (left < 4) {
                return false;
            }
            m_field.value = fixedAt<uint32_t>(m_text.data() + m_place);
            m_place += 4;
            break;
        case WireType::Bytes: {
            const auto length = readVarint(m_text, m_place);
            if (!length || *length > m_text.size() - m_place) {
                return false;
            }
            m_field.value = *length;
            m_field.bytes = m_text.substr(m_place, static_cast<size_t>(*length));
            m_place += static_cast<size_t>(*length);
            break;
        }
        default:
            return false;  // groups are long gone from the format, and never were in traces
    }
    m_failed = false;
    return true;
}

}  // namespace warpline::loaders::perfetto_proto
