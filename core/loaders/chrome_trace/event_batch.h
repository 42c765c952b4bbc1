// SPDX-License-Identifier: MIT
#pragma once
// The events of one chunk of text, decoded but not yet in a trace: what parsing hands to building. Texts have the
// parser's numbers, tracks those of the batch. Chunks can be parsed on any thread; they are appended in file order.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/event_facts.h"
#include "core/trace/event_kind.h"
#include "core/trace/import_report.h"
#include "core/trace/slices.h"
#include "core/trace/source_ref.h"
#include "core/trace/string_pool.h"

namespace warpline::loaders::chrome_trace {

inline constexpr uint32_t kNoIndex = 0xffffffffU;

/// What an event becomes. The phases of the format fall into these.
enum class EventRole : uint8_t { Slice, Begin, End, Instant, Async, Flow, Counter, Metadata };

struct RawEvent {
    EventRole role = EventRole::Slice;
    char phase = 'X';  ///< normalised: b n e for async, s t f for flows
    char scope = 't';
    bool bindsToEnclosing = false;
    EventKind kind = EventKind::Other;
    uint8_t sliceFlags = 0;
    bool hasId = false;       ///< the file gives an id
    bool hasLocalId = false;  ///< one that its process counts for itself
    bool idIsNumber = false;
    int64_t timeNs = 0;
    int64_t durationNs = 0;
    uint32_t name = 0;
    uint32_t category = 0;
    uint64_t id = 0;      ///< a text of the batch, or the number itself
    uint32_t shapes = 0;  ///< of an async event the scope of its id
    uint32_t track = 0;   ///< index into EventBatch::tracks
    uint64_t correlation = kNoCorrelation;
    uint64_t externalId = kNoExternalId;
    SourceRef source;
};

/// pid and tid as the file gives them; kNoIndex where it gives none.
struct RawTrack {
    uint32_t pid = kNoIndex;
    uint32_t tid = kNoIndex;
};

struct RawSample {
    uint32_t event = 0;
    uint32_t series = 0;
    double value = 0;
    std::optional<int64_t> whole;
};

struct RawMetadata {
    uint32_t event = 0;
    uint32_t text = kNoIndex;  ///< of a name or labels
    std::optional<int64_t> sortIndex;
};

template <class Facts>
struct Attached {
    uint32_t event = 0;
    Facts facts;
};

/// One entry a code and severity; offset and detail are those of the first in the chunk.
struct BatchIssue {
    std::string_view code;  ///< a literal
    Severity severity = Severity::Info;
    uint64_t count = 0;
    uint64_t offset = 0;
    std::string detail;
};

struct EventBatch {
    /// The texts, by the numbers that the events give them. They belong to the parser, which adds to them while it goes
    /// on with its next batch; so who appends the batch looks at `freshTexts` alone.
    std::shared_ptr<const StringPool> texts;
    std::vector<std::string_view> freshTexts;  ///< those that the parser's batches before this have not had
    uint32_t firstFresh = 0;                   ///< number of the first

    std::string_view text(uint32_t number) const { return texts->view(StringId(number)); }
    std::vector<RawEvent> events;
    std::vector<RawTrack> tracks;
    std::vector<Attached<KernelFacts>> kernels;
    std::vector<Attached<CopyFacts>> copies;
    std::vector<Attached<MemoryEvent>> memory;
    std::vector<RawSample> samples;
    std::vector<RawMetadata> metadata;
    std::vector<uint32_t> totals;  ///< tracks that hold one sum and no times
    std::vector<BatchIssue> issues;
    uint64_t objects = 0;         ///< list items that are events by their look, usable or not
    bool sawKineto = false;       ///< a category only Kineto writes
    bool sawJax = false;          ///< a process named as JAX names them
    bool sawProton = false;       ///< a stack of calls that begins as Proton's do
    bool sawNode = false;         ///< metadata that only Node.js writes
    bool hasNoPhase = false;      ///< an object has no `ph`
    bool hasGarbledText = false;  ///< a stretch of the chunk could not be read

    void clear();
    /// Counts one more; `detail` of the entry is empty if this is the first.
    BatchIssue& issue(std::string_view code, Severity severity, uint64_t offset);
};

}  // namespace warpline::loaders::chrome_trace
