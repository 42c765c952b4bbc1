// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/highlight_stepper.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "core/base/units.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/icons.h"
#include "widgets/support/session.h"
#include "widgets/support/theme.h"

namespace warpline {

HighlightStepper::HighlightStepper(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_previous(new QToolButton(this)),
      m_next(new QToolButton(this)),
      m_label(new QLabel(this)) {
    const auto setUp = [this](QToolButton* button, Icon which, const QString& name, const QString& keys,
                              int direction) {
        button->setIcon(icon(which));
        button->setProperty("flat", true);
        button->setAccessibleName(name);
        button->setToolTip(name + " (" + keys + ")");
        connect(button, &QToolButton::clicked, this, [this, direction] { m_session.stepHighlight(direction); });
    };
    setUp(m_previous, Icon::Previous, tr("Previous instance"), tr("Shift+F3"), -1);
    setUp(m_next, Icon::Next, tr("Next instance"), tr("F3, or Enter on the row"), +1);
    m_label->setFont(tabularFont());
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_previous);
    layout->addWidget(m_label);
    layout->addWidget(m_next);
    connect(&m_session, &Session::highlightChanged, this, &HighlightStepper::refresh);
    refresh();
}

QString HighlightStepper::text() const {
    return m_label->text();
}

void HighlightStepper::refresh() {
    const Highlight& highlight = m_session.highlight();
    setVisible(!highlight.empty());
    const QString count = fromUtf8(formatCount(highlight.size()));
    if (highlight.current >= 0) {
        m_label->setText(
            tr("%1 of %2").arg(fromUtf8(formatCount(static_cast<uint64_t>(highlight.current) + 1)), count));
    } else {
        m_label->setText(highlight.size() == 1 ? tr("1 instance") : tr("%1 instances").arg(count));
    }
    m_label->setToolTip(highlight.title);
}

}  // namespace warpline
