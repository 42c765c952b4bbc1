// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/form_field.h"

#include <QComboBox>
#include <QStyle>

#include <algorithm>

namespace warpline::ui {

FormField::FormField(QWidget* editor, QWidget* parent)
    : QWidget(parent), m_line(qobject_cast<QLineEdit*>(editor)), m_problem(new QLabel(this)) {
    if (const auto* combo = qobject_cast<QComboBox*>(editor)) {
        m_line = combo->lineEdit();
    }
    m_problem->setProperty("role", "error");
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(editor);
    layout->addWidget(m_problem);
    setFocusProxy(editor);
}

void FormField::setProblem(const QString& problem) {
    if (problem == m_problem->text() && problem.isEmpty() == m_problem->isHidden()) {
        return;
    }
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    if (m_line != nullptr) {
        m_line->setProperty("invalid", !problem.isEmpty());
        m_line->setAccessibleDescription(problem);
        m_line->style()->unpolish(m_line);
        m_line->style()->polish(m_line);
    }
}

FormField* addField(QFormLayout* form, const QString& title, QWidget* editor, const QString& toolTip) {
    editor->setToolTip(toolTip);
    auto* field = new FormField(editor);
    auto* label = new QLabel(title);
    label->setBuddy(editor);
    // In the middle of its field, not of its field and what is wrong with it.
    constexpr int kTallest = 40;
    editor->ensurePolished();
    label->setFixedHeight(std::min(editor->sizeHint().height(), kTallest));
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    label->setToolTip(toolTip);
    QString name = title;
    editor->setAccessibleName(name.remove('&'));
    form->addRow(label, field);
    return field;
}

}  // namespace warpline::ui
