// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The strip above the timeline: the trace's work as a whole, how busy it was, and which part of it is in view. Dragging
// moves that part or one of its ends. A view beyond the work widens the strip, so that the frame is always a part of
// what the strip shows. GUI thread.

#include <QImage>
#include <QWidget>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "widgets/panels/timeline/minimap_profile.h"
#include "widgets/support/highlight.h"

namespace warpline::timeline {

inline constexpr int kMinimapHeight = 26;

class Minimap : public QWidget {
    Q_OBJECT

public:
    explicit Minimap(QWidget* parent);

    /// `work` is what its width stands for as long as the view does not leave it. Null: nothing is shown.
    void setTrace(std::shared_ptr<const Trace> trace, TimeRange work);
    void setRange(TimeRange work);
    /// What is known of the devices; comes later than the trace.
    void setActivity(std::shared_ptr<const std::vector<DeviceActivity>> activity);
    void setView(TimeRange view);
    /// Marked at the foot of the strip, each column that something of it begins in.
    void setHighlight(const Highlight& highlight);
    /// By pixel column: 1 where something highlighted begins. Cost: a search a column, once a change.
    const std::vector<char>& marks();
    /// What its width stands for now: the work, and what of the trace the view shows besides. It stays as it is while
    /// something is dragged here.
    TimeRange range() const { return m_all; }
    /// Whether the trace has something before or after range(): said by a mark at that end.
    bool hasMoreBefore() const;
    bool hasMoreAfter() const;
    const std::vector<MinimapRow>& rows();
    /// "GPU busy": what the strip shows; "" as long as that is not known.
    QString title();

    /// Draws it at the painter's origin.
    void paint(QPainter& painter);

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
    void takeRange();
    /// The busy shares as they are drawn, without what moves with the view: thousands of columns, so drawn once.
    const QImage& strip();
    void drawShares(QPainter& p);
    /// What lies over the shares.
    void drawView(QPainter& p);

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const std::vector<DeviceActivity>> m_activity;
    TimeRange m_work, m_all, m_view;
    Highlight m_highlight;
    std::vector<char> m_marks;
    bool m_marksStale = true;
    std::vector<MinimapRow> m_rows;
    bool m_rowsStale = true;
    std::optional<QString> m_title;
    QImage m_strip;  ///< null: to be drawn anew
    std::pair<QRgb, QRgb> m_stripColors;
    Drag m_drag = Drag::None;
    DurationNs m_grip = 0;  ///< from the view's begin to where it was taken
};

}  // namespace warpline::timeline
