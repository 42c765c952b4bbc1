// SPDX-License-Identifier: MIT
#pragma once
// The bytes of an input after decompression: read once from front to back while loading, and at any place afterwards.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/import_report.h"

namespace warpline {

class StoredBytes;

/// How much of a pipe is taken by default.
inline constexpr uint64_t kMaxPipedBytes = uint64_t{8} << 30;

class TextSource {
public:
    virtual ~TextSource() = default;

    /// Fills as much of `buffer` as it can; fewer bytes (or 0) only at the end. One thread at a time.
    /// A compressed stream that is cut or damaged gives what can be read; `damage()` then says what is wrong.
    virtual Result<size_t> readNext(std::span<char> buffer) = 0;
    /// What readNext() may look for without giving any text, behind damage, ends with Error::cancelled() once `job` is
    /// stopped. Null, before the job goes: no more is read from front to back; waits for threads that do.
    virtual void stopWith(const JobControl* /*job*/) {}
    /// `length` bytes at `offset` of the text. Fails if they are not there (any more). Any thread, may block on disk.
    virtual Result<std::string> read(uint64_t offset, size_t length) const = 0;

    /// Of text that is stored as it is: its bytes, which several threads can read at several places; else null.
    virtual std::shared_ptr<const StoredBytes> plainBytes() const { return nullptr; }
    /// Lets readNext() go on at `offset` of the text. REQUIRES: there are plainBytes().
    virtual void seek(uint64_t /*offset*/) {}

    /// Fails with the reason (code "file_changed") if the bytes are no longer those that were opened.
    virtual Status checkUnchanged() const = 0;
    virtual uint64_t storedBytes() const = 0;     ///< size as stored; of a pipe, all that it gave
    virtual uint64_t storedPosition() const = 0;  ///< how many of them readNext() has consumed, for progress
    virtual std::string compression() const = 0;  ///< "none", "gzip", "zstd"
    /// What is wrong with the compressed stream, for the import report.
    struct Damage {
        std::string code;  ///< "truncated", "bad_checksum", "trailing_data", "invalid_gzip", "invalid_zstd"
        std::string detail;
        uint64_t storedOffset = 0;
        bool losesText = false;  ///< text that should stand here is missing
        uint64_t count = 1;      ///< how many such things there are; the others come behind this one
    };
    /// What readNext() has found so far; empty if nothing is wrong.
    virtual std::vector<Damage> damage() const = 0;
    OffsetSpace offsetSpace() const { return compression() == "none" ? OffsetSpace::File : OffsetSpace::Decompressed; }
};

/// The text of bytes that are open already.
Result<std::shared_ptr<TextSource>> openTextSource(std::shared_ptr<const StoredBytes> bytes);
/// The same for who reads at places only, and has loaded the text before: compressed text is decompressed up to a place
/// when that is first asked for (about a gigabyte a second), and not again.
Result<std::shared_ptr<const TextSource>> reopenTextSource(std::shared_ptr<const StoredBytes> bytes);
/// Opens a file, or standard input for "-". The content decides (magic numbers of gzip and zstd), not the ending. What
/// is no regular file (a pipe) is read to its end, unless `job` is stopped; fails if it gives more than
/// `maxPipedBytes`.
Result<std::shared_ptr<TextSource>> openTextSource(const std::string& path, JobControl& job,
                                                   uint64_t maxPipedBytes = kMaxPipedBytes);
/// For tests and for text that is already in memory.
std::shared_ptr<TextSource> makeMemorySource(std::string text);

}  // namespace warpline
