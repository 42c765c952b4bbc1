// SPDX-License-Identifier: GPL-3.0-or-later
// How the user arranges the tracks: pinned, hidden, in another order, higher or lower. All of it is the session's, and
// can be undone.

#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "widgets/panels/timeline/timeline_widget.h"

namespace warpline::timeline {

namespace {

/// The next height that looks another one.
int nextHeight(int height, int direction) {
    constexpr double kStep = 1.25;
    const double next = direction > 0 ? height * kStep : height / kStep;
    return direction > 0 ? std::max(height + 1, static_cast<int>(std::lround(next)))
                         : std::min(height - 1, static_cast<int>(std::lround(next)));
}

int clampedHeight(SectionKind kind, int height) {
    return kind == SectionKind::Counter ? std::clamp(height, kMinCounterHeight, kMaxCounterHeight)
                                        : std::clamp(height, kMinLaneHeight, kMaxLaneHeight);
}

}  // namespace

std::optional<Section> TimelineWidget::chosenSection() {
    if (!m_model) {
        return std::nullopt;
    }
    if (focusedSection() < 0) {
        focusSection(0);
    }
    const int index = focusedSection();
    return index < 0 ? std::nullopt : std::optional(m_layout.sections()[static_cast<size_t>(index)]);
}

bool TimelineWidget::takesRows(const TrackItem& item) const {
    return item.ref.kind != SectionRef::Kind::Derived ||
           (item.index < m_state.derivedLanes.size() && m_state.derivedLanes[item.index] > 0);
}

std::vector<SectionRef> TimelineWidget::refsIn(const Section& section) const {
    if (section.kind != SectionKind::Process) {
        return {refOf(section, *m_model)};
    }
    const ArrangementIndex arranged(m_session.arrangement());
    std::vector<SectionRef> refs;
    for (TrackItem& item : orderedItems(*m_trace, *m_model, section.process, arranged)) {
        if (!arranged.isHidden(item.ref) && takesRows(item)) {
            refs.push_back(std::move(item.ref));
        }
    }
    return refs;
}

void TimelineWidget::togglePin() {
    const std::optional<Section> section = chosenSection();
    if (!section) {
        return;
    }
    if (section->pinned) {
        m_session.applyArrangement(withoutPinned(m_session.arrangement(), refsIn(*section)), tr("unpin a track"));
        return;
    }
    const bool isProcess = section->kind == SectionKind::Process;
    std::vector<SectionRef> refs = refsIn(*section);
    const ArrangementIndex arranged(m_session.arrangement());
    std::erase_if(refs, [&](const SectionRef& ref) { return arranged.isPinned(ref); });
    m_session.applyArrangement(withPinned(m_session.arrangement(), refs),
                               isProcess ? tr("pin a process") : tr("pin a track"));
}

void TimelineWidget::unpinAll() {
    TrackArrangement arrangement = m_session.arrangement();
    arrangement.pinned.clear();
    m_session.applyArrangement(std::move(arrangement), tr("unpin all tracks"));
}

void TimelineWidget::hideFocused() {
    const std::optional<Section> section = chosenSection();
    if (!section) {
        return;
    }
    // The focus goes on to what takes its place, so that the key hides one after another.
    const std::vector<Section>& sections = m_layout.sections();
    const auto index = static_cast<size_t>(focusedSection());
    const auto isOutside = [&](const Section& other) {
        return section->kind == SectionKind::Process ? other.process != section->process
                                                     : keyOf(other) != keyOf(*section);
    };
    auto next = std::find_if(sections.begin() + static_cast<std::ptrdiff_t>(index), sections.end(), isOutside);
    if (next == sections.end()) {
        const auto before =
            std::find_if(sections.rend() - static_cast<std::ptrdiff_t>(index), sections.rend(), isOutside);
        next = before == sections.rend() ? sections.end() : before.base() - 1;
    }
    const std::optional<SectionKey> focus = next == sections.end() ? std::nullopt : std::optional(keyOf(*next));
    const bool isProcess = section->kind == SectionKind::Process;
    m_session.applyArrangement(withHidden(m_session.arrangement(), {refOf(*section, *m_model)}),
                               isProcess ? tr("hide a process") : tr("hide a track"));
    m_focus = focus;
    update();
}

void TimelineWidget::hideOthers() {
    const std::optional<Section> section = chosenSection();
    if (!section) {
        return;
    }
    const ArrangementIndex arranged(m_session.arrangement());
    const SectionRef kept = refOf(*section, *m_model);
    std::vector<SectionRef> others;
    for (const ProcessId process : orderedProcesses(*m_trace, *m_model, ArrangementIndex())) {
        if (kept == SectionRef::ofProcess(process)) {
            continue;
        }
        const std::vector<TrackItem> items = orderedItems(*m_trace, *m_model, process, ArrangementIndex());
        // What is pinned was chosen to be seen.
        const bool isWhole = process != section->process &&
                             std::none_of(items.begin(), items.end(),
                                          [&](const TrackItem& item) { return arranged.isPinned(item.ref); });
        if (isWhole) {
            others.push_back(SectionRef::ofProcess(process));
            continue;
        }
        for (const TrackItem& item : items) {
            if (item.ref != kept && !arranged.isPinned(item.ref)) {
                others.push_back(item.ref);
            }
        }
    }
    m_session.applyArrangement(withHidden(m_session.arrangement(), others), tr("hide all others"));
    scrollToFocus();
}

void TimelineWidget::showHidden() {
    TrackArrangement arrangement = m_session.arrangement();
    arrangement.hidden.clear();
    m_session.applyArrangement(std::move(arrangement), tr("show all hidden tracks"));
}

void TimelineWidget::moveFocused(int direction) {
    const std::optional<Section> section = chosenSection();
    if (!section) {
        return;
    }
    // Past the next one that is seen, whatever is hidden between.
    const std::vector<Section>& sections = m_layout.sections();
    const auto isSibling = [&](const Section& other) {
        return other.pinned == section->pinned && (section->pinned || other.header == section->header);
    };
    int at = focusedSection();
    do {
        at += direction;
    } while (at >= 0 && at < static_cast<int>(sections.size()) && !isSibling(sections[static_cast<size_t>(at)]));
    if (at < 0 || at >= static_cast<int>(sections.size())) {
        return;
    }
    const Section& neighbour = sections[static_cast<size_t>(at)];
    TrackArrangement arrangement = m_session.arrangement();
    if (section->pinned) {
        const std::vector<SectionRef>& pinned = arrangement.pinned;
        auto before = std::find(pinned.begin(), pinned.end(), refOf(neighbour, *m_model));
        before += direction > 0 && before != pinned.end() ? 1 : 0;
        arrangement =
            withPinned(arrangement, refsIn(*section), before == pinned.end() ? std::nullopt : std::optional(*before));
    } else {
        arrangement = withMoved(*m_trace, *m_model, std::move(arrangement), moverOf(*section, *m_model),
                                moverOf(neighbour, *m_model), direction > 0);
    }
    m_session.applyArrangement(std::move(arrangement), tr("move a track"));
    scrollToFocus();
}

void TimelineWidget::changeHeight(int direction) {
    const std::optional<Section> section = chosenSection();
    if (!section) {
        return;
    }
    const int index = focusedSection();
    std::vector<SectionHeight> heights;
    for (const Section& other : m_layout.sections()) {
        const bool isMeant = keyOf(other) == keyOf(*section) || other.header == index;
        const bool isFoldedCounter = other.kind == SectionKind::Counter && other.collapsed;
        if (isMeant && other.laneHeight > 0 && !isFoldedCounter) {
            const std::optional<int> next =
                direction == 0 ? std::nullopt
                               : std::optional(clampedHeight(other.kind, nextHeight(other.laneHeight, direction)));
            heights.emplace_back(refOf(other, *m_model), next);
        }
    }
    const QString what = direction == 0 ? tr("reset the height") : direction > 0 ? tr("higher rows") : tr("lower rows");
    m_session.applyArrangement(withHeights(m_session.arrangement(), heights), what);
    scrollToFocus();
}

void TimelineWidget::scrollToFocus() {
    if (const int index = focusedSection(); index >= 0) {
        const Section& section = m_layout.sections()[static_cast<size_t>(index)];
        scrollTo(section.y - (section.header >= 0 ? kHeaderHeight : 0), section.y + section.height);
    }
    update();
}

// --- what is looked at stays in its place

std::vector<TimelineWidget::SeenSection> TimelineWidget::seenSections(const TrackArrangement& next) const {
    if (!m_model) {
        return {};
    }
    const ArrangementIndex will(next);
    const View view = currentView();
    const std::vector<Section>& sections = m_layout.sections();
    const size_t first = m_layout.firstSectionBelow(view.layoutY(view.frozen));
    size_t end = first;
    size_t from = first;
    for (; end < sections.size() && view.viewY(sections[end].y) < lanesRect().height(); ++end) {
        // What lies below a section that leaves for the pinned ones does not move; what is above makes room.
        from = !sections[end].pinned && will.isPinned(refOf(sections[end], *m_model)) ? end + 1 : from;
    }
    std::vector<SeenSection> seen;
    const auto add = [&](size_t i) {
        const SectionRef ref = refOf(sections[i], *m_model);
        if (!sections[i].pinned && !will.isPinned(ref) && !will.isOutOfSight(ref)) {
            seen.push_back({keyOf(sections[i]), view.viewY(sections[i].y)});
        }
    };
    for (size_t i = from; i < end; ++i) {
        add(i);
    }
    for (size_t i = from; i > first; --i) {
        add(i - 1);
    }
    // What is moved is what changes its place.
    std::stable_partition(seen.begin(), seen.end(), [this](const SeenSection& one) { return one.key != m_focus; });
    return seen;
}

void TimelineWidget::keepInPlace(const std::vector<SeenSection>& seen, const TrackArrangement& before) {
    if (scrollY() == 0) {
        return;  // who looks at the top goes on to look at the top
    }
    // One that comes back from the pinned ones gives back their room: again what lies below it does not move.
    const ArrangementIndex was(before);
    int returned = -1;
    for (size_t i = 0; i < m_layout.sections().size() && !before.pinned.empty(); ++i) {
        const Section& section = m_layout.sections()[i];
        returned = !section.pinned && was.isPinned(refOf(section, *m_model)) ? static_cast<int>(i) : returned;
    }
    const SeenSection* best = nullptr;
    int place = -1;
    for (const SeenSection& one : seen) {
        const int index = m_layout.find(one.key);
        if (index >= 0 && (best == nullptr || (place < returned && index > returned))) {
            best = &one;
            place = index;
        }
    }
    if (best != nullptr) {
        setScrollY(m_layout.sections()[static_cast<size_t>(place)].y - best->viewY);
    }
}

void TimelineWidget::applyArrangement() {
    const std::vector<SeenSection> seen = seenSections(m_session.arrangement());
    const TrackArrangement before = m_state.arrangement;
    rebuildLayout();
    keepInPlace(seen, before);
    refreshActions();
    // Heads under a pointer at rest are others now.
    if (m_hoveredSection >= 0) {
        updateHover(m_hoverAt);
    }
}

}  // namespace warpline::timeline
