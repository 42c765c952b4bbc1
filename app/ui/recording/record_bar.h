// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The line above the panels while something is recorded, and how it ended. GUI thread.

#include <QFrame>
#include <QString>

class QLabel;
class QProgressBar;
class QPushButton;

namespace warpline::ui {

class RecordingLink;
struct RecordingProblem;

class RecordBar : public QFrame {
    Q_OBJECT

public:
    explicit RecordBar(QWidget* parent = nullptr);

    /// While it is under way. `isShown`: the live view is what the window shows; `follows`: it keeps to the end.
    void setRunning(const RecordingLink& link, bool isShown, bool follows);
    /// How it ended; `canOpen`: there is a file that is not what the window shows.
    void setEnded(const RecordingLink& link, bool canOpen);
    /// While the recorder is copied to a host; 0 … 100.
    void setUploading(const QString& host, int percent, const QString& detail);
    void setProblem(const RecordingProblem& problem, bool canUpload);

    QString text() const;
    QString detail() const;
    QPushButton* pauseButton() const { return m_pause; }
    QPushButton* stopButton() const { return m_stop; }
    QPushButton* interruptButton() const { return m_interrupt; }
    QPushButton* killButton() const { return m_kill; }
    QPushButton* followButton() const { return m_follow; }
    QPushButton* cancelButton() const { return m_cancel; }
    QPushButton* changeButton() const { return m_change; }
    QPushButton* uploadButton() const { return m_upload; }
    QPushButton* openButton() const { return m_open; }
    QPushButton* dismissButton() const { return m_dismiss; }

signals:
    void pauseRequested(bool isPaused);
    void stopRequested();
    void interruptRequested();
    void killRequested();
    void followRequested();
    void cancelRequested();
    void changeRequested();
    void uploadRequested();
    void openRequested();
    void dismissed();

private:
    void paintEvent(QPaintEvent* event) override;
    QPushButton* addButton(const QString& text, const QString& toolTip);
    void showOnly(std::initializer_list<QPushButton*> buttons);
    void setTexts(const QString& text, const QString& detail);

    QLabel* m_light;
    QLabel* m_text;
    QLabel* m_detail;
    QProgressBar* m_progress;
    QPushButton* m_pause;
    QPushButton* m_follow;
    QPushButton* m_stop;
    QPushButton* m_interrupt;
    QPushButton* m_kill;
    QPushButton* m_cancel;
    QPushButton* m_upload;
    QPushButton* m_change;
    QPushButton* m_open;
    QPushButton* m_dismiss;
    bool m_isPaused = false;
    QString m_lightColor;  ///< as it is painted now
    enum class Light { Recording, Waiting, Good, Bad } m_lightState = Light::Waiting;
};

/// "42,100 events · 1,204 kernels/s · 0 lost · 3.2 MiB". Pure.
QString figuresText(const RecordingLink& link);
/// "withheld behind a running kernel: …", or "" if nothing is. Pure.
QString withheldText(quint64 waitingLaunches, qint64 behindMs);
/// "exited with 3", "ended by signal 9 (Killed)". Pure.
QString exitText(int code);
/// "0:07", "1:02:03". Pure.
QString clockText(qint64 ms);

}  // namespace warpline::ui
