// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Asks what is to be recorded: program or sample kernel, where, how much. Shows what is wrong at the field, what it
// costs, and the same as a command line. GUI thread.

#include <QDialog>

#include "app/ui/recording/record_request.h"

class QBoxLayout;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace warpline::ui {

class LevelForm;
class WhatForm;

class RecordDialog : public QDialog {
    Q_OBJECT

public:
    explicit RecordDialog(const RecordRequest& request, QWidget* parent = nullptr);

    RecordRequest request() const;

    WhatForm* what() const { return m_what; }
    LevelForm* level() const { return m_level; }
    QComboBox* presetBox() const { return m_preset; }
    QPushButton* savePresetButton() const { return m_save; }
    QPushButton* deletePresetButton() const { return m_delete; }
    QPushButton* recordButton() const { return m_record; }
    QPushButton* copyButton() const { return m_copy; }
    QString commandLine() const;
    QString cost() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QLayout* makePresets();
    void fillPresets(const QString& current);
    void choosePreset();
    void savePreset();
    void deletePreset();
    void check();

    WhatForm* m_what;
    LevelForm* m_level;
    QBoxLayout* m_columns = nullptr;
    QVBoxLayout* m_scrolled = nullptr;
    QComboBox* m_preset;
    QPushButton* m_save;
    QPushButton* m_delete;
    QWidget* m_notes;
    QLabel* m_cost;
    QLineEdit* m_command;
    QPushButton* m_copy;
    QPushButton* m_record;
    bool m_isFilling = false;
    bool m_wasEdited = false;  ///< what is only missing yet is not said before
};

}  // namespace warpline::ui
