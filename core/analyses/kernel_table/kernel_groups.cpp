// SPDX-License-Identifier: MIT
#include "core/analyses/kernel_table/kernel_groups.h"

namespace warpline::kernel_table {

namespace {

/// Neither the launch nor its operator is known; what is known is shifted by one.
constexpr uint32_t kNoHost = 0;

}  // namespace

KernelGroups::KernelGroups(const Trace& trace, KernelGrouping grouping)
    : m_trace(trace), m_grouping(grouping), m_names(trace) {
    if (grouping == KernelGrouping::Stack) {
        m_stacks.emplace(trace, m_names);
    } else if (grouping == KernelGrouping::Annotation) {
        const SliceColumns& slices = trace.slices();
        m_annotation.assign(slices.size(), 0);
        for (uint32_t row = 0; row < slices.size(); ++row) {
            // A parent's row is before its children's.
            const EventRow parent = slices.parent[row];
            m_annotation[row] = slices.kind[row] == EventKind::Annotation ? m_names.of(slices.name[row]) + 1
                                : parent                                  ? m_annotation[parent.value]
                                                                          : 0;
        }
    }
}

uint32_t KernelGroups::of(EventRow deviceWork, const LaunchFacts& launch) {
    if (m_grouping == KernelGrouping::Name) {
        return 0;
    }
    if (m_grouping == KernelGrouping::Shape) {
        return m_shapes.of(shapeOf(launch));
    }
    // The launching call stands innermost; without it the operator that was open then, where the file names it.
    const EventRow call = m_trace.launchOf(deviceWork);
    const EventRow host = call ? call : m_trace.opOf(deviceWork);
    return host ? ofHost(host) + 1 : kNoHost;
}

uint32_t KernelGroups::ofHost(EventRow host) {
    return m_grouping == KernelGrouping::Stack ? m_stacks->from(host.value) : m_annotation[host.value];
}

void KernelGroups::addColumn(Table& table) const {
    switch (m_grouping) {
        case KernelGrouping::Shape:
            table.addColumn({"launch_shape", "Launch shape",
                             "Grid, block, registers a thread and shared memory a block", ColumnType::Text, Unit::None,
                             true});
            break;
        case KernelGrouping::Stack:
            table.addColumn({"stack", "Stack",
                             "What the launch was called from, innermost first, five at most; [] if nothing was around "
                             "it, not known if no launch is in the file",
                             ColumnType::Json, Unit::None, true});
            break;
        case KernelGrouping::Annotation:
            table.addColumn({"annotation", "Annotation",
                             "The innermost annotation around the launch; empty if there was none, not known if no "
                             "launch is in the file",
                             ColumnType::Text, Unit::None, true});
            break;
        case KernelGrouping::Name:
            break;
    }
}

void KernelGroups::addCell(std::vector<Cell>& cells, uint32_t group) const {
    if (m_grouping != KernelGrouping::Name) {
        cells.push_back(cell(group));
    }
}

Cell KernelGroups::cell(uint32_t group) const {
    if (m_grouping == KernelGrouping::Shape) {
        return isShapeKnown(m_shapes[group]) ? Cell(shapeText(m_shapes[group])) : Cell();
    }
    if (group == kNoHost) {
        return {};
    }
    if (m_grouping == KernelGrouping::Stack) {
        return m_stacks->cell(group - 1);
    }
    return group == 1 ? std::string() : std::string(m_names.text(group - 2));
}

}  // namespace warpline::kernel_table
