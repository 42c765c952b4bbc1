// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/track_filter_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

#include "core/base/units.h"
#include "widgets/support/cell_text.h"

namespace warpline::timeline {

TrackFilterBar::TrackFilterBar(QWidget* parent)
    : QFrame(parent), m_line(new QLineEdit(this)), m_count(new QLabel(this)) {
    setObjectName(QStringLiteral("trackFilter"));
    setAutoFillBackground(true);
    m_line->setPlaceholderText(tr("Filter tracks"));
    m_line->setAccessibleName(tr("Filter tracks"));
    m_line->setToolTip(tr("Words that the title of a track, or of its process, must have. Esc shows all again"));
    m_line->setClearButtonEnabled(true);
    m_line->setProperty("role", "compact");
    m_count->setProperty("role", "muted");
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 1, 6, 1);
    layout->setSpacing(6);
    layout->addWidget(m_line, 1);
    layout->addWidget(m_count);
    m_line->installEventFilter(this);
    connect(m_line, &QLineEdit::textChanged, this, &TrackFilterBar::changed);
    hide();
}

QString TrackFilterBar::text() const {
    return m_line->text();
}

void TrackFilterBar::setText(const QString& text) {
    m_line->setText(text);
    if (text.isEmpty() && !m_line->hasFocus()) {
        hide();
    } else if (!text.isEmpty() && isHidden()) {
        show();
        raise();
    }
}

void TrackFilterBar::open() {
    show();
    raise();
    m_line->setFocus(Qt::ShortcutFocusReason);
    m_line->selectAll();
}

void TrackFilterBar::setCount(size_t passing, size_t all) {
    m_count->setText(tr("%1 of %2").arg(fromUtf8(formatCount(passing)), fromUtf8(formatCount(all))));
}

QString TrackFilterBar::countText() const {
    return m_count->text();
}

bool TrackFilterBar::eventFilter(QObject* /*watched*/, QEvent* event) {
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    const int key = isKey ? static_cast<QKeyEvent*>(event)->key() : 0;
    const bool clears = key == Qt::Key_Escape;
    if (clears || key == Qt::Key_Return || key == Qt::Key_Enter) {
        event->accept();
        if (event->type() == QEvent::KeyPress) {
            if (clears) {
                m_line->clear();
            }
            setVisible(!m_line->text().isEmpty());
            emit left();
        }
        return true;
    }
    if (event->type() == QEvent::FocusOut && m_line->text().isEmpty()) {
        hide();
    }
    return false;
}

}  // namespace warpline::timeline
