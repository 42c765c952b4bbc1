// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's arrows: whose are drawn, and the ways along them.

#include <QAction>
#include <QActionGroup>

#include <algorithm>
#include <utility>

#include "core/analyses/flow_walk.h"
#include "core/base/units.h"
#include "widgets/panels/timeline/arrow_canvas.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/discard.h"
#include "widgets/support/settings.h"

namespace warpline::timeline {

namespace {

/// Up to so many arrows are sorted at once; beyond, on a thread.
constexpr uint64_t kSmallLinks = 20'000;

struct ModeName {
    FlowMode mode;
    const char* setting;
};
constexpr ModeName kModes[] = {{FlowMode::Selection, "selection"}, {FlowMode::All, "all"}, {FlowMode::None, "none"}};

}  // namespace

FlowMode TimelineWidget::rememberedFlowMode() {
    const QString setting = settings::store().value(settings::kTimelineFlows).toString();
    for (const ModeName& name : kModes) {
        if (setting == QLatin1String(name.setting)) {
            return name.mode;
        }
    }
    return FlowMode::Selection;
}

void TimelineWidget::makeFlowActions(const AddAction& add) {
    add("timeline.flow_next", tr("Along the flow: &what it launched or leads to"), [this] {
        followLink(1);
    })->setToolTip(tr("The first by time; after coming back, the next one"));
    add("timeline.flow_previous", tr("Along the flow: its la&unch, or where it comes from"), [this] {
        followLink(-1);
    })->setToolTip(tr("The first by time; after coming back, the next one"));
    add("timeline.flow_last", tr("To the end of the flow"), [this] {
        followToEnd(1);
    })->setToolTip(tr("From slice to slice, the first by time where there are several"));
    add("timeline.flow_first", tr("To the start of the flow"), [this] {
        followToEnd(-1);
    })->setToolTip(tr("From slice to slice, the first by time where there are several"));
    auto* modes = new QActionGroup(this);
    const auto addMode = [&](const char* id, const QString& name, FlowMode mode, const QString& tip) {
        QAction* action = add(id, name, [this, mode] { setFlowMode(mode); });
        action->setCheckable(true);
        action->setChecked(mode == m_flowMode);
        action->setToolTip(tip);
        modes->addAction(action);
    };
    addMode("timeline.flows_selection", tr("Flows: of the selection"), FlowMode::Selection,
            tr("Arrows that leave from or arrive at the selected slice, or the launches inside it"));
    addMode("timeline.flows_all", tr("Flows: all in view"), FlowMode::All,
            tr("Arrows with an end in view: launch to kernel, forward to backward, others of the file; of very many, "
               "some from each stretch of time"));
    addMode("timeline.flows_none", tr("Flows: none"), FlowMode::None, tr("No arrows, of the selection neither"));
}

void TimelineWidget::setFlowMode(FlowMode mode) {
    if (mode == m_flowMode) {
        return;
    }
    m_flowMode = mode;
    for (const ModeName& name : kModes) {
        if (name.mode == mode) {
            settings::store().setValue(settings::kTimelineFlows, QLatin1String(name.setting));
        }
    }
    sortLinks();
    invalidate();
}

void TimelineWidget::resetFlows() {
    m_linkJob->cancel();
    m_links.reset();
    m_linkProblem.clear();
    m_flows = {};
    m_flowStep = {};
    sortLinks();
}

/// Only once they are wanted: it takes seconds and memory where arrows are millions.
void TimelineWidget::sortLinks() {
    using Links = std::shared_ptr<const LinkIndex>;
    if (m_flowMode != FlowMode::All || !m_trace || m_links || m_linkJob->busy()) {
        return;
    }
    const auto sorted = [trace = m_trace](const JobControl& job) -> Result<Links> {
        Result<LinkIndex> index = LinkIndex::build(trace, job);
        return index.ok() ? Result<Links>(makeDiscarded(std::move(index).value())) : index.error();
    };
    const auto show = [this](Result<Links> links) {
        m_links = links.ok() ? std::move(links).value() : nullptr;
        m_linkProblem = links.ok() ? QString() : fromUtf8(links.error().message);
        invalidate();
    };
    if (LinkIndex::cost(*m_trace) <= kSmallLinks) {
        show(sorted(JobControl()));
    } else {
        m_linkJob->start<Links>(sorted, show);
    }
}

void TimelineWidget::drawFlows() {
    const bool isShown = m_flowMode == FlowMode::All && m_links && m_trace && m_model;
    m_flows = isShown ? flowsInView(*m_links, *m_trace, m_layout, m_geometry.view, m_flows) : FlowsInView();
    drawArrows(placeArrows(*m_trace, m_layout, m_geometry.view, m_flows.links), theme(), m_geometry.view.scale,
               m_canvas);
}

void TimelineWidget::paintArrows(TimelinePainter& painter, bool withLines) {
    if (m_flowMode == FlowMode::None) {
        return;
    }
    if (std::exchange(m_arrowsStale, false)) {
        m_arrows = arrowLinksOver(*m_trace, m_session.selectedEvent(), visibleRange(m_axis, lanesRect().width()));
    }
    if (withLines) {
        painter.arrows(placeArrows(*m_trace, m_layout, m_geometry.view, m_arrows.links), !m_flows.links.empty());
    }
    QString note;
    std::vector<ArrowKind> kinds;
    if (m_flowMode == FlowMode::All && !m_links) {
        note = m_linkProblem.isEmpty() ? tr("Sorting the arrows of the trace…")
                                       : tr("Arrows cannot be shown: %1").arg(m_linkProblem);
    } else if (!m_arrows.complete || !m_flows.complete) {
        const size_t count = m_flowMode == FlowMode::All ? m_flows.links.size() : m_arrows.links.size();
        note = count == 0
                   ? tr("The arrows here are too short to be drawn: zoom in to see them")
                   : tr("%1 arrows shown, there are more: zoom in to see others").arg(fromUtf8(formatCount(count)));
    }
    for (const ArrowLink& link : m_flows.links) {
        if (kinds.empty() || kinds.back() != link.kind) {
            kinds.push_back(link.kind);
        }
    }
    if (!note.isEmpty() || kinds.size() > 1) {
        painter.arrowNote(kinds, note);
    }
}

std::vector<ArrowLink> TimelineWidget::flowLinksFor(const View& view) const {
    std::vector<ArrowLink> links;
    if (m_flowMode == FlowMode::All && m_links) {
        links = flowsInView(*m_links, *m_trace, m_layout, view, m_flows).links;
    }
    if (m_flowMode != FlowMode::None) {
        const auto own =
            arrowLinksOver(*m_trace, m_session.selectedEvent(), visibleRange(m_axis, lanesRect().width())).links;
        links.insert(links.end(), own.begin(), own.end());
    }
    return links;
}

std::vector<EventRow> TimelineWidget::flowTargets(EventRow slice, int direction) const {
    std::vector<EventRow> targets = flowNeighbours(*m_trace, slice, direction);
    // From the slice's begin, so that where the key leads does not depend on the view.
    for (const ArrowLink& link :
         direction > 0 ? arrowLinks(*m_trace, slice, traceRange()).links : std::vector<ArrowLink>()) {
        if (link.to != slice && std::ranges::find(targets, link.to) == targets.end()) {
            targets.push_back(link.to);
        }
    }
    return targets;
}

void TimelineWidget::followLink(int direction) {
    const EventRow selected = m_session.selectedEvent();
    const std::vector<EventRow> targets =
        m_trace && selected.valid() ? flowTargets(selected, direction) : std::vector<EventRow>();
    if (targets.empty()) {
        return;
    }
    const FlowStep last = std::exchange(m_flowStep, {});
    size_t next = 0;
    if (last.isBack && last.from == selected && last.direction == direction) {
        const auto at = std::ranges::find(targets, last.to);
        next = at == targets.end() ? 0 : static_cast<size_t>(at - targets.begin() + 1) % targets.size();
    }
    const EventRow target = targets[next];
    m_flowStep = last.direction == -direction && last.from == target && last.to == selected
                     ? FlowStep{last.from, last.to, last.direction, true}
                     : FlowStep{selected, target, direction, false};
    m_session.revealEvent(target);
}

void TimelineWidget::followToEnd(int direction) {
    const EventRow selected = m_session.selectedEvent();
    if (!m_trace || !selected.valid()) {
        return;
    }
    // What only has launches inside goes on from the first of them.
    const std::vector<EventRow> targets = flowTargets(selected, direction);
    const bool hasOwn = !flowNeighbours(*m_trace, selected, direction).empty();
    const EventRow from = hasOwn || targets.empty() ? selected : targets.front();
    m_stepJob->start<EventRow>(
        [trace = m_trace, from, direction](JobControl& job) { return flowEnd(*trace, from, direction, job); },
        [this, selected](Result<EventRow> end) {
            // Who has chosen something else meanwhile stays there.
            if (end.ok() && m_session.selectedEvent() == selected && end.value() != selected) {
                m_session.revealEvent(end.value());
            }
        });
}

}  // namespace warpline::timeline
