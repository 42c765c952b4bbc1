// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Keys that the table with the focus has no use for go to the timeline, so that who has clicked a row goes on moving in
// the trace. The focus stays where it is. GUI thread.

#include <QObject>

class QKeyEvent;
class QTableView;

namespace warpline {

class Session;

/// Who takes such keys. Known to the session (see Session::setKeyTaker()).
class KeyTaker {
public:
    virtual ~KeyTaker() = default;
    virtual bool takesKey(const QKeyEvent& event) const = 0;
    virtual void pressKey(QKeyEvent& event) = 0;
    virtual void releaseKey(QKeyEvent& event) = 0;
    /// What is still held is taken as let go: its release may go elsewhere.
    virtual void letKeysGo() = 0;
};

/// Belongs to the table, and never sees what is typed into a text.
class PassedKeys : public QObject {
    Q_OBJECT

public:
    PassedKeys(QTableView* table, Session& session);

    /// The table's own: moving, selecting, going to an instance, copying.
    static bool isOfTable(const QKeyEvent& event);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    Session& m_session;
};

}  // namespace warpline
