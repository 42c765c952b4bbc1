// SPDX-License-Identifier: GPL-3.0-or-later
// What is folded, as the session keeps it: by what it is, so that it is found on another load.

#include <algorithm>
#include <unordered_set>

#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/panels/timeline/track_filter_bar.h"

namespace warpline::timeline {

namespace {

SectionRef refOf(const AsyncGroup& group) {
    return {SectionRef::Kind::Async, group.process, TrackId::none(), group.title};
}

SectionRef refOf(const CounterLane& counter) {
    return {SectionRef::Kind::Counter, counter.process, TrackId::none(), counter.title};
}

SectionRef refOf(const DerivedRow& row) {
    return {SectionRef::Kind::Derived, row.process, TrackId::none(), row.title};
}

TrackFolding foldingOf(const Trace& trace, const TimelineModel& model, const LayoutState& state) {
    TrackFolding folding;
    for (uint32_t i = 0; i < state.processCollapsed.size(); ++i) {
        if (state.processCollapsed[i] != 0) {
            folding.collapsed.push_back(SectionRef::ofProcess(ProcessId(i)));
        }
    }
    for (uint32_t i = 0; i < state.tracks.size(); ++i) {
        const SectionRef ref = SectionRef::ofTrack(trace.track(TrackId(i)).process, TrackId(i));
        // Of one lane alone there is nothing to fold, whatever was asked for.
        if (state.tracks[i].collapsed && trace.track(TrackId(i)).laneCount > 1) {
            folding.collapsed.push_back(ref);
        }
        if (state.tracks[i].compact) {
            folding.compact.push_back(ref);
        }
    }
    const auto addFolded = [&](const auto& list, const std::vector<char>& collapsed) {
        for (size_t i = 0; i < std::min(list.size(), collapsed.size()); ++i) {
            if (collapsed[i] != 0) {
                folding.collapsed.push_back(refOf(list[i]));
            }
        }
    };
    addFolded(model.asyncGroups, state.asyncCollapsed);
    addFolded(model.counters, state.counterCollapsed);
    addFolded(model.derived, state.derivedCollapsed);
    return folding;
}

}  // namespace

void TimelineWidget::setKindCollapsed(FoldKind kind, bool collapsed) {
    if (!m_model) {
        return;
    }
    const char flag = collapsed ? 1 : 0;
    for (uint32_t i = 0; i < m_state.tracks.size(); ++i) {
        const bool isDevice = m_trace->track(TrackId(i)).isDevice;
        if ((kind == FoldKind::Threads && !isDevice) || (kind == FoldKind::Streams && isDevice)) {
            m_state.tracks[i].collapsed = collapsed;
        }
    }
    if (kind == FoldKind::Async) {
        std::fill(m_state.asyncCollapsed.begin(), m_state.asyncCollapsed.end(), flag);
    } else if (kind == FoldKind::Counters) {
        std::fill(m_state.counterCollapsed.begin(), m_state.counterCollapsed.end(), flag);
    }
    foldedAnew(collapsed ? tr("fold all of a kind") : tr("unfold all of a kind"));
}

void TimelineWidget::setThisProcessCollapsed(bool collapsed) {
    const std::optional<Section> section = chosenSection();
    if (!section || !section->process || section->process.value >= m_state.processCollapsed.size()) {
        return;
    }
    m_state.processCollapsed[section->process.value] = collapsed ? 1 : 0;
    // Opened, it shows all that it holds.
    for (const TrackItem& item : orderedItems(*m_trace, *m_model, section->process, ArrangementIndex())) {
        if (collapsed) {
            break;
        }
        if (item.ref.kind == SectionRef::Kind::Track) {
            m_state.tracks[item.index].collapsed = false;
        } else if (item.ref.kind == SectionRef::Kind::Async) {
            m_state.asyncCollapsed[item.index] = 0;
        } else if (item.ref.kind == SectionRef::Kind::Counter) {
            m_state.counterCollapsed[item.index] = 0;
        }
    }
    m_focus = SectionKey{SectionKind::Process, section->process.value};
    if (focusedSection() < 0) {
        m_focus = keyOf(*section);  // it has no head of its own
    }
    foldedAnew(collapsed ? tr("fold a process") : tr("unfold a process"));
    scrollToFocus();
}

void TimelineWidget::foldedAnew(const QString& what) {
    const std::vector<SeenSection> seen = seenSections(m_session.arrangement());
    foldedByUser(what);
    rebuildLayout();
    keepInPlace(seen, m_session.arrangement());
}

void TimelineWidget::foldedByUser(const QString& what) {
    m_layoutTouched = true;
    m_sendingFolding = true;
    m_session.applyFolding(foldingOf(*m_trace, *m_model, m_state), what);
    m_sendingFolding = false;
}

void TimelineWidget::unfoldedOnTheWay() {
    m_layoutTouched = true;
    m_sendingFolding = true;
    m_session.setFolding(foldingOf(*m_trace, *m_model, m_state));
    m_sendingFolding = false;
}

void TimelineWidget::takeFolding() {
    const std::optional<TrackFolding>& folding = m_session.folding();
    if (!folding) {
        m_state = initialLayoutState(*m_trace, *m_model, lanesRect().height() - derivedHeight());
        m_state.filter = m_trackFilter->text().toStdString();
        m_layoutTouched = false;
        return;
    }
    m_layoutTouched = true;
    using Set = std::unordered_set<SectionRef, SectionRefHash>;
    const Set collapsed(folding->collapsed.begin(), folding->collapsed.end());
    const Set compact(folding->compact.begin(), folding->compact.end());
    for (uint32_t i = 0; i < m_state.processCollapsed.size(); ++i) {
        m_state.processCollapsed[i] = collapsed.contains(SectionRef::ofProcess(ProcessId(i))) ? 1 : 0;
    }
    for (uint32_t i = 0; i < m_state.tracks.size(); ++i) {
        const SectionRef ref = SectionRef::ofTrack(m_trace->track(TrackId(i)).process, TrackId(i));
        m_state.tracks[i] = {collapsed.contains(ref), compact.contains(ref)};
    }
    const auto take = [&](const auto& list, std::vector<char>& flags) {
        for (size_t i = 0; i < std::min(list.size(), flags.size()); ++i) {
            flags[i] = collapsed.contains(refOf(list[i])) ? 1 : 0;
        }
    };
    take(m_model->asyncGroups, m_state.asyncCollapsed);
    take(m_model->counters, m_state.counterCollapsed);
    m_state.derivedCollapsed.resize(m_model->derived.size());
    take(m_model->derived, m_state.derivedCollapsed);
}

}  // namespace warpline::timeline
