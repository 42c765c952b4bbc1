// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Shown while a trace is loaded: what, how far, and a button that stops it.

#include <QStringList>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace warpline::ui {

class LoadPage : public QWidget {
    Q_OBJECT

public:
    explicit LoadPage(QWidget* parent = nullptr);

    void start(const QStringList& paths);
    void setProgress(const QString& phase, quint64 doneBytes, quint64 totalBytes);
    QPushButton* cancelButton() const { return m_cancel; }
    QString progressText() const;

signals:
    void cancelRequested();

private:
    QLabel* m_title;
    QLabel* m_progress;
    QProgressBar* m_bar;
    QPushButton* m_cancel;
};

/// "a.json", or "a.json and 2 more".
QString shortNames(const QStringList& paths);

}  // namespace warpline::ui
