// SPDX-License-Identifier: MIT
#pragma once
// What a member of a gzip file looks like (RFC 1952).

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/loaders/part_search.h"

namespace warpline {

/// The magic number, and the one method there is.
constexpr std::string_view kGzipMagic = "\x1f\x8b\x08";

/// Whether zlib's reason for giving up is that the text was read but does not fit the sums behind it.
bool isAboutGzipChecksum(std::string_view reason);

class GzipMember final : public PartKind {
public:
    explicit GzipMember(std::shared_ptr<const StoredBytes> bytes) : m_bytes(std::move(bytes)) {}

    std::string_view magic() const override { return kGzipMagic; }
    size_t headBytes() const override;
    bool mayBegin(std::string_view head) const override;
    /// Whether it can be decompressed for long enough, or to its end with the checksum that it says.
    Result<bool> doesBegin(uint64_t at) override;

private:
    std::shared_ptr<const StoredBytes> m_bytes;
    std::string m_head, m_text;
};

}  // namespace warpline
