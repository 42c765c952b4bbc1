// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's derived rows, and how counters look.

#include <QAction>
#include <QActionGroup>
#include <QMenu>

#include <algorithm>
#include <utility>

#include "widgets/panels/timeline/minimap.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/key_bindings.h"
#include "widgets/support/settings.h"

namespace warpline::timeline {

namespace {

QString settingOf(DerivedKind kind) {
    return QLatin1String(settings::kTimelineDerived) + QLatin1Char('/') + QLatin1String(nameOf(kind));
}

QString lookKey(const QString& name) {
    // A slash would be a group of its own.
    QString key = name;
    key.replace(QLatin1Char('/'), QChar(0x2215));
    return QLatin1String(settings::kTimelineCounterLooks) + QLatin1Char('/') + key;
}

}  // namespace

void TimelineWidget::makeDerivedActions() {
    auto* menu = new QMenu(tr("&Derived tracks"), this);
    menu->setToolTipsVisible(true);
    for (const DerivedKind kind : kDerivedKinds) {
        auto* action = new QAction(timeline::titleOf(kind), menu);
        action->setCheckable(true);
        action->setToolTip(definitionOf(kind));
        action->setProperty(kFullTitle, tr("Derived track: %1").arg(timeline::titleOf(kind)));
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        keyBindings().add(action, QLatin1String("timeline.") + QLatin1String(nameOf(kind)), tr("Timeline"));
        connect(action, &QAction::toggled, this, [this, kind](bool isOn) { showDerived(kind, isOn); });
        action->setProperty("unlisted", true);  // the menu has it
        addAction(action);
        menu->addAction(action);
        m_derivedActions[static_cast<size_t>(kind)] = action;
    }
    auto* derived = new QAction(tr("&Derived tracks"), this);
    derived->setMenu(menu);
    addAction(derived);
    const auto add = [this](const char* id, const QString& name, const QString& tip, auto slot) {
        auto* action = new QAction(name, this);
        action->setToolTip(tip);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        keyBindings().add(action, QLatin1String(id), tr("Timeline"));
        connect(action, &QAction::triggered, this, slot);
        addAction(action);
    };
    add("timeline.counter_style", tr("Co&unter as area, line, steps or states"),
        tr("Of the counter that the keys fold, or of the first in view"), [this] { cycleStyle(); });
    add("timeline.counter_scale", tr("Scale of the c&ounter"),
        tr("Its lowest to highest value, from zero, shared by counters of the name, or what is in view"),
        [this] { cycleScale(); });
    connect(m_derived, &DerivedStore::ready, this, &TimelineWidget::onDerivedReady);
}

DerivedKinds TimelineWidget::shownDerived() const {
    DerivedKinds shown = 0;
    for (const DerivedKind kind : kDerivedKinds) {
        const bool atFirst = m_model && (kindsAtFirst(m_model->derived) & bitOf(kind)) != 0;
        shown |= settings::store().value(settingOf(kind), atFirst).toBool() ? bitOf(kind) : DerivedKinds{0};
    }
    return shown;
}

bool TimelineWidget::hasDerived(DerivedKind kind) const {
    return m_model && std::any_of(m_model->derived.begin(), m_model->derived.end(),
                                  [kind](const DerivedRow& row) { return row.kind == kind; });
}

QString TimelineWidget::derivedAbsence(DerivedKind kind) const {
    if (m_model && !hasDerived(kind)) {
        return absenceOf(kind);
    }
    const DerivedTracks* known = m_derived->tracks(kind).get();
    if (!m_derived->problem(kind).isEmpty()) {
        return m_derived->problem(kind);
    }
    const bool isEmpty = kind == DerivedKind::Annotations && known != nullptr &&
                         std::all_of(known->tracks.begin(), known->tracks.end(),
                                     [](const DerivedTrack& track) { return track.lanes.empty(); });
    return isEmpty ? tr("No annotation of the host launched work, or the file has such rows itself") : QString();
}

void TimelineWidget::wantDerived() {
    DerivedKinds kinds = 0;
    for (const DerivedKind kind : kDerivedKinds) {
        const bool isShown = (shownDerived() & bitOf(kind)) != 0;
        kinds |= isShown && hasDerived(kind) ? bitOf(kind) : DerivedKinds{0};
        const QSignalBlocker blocker(m_derivedActions[static_cast<size_t>(kind)]);
        m_derivedActions[static_cast<size_t>(kind)]->setChecked(isShown);
    }
    m_derived->want(kinds);
    refreshActions();
}

void TimelineWidget::showDerived(DerivedKind kind, bool isShown) {
    settings::store().setValue(settingOf(kind), isShown);
    if (m_model) {
        wantDerived();
        rebuildInPlace();
    }
}

std::vector<uint32_t> TimelineWidget::derivedLanes() const {
    const DerivedKinds shown = shownDerived();
    std::vector<uint32_t> lanes;
    for (const DerivedRow& row : m_model->derived) {
        const DerivedTracks* known = m_derived->tracks(row.kind).get();
        const DerivedTrack* track = known != nullptr ? known->find(row) : nullptr;
        const size_t rows = row.kind != DerivedKind::Annotations ? 1 : track != nullptr ? track->lanes.size() : 0;
        lanes.push_back((shown & bitOf(row.kind)) != 0 ? static_cast<uint32_t>(rows) : 0);
    }
    return lanes;
}

int TimelineWidget::derivedHeight() const {
    int height = 0;
    for (const uint32_t lanes : derivedLanes()) {
        height += lanes > 0 ? static_cast<int>(lanes) * kDerivedHeight + kSectionGap : 0;
    }
    return height;
}

void TimelineWidget::onDerivedReady(DerivedKind kind) {
    if (kind == DerivedKind::Busy) {
        const std::shared_ptr<const DerivedTracks>& tracks = m_derived->tracks(kind);
        m_minimap->setActivity({tracks, tracks ? &tracks->activity : nullptr});
    }
    if (kind == DerivedKind::Annotations && m_model) {
        refreshActions();
        rebuildInPlace();
    }
    invalidate();
}

std::optional<TimeRange> TimelineWidget::rangeUnder(const Hit& hit, QPoint at) const {
    if (hit.kind == RowKind::Projection) {
        const LayoutRow& row = m_layout.rows()[m_geometry.rows[hit.row].layoutRow];
        const DerivedTrack* track = m_derived->view().find(m_model->derived[row.index]);
        const ProjectedRange* range = track != nullptr ? track->rangeOf(EventRow(hit.bar->item)) : nullptr;
        return range != nullptr ? std::optional(TimeRange{range->begin, range->begin + range->duration}) : std::nullopt;
    }
    return rangeOf(*m_trace, selectionAt(hit, at));
}

void TimelineWidget::outlineProjections(TimelinePainter& painter) const {
    const DerivedView known = m_derived->view();
    for (const RowGeometry& row : m_geometry.rows) {
        if (row.kind != RowKind::Projection) {
            continue;
        }
        const LayoutRow& place = m_layout.rows()[row.layoutRow];
        const DerivedTrack* track = known.find(m_model->derived[place.index]);
        const auto outline = [&](EventRow slice, const QColor& color, int width) {
            const ProjectedRange* range = track != nullptr && slice.valid() ? track->rangeOf(slice) : nullptr;
            if (range != nullptr && range->lane == place.lane) {
                painter.outline(m_layout, static_cast<int>(row.layoutRow),
                                {range->begin, range->begin + range->duration}, color, width);
            }
        };
        outline(m_hovered, theme().hoverOutline, 1);
        outline(m_session.selectedEvent(), theme().selectedOutline, 2);
    }
}

void TimelineWidget::rebuildInPlace() {
    // What is looked at: the section of the selection where it is in view, else the first that is.
    const View view = currentView();
    const int top = view.layoutY(view.frozen);
    const int bottom = top + lanesRect().height() - view.frozen;
    std::optional<SectionKey> anchor;
    int y = 0;
    const auto take = [&](const Section& section) {
        anchor = keyOf(section);
        y = section.y - scrollY();
    };
    if (m_selectedPlace) {
        const LayoutRow& row = m_layout.rows()[static_cast<size_t>(m_selectedPlace->layoutRow)];
        if (row.y >= top && row.y < bottom) {
            take(m_layout.sections()[row.section]);
        }
    }
    for (size_t i = m_layout.firstSectionBelow(top); !anchor && i < m_layout.sections().size(); ++i) {
        const Section& section = m_layout.sections()[i];
        if (section.kind != SectionKind::Derived && !section.pinned) {
            take(section);
        }
    }
    rebuildLayout();
    const int found = anchor && scrollY() > 0 ? m_layout.find(*anchor) : -1;
    if (found >= 0) {
        setScrollY(m_layout.sections()[static_cast<size_t>(found)].y - y);
    }
}

// --- counters

void TimelineWidget::readLooks() {
    m_looks.clear();
    for (const CounterLane& lane : m_model->counters) {
        m_looks.push_back(lookFrom(settings::store().value(lookKey(lookName(*m_trace, lane))).toString(),
                                   lookAtFirst(*m_trace, lane)));
    }
}

void TimelineWidget::setLook(uint32_t counter, CounterLook look) {
    const CounterLane& lane = m_model->counters[counter];
    const QString key = lookKey(lookName(*m_trace, lane));
    if (look == lookAtFirst(*m_trace, lane)) {
        settings::store().remove(key);
    } else {
        settings::store().setValue(key, textOf(look));
    }
    readLooks();  // those of the same name look the same
    invalidate();
}

std::optional<uint32_t> TimelineWidget::focusedCounter() {
    const std::vector<Section>& sections = m_layout.sections();
    if (const int focused = focusedSection();
        focused >= 0 && sections[static_cast<size_t>(focused)].kind == SectionKind::Counter) {
        return sections[static_cast<size_t>(focused)].index;
    }
    for (const RowGeometry& row : geometry().rows) {
        if (row.kind == RowKind::Counter) {
            return m_layout.rows()[row.layoutRow].index;
        }
    }
    return std::nullopt;
}

void TimelineWidget::cycleStyle() {
    if (const auto counter = focusedCounter()) {
        CounterLook look = m_looks[*counter];
        look.style = kValueStyles[(static_cast<size_t>(look.style) + 1) % kValueStyles.size()];
        setLook(*counter, look);
    }
}

void TimelineWidget::cycleScale() {
    if (const auto counter = focusedCounter()) {
        CounterLook look = m_looks[*counter];
        look.scale = kValueScales[(static_cast<size_t>(look.scale) + 1) % kValueScales.size()];
        setLook(*counter, look);
    }
}

void TimelineWidget::addValueActions(QMenu& menu, const Section& section) {
    if (section.kind == SectionKind::Derived) {
        const DerivedKind kind = m_model->derived[section.index].kind;
        menu.addAction(tr("Hide %1 of all devices").arg(timeline::titleOf(kind)), this,
                       [this, kind] { m_derivedActions[static_cast<size_t>(kind)]->setChecked(false); });
        return;
    }
    if (section.kind != SectionKind::Counter) {
        return;
    }
    const uint32_t counter = section.index;
    const CounterLook look = m_looks[counter];
    const auto addChoices = [&](const QString& title, const auto& choices, auto member) {
        QMenu* choice = menu.addMenu(title);
        auto* group = new QActionGroup(choice);
        for (const auto& value : choices) {
            QAction* action = choice->addAction(timeline::titleOf(value));
            action->setCheckable(true);
            action->setChecked(look.*member == value);
            group->addAction(action);
            connect(action, &QAction::triggered, this, [this, counter, look, member, value] {
                CounterLook chosen = look;
                chosen.*member = value;
                setLook(counter, chosen);
            });
        }
    };
    addChoices(tr("Draw as"), kValueStyles, &CounterLook::style);
    addChoices(tr("Scale"), kValueScales, &CounterLook::scale);
}

std::vector<HeadScale> TimelineWidget::headScalesAt(const Geometry& shown, std::optional<TimeNs> at) const {
    return headScales(shown, m_layout, *m_trace, *m_model, m_derived->view(), at);
}

std::optional<TimeNs> TimelineWidget::pointedTime() const {
    const QRect lanes = lanesRect();
    return m_pointer && m_pointer->x() >= lanes.left() ? std::optional(xToTime(m_axis, m_pointer->x() - lanes.left()))
                                                       : std::nullopt;
}

}  // namespace warpline::timeline
