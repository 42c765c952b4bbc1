// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/empty_state.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace warpline {

namespace {
constexpr int kIconSize = 44;
constexpr int kTextWidth = 380;
}  // namespace

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent),
      m_icon(new QLabel(this)),
      m_title(new QLabel(this)),
      m_sentence(new QLabel(this)),
      m_button(new QPushButton(this)) {
    setProperty("role", "surface");
    setAttribute(Qt::WA_StyledBackground);
    m_title->setProperty("role", "heading");
    m_title->setAlignment(Qt::AlignCenter);
    m_title->setWordWrap(true);
    m_sentence->setProperty("role", "muted");
    m_sentence->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_sentence->setWordWrap(true);
    m_sentence->setMaximumWidth(kTextWidth);
    m_icon->setAlignment(Qt::AlignCenter);
    connect(m_button, &QPushButton::clicked, this, &EmptyState::buttonClicked);

    auto* sentenceRow = new QHBoxLayout;
    sentenceRow->addStretch(1);
    sentenceRow->addWidget(m_sentence, 100);
    sentenceRow->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 12, 20, 12);
    layout->setSpacing(6);
    layout->addStretch(2);
    layout->addWidget(m_icon);
    layout->addWidget(m_title);
    layout->addLayout(sentenceRow);
    layout->addSpacing(4);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch(3);
}

void EmptyState::setContent(Icon which, const QString& title, const QString& sentence, const QString& buttonText) {
    m_which = which;
    m_title->setText(title);
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
    m_button->setText(buttonText);
    m_button->setVisible(!buttonText.isEmpty());
    setAccessibleName(title);
    setAccessibleDescription(sentence);
    paintIcon();
}

QString EmptyState::title() const {
    return m_title->text();
}

QString EmptyState::sentence() const {
    return m_sentence->text();
}

void EmptyState::paintIcon() {
    m_icon->setPixmap(icon(m_which).pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
}

void EmptyState::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        paintIcon();
    }
    QWidget::changeEvent(event);
}

}  // namespace warpline
