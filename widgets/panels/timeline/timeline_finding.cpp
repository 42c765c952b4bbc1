// SPDX-License-Identifier: GPL-3.0-or-later
// Ways to tracks that are not seen: a list of all, a filter of titles, the list of hidden ones, and events on them that
// are asked for.

#include <QToolButton>

#include <algorithm>
#include <utility>

#include "core/base/units.h"
#include "core/trace/process_title.h"
#include "widgets/panels/timeline/minimap.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/panels/timeline/track_filter.h"
#include "widgets/panels/timeline/track_filter_bar.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/choice_popup.h"
#include "widgets/support/icons.h"

namespace warpline::timeline {

namespace {

constexpr int kNoteHeight = 22;

}  // namespace

int TimelineWidget::footHeight() const {
    return m_hiddenNote->isHidden() ? 0 : kNoteHeight;
}

void TimelineWidget::updateHiddenNote() {
    const size_t count = m_trace && m_model ? m_session.arrangement().hidden.size() : 0;
    m_hiddenNote->setVisible(count > 0);
    m_hiddenNote->setText(tr("%1 hidden").arg(fromUtf8(formatCount(count))));
    m_hiddenNote->setGeometry(0, height() - kNoteHeight, m_headWidth - 1, kNoteHeight);
    m_hiddenNote->raise();
    updateScrollBar();
}

QString TimelineWidget::titleOf(const SectionRef& ref) const {
    if (ref.kind == SectionRef::Kind::Process) {
        return fromUtf8(processHeading(*m_trace, ref.process));
    }
    return fromUtf8(ref.kind == SectionRef::Kind::Track ? trackTitle(*m_trace, ref.track) : ref.title);
}

ChoicePopup* TimelineWidget::openChoices(const QString& title, const QString& placeholder,
                                         std::vector<Choice> choices) {
    delete m_choices;
    // Over the whole window, however small the timeline is in it.
    m_choices = new ChoicePopup(title, placeholder, window());
    m_choices->setChoices(std::move(choices));
    m_choices->open();
    return m_choices;
}

void TimelineWidget::listHidden() {
    const std::vector<SectionRef> hidden = m_session.arrangement().hidden;
    if (!m_trace || hidden.empty()) {
        return;
    }
    std::vector<Choice> choices{{tr("Show all that are hidden"), {}, {}, true, {}}};
    for (const SectionRef& ref : hidden) {
        const std::vector<TrackItem> held = orderedItems(*m_trace, *m_model, ref.process, ArrangementIndex());
        const bool isProcess = ref.kind == SectionRef::Kind::Process;
        Choice choice{titleOf(ref), {}, {}, true, {}};
        if (held.size() == 1 && held[0].ref.kind == SectionRef::Kind::Track) {
            choice.text = fromUtf8(aloneTitle(*m_trace, held[0].ref.track));
        } else if (isProcess) {
            choice.note = tr("the whole process");
        } else {
            choice.group = titleOf(SectionRef::ofProcess(ref.process));
        }
        choices.push_back(std::move(choice));
    }
    ChoicePopup* popup = openChoices(tr("Hidden tracks"), tr("Which one shall be shown again?"), std::move(choices));
    connect(popup, &ChoicePopup::chosen, this, [this, hidden](int index) {
        if (index == 0) {
            showHidden();
        } else {
            bringBack(hidden[static_cast<size_t>(index) - 1]);
        }
    });
}

int TimelineWidget::sectionOfRef(const SectionRef& ref) const {
    const std::vector<Section>& sections = m_layout.sections();
    const auto found = std::find_if(sections.begin(), sections.end(), [&](const Section& section) {
        // A process of one track has no head of its own.
        const bool standsForIt = ref.kind == SectionRef::Kind::Process && section.header < 0 && !section.pinned &&
                                 section.process == ref.process;
        return standsForIt || refOf(section, *m_model) == ref;
    });
    return found == sections.end() ? -1 : static_cast<int>(found - sections.begin());
}

void TimelineWidget::unfoldTo(const SectionRef& ref) {
    if (ref.kind != SectionRef::Kind::Process && ref.process &&
        std::exchange(m_state.processCollapsed[ref.process.value], 0) != 0) {
        unfoldedOnTheWay();
        rebuildLayout();
    }
}

void TimelineWidget::bringBack(const SectionRef& ref) {
    if (!m_model) {
        return;
    }
    settleView();
    if (ArrangementIndex(m_session.arrangement()).isOutOfSight(ref)) {
        m_session.applyArrangement(withShown(m_session.arrangement(), ref), tr("show a hidden track"));
    }
    unfoldTo(ref);
    if (sectionOfRef(ref) < 0) {
        setTrackFilter({});
    }
    if (const int index = sectionOfRef(ref); index >= 0) {
        m_focus = keyOf(m_layout.sections()[static_cast<size_t>(index)]);
        scrollToFocus();
    }
    settleView();
}

void TimelineWidget::findTrack() {
    if (!m_model) {
        return;
    }
    const ArrangementIndex arranged(m_session.arrangement());
    const TrackFilter filter(m_state.filter);
    std::vector<SectionRef> refs;
    std::vector<Choice> choices;
    for (const ProcessId process : orderedProcesses(*m_trace, *m_model, arranged)) {
        const SectionRef whole = SectionRef::ofProcess(process);
        const std::string heading = processHeading(*m_trace, process);
        std::vector<TrackItem> items = orderedItems(*m_trace, *m_model, process, arranged);
        std::erase_if(items, [this](const TrackItem& item) { return !takesRows(item); });
        const bool standsAlone = isAlone(*m_trace, items);
        if (!standsAlone && !items.empty()) {
            refs.push_back(whole);
            choices.push_back({fromUtf8(heading), {}, {}, true, arranged.isHidden(whole) ? tr("hidden") : QString()});
        }
        const bool isFolded = m_state.processCollapsed[process.value] != 0;
        for (const TrackItem& item : items) {
            const std::string title = itemTitle(*m_trace, *m_model, item);
            const QString note = arranged.isOutOfSight(item.ref)  ? tr("hidden")
                                 : !filter.passes(heading, title) ? tr("filtered out")
                                 : arranged.isPinned(item.ref)    ? tr("pinned")
                                 : isFolded                       ? tr("folded")
                                                                  : QString();
            refs.push_back(item.ref);
            // One that stands alone has the name of its process in its own.
            choices.push_back(standsAlone ? Choice{fromUtf8(aloneTitle(*m_trace, item.ref.track)), {}, {}, true, note}
                                          : Choice{fromUtf8(title), fromUtf8(heading), {}, true, note});
        }
    }
    ChoicePopup* popup = openChoices(tr("Tracks"), tr("Go to which track?"), std::move(choices));
    connect(popup, &ChoicePopup::chosen, this, [this, refs = std::move(refs)](int index) {
        setFocus(Qt::OtherFocusReason);
        bringBack(refs[static_cast<size_t>(index)]);
    });
}

// --- the filter of titles

void TimelineWidget::makeTrackFilter() {
    m_filterButton->setObjectName(QStringLiteral("filterTracks"));
    m_filterButton->setIcon(icon(Icon::Filter));
    m_filterButton->setProperty("flat", true);
    m_filterButton->setProperty("role", "compact");
    m_filterButton->setIconSize({14, 14});
    m_filterButton->setFocusPolicy(Qt::NoFocus);
    m_filterButton->setToolTip(tr("Filter the tracks by their titles"));
    connect(m_filterButton, &QToolButton::clicked, this, &TimelineWidget::openTrackFilter);
    connect(m_trackFilter, &TrackFilterBar::changed, this, &TimelineWidget::setTrackFilter);
    connect(m_trackFilter, &TrackFilterBar::left, this, [this] { setFocus(Qt::OtherFocusReason); });
    connect(m_empty, &EmptyState::buttonClicked, this, [this] {
        if (m_state.filter.empty()) {
            showHidden();
        } else {
            setTrackFilter({});
        }
        setFocus(Qt::OtherFocusReason);
    });
}

void TimelineWidget::placeTrackFilter() {
    constexpr int kLeastWidth = 200;
    m_trackFilter->setGeometry(0, 0, std::max(m_headWidth - 1, kLeastWidth), kMinimapHeight - 1);
    m_filterButton->setGeometry(m_headWidth - 27, 2, kMinimapHeight - 4, kMinimapHeight - 5);
    m_filterButton->setVisible(m_trace != nullptr && m_layout.trackCount() > 0);
    if (!m_trace) {
        m_trackFilter->hide();
    }
}

void TimelineWidget::openTrackFilter() {
    if (m_trace && m_model) {
        placeTrackFilter();
        m_trackFilter->setCount(m_layout.passingCount(), m_layout.trackCount());
        m_trackFilter->open();
    }
}

void TimelineWidget::setTrackFilter(const QString& text) {
    if (m_trackFilter->text() != text) {
        m_trackFilter->setText(text);  // which comes here again
        return;
    }
    m_session.setPanelState(QStringLiteral("timeline"), keptState());
    if (m_state.filter == text.toStdString()) {
        return;
    }
    const std::vector<SeenSection> seen = seenSections(m_session.arrangement());
    m_state.filter = text.toStdString();
    rebuildLayout();
    keepInPlace(seen, m_session.arrangement());
    m_trackFilter->setCount(m_layout.passingCount(), m_layout.trackCount());
}

void TimelineWidget::showSectionOf(const Selection& event) {
    const std::optional<SectionRef> ref = sectionOf(*m_trace, *m_model, event);
    if (ref && ArrangementIndex(m_session.arrangement()).isOutOfSight(*ref)) {
        m_session.applyArrangement(withShown(m_session.arrangement(), *ref), tr("show a hidden track"));
    }
    if (ref && !m_state.filter.empty() && sectionOfRef(*ref) < 0) {
        setTrackFilter({});
    }
}

}  // namespace warpline::timeline
