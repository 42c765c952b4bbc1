// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a QPainter draws, as elements of an SVG 1.1 picture: what is painted on the screen is in the picture too. Knows
// what the timeline's painting uses: plain colours, rectangles to clip to, texts, paths, images. GUI thread.

#include <QPaintDevice>
#include <QSize>
#include <QString>

#include <memory>

namespace warpline::timeline {

class SvgPaintEngine;

class SvgPaintDevice : public QPaintDevice {
public:
    explicit SvgPaintDevice(QSize size);
    ~SvgPaintDevice() override;

    /// Of all that was painted, without an <svg> around it. Ids begin with "clip". REQUIRES: no painter is active.
    QString elements() const;
    QPaintEngine* paintEngine() const override;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    const QSize m_size;
    std::unique_ptr<SvgPaintEngine> m_engine;
};

}  // namespace warpline::timeline
