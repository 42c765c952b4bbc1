// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The strip above the timeline: the whole trace, how busy it was, and which part of it is in view. Dragging moves that
// part or one of its ends. GUI thread.

#include <QImage>
#include <QWidget>

#include <memory>
#include <vector>

#include "widgets/panels/timeline/minimap_profile.h"
#include "widgets/support/highlight.h"

namespace warpline::timeline {

inline constexpr int kMinimapHeight = 26;

class Minimap : public QWidget {
    Q_OBJECT

public:
    explicit Minimap(QWidget* parent);

    /// `all` is what its width stands for. Null: nothing is shown.
    void setTrace(std::shared_ptr<const Trace> trace, TimeRange all);
    void setRange(TimeRange all);
    /// What is known of the devices; comes later than the trace.
    void setActivity(std::shared_ptr<const std::vector<DeviceActivity>> activity);
    void setView(TimeRange view);
    /// Marked at the foot of the strip, each column that something of it begins in.
    void setHighlight(const Highlight& highlight);
    /// By pixel column: 1 where something highlighted begins. Cost: a search a column, once a change.
    const std::vector<char>& marks();
    TimeRange range() const { return m_all; }
    const std::vector<MinimapRow>& rows();
    /// "GPU busy": what the strip shows; "" as long as that is not known.
    QString title();

    double xOf(TimeNs time) const;
    TimeNs timeAt(double x) const;

signals:
    void viewRequested(warpline::TimeRange view);
    void fitRequested();
    /// A drag begins, or has ended.
    void dragging(bool isOn);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    enum class Drag { None, Move, Begin, End };
    Drag dragAt(double x) const;
    void moveTo(double x);

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const std::vector<DeviceActivity>> m_activity;
    TimeRange m_all, m_view;
    Highlight m_highlight;
    std::vector<char> m_marks;
    bool m_marksStale = true;
    std::vector<MinimapRow> m_rows;
    bool m_rowsStale = true;
    Drag m_drag = Drag::None;
    DurationNs m_grip = 0;  ///< from the view's begin to where it was taken
};

}  // namespace warpline::timeline
