// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A wide button with an icon, a title and a sentence below: an entry of the start page's lists.

#include <QAbstractButton>

#include "widgets/support/icons.h"

namespace warpline::ui {

class EntryButton : public QAbstractButton {
    Q_OBJECT

public:
    EntryButton(Icon which, const QString& title, const QString& sentence, QWidget* parent = nullptr);
    /// A path keeps its end when it is too long, a sentence its beginning.
    void setElideMode(Qt::TextElideMode mode) { m_elide = mode; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Icon m_which;
    QString m_sentence;
    Qt::TextElideMode m_elide = Qt::ElideRight;
};

}  // namespace warpline::ui
