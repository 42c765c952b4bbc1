// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The line above the panels that says that files have changed on disk, and what can be done about it. GUI thread.

#include <QFrame>
#include <QString>
#include <QStringList>

#include <vector>

#include "app/ui/file_watch.h"

class QLabel;
class QPushButton;

namespace warpline::ui {

class ChangeBar : public QFrame {
    Q_OBJECT

public:
    explicit ChangeBar(QWidget* parent = nullptr);

    /// Of a change that nobody follows: Reload, Follow, Dismiss.
    void offer(const QString& text, bool canReload);
    /// While files are followed: Stop following.
    void following(const QString& text);
    QString text() const;
    QPushButton* reloadButton() const { return m_reload; }
    QPushButton* followButton() const { return m_follow; }
    QPushButton* dismissButton() const { return m_dismiss; }

signals:
    void reloadRequested();
    void followRequested(bool follow);
    void dismissed();

private:
    QLabel* m_text;
    QPushButton* m_reload;
    QPushButton* m_follow;
    QPushButton* m_dismiss;
    bool m_isFollowing = false;
};

/// "t.json has grown by 12.00 MiB", "a.json and 1 more have changed"; "" if nothing has. Pure.
QString changeText(const QStringList& paths, const std::vector<FileStamp>& loaded,
                   const std::vector<FileStamp>& current);

}  // namespace warpline::ui
