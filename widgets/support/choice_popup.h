// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A line to type in over a list to choose from, laid over the top of a window: the command palette, and whatever else
// is found by a few letters. Goes away on Esc, on a click elsewhere and when something was chosen, and gives the focus
// back before it says what. Ten thousand choices are no trouble. GUI thread only.

#include <QFrame>
#include <QPointer>
#include <QString>

#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace warpline {

struct Choice {
    QString text;
    QString group;  ///< muted, before the text; letters are looked for in it too
    QString keys;   ///< at the right
    bool enabled = true;
    QString note;        ///< muted, after the text; for what is disabled: why
    QString words = {};  ///< not shown: letters are looked for in them too, the first ones count most
};

class ChoiceModel;

class ChoicePopup : public QFrame {
    Q_OBJECT

public:
    /// Over `window`, whose child it is; not shown yet.
    ChoicePopup(const QString& title, const QString& placeholder, QWidget* window);

    /// What there is, in the order it is listed while nothing is typed.
    void setChoices(std::vector<Choice> choices);
    /// A sign that may be typed before the letters and means nothing, as it opens the popup (">").
    void setPrefix(const QString& prefix) { m_prefix = prefix; }
    void open();
    /// Hides it and gives the focus back.
    void dismiss();
    QLineEdit* line() const { return m_line; }
    QListView* list() const { return m_list; }
    QLabel* noneLabel() const { return m_none; }

signals:
    /// Index into setChoices(), of what is enabled. The popup is gone by then.
    void chosen(int index);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& text);
    void place();
    void choose(const QModelIndex& index);

    QLineEdit* m_line;
    QListView* m_list;
    QLabel* m_none;  ///< in place of an empty list
    ChoiceModel* m_model;
    QPointer<QWidget> m_focusBefore;
    QString m_prefix;
};

}  // namespace warpline
