// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/value_heads.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

#include "widgets/panels/timeline/timeline_painter.h"
#include "widgets/panels/timeline/value_readout.h"

namespace warpline::timeline {

std::vector<HeadScale> headScales(const Geometry& geometry, const LaneLayout& layout, const Trace& trace,
                                  const TimelineModel& model, const DerivedView& derived, std::optional<TimeNs> at) {
    std::vector<HeadScale> scales;
    const ValueInput in{trace, model, &derived};
    for (const RowGeometry& row : geometry.rows) {
        if (!showsValues(row.kind)) {
            continue;
        }
        const LayoutRow& place = layout.rows()[row.layoutRow];
        HeadScale scale;
        scale.section = place.section;
        scale.height = place.height;
        const bool isCounter = row.kind == RowKind::Counter;
        if (!row.isStates && !row.scale.empty()) {
            const ValueUnit unit =
                isCounter ? unitOf(trace, model.counters[place.index]) : unitOf(model.derived[place.index].kind);
            scale.top = valueText(row.scale.high, unit);
            scale.bottom = valueText(row.scale.low, unit);
        }
        if (at) {
            scale.held = isCounter ? counterValueAt(in, place.index, *at) : seriesValueAt(in, place.index, *at);
        }
        scales.push_back(std::move(scale));
    }
    return scales;
}

const HeadScale* findScale(const std::vector<HeadScale>& scales, uint32_t section) {
    const auto found = std::find_if(scales.begin(), scales.end(),
                                    [section](const HeadScale& scale) { return scale.section == section; });
    return found != scales.end() ? &*found : nullptr;
}

std::vector<ScaleLabel> scaleLabels(const HeadScale& scale, int lineHeight) {
    std::vector<ScaleLabel> labels;
    const auto add = [&](const QString& text, int y, int height, bool isHeld) {
        if (!text.isEmpty()) {
            labels.push_back({text, y, height, isHeld});
        }
    };
    if (scale.height < 2 * lineHeight - 2) {
        // A low row begins at 0: the top says all, or what is pointed at.
        const bool isHeld = !scale.held.isEmpty();
        add(isHeld ? scale.held : scale.top, 0, scale.height, isHeld);
    } else {
        add(scale.top, 0, lineHeight, false);
        add(scale.bottom, scale.height - lineHeight, lineHeight, false);
    }
    return labels;
}

QRect labelRoom(const ScaleLabel& label, QRect head, QRect taken) {
    QRect room(head.left(), head.top() + label.y, head.width() - kScaleMargin, label.height);
    constexpr int kAround = 3;  // nothing of the pin is so near to its edge
    if (room.intersects(taken.adjusted(0, kAround, 0, -kAround))) {
        room.setRight(taken.left() - 1);
    }
    return room;
}

int TimelinePainter::scaleWidth(const HeadScale& scale) const {
    const QFontMetrics metrics(m_f.smallFont);
    int width = 0;
    for (const ScaleLabel& label : scaleLabels(scale, metrics.height())) {
        width = std::max(width, metrics.horizontalAdvance(label.text) + 2 * kScaleMargin);
    }
    return width;
}

void TimelinePainter::drawScale(const HeadScale& scale, QRect head, QRect taken) {
    m_p.setFont(m_f.smallFont);
    for (const ScaleLabel& label : scaleLabels(scale, QFontMetrics(m_f.smallFont).height())) {
        m_p.setPen(label.isHeld ? m_f.theme.text : m_f.theme.mutedText);
        m_p.drawText(labelRoom(label, head, taken), Qt::AlignRight | Qt::AlignVCenter, label.text);
    }
}

}  // namespace warpline::timeline
