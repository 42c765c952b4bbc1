// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The line over the timeline in which a time is typed to go to it. GUI thread.

#include <QFrame>

#include "widgets/panels/timeline/time_target.h"

class QLabel;
class QLineEdit;

namespace warpline::timeline {

class TimePrompt : public QFrame {
    Q_OBJECT

public:
    explicit TimePrompt(QWidget* parent);

    /// `now`: where relative times count from.
    void open(std::shared_ptr<const Trace> trace, TimeNs now);
    void dismiss();
    QLineEdit* edit() const { return m_edit; }
    QString problem() const;

signals:
    void chosen(warpline::TimeNs time);
    /// By a key, so that the focus is to go back to where it came from.
    void closed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void check();
    void accept();

    std::shared_ptr<const Trace> m_trace;  ///< while it is open
    TimeNs m_now = 0;
    QLineEdit* m_edit;
    QLabel* m_hint;
};

}  // namespace warpline::timeline
