// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Fields of the record dialog, each with its error below it. GUI thread.

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QString>
#include <QVBoxLayout>
#include <QWidget>

namespace warpline::ui {

/// A field with room for what is wrong with it.
class FormField : public QWidget {
public:
    /// Takes `editor` over.
    explicit FormField(QWidget* editor, QWidget* parent = nullptr);

    void setProblem(const QString& problem);
    QString problem() const { return m_problem->text(); }

private:
    QLineEdit* m_line;  ///< the editor, or the one within it; null if there is none
    QLabel* m_problem;
};

/// Adds a row; `toolTip` says what it means, with its unit. The label has the mnemonic of `title`.
FormField* addField(QFormLayout* form, const QString& title, QWidget* editor, const QString& toolTip);

}  // namespace warpline::ui
