// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/scope_chooser.h"

#include <utility>

#include "widgets/support/session.h"

namespace warpline {

ScopeChooser::ScopeChooser(Session& session, Takes takes, Scope scope, QWidget* parent)
    : Chooser(parent), m_session(session) {
    const bool touching = takes == Takes::Touching;
    setObjectName("scope");
    addItem(tr("Whole trace"));
    addItem(tr("Visible range"));
    addItem(tr("Selected area"));
    setItemData(0, tr("Everything in the trace"), Qt::ToolTipRole);
    setItemData(1,
                touching ? tr("What lies in the time range that the timeline shows, or reaches into it")
                         : tr("What begins in the time range that the timeline shows"),
                Qt::ToolTipRole);
    setItemData(2,
                touching ? tr("What lies in the area that is selected in the timeline, or reaches into it: in its "
                              "time, and on its tracks where it names some")
                         : tr("What begins in the area that is selected in the timeline: in its time, and on its "
                              "tracks where it names some"),
                Qt::ToolTipRole);
    setScope(scope);
    setToolTip(tr("Which part of the trace counts"));
    setAccessibleName(tr("Part of the trace"));
    connect(this, &QComboBox::currentIndexChanged, this, &ScopeChooser::changed);
    connect(&m_session, &Session::visibleRangeChanged, this, [this] { onMoved(Scope::Visible); });
    connect(&m_session, &Session::areaChanged, this, [this] { onMoved(Scope::Area); });
    connect(&m_session, &Session::filterChanged, this, &ScopeChooser::changed);
}

std::optional<TraceFilter> ScopeChooser::narrow(TraceFilter own) const {
    switch (scope()) {
        case Scope::Trace:
            break;
        case Scope::Visible:
            own.range = m_session.visibleRange();
            break;
        case Scope::Area:
            if (!m_session.area().has_value() || m_session.area()->isOfRowsAlone()) {
                return std::nullopt;
            }
            own.range = m_session.area()->range;
            own.tracks = m_session.area()->tracks;
            break;
    }
    return narrowed(std::move(own), m_session.filter());
}

ScopeChooser::Lack ScopeChooser::lack() const {
    if (scope() == Scope::Area && !m_session.area().has_value()) {
        return Lack::Area;
    }
    if (scope() == Scope::Area && m_session.area()->isOfRowsAlone()) {
        return Lack::RowsAlone;
    }
    return narrow({}) ? Lack::None : Lack::Overlap;
}

void ScopeChooser::onMoved(Scope what) {
    if (scope() == what) {
        emit moved();
    }
}

}  // namespace warpline
