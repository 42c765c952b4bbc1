// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/analyses/op_table/op_table.h"

namespace warpline {

namespace {

bool isRow(EventKind kind) {
    return kind == EventKind::CpuOp || kind == EventKind::Annotation || isApiCall(kind);
}

/// By slice: the nearest one around it that is a row as well.
std::vector<EventRow> rowsAbove(const SliceColumns& slices) {
    std::vector<EventRow> above(slices.size());
    for (uint32_t row = 0; row < slices.size(); ++row) {
        // A parent's row is before its children's.
        if (const EventRow parent = slices.parent[row]) {
            above[row] = isRow(slices.kind[parent.value]) ? parent : above[parent.value];
        }
    }
    return above;
}

struct ChildInterval {
    uint32_t parent;
    TimeNs begin, end;
};

/// What of each slice its children cover; children that overlap cover a moment once.
std::vector<DurationNs> coveredByChildren(const SliceColumns& slices, const std::vector<EventRow>& rowAbove) {
    std::vector<ChildInterval> children;
    for (uint32_t row = 0; row < slices.size(); ++row) {
        const EventRow above = isRow(slices.kind[row]) ? rowAbove[row] : EventRow::none();
        if (above) {
            children.push_back({above.value, slices.begin[row], slices.begin[row] + slices.summedDuration(row)});
        }
    }
    std::sort(children.begin(), children.end(), [](const ChildInterval& a, const ChildInterval& b) {
        return a.parent != b.parent ? a.parent < b.parent : a.begin < b.begin;
    });
    std::vector<DurationNs> covered(slices.size(), 0);
    for (size_t i = 0; i < children.size();) {
        TimeNs reached = children[i].begin;
        const uint32_t parent = children[i].parent;
        for (; i < children.size() && children[i].parent == parent; ++i) {
            const TimeNs from = std::max(reached, children[i].begin);
            covered[parent] += std::max<DurationNs>(0, children[i].end - from);
            reached = std::max(reached, children[i].end);
        }
    }
    return covered;
}

}  // namespace

std::vector<PlainOpRow> computePlainOpTable(const Trace& trace) {
    const SliceColumns& slices = trace.slices();
    const std::vector<EventRow> rowAbove = rowsAbove(slices);
    const std::vector<DurationNs> covered = coveredByChildren(slices, rowAbove);
    std::vector<Sum> selfDevice(slices.size());
    for (uint32_t row = 0; row < slices.size(); ++row) {
        const EventRow op = isDeviceWork(slices.kind[row]) ? trace.opOf(EventRow(row)) : EventRow::none();
        if (op) {
            selfDevice[op.value] += slices.summedDuration(row);
        }
    }
    std::vector<Sum> device = selfDevice;
    for (uint32_t row = slices.size(); row-- > 0;) {
        if (rowAbove[row]) {
            device[rowAbove[row].value] += device[row];
        }
    }
    std::vector<PlainOpRow> out;
    std::vector<uint32_t> rowOfName(trace.stringCount(), EventRow::kNoneValue);
    for (uint32_t row = 0; row < slices.size(); ++row) {
        if (!isRow(slices.kind[row])) {
            continue;
        }
        uint32_t& index = rowOfName[slices.name[row].value];
        if (index == EventRow::kNoneValue) {
            index = static_cast<uint32_t>(out.size());
            out.emplace_back();
            out.back().name = slices.name[row];
        }
        PlainOpRow& sums = out[index];
        const DurationNs duration = slices.summedDuration(row);
        ++sums.count;
        sums.cpu += duration;
        sums.selfCpu += std::max<DurationNs>(0, duration - covered[row]);
        sums.device += device[row];
        sums.selfDevice += selfDevice[row];
    }
    return out;
}

}  // namespace warpline
