// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/time_prompt.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

#include <utility>

namespace warpline::timeline {

TimePrompt::TimePrompt(QWidget* parent) : QFrame(parent), m_edit(new QLineEdit(this)), m_hint(new QLabel(this)) {
    setProperty("role", "bar");
    setAutoFillBackground(true);
    setFrameShape(QFrame::StyledPanel);
    auto* label = new QLabel(tr("Go to"), this);
    label->setBuddy(m_edit);
    m_edit->setPlaceholderText(tr("12.5ms, +3us, 07:57:06.123456"));
    m_edit->setAccessibleName(tr("Time to go to"));
    m_edit->setToolTip(
        tr("A time since the trace's start (12.5ms; ns, us, ms, s), from the middle of the view on (+3us, -3us), or of "
           "the day in UTC (07:57:06.123456)"));
    m_edit->setMinimumWidth(240);
    m_hint->setProperty("role", "muted");
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 6);
    layout->addWidget(label);
    layout->addWidget(m_edit);
    layout->addWidget(m_hint);
    m_edit->installEventFilter(this);
    connect(m_edit, &QLineEdit::textChanged, this, &TimePrompt::check);
    connect(m_edit, &QLineEdit::returnPressed, this, &TimePrompt::accept);
    hide();
}

void TimePrompt::open(std::shared_ptr<const Trace> trace, TimeNs now) {
    m_trace = std::move(trace);
    m_now = now;
    m_edit->clear();
    m_hint->clear();
    show();
    raise();
    adjustSize();
    m_edit->setFocus(Qt::ShortcutFocusReason);
}

QString TimePrompt::problem() const {
    return m_hint->text();
}

void TimePrompt::check() {
    const bool isEmpty = m_edit->text().trimmed().isEmpty();
    m_hint->setText(m_trace && !isEmpty ? parseTimeTarget(m_edit->text(), *m_trace, m_now).problem : QString());
    adjustSize();
}

void TimePrompt::accept() {
    if (!m_trace) {
        return;
    }
    const TimeTarget target = parseTimeTarget(m_edit->text(), *m_trace, m_now);
    if (!target.time) {
        m_hint->setText(target.problem);
        adjustSize();
        return;
    }
    dismiss();
    emit closed();
    emit chosen(*target.time);
}

void TimePrompt::dismiss() {
    m_trace.reset();
    hide();
}

bool TimePrompt::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        dismiss();
        emit closed();
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();  // here it closes the prompt, whatever else it would stop
        return true;
    }
    if (event->type() == QEvent::FocusOut) {
        dismiss();
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace warpline::timeline
