// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a panel shows instead of data: an icon, a title, a sentence that says what to do, and a button if there is one
// thing to press.

#include <QString>
#include <QWidget>

#include "widgets/support/icons.h"

class QLabel;
class QPushButton;

namespace warpline {

class EmptyState : public QWidget {
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent = nullptr);

    /// Without `buttonText` there is no button.
    void setContent(Icon which, const QString& title, const QString& sentence, const QString& buttonText = {});
    QString title() const;
    QString sentence() const;

signals:
    void buttonClicked();

protected:
    void changeEvent(QEvent* event) override;

private:
    void paintIcon();

    Icon m_which = Icon::Info;
    QLabel* m_icon;
    QLabel* m_title;
    QLabel* m_sentence;
    QPushButton* m_button;
};

}  // namespace warpline
