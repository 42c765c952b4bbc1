// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/recordings_panel.h"

#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QSaveFile>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableWidget>
#include <QUrl>
#include <QVBoxLayout>

#include "core/base/units.h"
#include "widgets/support/cell_delegate.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/empty_state.h"
#include "widgets/support/save_file.h"
#include "widgets/support/settings.h"

namespace warpline::ui {

namespace {

QString countOrUnknown(const std::optional<quint64>& count) {
    return count ? fromUtf8(formatCount(*count)) : notAvailable();
}

QString programText(const RecordingEntry& entry) {
    if (!entry.request) {
        return notAvailable();
    }
    return entry.request->what == RecordRequest::What::Program ? entry.request->program : nameOf(*entry.request);
}

/// Not QFile::copy(): what is half copied does not stay.
Status copyFile(const QString& from, const QString& to, JobControl& job) {
    QFile source(from);
    QSaveFile target(to);
    if (!source.open(QIODevice::ReadOnly)) {
        return Error::failed((from + ": " + source.errorString()).toStdString());
    }
    if (!target.open(QIODevice::WriteOnly)) {
        return Error::failed((to + ": " + target.errorString()).toStdString());
    }
    constexpr qint64 kPiece = qint64{1} << 20;
    for (QByteArray piece = source.read(kPiece); !piece.isEmpty(); piece = source.read(kPiece)) {
        if (job.stopRequested()) {
            return Error::cancelled();
        }
        if (target.write(piece) != piece.size()) {
            break;
        }
    }
    return source.atEnd() && target.commit() ? Status()
                                             : Error::failed((to + ": " + target.errorString()).toStdString());
}

}  // namespace

RecordingsPanel::RecordingsPanel(const RecordingStore& store, QWidget* parent)
    : QWidget(parent),
      m_store(store),
      m_pages(new QStackedWidget(this)),
      m_empty(new EmptyState(this)),
      m_table(new QTableWidget(0, kColumnCount, this)),
      m_open(addButton(tr("Open"), tr("Open the recording (Enter)"))),
      m_again(addButton(tr("Record again"), tr("Record the same once more, as it was asked for"))),
      m_rename(addButton(tr("Rename"), tr("Give the recording and its file another name (F2)"))),
      m_saveAs(addButton(tr("Save as…"), tr("Copy the recording to another place"))),
      m_folder(addButton(tr("Show folder"), tr("Show the folder of the recordings in the file manager"))),
      m_delete(addButton(tr("Delete…"), tr("Delete the selected recordings from disk (Del); asks first"))) {
    m_table->setHorizontalHeaderLabels(
        {tr("Name"), tr("Program"), tr("Host"), tr("When"), tr("Kernels"), tr("Lost"), tr("Size"), tr("State")});
    m_table->verticalHeader()->hide();
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (const int column : {kKernels, kLost, kSize}) {
        m_table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    m_table->setItemDelegate(new CellDelegate(m_table));
    m_table->setAccessibleName(tr("Recordings"));
    m_table->installEventFilter(this);
    m_empty->setContent(Icon::Timeline, tr("No recordings yet"),
                        tr("Record a program, and it is listed here, also the next time Warpline starts."),
                        tr("Record a program…"));
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_table);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(8, 6, 8, 6);
    buttons->setSpacing(6);
    for (QPushButton* button : {m_open, m_again, m_rename, m_saveAs, m_folder, m_delete}) {
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_pages, 1);
    layout->addLayout(buttons);

    connect(m_empty, &EmptyState::buttonClicked, this, &RecordingsPanel::recordRequested);
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &RecordingsPanel::refreshButtons);
    connect(m_table, &QTableWidget::cellDoubleClicked, this, [this] { open(); });
    connect(m_table, &QTableWidget::cellChanged, this, [this](int row, int column) {
        if (column == kName) {
            onEdited(row);
        }
    });
    connect(m_open, &QPushButton::clicked, this, &RecordingsPanel::open);
    connect(m_rename, &QPushButton::clicked, this, &RecordingsPanel::renameCurrent);
    connect(m_folder, &QPushButton::clicked, this, &RecordingsPanel::showFolder);
    connect(m_saveAs, &QPushButton::clicked, this, &RecordingsPanel::saveAs);
    connect(m_delete, &QPushButton::clicked, this, &RecordingsPanel::deleteSelected);
    connect(m_again, &QPushButton::clicked, this, [this] {
        if (const auto chosen = selected(); chosen.size() == 1 && chosen.first().request) {
            emit againRequested(*chosen.first().request);
        }
    });
    refresh();
}

QPushButton* RecordingsPanel::addButton(const QString& text, const QString& toolTip) {
    auto* button = new QPushButton(text, this);
    button->setToolTip(toolTip);
    return button;
}

void RecordingsPanel::refresh() {
    QStringList chosen;
    for (const RecordingEntry& entry : selected()) {
        chosen << entry.path;
    }
    const QString current = m_table->currentRow() >= 0 && m_table->currentRow() < m_entries.size()
                                ? m_entries[m_table->currentRow()].path
                                : QString();
    m_entries = m_store.list();
    {
        const QSignalBlocker quiet(m_table);
        m_table->clearSelection();
        m_table->setRowCount(static_cast<int>(m_entries.size()));
        for (int row = 0; row < m_table->rowCount(); ++row) {
            const RecordingEntry& entry = m_entries[row];
            const QString state = entry.path == m_underWay ? tr("recording") : entry.state;
            const QStringList cells{entry.name,
                                    programText(entry),
                                    entry.host.isEmpty() ? tr("this machine") : entry.host,
                                    QLocale().toString(entry.begun, QStringLiteral("yyyy-MM-dd HH:mm:ss")),
                                    countOrUnknown(entry.kernels),
                                    countOrUnknown(entry.lost),
                                    fromUtf8(formatBytes(static_cast<double>(entry.bytes))),
                                    state.isEmpty() ? notAvailable() : state};
            for (int column = 0; column < kColumnCount; ++column) {
                auto* item = new QTableWidgetItem(cells[column]);
                item->setToolTip(column == kName ? entry.path : cells[column]);
                Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled;
                item->setFlags(column == kName && entry.path != m_underWay ? flags | Qt::ItemIsEditable : flags);
                if (column == kKernels || column == kLost || column == kSize) {
                    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
                }
                m_table->setItem(row, column, item);
            }
            if (entry.path == current) {
                m_table->setCurrentCell(row, kName, QItemSelectionModel::NoUpdate);
            }
            if (chosen.contains(entry.path)) {
                m_table->selectionModel()->select(m_table->model()->index(row, 0),
                                                  QItemSelectionModel::Select | QItemSelectionModel::Rows);
            }
        }
    }
    constexpr int kMostWidth = 260;
    for (int column = 0; column < kState; ++column) {
        m_table->resizeColumnToContents(column);
    }
    for (const int column : {kName, kProgram}) {
        m_table->setColumnWidth(column, std::min(m_table->columnWidth(column), kMostWidth));
    }
    m_pages->setCurrentIndex(m_entries.isEmpty() ? 0 : 1);
    refreshButtons();
}

void RecordingsPanel::setUnderWay(const QString& path) {
    m_underWay = path;
    refresh();
}

QList<RecordingEntry> RecordingsPanel::selected() const {
    QList<RecordingEntry> chosen;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
        if (index.row() < m_entries.size()) {
            chosen << m_entries[index.row()];
        }
    }
    return chosen;
}

void RecordingsPanel::refreshButtons() {
    const QList<RecordingEntry> chosen = selected();
    bool isUnderWay = false;
    for (const RecordingEntry& entry : chosen) {
        isUnderWay = isUnderWay || entry.path == m_underWay;
    }
    const bool isOne = chosen.size() == 1;
    m_open->setEnabled(isOne);
    m_rename->setEnabled(isOne && !isUnderWay);
    m_saveAs->setEnabled(isOne && !isUnderWay);
    m_delete->setEnabled(!chosen.isEmpty() && !isUnderWay);
    m_again->setEnabled(isOne && chosen.first().request && m_underWay.isEmpty());
}

bool RecordingsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent*>(event)->key()) {
            case Qt::Key_Return:
            case Qt::Key_Enter:
                open();
                return true;
            case Qt::Key_F2:
                renameCurrent();
                return true;
            case Qt::Key_Delete:
                deleteSelected();
                return true;
            default:
                break;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void RecordingsPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void RecordingsPanel::open() {
    if (const auto chosen = selected(); chosen.size() == 1) {
        emit openRequested({chosen.first().path});
    }
}

void RecordingsPanel::renameCurrent() {
    if (!m_rename->isEnabled()) {
        return;
    }
    const int row = m_table->selectionModel()->selectedRows().first().row();
    m_table->setCurrentCell(row, kName);
    m_table->editItem(m_table->item(row, kName));
}

void RecordingsPanel::onEdited(int row) {
    const RecordingEntry entry = m_entries[row];
    const QString name = m_table->item(row, kName)->text();
    if (name != entry.name) {
        if (const auto path = m_store.rename(entry, name); path.ok()) {
            emit renamed(entry.path, path.value());
        } else {
            emit told(fromUtf8(path.error().message));
        }
    }
    // Not within the editor's own signal.
    QMetaObject::invokeMethod(this, &RecordingsPanel::refresh, Qt::QueuedConnection);
}

void RecordingsPanel::showFolder() {
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(m_store.folder()))) {
        emit told(tr("No file manager answered; the folder is %1").arg(m_store.folder()));
    }
}

void RecordingsPanel::saveAs() {
    const auto chosen = selected();
    if (chosen.size() != 1) {
        return;
    }
    const QString from = chosen.first().path;
    const QString folder = settings::store().value(settings::kExportFolder).toString();
    const QString to = askSavePath(this, tr("Save recording as"),
                                   (folder.isEmpty() ? QDir::homePath() : folder) + '/' + QFileInfo(from).fileName(),
                                   {{tr("Captures"), ".wcap"}});
    if (to.isEmpty() || QFileInfo(to) == QFileInfo(from)) {
        return;
    }
    settings::store().setValue(settings::kExportFolder, QFileInfo(to).absolutePath());
    m_copy.start<bool>(
        [from, to](JobControl& job) -> Result<bool> {
            const Status status = copyFile(from, to, job);
            return status.ok() ? Result<bool>(true) : Result<bool>(status.error());
        },
        [this, to](const Result<bool>& result) {
            emit told(result.ok() ? tr("Saved as %1").arg(to) : fromUtf8(result.error().message));
        });
}

void RecordingsPanel::deleteSelected() {
    const auto chosen = selected();
    if (!m_delete->isEnabled() || chosen.isEmpty()) {
        return;
    }
    double bytes = 0;
    for (const RecordingEntry& entry : chosen) {
        bytes += static_cast<double>(entry.bytes);
    }
    const QString what =
        chosen.size() == 1 ? tr("the recording %1").arg(chosen.first().name) : tr("%1 recordings").arg(chosen.size());
    QMessageBox ask(QMessageBox::Warning, tr("Delete"),
                    tr("Delete %1 (%2) from disk? This cannot be undone.").arg(what, fromUtf8(formatBytes(bytes))),
                    QMessageBox::Cancel, this);
    QPushButton* yes = ask.addButton(tr("Delete"), QMessageBox::DestructiveRole);
    ask.setDefaultButton(QMessageBox::Cancel);
    ask.exec();
    if (ask.clickedButton() != yes) {
        return;
    }
    for (const RecordingEntry& entry : chosen) {
        if (const Status status = m_store.remove(entry); !status.ok()) {
            emit told(fromUtf8(status.error().message));
        }
    }
    refresh();
}

}  // namespace warpline::ui
