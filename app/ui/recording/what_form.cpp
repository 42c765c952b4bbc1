// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/what_form.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableWidget>

#include "app/ui/recording/form_field.h"
#include "app/ui/recording/record_presets.h"
#include "kernels/registry.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/chooser.h"

namespace warpline::ui {

namespace {

QString parameterToolTip(const KernelParameter& parameter) {
    QString text = fromUtf8(parameter.meaning);
    if (!parameter.unit.empty()) {
        text += QObject::tr(", in %1").arg(fromUtf8(parameter.unit));
    }
    text += QObject::tr("\n%1 to %2").arg(parameter.least).arg(parameter.most);
    if (parameter.multipleOf > 1) {
        text += QObject::tr(", a multiple of %1").arg(parameter.multipleOf);
    }
    return text + QObject::tr("; may end in k, m or g (powers of 1024)");
}

Result<qint64> valueOf(const KernelParameter& parameter, const QString& text) {
    const auto parsed = ParameterValues::parse({parameter}, {parameter.name + "=" + text.trimmed().toStdString()});
    return parsed.ok() ? Result<qint64>(parsed.value()[parameter.name]) : parsed.error();
}

}  // namespace

WhatForm::WhatForm(QWidget* parent)
    : QWidget(parent),
      m_kernels(kernels::all()),
      m_isProgram(new QRadioButton(tr("A &program"), this)),
      m_isKernel(new QRadioButton(tr("A sample &kernel"), this)),
      m_program(new QLineEdit(this)),
      m_kernel(new Chooser(this)),
      m_version(new Chooser(this)),
      m_versionText(new QLabel(this)),
      m_parameters(new QFormLayout),
      m_repetitions(new QSpinBox(this)),
      m_checksResult(new QCheckBox(tr("Check the &result first"), this)),
      m_environment(new QTableWidget(0, 2, this)),
      m_folder(new QLineEdit(this)),
      m_browse(new QPushButton(tr("&Browse…"), this)),
      m_host(new Chooser(this)) {
    m_isProgram->setChecked(true);
    m_isProgram->setToolTip(tr("Any program that uses CUDA, and what it starts"));
    m_isKernel->setToolTip(
        tr("A kernel of known work that comes with Warpline, with its check, warm-up and repetitions"));
    auto* choice = new QHBoxLayout;
    choice->addWidget(m_isProgram);
    choice->addWidget(m_isKernel);
    choice->addStretch(1);
    QWidget* programPage = makeProgramPage();
    QWidget* kernelPage = makeKernelPage();
    kernelPage->hide();

    auto* where = new QFormLayout;
    m_host->setEditable(true);
    m_host->setInsertPolicy(QComboBox::NoInsert);
    m_host->addItems(presets::hosts());
    m_host->lineEdit()->setPlaceholderText(tr("this machine"));
    m_host->setCurrentText({});
    m_fields[field::kHost] =
        addField(where, tr("W&here"), m_host,
                 tr("Empty: this machine. Else a host for ssh, as on its command line: user@host, or a name of "
                    "~/.ssh/config. The system's own ssh connects, with its keys."));
    auto* folder = new QWidget(this);
    auto* folderRow = new QHBoxLayout(folder);
    folderRow->setContentsMargins(0, 0, 0, 0);
    folderRow->addWidget(m_folder, 1);
    folderRow->addWidget(m_browse);
    m_browse->setToolTip(tr("Choose a folder of this machine"));
    m_fields[field::kFolder] =
        addField(where, tr("&Folder"), folder, tr("Working folder of the program; on a host, a path there"));
    m_folder->setToolTip(folder->toolTip());
    m_folder->setAccessibleName(tr("Folder"));
    m_folder->setPlaceholderText(tr("where Warpline was started"));
    folder->setFocusProxy(m_folder);
    m_fields[field::kEnvironment] = addField(where, tr("&Environment"), makeEnvironment(),
                                             tr("Variables that are set for the program, beside those it inherits"));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(choice);
    layout->addWidget(programPage);
    layout->addWidget(kernelPage);
    layout->addLayout(where);
    layout->addStretch(1);

    connect(m_isProgram, &QRadioButton::toggled, this, [this, programPage, kernelPage](bool isProgram) {
        programPage->setVisible(isProgram);
        kernelPage->setVisible(!isProgram);
        emit changed();
    });
    for (QLineEdit* edit : {m_program, m_folder}) {
        connect(edit, &QLineEdit::textChanged, this, &WhatForm::changed);
    }
    connect(m_host, &QComboBox::currentTextChanged, this, [this](const QString& host) {
        const bool isHere = host.trimmed().isEmpty();
        m_browse->setEnabled(isHere);
        m_folder->setPlaceholderText(isHere ? tr("where Warpline was started") : tr("the home folder there"));
        emit changed();
    });
    connect(m_browse, &QPushButton::clicked, this, &WhatForm::chooseFolder);
    connect(m_environment, &QTableWidget::cellChanged, this, &WhatForm::changed);
    setFocusProxy(m_program);
}

QWidget* WhatForm::makeProgramPage() {
    auto* page = new QWidget(this);
    auto* form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    m_program->setPlaceholderText(QStringLiteral("python train.py --steps 20"));
    m_fields[field::kProgram] =
        addField(form, tr("&Command"), m_program,
                 tr("The program and its arguments, quoted as for a shell. No shell runs: for pipes or variables write "
                    "sh -c '…'"));
    return page;
}

QWidget* WhatForm::makeKernelPage() {
    auto* page = new QWidget(this);
    auto* form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    if (m_kernels.empty()) {
        auto* none = new QLabel(tr("This build has no sample kernels: it was made without the CUDA Toolkit."), page);
        none->setWordWrap(true);
        none->setProperty("role", "muted");
        form->addRow(none);
        m_isKernel->setEnabled(false);
        m_isKernel->setToolTip(none->text());
    }
    for (const auto& kernel : m_kernels) {
        m_kernel->addItem(fromUtf8(kernel->info().title), fromUtf8(kernel->info().id));
    }
    m_fields[field::kKernel] = addField(form, tr("Ker&nel"), m_kernel, tr("What is run"));
    addField(form, tr("&Version"), m_version, tr("How it is written"));
    m_versionText->setProperty("role", "muted");
    m_versionText->setWordWrap(true);
    form->addRow(QString(), m_versionText);
    auto* parameters = new QWidget(page);
    parameters->setLayout(m_parameters);
    m_parameters->setContentsMargins(0, 0, 0, 0);
    auto* holder = new FormField(parameters);
    m_fields[field::kParameters] = holder;
    form->addRow(tr("Parameters"), holder);
    constexpr int kMostRepetitions = 1'000'000;
    constexpr int kRepetitions = 50;
    m_repetitions->setRange(1, kMostRepetitions);
    m_repetitions->setValue(kRepetitions);
    addField(form, tr("Re&petitions"), m_repetitions,
             tr("Runs that are recorded, after the check and 10 runs to warm up"));
    m_checksResult->setChecked(true);
    m_checksResult->setToolTip(tr("Compare the result with the CPU's before anything is recorded"));
    form->addRow(QString(), m_checksResult);
    connect(m_kernel, &QComboBox::currentIndexChanged, this, [this] {
        fillVersions();
        fillParameters();
        emit changed();
    });
    connect(m_version, &QComboBox::currentIndexChanged, this, [this] {
        m_versionText->setText(m_version->currentData(Qt::UserRole + 1).toString());
        emit changed();
    });
    connect(m_repetitions, &QSpinBox::valueChanged, this, &WhatForm::changed);
    connect(m_checksResult, &QCheckBox::toggled, this, &WhatForm::changed);
    fillVersions();
    fillParameters();
    return page;
}

QWidget* WhatForm::makeEnvironment() {
    auto* all = new QWidget(this);
    m_environment->setHorizontalHeaderLabels({tr("Variable"), tr("Value")});
    m_environment->verticalHeader()->hide();
    m_environment->horizontalHeader()->setStretchLastSection(true);
    m_environment->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_environment->setTabKeyNavigation(false);
    m_environment->setAccessibleName(tr("Environment"));
    constexpr int kHeight = 92;
    m_environment->setMinimumHeight(kHeight);
    m_environment->setMaximumHeight(kHeight);
    auto* add = new QPushButton(tr("&Add variable"), all);
    m_removeVariable = new QPushButton(tr("Remo&ve"), all);
    m_removeVariable->setToolTip(tr("Remove the variable that is selected"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(add);
    buttons->addWidget(m_removeVariable);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(all);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_environment);
    layout->addLayout(buttons);
    connect(add, &QPushButton::clicked, this, [this] {
        addVariable({}, {});
        m_environment->setCurrentCell(m_environment->rowCount() - 1, 0);
        m_environment->editItem(m_environment->currentItem());
    });
    connect(m_removeVariable, &QPushButton::clicked, this, [this] {
        if (m_environment->currentRow() >= 0) {
            m_environment->removeRow(m_environment->currentRow());
            emit changed();
        }
    });
    const auto refresh = [this] { m_removeVariable->setEnabled(m_environment->currentRow() >= 0); };
    connect(m_environment, &QTableWidget::itemSelectionChanged, this, refresh);
    refresh();
    all->setFocusProxy(m_environment);
    return all;
}

void WhatForm::addVariable(const QString& name, const QString& value) {
    const QSignalBlocker quiet(m_environment);
    const int row = m_environment->rowCount();
    m_environment->insertRow(row);
    m_environment->setItem(row, 0, new QTableWidgetItem(name));
    m_environment->setItem(row, 1, new QTableWidgetItem(value));
}

const SampleKernelInfo* WhatForm::chosenKernel() const {
    const int index = m_kernel->currentIndex();
    return index < 0 ? nullptr : &m_kernels[static_cast<size_t>(index)]->info();
}

void WhatForm::fillVersions() {
    const QSignalBlocker quiet(m_version);
    m_version->clear();
    if (const SampleKernelInfo* kernel = chosenKernel()) {
        for (const KernelVersion& version : kernel->versions) {
            m_version->addItem(fromUtf8(version.id), fromUtf8(version.id));
            m_version->setItemData(
                m_version->count() - 1,
                fromUtf8(version.meaning) + (version.needsHopper ? tr(" (compute capability 9.0)") : QString()),
                Qt::UserRole + 1);
        }
        m_versionText->setText(m_version->currentData(Qt::UserRole + 1).toString());
    }
}

void WhatForm::fillParameters() {
    while (m_parameters->rowCount() > 0) {
        m_parameters->removeRow(0);
    }
    m_parameterEdits.clear();
    const SampleKernelInfo* kernel = chosenKernel();
    if (kernel == nullptr) {
        return;
    }
    for (const KernelParameter& parameter : kernel->parameters) {
        const QString name = fromUtf8(parameter.name);
        auto* edit = new QLineEdit(QString::number(parameter.defaultValue));
        addField(m_parameters, name, edit, parameterToolTip(parameter));
        m_parameterEdits.append({name, edit});
        connect(edit, &QLineEdit::textChanged, this, &WhatForm::changed);
    }
}

QLineEdit* WhatForm::parameterEdit(const QString& name) const {
    for (const auto& [known, edit] : m_parameterEdits) {
        if (known == name) {
            return edit;
        }
    }
    return nullptr;
}

void WhatForm::fill(const RecordRequest& request) {
    (request.what == RecordRequest::What::Kernel && !m_kernels.empty() ? m_isKernel : m_isProgram)->setChecked(true);
    m_program->setText(request.program);
    if (const int index = m_kernel->findData(request.kernel); index >= 0) {
        m_kernel->setCurrentIndex(index);
        m_version->setCurrentIndex(std::max(0, m_version->findData(request.version)));
        for (const auto& [name, edit] : m_parameterEdits) {
            if (request.parameters.contains(name)) {
                edit->setText(QString::number(request.parameters[name]));
            }
        }
    }
    m_repetitions->setValue(request.repetitions);
    m_checksResult->setChecked(request.checksResult);
    m_environment->setRowCount(0);
    for (const auto& [name, value] : request.environment) {
        addVariable(name, value);
    }
    m_folder->setText(request.folder);
    m_host->setCurrentText(request.host);
}

void WhatForm::read(RecordRequest& request) const {
    request.what = m_isKernel->isChecked() ? RecordRequest::What::Kernel : RecordRequest::What::Program;
    request.program = m_program->text().trimmed();
    request.kernel = m_kernel->currentData().toString();
    request.version = m_version->currentData().toString();
    request.parameters.clear();
    if (const SampleKernelInfo* kernel = chosenKernel()) {
        for (qsizetype i = 0; i < m_parameterEdits.size(); ++i) {
            const KernelParameter& parameter = kernel->parameters[static_cast<size_t>(i)];
            const auto value = valueOf(parameter, m_parameterEdits[i].second->text());
            if (value.ok() && value.value() != parameter.defaultValue) {
                request.parameters[m_parameterEdits[i].first] = value.value();
            }
        }
    }
    request.repetitions = m_repetitions->value();
    request.checksResult = m_checksResult->isChecked();
    request.environment.clear();
    for (int row = 0; row < m_environment->rowCount(); ++row) {
        const QString name = m_environment->item(row, 0)->text().trimmed();
        const QString value = m_environment->item(row, 1)->text();
        if (!name.isEmpty() || !value.isEmpty()) {
            request.environment.append({name, value});
        }
    }
    request.folder = m_folder->text().trimmed();
    request.host = m_host->currentText().trimmed();
}

QMap<QString, QString> WhatForm::ownProblems() const {
    const SampleKernelInfo* kernel = chosenKernel();
    for (qsizetype i = 0; kernel != nullptr && m_isKernel->isChecked() && i < m_parameterEdits.size(); ++i) {
        const auto value = valueOf(kernel->parameters[static_cast<size_t>(i)], m_parameterEdits[i].second->text());
        if (!value.ok()) {
            return {{field::kParameters, fromUtf8(value.error().message)}};
        }
    }
    return {};
}

void WhatForm::showProblems(const QMap<QString, QString>& problems) {
    for (auto it = m_fields.cbegin(); it != m_fields.cend(); ++it) {
        it.value()->setProblem(problems.value(it.key()));
    }
}

void WhatForm::focusFirst() {
    QWidget* first = m_isKernel->isChecked() ? static_cast<QWidget*>(m_kernel) : m_program;
    first->setFocus(Qt::OtherFocusReason);
}

void WhatForm::chooseFolder() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Working folder"), m_folder->text());
    if (!folder.isEmpty()) {
        m_folder->setText(folder);
    }
}

}  // namespace warpline::ui
