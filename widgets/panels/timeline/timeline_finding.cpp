// SPDX-License-Identifier: GPL-3.0-or-later
// Ways back to tracks that are not seen: the list of hidden ones, and events on them that are asked for.

#include <QToolButton>

#include <algorithm>

#include "core/base/units.h"
#include "core/trace/process_title.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/choice_popup.h"

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
    const std::string heading = processHeading(*m_trace, ref.process);
    if (ref.kind == SectionRef::Kind::Process) {
        return fromUtf8(heading);
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
        const bool isProcess = ref.kind == SectionRef::Kind::Process;
        choices.push_back({titleOf(ref),
                           isProcess ? QString() : titleOf(SectionRef::ofProcess(ref.process)),
                           {},
                           true,
                           isProcess ? tr("the whole process") : QString()});
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

void TimelineWidget::bringBack(const SectionRef& ref) {
    m_session.applyArrangement(withShown(m_session.arrangement(), ref), tr("show a hidden track"));
    const std::vector<Section>& sections = m_layout.sections();
    const auto found = std::find_if(sections.begin(), sections.end(), [&](const Section& section) {
        return refOf(section, *m_model) == ref ||
               (ref.kind == SectionRef::Kind::Process && section.header < 0 && section.process == ref.process);
    });
    if (found != sections.end()) {
        m_focus = keyOf(*found);
        scrollToFocus();
    }
}

void TimelineWidget::showSectionOf(const Selection& event) {
    const std::optional<SectionRef> ref = sectionOf(*m_trace, *m_model, event);
    if (ref && ArrangementIndex(m_session.arrangement()).isOutOfSight(*ref)) {
        m_session.applyArrangement(withShown(m_session.arrangement(), *ref), tr("show a hidden track"));
    }
}

}  // namespace warpline::timeline
