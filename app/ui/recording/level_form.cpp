// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/level_form.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

#include <limits>

#include "app/ui/recording/form_field.h"
#include "widgets/support/chooser.h"

namespace warpline::ui {

using record::ApiLevel;
using record::GraphLevel;
using Mode = RecordRequest::Mode;

LevelForm::LevelForm(QWidget* parent)
    : QWidget(parent),
      m_mode(new Chooser(this)),
      m_api(new Chooser(this)),
      m_graph(new Chooser(this)),
      m_memory(new QCheckBox(tr("&Memory"), this)),
      m_allocationSource(new QCheckBox(tr("Who as&ked for it"), this)),
      m_code(new QCheckBox(tr("C&ode"), this)),
      m_children(new QCheckBox(tr("Chi&ld processes"), this)),
      m_python(new QCheckBox(tr("P&yTorch's view"), this)),
      m_pattern(new QLineEdit(this)),
      m_skip(new QSpinBox(this)),
      m_count(new QSpinBox(this)),
      m_range(new QLineEdit(this)),
      m_schedule(new QLineEdit(this)),
      m_delay(new QDoubleSpinBox(this)),
      m_duration(new QDoubleSpinBox(this)),
      m_profilerRange(new QCheckBox(tr("From cudaProfilerStart() to cudaProfilerStop() alone"), this)) {
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    makeLevel(form);
    auto* heading = new QLabel(tr("Record only…"), this);
    heading->setProperty("role", "muted");
    form->addRow(heading);
    makeFilters(form);
    for (QComboBox* box : {m_mode, m_api, m_graph}) {
        connect(box, &QComboBox::currentIndexChanged, this, &LevelForm::changed);
    }
    for (QCheckBox* box : {m_memory, m_allocationSource, m_code, m_children, m_python, m_profilerRange}) {
        connect(box, &QCheckBox::toggled, this, &LevelForm::changed);
    }
    for (QLineEdit* edit : {m_pattern, m_range, m_schedule}) {
        edit->setClearButtonEnabled(true);
        connect(edit, &QLineEdit::textChanged, this, &LevelForm::changed);
    }
    for (QSpinBox* box : {m_skip, m_count}) {
        connect(box, &QSpinBox::valueChanged, this, &LevelForm::changed);
    }
    for (QDoubleSpinBox* box : {m_delay, m_duration}) {
        connect(box, &QDoubleSpinBox::valueChanged, this, &LevelForm::changed);
    }
    connect(this, &LevelForm::changed, this, &LevelForm::refreshEnabled);
    fill({});
}

void LevelForm::makeLevel(QFormLayout* form) {
    m_mode->addItem(tr("as chosen below"), static_cast<int>(Mode::Custom));
    m_mode->addItem(tr("kernels and copies alone (event)"), static_cast<int>(Mode::Event));
    m_mode->addItem(tr("all that Nsight Systems shows (nsys)"), static_cast<int>(Mode::Nsys));
    addField(form, tr("Le&vel"), m_mode,
             tr("How much is recorded. event: kernels and copies without calls and memory, the least cost. nsys: every "
                "CUDA call, graphs node by node, memory"));
    m_api->addItem(tr("launches, copies, sets"), static_cast<int>(ApiLevel::Launch));
    m_api->addItem(tr("every CUDA call"), static_cast<int>(ApiLevel::All));
    m_api->addItem(tr("none"), static_cast<int>(ApiLevel::None));
    addField(form, tr("CUDA &calls"), m_api, tr("Which calls of the runtime and the driver are timed on the CPU"));
    m_graph->addItem(tr("each node"), static_cast<int>(GraphLevel::Node));
    m_graph->addItem(tr("as a whole"), static_cast<int>(GraphLevel::Launch));
    addField(form, tr("CUDA &graphs"), m_graph,
             tr("Each kernel of a graph by itself, with a cost on the GPU for each node; or one entry a launch"));
    m_memory->setToolTip(tr("Allocations, frees and pools, in bytes"));
    m_allocationSource->setToolTip(tr("Which shared library asked for each allocation"));
    m_code->setToolTip(tr("The machine code of kernels as it is loaded, to be read later; makes the file larger"));
    m_children->setToolTip(tr("Processes that the program starts; else the first CUDA process alone"));
    auto* boxes = new QWidget(this);
    auto* grid = new QGridLayout(boxes);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->addWidget(m_memory, 0, 0);
    grid->addWidget(m_allocationSource, 0, 1);
    grid->addWidget(m_code, 1, 0);
    grid->addWidget(m_children, 1, 1);
    m_python->setToolTip(
        tr("What PyTorch knows: its allocator's blocks in bytes, and record_function ranges; for programs "
           "in Python, which need no change"));
    grid->addWidget(m_python, 2, 0);
    form->addRow(tr("Also"), boxes);
}

void LevelForm::makeFilters(QFormLayout* form) {
    m_pattern->setPlaceholderText(tr("all kernels"));
    m_fields[field::kPattern] = addField(
        form, tr("&Kernels"), m_pattern,
        tr("A regular expression, found anywhere in the base, demangled or mangled name: ^gemm, or flash.*fwd"));
    constexpr int kMost = std::numeric_limits<int>::max();
    m_skip->setRange(0, kMost);
    m_skip->setSpecialValueText(tr("none"));
    m_count->setRange(0, kMost);
    m_count->setSpecialValueText(tr("all"));
    addField(form, tr("&Skip"), m_skip, tr("Leave out so many launches that match, from the first"));
    addField(form, tr("Co&unt"), m_count, tr("Record no more than so many launches that match"));
    m_range->setPlaceholderText(tr("everywhere"));
    addField(form, tr("NVT&X range"), m_range,
             tr("Within ranges of this name alone (nvtxRangePush, torch.cuda.nvtx.range)"));
    m_schedule->setPlaceholderText(QStringLiteral("skip_first=10,wait=2,warmup=1,active=3,repeat=2"));
    m_fields[field::kSchedule] =
        addField(form, tr("Sche&dule"), m_schedule,
                 tr("In turns, as torch.profiler's: counted in launches, with an NVTX range in ranges, with a unit "
                    "(wait=2s) in time"));
    constexpr double kYear = 3.2e7;
    for (QDoubleSpinBox* box : {m_delay, m_duration}) {
        box->setRange(0, kYear);
        box->setDecimals(1);
        box->setSuffix(tr(" s"));
    }
    m_delay->setSpecialValueText(tr("none"));
    m_duration->setSpecialValueText(tr("until the program ends"));
    addField(form, tr("Delay"), m_delay, tr("Begin so many seconds after the program was started"));
    addField(form, tr("Durat&ion"), m_duration, tr("Record so many seconds; the program goes on, unrecorded"));
    m_profilerRange->setToolTip(
        tr("What the program marks by torch.cuda.profiler.start() and stop(). A sample kernel marks "
           "its repetitions so"));
    form->addRow(QString(), m_profilerRange);
}

void LevelForm::refreshEnabled() {
    const bool isCustom = m_mode->currentData().toInt() == static_cast<int>(Mode::Custom);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_api), static_cast<QWidget*>(m_graph), static_cast<QWidget*>(m_memory)}) {
        widget->setEnabled(isCustom);
    }
    m_allocationSource->setEnabled(isCustom && m_memory->isChecked());
}

void LevelForm::setKernelChosen(bool isKernel) {
    m_profilerRange->setEnabled(!isKernel);
    m_python->setEnabled(!isKernel);
}

void LevelForm::fill(const RecordRequest& request) {
    m_mode->setCurrentIndex(m_mode->findData(static_cast<int>(request.mode)));
    m_api->setCurrentIndex(m_api->findData(static_cast<int>(request.api)));
    m_graph->setCurrentIndex(m_graph->findData(static_cast<int>(request.graph)));
    m_memory->setChecked(request.hasMemory);
    m_allocationSource->setChecked(request.hasAllocationSource);
    m_code->setChecked(request.hasCode);
    m_children->setChecked(request.followsChildren);
    m_python->setChecked(request.hasPython);
    m_pattern->setText(request.kernelPattern);
    m_skip->setValue(static_cast<int>(std::min<quint64>(request.skip, static_cast<quint64>(m_skip->maximum()))));
    m_count->setValue(static_cast<int>(std::min<quint64>(request.count, static_cast<quint64>(m_count->maximum()))));
    m_range->setText(request.range);
    m_schedule->setText(request.schedule);
    m_delay->setValue(request.delaySeconds);
    m_duration->setValue(request.durationSeconds);
    m_profilerRange->setChecked(request.isProfilerRange);
    refreshEnabled();
}

void LevelForm::read(RecordRequest& request) const {
    request.mode = static_cast<Mode>(m_mode->currentData().toInt());
    request.api = static_cast<ApiLevel>(m_api->currentData().toInt());
    request.graph = static_cast<GraphLevel>(m_graph->currentData().toInt());
    request.hasMemory = m_memory->isChecked();
    request.hasAllocationSource = m_allocationSource->isChecked();
    request.hasCode = m_code->isChecked();
    request.followsChildren = m_children->isChecked();
    request.hasPython = m_python->isChecked();
    request.kernelPattern = m_pattern->text();
    request.skip = static_cast<quint64>(m_skip->value());
    request.count = static_cast<quint64>(m_count->value());
    request.range = m_range->text();
    request.schedule = m_schedule->text();
    request.delaySeconds = m_delay->value();
    request.durationSeconds = m_duration->value();
    request.isProfilerRange = m_profilerRange->isChecked();
}

void LevelForm::showProblems(const QMap<QString, QString>& problems) {
    for (auto it = m_fields.cbegin(); it != m_fields.cend(); ++it) {
        it.value()->setProblem(problems.value(it.key()));
    }
}

}  // namespace warpline::ui
