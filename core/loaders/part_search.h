// SPDX-License-Identifier: MIT
#pragma once
// Behind damage in a compressed file: where the next part of it (a member of gzip, a frame of zstd) begins, and the
// list of what was wrong.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/job_control.h"
#include "core/loaders/stored_bytes.h"
#include "core/loaders/text_source.h"

namespace warpline {

/// What tells a part of one sort from bytes that only look like its begin. One thread.
class PartKind {
public:
    virtual ~PartKind() = default;
    /// With which bytes each begins.
    virtual std::string_view magic() const = 0;
    /// How many bytes from the begin on mayBegin() looks at; no less than the magic number has.
    virtual size_t headBytes() const = 0;
    /// Cheap: false for what cannot be one, by the headBytes() of `head` or by more.
    virtual bool mayBegin(std::string_view head) const = 0;
    /// Dear: reads a part of what begins there. Fails on an I/O error.
    virtual Result<bool> doesBegin(uint64_t at) = 0;
};

/// The search for a part. It remembers how often it tried, over all its calls: a file that is made to hold many false
/// begins is given up, as trying takes time. One thread.
class PartSearch {
public:
    explicit PartSearch(std::shared_ptr<const StoredBytes> bytes) : m_bytes(std::move(bytes)) {}

    /// find() gives no text for long, so it fails once `job` is stopped; null: it goes on.
    void stopWith(const JobControl* job) { m_job = job; }
    /// The first part that begins at `from` or later; nullopt if there is none, or no more trials are left.
    Result<std::optional<uint64_t>> find(uint64_t from, PartKind& kind);

private:
    bool isStopped() const { return m_job != nullptr && m_job->stopRequested(); }
    Result<std::optional<size_t>> findIn(std::string_view text, uint64_t offset, bool isLast, PartKind& kind);

    std::shared_ptr<const StoredBytes> m_bytes;
    const JobControl* m_job = nullptr;
    int m_trials = 0;
    std::string m_piece;
};

/// Adds to a list with one entry for things of a kind, which keeps the first's place.
void noteDamage(std::vector<TextSource::Damage>& list, TextSource::Damage damage);

/// "; 5 bytes as stored, up to `end`, are not read"; empty for none.
std::string notReadText(uint64_t bytes, std::string_view end);

}  // namespace warpline
