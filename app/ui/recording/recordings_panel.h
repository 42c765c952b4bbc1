// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The list of recordings, of this session and of earlier ones. GUI thread.

#include <QList>
#include <QWidget>

#include "app/ui/recording/recording_store.h"
#include "widgets/support/job_runner.h"

class QPushButton;
class QStackedWidget;
class QTableWidget;

namespace warpline {
class EmptyState;
}

namespace warpline::ui {

class RecordingsPanel : public QWidget {
    Q_OBJECT

public:
    enum Column { kName, kProgram, kHost, kWhen, kKernels, kLost, kSize, kState, kColumnCount };

    explicit RecordingsPanel(const RecordingStore& store, QWidget* parent = nullptr);

    /// Reads the folder anew; what is selected stays.
    void refresh();
    /// That is being written; it cannot be renamed or deleted. "": none.
    void setUnderWay(const QString& path);
    const QList<RecordingEntry>& entries() const { return m_entries; }
    QTableWidget* table() const { return m_table; }
    QPushButton* openButton() const { return m_open; }
    QPushButton* renameButton() const { return m_rename; }
    QPushButton* folderButton() const { return m_folder; }
    QPushButton* saveAsButton() const { return m_saveAs; }
    QPushButton* deleteButton() const { return m_delete; }
    QPushButton* againButton() const { return m_again; }

signals:
    void openRequested(const QStringList& paths);
    void recordRequested();
    void againRequested(const warpline::ui::RecordRequest& request);
    /// A file is about to have another name.
    void renamed(const QString& from, const QString& to);
    /// What was done or not, for the window's foot.
    void told(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QPushButton* addButton(const QString& text, const QString& toolTip);
    QList<RecordingEntry> selected() const;
    void refreshButtons();
    void open();
    void renameCurrent();
    void showFolder();
    void saveAs();
    void deleteSelected();
    void onEdited(int row);

    RecordingStore m_store;
    QList<RecordingEntry> m_entries;
    QString m_underWay;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QTableWidget* m_table;
    QPushButton* m_open;
    QPushButton* m_again;
    QPushButton* m_rename;
    QPushButton* m_saveAs;
    QPushButton* m_folder;
    QPushButton* m_delete;
    JobRunner m_copy;
};

}  // namespace warpline::ui
