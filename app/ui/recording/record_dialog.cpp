// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/record_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QScreen>
#include <QScrollArea>
#include <QStyle>
#include <QVBoxLayout>

#include "app/ui/recording/level_form.h"
#include "app/ui/recording/record_presets.h"
#include "app/ui/recording/what_form.h"
#include "widgets/support/chooser.h"
#include "widgets/support/theme.h"

namespace warpline::ui {

namespace {

constexpr int kWideCharacters = 125;
constexpr int kNotesPlace = 2;  ///< below presets and fields

QGroupBox* grouped(const QString& title, QWidget* content) {
    auto* box = new QGroupBox(title);
    auto* layout = new QVBoxLayout(box);
    layout->addWidget(content);
    return box;
}

}  // namespace

RecordDialog::RecordDialog(const RecordRequest& request, QWidget* parent)
    : QDialog(parent),
      m_what(new WhatForm(this)),
      m_level(new LevelForm(this)),
      m_preset(new Chooser(this)),
      m_save(new QPushButton(tr("Save as preset…"), this)),
      m_delete(new QPushButton(tr("Delete preset"), this)),
      m_notes(new QWidget(this)),
      m_cost(new QLabel(this)),
      m_command(new QLineEdit(this)),
      m_copy(new QPushButton(tr("Copy"), this)),
      m_record(nullptr) {
    setWindowTitle(tr("Record"));
    auto* scrolled = new QWidget(this);
    m_scrolled = new QVBoxLayout(scrolled);
    m_scrolled->setContentsMargins(0, 0, 0, 0);
    m_columns = new QBoxLayout(QBoxLayout::LeftToRight);
    m_columns->setSpacing(14);
    m_columns->addWidget(grouped(tr("What"), m_what), 5);
    m_columns->addWidget(grouped(tr("How much"), m_level), 4);
    m_scrolled->addLayout(m_columns, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setWidget(scrolled);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->viewport()->setAutoFillBackground(false);
    scrolled->setAutoFillBackground(false);

    m_cost->setWordWrap(true);
    m_cost->setProperty("role", "muted");
    auto* note =
        new QLabel(tr("While it is recorded, the program's own torch.profiler will show CPU work only: CUDA lets "
                      "one profiler in at a time."),
                   this);
    note->setWordWrap(true);
    note->setProperty("role", "muted");
    auto* notes = new QVBoxLayout(m_notes);
    notes->setContentsMargins(0, 0, 0, 0);
    notes->addWidget(m_cost);
    notes->addWidget(note);
    m_command->setReadOnly(true);
    m_command->setFont(monospaceFont());
    m_command->setToolTip(tr("The same recording from a terminal"));
    m_command->setAccessibleName(tr("The same on the command line"));
    m_copy->setToolTip(tr("Copy the command line"));
    auto* commandRow = new QHBoxLayout;
    commandRow->addWidget(m_command, 1);
    commandRow->addWidget(m_copy);
    connect(m_copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(commandLine()); });

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_record = buttons->addButton(tr("&Record"), QDialogButtonBox::AcceptRole);
    m_record->setProperty("primary", true);
    m_record->style()->unpolish(m_record);  // it was made before it was known to be the main one
    m_record->style()->polish(m_record);
    m_record->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        m_wasEdited = true;
        check();
        if (m_record->isEnabled()) {
            accept();
        }
    });

    auto* layout = new QVBoxLayout(this);
    layout->addLayout(makePresets());
    layout->addWidget(scroll, 1);
    layout->addWidget(m_notes);
    layout->addLayout(commandRow);
    layout->addWidget(buttons);

    const auto edited = [this] {
        if (!m_isFilling) {
            m_wasEdited = true;
            check();
        }
    };
    connect(m_what, &WhatForm::changed, this, edited);
    connect(m_level, &LevelForm::changed, this, edited);
    m_isFilling = true;
    m_what->fill(request);
    m_level->fill(request);
    m_isFilling = false;
    fillPresets({});
    check();
    constexpr QSize kWanted(1060, 720);
    constexpr int kFrame = 60;
    const QSize most = (parent != nullptr ? parent->screen() : screen())->availableSize() - QSize(kFrame, kFrame);
    resize(kWanted.boundedTo(most));
    m_what->focusFirst();
}

QLayout* RecordDialog::makePresets() {
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(tr("&Preset"), this);
    label->setBuddy(m_preset);
    m_preset->setToolTip(tr("Everything in this dialog, under a name"));
    constexpr int kWidth = 260;
    m_preset->setMinimumWidth(kWidth);
    m_save->setAutoDefault(false);
    m_delete->setAutoDefault(false);
    m_copy->setAutoDefault(false);
    row->addWidget(label);
    row->addWidget(m_preset);
    row->addWidget(m_save);
    row->addWidget(m_delete);
    row->addStretch(1);
    connect(m_preset, &QComboBox::activated, this, &RecordDialog::choosePreset);
    connect(m_save, &QPushButton::clicked, this, &RecordDialog::savePreset);
    connect(m_delete, &QPushButton::clicked, this, &RecordDialog::deletePreset);
    return row;
}

void RecordDialog::fillPresets(const QString& current) {
    m_preset->clear();
    m_preset->addItem(tr("as recorded last"));
    m_preset->addItems(presets::names());
    m_preset->setCurrentIndex(std::max(0, current.isEmpty() ? 0 : m_preset->findText(current)));
    m_delete->setEnabled(m_preset->currentIndex() > 0);
}

void RecordDialog::choosePreset() {
    const RecordRequest chosen =
        m_preset->currentIndex() <= 0 ? presets::last() : presets::preset(m_preset->currentText());
    m_isFilling = true;
    m_what->fill(chosen);
    m_level->fill(chosen);
    m_isFilling = false;
    m_delete->setEnabled(m_preset->currentIndex() > 0);
    check();
}

void RecordDialog::savePreset() {
    bool isGiven = false;
    const QString suggested = m_preset->currentIndex() > 0 ? m_preset->currentText() : nameOf(request());
    const QString name =
        QInputDialog::getText(this, tr("Save as preset"), tr("Name"), QLineEdit::Normal, suggested, &isGiven).trimmed();
    if (!isGiven || name.isEmpty()) {
        return;
    }
    if (presets::names().contains(name) && name != m_preset->currentText() &&
        QMessageBox::question(this, tr("Save as preset"), tr("Replace the preset %1?").arg(name)) != QMessageBox::Yes) {
        return;
    }
    presets::save(name, request());
    fillPresets(name);
}

void RecordDialog::deletePreset() {
    const QString name = m_preset->currentText();
    if (m_preset->currentIndex() > 0 &&
        QMessageBox::question(this, tr("Delete preset"), tr("Delete the preset %1?").arg(name)) == QMessageBox::Yes) {
        presets::remove(name);
        fillPresets({});
    }
}

RecordRequest RecordDialog::request() const {
    RecordRequest request;
    m_what->read(request);
    m_level->read(request);
    return request;
}

QString RecordDialog::commandLine() const {
    return m_command->text();
}

QString RecordDialog::cost() const {
    return m_cost->text();
}

void RecordDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    // Side by side where there is room for both, at any size of letters.
    const bool isWide = width() >= fontMetrics().averageCharWidth() * kWideCharacters;
    m_columns->setDirection(isWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    // Where there are few lines, they are the fields'.
    constexpr int kFewLines = 36;
    const bool isLow = height() < fontMetrics().height() * kFewLines;
    auto* outside = static_cast<QVBoxLayout*>(layout());
    if (isLow && m_scrolled->indexOf(m_notes) < 0) {
        m_scrolled->addWidget(m_notes);
    } else if (!isLow && outside->indexOf(m_notes) < 0) {
        outside->insertWidget(kNotesPlace, m_notes);
    }
}

void RecordDialog::check() {
    const RecordRequest wanted = request();
    QMap<QString, QString> problems = problemsOf(wanted);
    problems.insert(m_what->ownProblems());
    m_record->setEnabled(problems.isEmpty());
    m_record->setToolTip(problems.isEmpty() ? QString() : problems.first());
    if (!m_wasEdited && wanted.program.isEmpty()) {
        problems.remove(field::kProgram);
    }
    m_what->showProblems(problems);
    m_level->showProblems(problems);
    m_level->setKernelChosen(wanted.what == RecordRequest::What::Kernel);
    m_cost->setText(tr("Cost: %1").arg(costOf(wanted)));
    const bool canBeSaid = !problems.contains(field::kProgram) && !nameOf(wanted).isEmpty();
    m_command->setText(canBeSaid ? commandLineOf(wanted) : QString());
    m_command->setCursorPosition(0);
    m_copy->setEnabled(canBeSaid);
}

}  // namespace warpline::ui
