// SPDX-License-Identifier: GPL-3.0-or-later
// What of the view the session keeps beside the stretch of time: how far down it is scrolled, and the filter of tracks.

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <utility>

#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/panels/timeline/track_filter_bar.h"
#include "widgets/support/carry_over.h"

namespace warpline::timeline {

std::optional<ScrollPlace> TimelineWidget::scrollPlace() const {
    const View view = currentView();
    const size_t first = m_layout.firstSectionBelow(view.layoutY(view.frozen));
    if (scrollY() == 0 || first >= m_layout.sections().size()) {
        return std::nullopt;
    }
    const Section& top = m_layout.sections()[first];
    return ScrollPlace{refOf(top, *m_model), view.frozen - view.viewY(top.y)};
}

void TimelineWidget::scrollToPlace(const std::optional<ScrollPlace>& place) {
    if (!place) {
        setScrollY(0);
        return;
    }
    const int index = sectionOfRef(place->section);
    const int above = index >= 0 ? index : sectionOfRef(SectionRef::ofProcess(place->section.process));
    if (above >= 0) {
        const Section& top = m_layout.sections()[static_cast<size_t>(above)];
        setScrollY(top.y - currentView().frozen +
                   (index < 0 ? 0 : std::clamp(place->pixels, 0, std::max(top.height - 1, 0))));
    }
}

void TimelineWidget::tellScrollPlace() {
    if (!m_trace || !m_model || m_fitPending || m_pendingTop) {
        return;
    }
    m_sendingTop = true;
    m_session.setScrollPlace(scrollPlace());
    m_sendingTop = false;
}

void TimelineWidget::carryHistory(const Kept& kept) {
    const CarryOver carry(*kept.trace, *m_trace);
    m_history = kept.history;
    const bool isThere = m_history.carry([&](const ViewPoint& view) -> std::optional<ViewPoint> {
        const std::optional<ScrollPlace> top = view.top ? carry.scrollPlace(*view.top) : std::nullopt;
        return view.top.has_value() == top.has_value()
                   ? std::optional(ViewPoint{clamped(view.axis, traceRange(), lanesRect().width()), top})
                   : std::nullopt;
    });
    // Where one is now is no new step.
    if (m_fitPending) {
        return;
    }
    if (isThere) {
        m_history.replace(viewNow());
    } else {
        m_history.settle(viewNow());
    }
}

void TimelineWidget::showPendingTop() {
    if (!m_model || m_fitPending || !m_pendingTop) {
        return;
    }
    const ScrollPlace place = *std::exchange(m_pendingTop, std::nullopt);
    scrollToPlace(place == ScrollPlace() ? std::nullopt : std::optional(place));
    tellScrollPlace();
}

QByteArray TimelineWidget::keptState() const {
    const QString text = m_trackFilter->text();
    return text.isEmpty() ? QByteArray()
                          : QJsonDocument(QJsonObject{{"track_filter", text}}).toJson(QJsonDocument::Compact);
}

void TimelineWidget::takeKeptState() {
    const QByteArray json = m_session.panelStates().value(QStringLiteral("timeline"));
    setTrackFilter(QJsonDocument::fromJson(json).object()["track_filter"].toString());
}

}  // namespace warpline::timeline
