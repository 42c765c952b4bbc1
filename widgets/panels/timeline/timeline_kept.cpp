// SPDX-License-Identifier: GPL-3.0-or-later
// What of the view the session keeps beside the stretch of time: how far down it is scrolled, and the filter of tracks.

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <utility>

#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/panels/timeline/track_filter_bar.h"

namespace warpline::timeline {

void TimelineWidget::tellScrollPlace() {
    if (!m_trace || !m_model || m_fitPending || m_pendingTop) {
        return;
    }
    std::optional<ScrollPlace> place;
    const View view = currentView();
    const size_t first = m_layout.firstSectionBelow(view.layoutY(view.frozen));
    if (scrollY() > 0 && first < m_layout.sections().size()) {
        const Section& top = m_layout.sections()[first];
        place = ScrollPlace{refOf(top, *m_model), view.frozen - view.viewY(top.y)};
    }
    m_sendingTop = true;
    m_session.setScrollPlace(std::move(place));
    m_sendingTop = false;
}

void TimelineWidget::showPendingTop() {
    if (!m_model || m_fitPending || !m_pendingTop) {
        return;
    }
    const ScrollPlace place = *std::exchange(m_pendingTop, std::nullopt);
    if (place == ScrollPlace()) {
        setScrollY(0);
    } else if (const int index = sectionOfRef(place.section); index >= 0) {
        const Section& top = m_layout.sections()[static_cast<size_t>(index)];
        setScrollY(top.y - currentView().frozen + std::min(place.pixels, std::max(top.height - 1, 0)));
    }
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
