// SPDX-License-Identifier: MIT
#include "core/analyses/args_search.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/analyses/area_filter.h"
#include "core/analyses/event_search.h"
#include "core/analyses/match_map.h"
#include "core/analyses/name_matcher.h"
#include "core/base/json_string.h"
#include "core/base/parallel.h"
#include "core/base/stoppable.h"

namespace warpline {

namespace {

constexpr size_t kScannedBytes = 64;
/// Events that a thread reads at a time: so few that it hears a stop and the others get their share.
constexpr size_t kEventsAtATime = 512;

enum class Sort : uint8_t { Slice, Instant, AsyncSlice, AsyncInstant };

/// An event that can have the text.
struct Candidate {
    uint64_t offset = 0;  ///< so that compressed text is read from front to back
    uint32_t index = 0;   ///< row, or index in the trace's list
    Sort sort = Sort::Slice;
};

/// What went wrong with single events.
class Failures {
public:
    void add(const std::string& reason) {
        const std::lock_guard lock(m_mutex);
        ++m_count;
        if (m_reason.empty()) {
            m_reason = reason;
        }
    }
    std::string note() const {
        return m_count == 0 ? std::string()
               : m_count == 1
                   ? "the args of one event could not be searched: " + m_reason
                   : "the args of " + std::to_string(m_count) + " events could not be searched; the first: " + m_reason;
    }

private:
    std::mutex m_mutex;
    uint64_t m_count = 0;
    std::string m_reason;
};

class ArgsSearch {
public:
    ArgsSearch(const Trace& trace, const SearchQuery& query, const AreaFilter& scope, JobControl& job)
        : m_trace(trace), m_query(query), m_scope(scope), m_job(job) {}

    Result<SearchHits> run() {
        for (uint32_t file = 0; file < m_trace.files().size(); ++file) {
            if (m_trace.files()[file].source == nullptr) {
                continue;
            }
            if (const Status searched = searchFile(FileId(file)); !searched) {
                return searched.error();
            }
        }
        const SliceColumns& slices = m_trace.slices();
        const auto sortBy = [&](auto& hits, auto time) {
            return stableSortByKeyUnlessStopped(
                hits, [&](auto hit) { return std::pair(time(hit), hit); }, m_job);
        };
        const bool isSorted = sortBy(m_hits.slices, [&](EventRow row) { return slices.begin[row.value]; }) &&
                              sortBy(m_hits.instants, [&](uint32_t i) { return m_trace.instants()[i].time; }) &&
                              sortBy(m_hits.asyncSlices, [&](uint32_t i) { return m_trace.asyncSlices()[i].begin; }) &&
                              sortBy(m_hits.asyncInstants, [&](uint32_t i) { return m_trace.asyncInstants()[i].time; });
        return isSorted ? Result<SearchHits>(std::move(m_hits)) : Result<SearchHits>(Error::cancelled());
    }

private:
    Status searchFile(FileId file) {
        std::optional<MatchMap> map;
        const std::string part = m_query.isRegex ? std::string() : scannablePart(m_query.text);
        if (!part.empty()) {
            const uint64_t length = textEnd(file);
            map.emplace(length);
            m_job.setPhase("scanning the file");
            const TextFinder finder(part, m_query.matchCase ? Case::Matters : Case::Ignored);
            const auto scanned = m_trace.files()[file.value].source->scanText(
                finder, length, [&](uint64_t place) { map->mark(place); }, m_job);
            if (!scanned) {
                if (scanned.error().isCancelled()) {
                    return scanned.error();
                }
                addNote(scanned.error().message);
                return Status::success();
            }
            if (!scanned.value()) {
                map.reset();
            }
        }
        std::vector<Candidate> candidates;
        if (!collect(file, map ? &*map : nullptr, candidates)) {
            return Error::cancelled();
        }
        return verify(candidates);
    }

    /// Calls visit(span, row) for all slices of the file in scope, spans side by side; false when stopped.
    template <class Visit>
    bool eachSlice(FileId file, Visit visit) const {
        const SliceColumns& slices = m_trace.slices();
        const std::vector<RowSpan>& spans = m_scope.spans();
        parallelFor(spans.size(), usableThreads(), [&](size_t i) {
            // A span lies in one lane, so on one track.
            if (m_trace.fileOf(slices.track[spans[i].first]) != file) {
                return;
            }
            for (uint32_t row = spans[i].first; row < spans[i].last && !m_job.stopRequested(); ++row) {
                if (slices.sourceLength[row] != 0 && m_scope.takes(EventRow(row))) {
                    visit(i, row);
                }
            }
        });
        return !m_job.stopRequested();
    }
    /// Calls visit(sort, index, source, endSource) for all other events of the file in scope; false when stopped.
    template <class Visit>
    bool eachPoint(FileId file, Visit visit) const {
        StopPoll poll(m_job);
        const auto all = [&](const auto& events, Sort sort, auto endOf) {
            for (uint32_t i = 0; i < events.size(); ++i) {
                if (poll.stopRequested()) {
                    return false;
                }
                if (events[i].source.valid() && m_trace.fileOf(events[i].track) == file && m_scope.takes(events[i])) {
                    visit(sort, i, events[i].source, endOf(events[i]));
                }
            }
            return true;
        };
        const auto noEnd = [](const auto&) { return SourceRef(); };
        return all(m_trace.instants(), Sort::Instant, noEnd) &&
               all(m_trace.asyncSlices(), Sort::AsyncSlice, [](const AsyncSlice& slice) { return slice.endSource; }) &&
               all(m_trace.asyncInstants(), Sort::AsyncInstant, noEnd);
    }
    static uint64_t endOf(SourceRef source) { return source.valid() ? source.offset + source.length : 0; }

    /// Where the text of the last event in scope ends.
    uint64_t textEnd(FileId file) const {
        const SliceColumns& slices = m_trace.slices();
        std::vector<uint64_t> ends(m_scope.spans().size() + 1, 0);
        eachSlice(file, [&](size_t span, uint32_t row) {
            const SourceRef end = m_trace.endSourceOf(EventRow(row)).value_or(SourceRef());
            ends[span] = std::max({ends[span], endOf(slices.source(row)), endOf(end)});
        });
        eachPoint(file, [&](Sort, uint32_t, SourceRef source, SourceRef end) {
            ends.back() = std::max({ends.back(), endOf(source), endOf(end)});
        });
        return *std::ranges::max_element(ends);
    }

    bool collect(FileId file, const MatchMap* map, std::vector<Candidate>& out) const {
        const SliceColumns& slices = m_trace.slices();
        const auto canHave = [&](SourceRef source, SourceRef end) {
            return map == nullptr || map->hasAny(source) || map->hasAny(end);
        };
        std::vector<std::vector<Candidate>> found(m_scope.spans().size());
        const bool isWhole = eachSlice(file, [&](size_t span, uint32_t row) {
            const SourceRef source = slices.source(row);
            const SourceRef end = m_trace.endSourceOf(EventRow(row)).value_or(SourceRef());
            if (canHave(source, end)) {
                found[span].push_back({source.offset, row, Sort::Slice});
            }
        });
        for (auto& some : found) {
            out.insert(out.end(), some.begin(), some.end());
            some = {};
        }
        return isWhole &&
               eachPoint(file,
                         [&](Sort sort, uint32_t index, SourceRef source, SourceRef end) {
                             if (canHave(source, end)) {
                                 out.push_back({source.offset, index, sort});
                             }
                         }) &&
               stableSortByKeyUnlessStopped(
                   out, [](const Candidate& candidate) { return candidate.offset; }, m_job);
    }

    Result<std::string> argsOf(const Candidate& candidate) const {
        switch (candidate.sort) {
            case Sort::Instant: {
                const Instant& event = m_trace.instants()[candidate.index];
                return m_trace.argsJson(event.track, event.source);
            }
            case Sort::AsyncSlice: {
                const AsyncSlice& event = m_trace.asyncSlices()[candidate.index];
                return m_trace.argsJson(event.track, event.source, event.endSource);
            }
            case Sort::AsyncInstant: {
                const AsyncInstant& event = m_trace.asyncInstants()[candidate.index];
                return m_trace.argsJson(event.track, event.source);
            }
            case Sort::Slice:
                break;
        }
        return m_trace.argsJson(EventRow(candidate.index));
    }

    Status verify(const std::vector<Candidate>& candidates) {
        m_job.setPhase("reading args");
        const Case letterCase = m_query.matchCase ? Case::Matters : Case::Ignored;
        std::vector<uint8_t> isHit(candidates.size(), 0);
        std::atomic<uint64_t> done{0};
        Failures failures;
        parallelFor((candidates.size() + kEventsAtATime - 1) / kEventsAtATime, usableThreads(), [&](size_t piece) {
            // compile() has succeeded with it before.
            const NameMatcher matcher = NameMatcher::compile(m_query.text, m_query.isRegex, letterCase).value();
            const size_t end = std::min(candidates.size(), (piece + 1) * kEventsAtATime);
            std::string meant;
            for (size_t i = piece * kEventsAtATime; i < end && !m_job.stopRequested(); ++i) {
                const auto args = argsOf(candidates[i]);
                if (!args) {
                    failures.add(args.error().message);
                    continue;
                }
                std::string_view text = args.value();
                if (text == "null") {
                    continue;
                }
                if (text.find('\\') != std::string_view::npos) {
                    meant.clear();
                    appendDecoded(text, meant);
                    text = meant;
                }
                const auto found = matcher.isFoundIn(text);
                if (!found) {
                    failures.add(found.error().message);
                    continue;
                }
                isHit[i] = found.value() ? 1 : 0;
            }
            m_job.setProgress(done.fetch_add(kEventsAtATime) + kEventsAtATime, candidates.size());
        });
        if (m_job.stopRequested()) {
            return Error::cancelled();
        }
        for (size_t i = 0; i < candidates.size(); ++i) {
            if (isHit[i] == 0) {
                continue;
            }
            const uint32_t index = candidates[i].index;
            switch (candidates[i].sort) {
                case Sort::Slice:
                    m_hits.slices.push_back(EventRow(index));
                    break;
                case Sort::Instant:
                    m_hits.instants.push_back(index);
                    break;
                case Sort::AsyncSlice:
                    m_hits.asyncSlices.push_back(index);
                    break;
                case Sort::AsyncInstant:
                    m_hits.asyncInstants.push_back(index);
                    break;
            }
        }
        addNote(failures.note());
        return Status::success();
    }

    void addNote(const std::string& note) {
        if (!note.empty()) {
            m_hits.argsComplete = false;
            m_hits.note += m_hits.note.empty() ? note : "; " + note;
        }
    }

    const Trace& m_trace;
    const SearchQuery& m_query;
    const AreaFilter& m_scope;
    JobControl& m_job;
    SearchHits m_hits;
};

}  // namespace

std::string scannablePart(std::string_view text) {
    std::string_view best;
    size_t begin = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
        // Between tokens a colon always follows the quote of a key; any other one is in a string.
        const bool splits = i == text.size() || std::string_view("\",[]{}").find(text[i]) != std::string_view::npos ||
                            (text[i] == ':' && (i == 0 || text[i - 1] == '"'));
        if (!splits) {
            continue;
        }
        std::string_view part = text.substr(begin, i - begin);
        // Files set blanks between tokens as they like.
        part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
        if (part.size() > best.size()) {
            best = part;
        }
        begin = i + 1;
    }
    return std::string(best.substr(0, kScannedBytes));
}

Result<SearchHits> findInArgs(const Trace& trace, const SearchQuery& query, JobControl& job) {
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    if (query.text.empty()) {
        return SearchHits();
    }
    const auto checked =
        NameMatcher::compile(query.text, query.isRegex, query.matchCase ? Case::Matters : Case::Ignored);
    if (!checked) {
        return checked.error();
    }
    const auto scope = AreaFilter::compile(trace, query.scope, job);
    if (!scope) {
        return scope.error();
    }
    return ArgsSearch(trace, query, scope.value(), job).run();
}

}  // namespace warpline
