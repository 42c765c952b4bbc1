// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/place_dialog.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QTimeZone>
#include <QVBoxLayout>

#include <algorithm>

#include "core/base/time_text.h"

namespace warpline::ui {

namespace {

enum Column { kFile, kRank, kBaseTime, kOwnBegin, kByClock, kByHand, kColumnCount };

/// "2026-10-01 07:57:06.123456789"
QString utcText(int64_t unixNs) {
    constexpr int64_t kSecond = 1'000'000'000;
    const int64_t seconds = unixNs / kSecond - (unixNs % kSecond < 0 ? 1 : 0);
    const QDateTime time = QDateTime::fromSecsSinceEpoch(seconds, QTimeZone::utc());
    return time.toString("yyyy-MM-dd HH:mm:ss") +
           QStringLiteral(".%1").arg(unixNs - seconds * kSecond, 9, 10, QLatin1Char('0'));
}

}  // namespace

PlaceDialog::PlaceDialog(const QStringList& paths, const settings::Placement& placement,
                         const std::shared_ptr<const Trace>& trace, QWidget* parent)
    : QDialog(parent),
      m_paths(paths),
      m_table(new QTableWidget(static_cast<int>(paths.size()), kColumnCount, this)),
      m_problem(new QLabel(this)),
      m_apply(nullptr) {
    setWindowTitle(tr("Place files in time"));
    auto* text =
        new QLabel(tr("Files lie on the time axis of the first, by their base times (wall clock). An offset by "
                      "hand is added to a file's own times instead: -1.5ms, 2 s, 100us; without a unit it "
                      "counts nanoseconds. Empty: by the clock."),
                   this);
    text->setWordWrap(true);
    m_table->setHorizontalHeaderLabels({tr("File"), tr("Rank"), tr("Base time (UTC)"), tr("Own first time"),
                                        tr("Offset by clock"), tr("Offset by hand")});
    m_table->verticalHeader()->hide();
    m_table->setAccessibleName(tr("Files and their offsets"));
    const QString unknown = QStringLiteral("n/a");
    const bool isKnown = trace && trace->files().size() == static_cast<size_t>(paths.size());
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const FileInfo* file = isKnown ? &trace->files()[static_cast<size_t>(row)] : nullptr;
        const FileInfo* first = isKnown ? &trace->files().front() : nullptr;
        QStringList cells(kColumnCount, unknown);
        cells[kFile] = QFileInfo(paths[row]).fileName();
        if (file != nullptr) {
            cells[kRank] = file->rank ? QString::number(*file->rank) : unknown;
            cells[kBaseTime] = file->baseTimeNs ? utcText(*file->baseTimeNs) : tr("none in the file");
            cells[kOwnBegin] =
                file->range ? QString::fromStdString(timeText(file->ownTime(file->range->begin))) : unknown;
        }
        if (row == 0) {
            cells[kByClock] = tr("0 (the axis)");
        } else if (file != nullptr && file->baseTimeNs && first->baseTimeNs) {
            cells[kByClock] =
                QString::fromStdString(timeText(distanceSaturated(*first->baseTimeNs, *file->baseTimeNs)));
        }
        cells[kByHand] = row > 0 && placement.contains(paths[row])
                             ? QString::fromStdString(timeText(placement.value(paths[row])))
                             : QString();
        for (int column = 0; column < kColumnCount; ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            const bool isOpen = column == kByHand && row > 0;
            item->setFlags(isOpen ? Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsEditable
                                  : Qt::ItemIsSelectable | Qt::ItemIsEnabled);
            item->setToolTip(column == kFile ? paths[row] : QString());
            m_table->setItem(row, column, item);
        }
    }
    m_table->resizeColumnsToContents();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setCurrentCell(std::min(1, m_table->rowCount() - 1), kByHand);
    m_problem->setProperty("role", "error");
    m_problem->setWordWrap(true);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_apply = buttons->addButton(tr("Apply and reload"), QDialogButtonBox::AcceptRole);
    QPushButton* clocks = buttons->addButton(tr("All by their clocks"), QDialogButtonBox::ResetRole);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(clocks, &QPushButton::clicked, this, [this] {
        for (int row = 1; row < m_table->rowCount(); ++row) {
            m_table->item(row, kByHand)->setText({});
        }
    });
    connect(m_table, &QTableWidget::itemChanged, this, &PlaceDialog::check);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);
    resize(820, 320);
    check();
}

QString PlaceDialog::problem() const {
    return m_problem->text();
}

void PlaceDialog::check() {
    m_placement.clear();
    QString problem;
    for (int row = 1; row < m_table->rowCount(); ++row) {
        const QString text = m_table->item(row, kByHand)->text().trimmed();
        if (text.isEmpty()) {
            continue;
        }
        if (const auto time = parseOffsetText(text.toStdString())) {
            m_placement.insert(m_paths[row], *time);
        } else if (problem.isEmpty()) {
            problem = tr("%1: '%2' is no time; wanted is a number with ns, us, ms or s")
                          .arg(QFileInfo(m_paths[row]).fileName(), text);
        }
    }
    m_problem->setText(problem);
    m_apply->setEnabled(problem.isEmpty());
}

}  // namespace warpline::ui
