// SPDX-License-Identifier: MIT
#pragma once
// The parse stage: text of whole events in, EventBatch out. Strict and fast first (see StrictWalker); what that refuses
// goes through the lenient scanner. Knows no trace and no file, so chunks can be parsed on any thread.

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/loaders/chrome_trace/event_batch.h"
#include "core/loaders/chrome_trace/event_look.h"
#include "core/loaders/chrome_trace/lenient_list.h"
#include "core/loaders/loader.h"

namespace warpline::loaders::chrome_trace {

/// One a thread; keeps its buffers and texts between chunks. All its batches must be appended, in their order, or it
/// starts over.
class ChunkParser {
public:
    /// `job`, which lives as long, cuts the work on a long event short when it is asked to stop; what is parsed from
    /// then on is good for nothing.
    explicit ChunkParser(const LoadOptions& options, const JobControl* job = nullptr);
    ~ChunkParser();

    /// Forgets the texts that its batches have had: for when one of these was not appended.
    void startOver();
    /// What comes next is a list, or a piece of one that knows nothing of what was before it.
    void beginList(const ListLook& list);

    /// Whole events with commas between them; `text` starts with the `{` of the first and ends with the `}` of the
    /// last. Returns false, and leaves the batch empty, if it is not strictly that.
    bool parseStrict(std::string_view text, uint64_t textOffset, EventBatch& batch);

    /// Reads list items one by one from `place` on, leniently, until the text or the list ends.
    /// `isLast`: nothing follows the text. `stopAt`: an item that starts there or later is left alone.
    ListScan parseLenient(std::string_view text, uint64_t textOffset, bool isLast, const ListPlace& place,
                          size_t stopAt, EventBatch& batch);

    /// The place just behind the last event of which one can guess that another follows it; 0 if there is none.
    static size_t findCut(std::string_view text);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warpline::loaders::chrome_trace
