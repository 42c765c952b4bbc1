// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/choice_popup.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QVBoxLayout>

#include <algorithm>

#include "widgets/support/choice_list.h"
#include "widgets/support/icons.h"

namespace warpline {

namespace {
constexpr int kWidth = 620;
constexpr int kTop = 40;
constexpr int kMargin = 8;
constexpr int kMostRows = 12;
}  // namespace

ChoicePopup::ChoicePopup(const QString& title, const QString& placeholder, QWidget* window)
    : QFrame(window),
      m_line(new QLineEdit(this)),
      m_list(new QListView(this)),
      m_none(new QLabel(tr("Nothing fits these letters"), this)),
      m_model(new ChoiceModel(this)) {
    setProperty("role", "popup");
    setAccessibleName(title);
    m_line->setPlaceholderText(placeholder);
    m_line->setAccessibleName(title);
    m_line->addAction(icon(Icon::Search), QLineEdit::LeadingPosition);
    m_list->setAccessibleName(title);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new ChoiceDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_none->setProperty("role", "muted");
    m_none->setContentsMargins(kMargin, 0, kMargin, 0);
    m_none->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    column->setSpacing(kMargin);
    column->addWidget(m_line);
    column->addWidget(m_list, 1);
    column->addWidget(m_none);
    connect(m_line, &QLineEdit::textChanged, this, &ChoicePopup::filter);
    connect(m_list, &QListView::clicked, this, &ChoicePopup::choose);
    m_line->installEventFilter(this);
    window->installEventFilter(this);
    hide();
}

void ChoicePopup::setChoices(std::vector<Choice> choices) {
    m_model->setChoices(std::move(choices));
    filter(m_line->text());
}

void ChoicePopup::open() {
    if (QWidget* focus = QApplication::focusWidget(); focus != nullptr && !isAncestorOf(focus)) {
        m_focusBefore = focus;
        // Of another of these popups, which goes now, it is what that would have given the focus back to.
        for (QWidget* around = focus; around != nullptr; around = around->parentWidget()) {
            if (auto* other = qobject_cast<ChoicePopup*>(around)) {
                m_focusBefore = other->m_focusBefore;
            }
        }
    }
    m_line->clear();
    place();
    show();
    raise();
    m_line->setFocus(Qt::PopupFocusReason);
}

void ChoicePopup::place() {
    const QRect room = parentWidget()->rect();
    const int rowHeight = std::max(m_list->sizeHintForRow(0), fontMetrics().height() + kMargin);
    const int shown = std::clamp(m_model->rowCount(), 1, kMostRows);
    const int wanted = m_line->sizeHint().height() + 3 * kMargin + 4 + shown * rowHeight;
    const QSize size(std::min(kWidth, room.width() - 2 * kMargin), std::min(wanted, room.height() - kTop - kMargin));
    setGeometry(QRect(QPoint((room.width() - size.width()) / 2, kTop), size));
}

void ChoicePopup::filter(const QString& text) {
    QString pattern = text;
    if (!m_prefix.isEmpty() && pattern.startsWith(m_prefix)) {
        pattern.remove(0, m_prefix.size());
    }
    m_model->setPattern(pattern);
    m_list->setCurrentIndex(m_model->index(0));
    m_list->scrollToTop();
    m_list->setVisible(m_model->rowCount() > 0);
    m_none->setVisible(m_model->rowCount() == 0);
    place();
}

void ChoicePopup::dismiss() {
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    hide();
    if (hadFocus && m_focusBefore) {
        m_focusBefore->setFocus(Qt::PopupFocusReason);
    }
}

void ChoicePopup::choose(const QModelIndex& index) {
    if (index.isValid() && m_model->choiceAt(index.row()).enabled) {
        const int which = m_model->indexOf(index.row());
        dismiss();
        emit chosen(which);
    }
}

bool ChoicePopup::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible()) {
            place();
        }
        return false;
    }
    if (event->type() == QEvent::FocusOut && isVisible()) {
        // Its context menu is no reason to go, but another of these popups is.
        const QWidget* now = QApplication::focusWidget();
        const bool isLeft = now != nullptr && now != this && !isAncestorOf(now);
        if (static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason || isLeft) {
            hide();
        }
        return false;
    }
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride) {
        return false;
    }
    auto* key = static_cast<QKeyEvent*>(event);
    const int row = m_list->currentIndex().row();
    const int rows = m_model->rowCount();
    const int page = std::max(1, m_list->viewport()->height() / std::max(1, m_list->sizeHintForRow(0)) - 1);
    int target = row;
    switch (key->key()) {
        case Qt::Key_Escape:
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Tab:
            break;
        case Qt::Key_Down:
            target = row + 1 < rows ? row + 1 : 0;
            break;
        case Qt::Key_Up:
            target = row > 0 ? row - 1 : rows - 1;
            break;
        case Qt::Key_PageDown:
            target = std::min(row + page, rows - 1);
            break;
        case Qt::Key_PageUp:
            target = std::max(row - page, 0);
            break;
        default:
            return false;
    }
    event->accept();
    if (event->type() == QEvent::ShortcutOverride) {
        // Whatever the window does with these keys, here they are ours.
        return true;
    }
    if (key->key() == Qt::Key_Escape) {
        dismiss();
    } else if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
        choose(m_list->currentIndex());
    } else if (target >= 0) {
        m_list->setCurrentIndex(m_model->index(target));
    }
    return true;
}

}  // namespace warpline
