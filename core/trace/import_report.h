// SPDX-License-Identifier: MIT
#pragma once
// What was odd, dropped or repaired while a file was read: one entry a file, code and severity, with a count and the
// first place. Shown in the window, printed by the CLI. Nothing is dropped without an entry here.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"

namespace warpline {

enum class Severity : uint8_t { Info, Warning, DataLoss, Error };
/// What an offset counts: bytes of the file as stored, or of its decompressed text.
enum class OffsetSpace : uint8_t { File, Decompressed };

/// "info", "warning", "data_loss", "error".
std::string_view severityName(Severity severity);

/// One line of the report. `code` is one of the stable words of `info --json`.
struct Issue {
    std::string code;
    Severity severity = Severity::Info;
    uint64_t count = 0;
    FileId file;
    std::optional<uint64_t> firstOffset;  ///< first byte of the first thing concerned
    OffsetSpace space = OffsetSpace::File;
    std::string message;  ///< a sentence; made by ImportReport::finish from the code, the count and the first detail
    std::string detail;   ///< what the first one was: a track, a name, a reason; may be empty
};

class ImportReport {
public:
    /// Adds `count` things; the offset and detail of the one that stands first in the file are kept.
    void add(FileId file, std::string_view code, Severity severity, std::optional<uint64_t> offset, OffsetSpace space,
             std::string_view detail = {}, uint64_t count = 1);

    /// Adds one thing; `detailOf` is asked for its detail only if that is kept.
    template <class DetailOf>
    void addOne(FileId file, std::string_view code, Severity severity, std::optional<uint64_t> offset,
                OffsetSpace space, DetailOf detailOf) {
        if (Issue* const issue = count(file, code, severity, offset, space, 1)) {
            issue->detail = detailOf();
        }
    }

    /// Writes the messages and sorts by file, severity (worst first) and code. Called once, when the trace is sealed.
    void finish();

    const std::vector<Issue>& issues() const { return m_issues; }
    uint64_t countOf(std::string_view code) const;
    /// Of this severity alone; of this and all worse ones.
    uint64_t countOf(Severity severity) const;
    uint64_t countFrom(Severity least) const;
    /// Number of events, list items or records that are nowhere in the trace.
    uint64_t lostCount() const;
    /// False if a stretch of an input could not be read: cut off or garbled.
    bool complete() const { return m_complete; }
    void setIncomplete() { m_complete = false; }

private:
    /// The entry if what is added stands first in the file: then its detail is wanted.
    Issue* count(FileId file, std::string_view code, Severity severity, std::optional<uint64_t> offset,
                 OffsetSpace space, uint64_t count);

    std::vector<Issue> m_issues;
    bool m_complete = true;
};

/// The sentence for an issue, e.g. "1 end without a begin was dropped (pid 9, tid 9)".
std::string issueMessage(const Issue& issue);

}  // namespace warpline
