// SPDX-License-Identifier: MIT
#pragma once
// Sixteen bytes looked at in one go: each question is answered by 16 bits, the lowest for the first byte. Two
// implementations with the same answers: one for every machine, one for those of x86.

#include <cstddef>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace warpline::loaders::chrome_trace {

inline constexpr size_t kBlockBytes = 16;

class PortableByteBlock {
public:
    explicit PortableByteBlock(const char* bytes) { std::memcpy(m_bytes, bytes, kBlockBytes); }
    uint32_t equal(char c) const {
        return mask([c](unsigned char byte) { return byte == static_cast<unsigned char>(c); });
    }
    uint32_t differing(const PortableByteBlock& other) const {
        uint32_t bits = 0;
        for (size_t i = 0; i < kBlockBytes; ++i) {
            bits |= (m_bytes[i] != other.m_bytes[i] ? 1U : 0U) << i;
        }
        return bits;
    }
    uint32_t digits() const {
        return mask([](unsigned char byte) { return static_cast<unsigned char>(byte - '0') < 10; });
    }
    /// Bytes below 0x20, which no string may hold as they are, and those beyond ASCII.
    uint32_t notPlain() const {
        return mask([](unsigned char byte) { return byte < 0x20 || byte >= 0x80; });
    }

private:
    template <class Test>
    uint32_t mask(Test test) const {
        uint32_t bits = 0;
        for (size_t i = 0; i < kBlockBytes; ++i) {
            bits |= (test(m_bytes[i]) ? 1U : 0U) << i;
        }
        return bits;
    }
    unsigned char m_bytes[kBlockBytes];
};

#if defined(__SSE2__)
class ByteBlock {
public:
    explicit ByteBlock(const char* bytes) : m_bytes(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))) {}
    uint32_t equal(char c) const { return bitsOf(_mm_cmpeq_epi8(m_bytes, _mm_set1_epi8(c))); }
    uint32_t differing(const ByteBlock& other) const {
        return bitsOf(_mm_cmpeq_epi8(m_bytes, other.m_bytes)) ^ 0xffffU;
    }
    uint32_t digits() const {
        const __m128i value = _mm_sub_epi8(m_bytes, _mm_set1_epi8('0'));
        return bitsOf(_mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value));
    }
    uint32_t notPlain() const { return bitsOf(_mm_cmplt_epi8(m_bytes, _mm_set1_epi8(0x20))); }

private:
    static uint32_t bitsOf(__m128i bytes) { return static_cast<uint32_t>(_mm_movemask_epi8(bytes)); }
    __m128i m_bytes;
};
#else
using ByteBlock = PortableByteBlock;
#endif

}  // namespace warpline::loaders::chrome_trace
