// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the window shows before a trace is open: open a file, the recent ones, the samples, or drop one here.

#include <QList>
#include <QStringList>
#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace warpline {
class RecentFiles;
}

namespace warpline::ui {

class EntryButton;

class StartPage : public QWidget {
    Q_OBJECT

public:
    explicit StartPage(RecentFiles& recent, QWidget* parent = nullptr);

    QPushButton* openButton() const { return m_open; }
    QPushButton* recordButton() const { return m_record; }
    QList<EntryButton*> recentEntries() const;
    QList<EntryButton*> sampleEntries() const;

signals:
    void openRequested();
    void recordRequested();
    void filesChosen(const QStringList& paths);

protected:
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeCard(const QString& title, QVBoxLayout** entries);
    void fillRecent();
    void fillSamples();
    void paintLogo();

    RecentFiles& m_recent;
    QLabel* m_logo;
    QPushButton* m_open;
    QPushButton* m_record;
    QWidget* m_recentCard = nullptr;
    QVBoxLayout* m_recentEntries = nullptr;
    QVBoxLayout* m_sampleEntries = nullptr;
};

}  // namespace warpline::ui
