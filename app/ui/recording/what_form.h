// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The part of the record dialog that says what is recorded, and where: a program or a sample kernel, its environment
// and folder, this machine or a host. GUI thread.

#include <QList>
#include <QMap>
#include <QWidget>

#include <memory>
#include <vector>

#include "app/ui/recording/record_request.h"
#include "kernels/sample_kernel.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QSpinBox;
class QTableWidget;

namespace warpline::ui {

class FormField;

class WhatForm : public QWidget {
    Q_OBJECT

public:
    explicit WhatForm(QWidget* parent = nullptr);

    void fill(const RecordRequest& request);
    void read(RecordRequest& request) const;
    void showProblems(const QMap<QString, QString>& problems);
    /// What is wrong with texts that read() could not take: parameters that are no numbers.
    QMap<QString, QString> ownProblems() const;
    /// To the field that matters most.
    void focusFirst();

    QRadioButton* programChoice() const { return m_isProgram; }
    QRadioButton* kernelChoice() const { return m_isKernel; }
    QLineEdit* programEdit() const { return m_program; }
    QComboBox* kernelBox() const { return m_kernel; }
    QComboBox* versionBox() const { return m_version; }
    QLineEdit* parameterEdit(const QString& name) const;
    QTableWidget* environmentTable() const { return m_environment; }
    QLineEdit* folderEdit() const { return m_folder; }
    QComboBox* hostBox() const { return m_host; }
    FormField* field(const QString& name) const { return m_fields.value(name); }

signals:
    void changed();

private:
    QWidget* makeProgramPage();
    QWidget* makeKernelPage();
    QWidget* makeEnvironment();
    void fillVersions();
    void fillParameters();
    const SampleKernelInfo* chosenKernel() const;
    void addVariable(const QString& name, const QString& value);
    void chooseFolder();

    std::vector<std::unique_ptr<SampleKernel>> m_kernels;
    QRadioButton* m_isProgram;
    QRadioButton* m_isKernel;
    QLineEdit* m_program;
    QComboBox* m_kernel;
    QComboBox* m_version;
    QLabel* m_versionText;
    QFormLayout* m_parameters;
    QList<QPair<QString, QLineEdit*>> m_parameterEdits;
    QSpinBox* m_repetitions;
    QCheckBox* m_checksResult;
    QTableWidget* m_environment;
    QPushButton* m_removeVariable = nullptr;
    QLineEdit* m_folder;
    QPushButton* m_browse;
    QComboBox* m_host;
    QMap<QString, FormField*> m_fields;
};

}  // namespace warpline::ui
