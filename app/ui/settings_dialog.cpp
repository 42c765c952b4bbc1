// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/settings_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

#include "widgets/support/load_settings.h"

namespace warpline::ui {

namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kGiB = uint64_t{1} << 30;

/// Sizes that were set in smaller steps elsewhere are shown rounded up.
int partsOf(uint64_t bytes, uint64_t part) {
    return static_cast<int>((bytes + part - 1) / part);
}

}  // namespace

SettingsDialog::SettingsDialog(QWidget* parent)
    : QDialog(parent),
      m_argsDepth(new QSpinBox(this)),
      m_eventMiB(new QSpinBox(this)),
      m_pipedGiB(new QSpinBox(this)),
      m_traceGiB(new QSpinBox(this)),
      m_threads(new QSpinBox(this)) {
    setWindowTitle(tr("Settings"));
    m_argsDepth->setRange(1, settings::kDeepestArgs);
    m_eventMiB->setRange(1, settings::kLongestEventMiB);
    m_eventMiB->setSuffix(tr(" MiB"));
    m_pipedGiB->setRange(1, settings::kMostPipedGiB);
    m_pipedGiB->setSuffix(tr(" GiB"));
    m_traceGiB->setRange(0, settings::kMostTraceGiB);
    m_traceGiB->setSuffix(tr(" GiB"));
    m_traceGiB->setSpecialValueText(tr("half of this machine's"));
    m_threads->setRange(0, settings::kMostThreads);
    m_threads->setSpecialValueText(tr("one a core"));
    m_argsDepth->setToolTip(tr("Args that are nested deeper are shown shortened"));
    m_eventMiB->setToolTip(tr("An event with a longer text is dropped, and counted"));
    m_pipedGiB->setToolTip(tr("What comes from standard input or a pipe is held in memory; more is refused"));
    m_traceGiB->setToolTip(tr("Memory that a trace may take while it is read; a larger one is refused"));
    m_threads->setToolTip(tr("Threads that read and sort"));

    auto* limits = new QGroupBox(tr("Limits"), this);
    auto* form = new QFormLayout(limits);
    form->addRow(tr("&Depth of args"), m_argsDepth);
    form->addRow(tr("Text of an &event"), m_eventMiB);
    form->addRow(tr("Data from a &pipe"), m_pipedGiB);
    form->addRow(tr("&Memory of a trace"), m_traceGiB);
    form->addRow(tr("&Threads"), m_threads);
    auto* note = new QLabel(tr("They count from the next load on."), this);
    note->setProperty("role", "muted");
    auto* buttons =
        new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults, this);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        settings::setLoadOptions(options());
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
            [this] { fill(LoadOptions()); });
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(limits);
    layout->addWidget(note);
    layout->addWidget(buttons);
    fill(settings::loadOptions());
}

void SettingsDialog::fill(const LoadOptions& options) {
    m_argsDepth->setValue(static_cast<int>(options.maxArgsDepth));
    m_eventMiB->setValue(partsOf(options.maxEventBytes, kMiB));
    m_pipedGiB->setValue(partsOf(options.maxPipedBytes, kGiB));
    m_traceGiB->setValue(partsOf(options.maxTraceBytes, kGiB));
    m_threads->setValue(static_cast<int>(options.threads));
}

LoadOptions SettingsDialog::options() const {
    LoadOptions options;
    options.maxArgsDepth = static_cast<uint32_t>(m_argsDepth->value());
    options.maxEventBytes = static_cast<uint64_t>(m_eventMiB->value()) * kMiB;
    options.maxPipedBytes = static_cast<uint64_t>(m_pipedGiB->value()) * kGiB;
    options.maxTraceBytes = static_cast<uint64_t>(m_traceGiB->value()) * kGiB;
    options.threads = static_cast<unsigned>(m_threads->value());
    return options;
}

}  // namespace warpline::ui
