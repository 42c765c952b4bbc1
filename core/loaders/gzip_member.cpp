// SPDX-License-Identifier: MIT
#include "core/loaders/gzip_member.h"

#include <zlib.h>

namespace warpline {

namespace {

constexpr int kGzipBits = 15 + 16;
constexpr size_t kFlagsAt = 3;
constexpr unsigned kReservedFlags = 0xe0;
/// What may be a member is one if so much of it can be read, or all of it.
constexpr size_t kTrialTextBytes = size_t{4} << 10;
constexpr size_t kTrialStoredBytes = size_t{64} << 10;
/// Of a member that the file's end cuts, or whose checksum does not fit; random bits rarely give as much.
constexpr size_t kTrialShortTextBytes = 64;

}  // namespace

bool isAboutGzipChecksum(std::string_view reason) {
    return reason == "incorrect data check" || reason == "incorrect length check";
}

size_t GzipMember::headBytes() const {
    return kFlagsAt + 1;
}

bool GzipMember::mayBegin(std::string_view head) const {
    return (static_cast<unsigned char>(head[kFlagsAt]) & kReservedFlags) == 0;
}

Result<bool> GzipMember::doesBegin(uint64_t at) {
    m_head.resize(kTrialStoredBytes);
    m_text.resize(kTrialTextBytes);
    const auto count = m_bytes->readAt(at, m_head);
    if (!count) {
        return count.error();
    }
    z_stream trial{};
    if (inflateInit2(&trial, kGzipBits) != Z_OK) {
        return Error::failed("out of memory while decompressing");
    }
    trial.next_in = reinterpret_cast<Bytef*>(m_head.data());
    trial.avail_in = static_cast<uInt>(count.value());
    trial.next_out = reinterpret_cast<Bytef*>(m_text.data());
    trial.avail_out = static_cast<uInt>(m_text.size());
    const int code = inflate(&trial, Z_NO_FLUSH);
    const size_t made = m_text.size() - trial.avail_out;
    const bool hasBadSum = code == Z_DATA_ERROR && trial.msg != nullptr && isAboutGzipChecksum(trial.msg);
    inflateEnd(&trial);
    const bool isCutByEnd = (code == Z_OK || code == Z_BUF_ERROR) && at + count.value() == m_bytes->size();
    return code == Z_STREAM_END || (code == Z_OK && made == m_text.size()) ||
           ((hasBadSum || isCutByEnd) && made >= kTrialShortTextBytes);
}

}  // namespace warpline
