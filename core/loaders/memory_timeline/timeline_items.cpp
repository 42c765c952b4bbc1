// SPDX-License-Identifier: MIT
#include "core/loaders/memory_timeline/timeline_items.h"

#include <utility>

namespace warpline::loaders::memory_timeline {

void TimelineItems::noteDamage(uint64_t offset) {
    if (!m_damageOffset) {
        m_damageOffset = offset;
        m_rowsBefore = m_rows.rows();
    }
}

void TimelineItems::reportOddity(uint64_t offset, std::string_view detail, uint64_t count) {
    noteDamage(offset);
    m_rows.report("invalid_json", Severity::Warning, offset, detail, count);
}

void TimelineItems::reportDamage(uint64_t offset, std::string_view detail) {
    noteDamage(offset);
    m_lossOffset = m_lossOffset.value_or(offset);
    m_rows.report("invalid_json", Severity::DataLoss, offset, detail);
}

void TimelineItems::beginRows() {
    m_form = Form::Rows;
    if (m_first.repairOffset) {
        reportOddity(*m_first.repairOffset, "among the times", m_first.repairs);
    }
    if (const size_t settled = m_times.settle(); settled != 0) {
        m_rows.report("uncertain_time", Severity::Warning, m_first.offset, "behind the times that follow", settled);
    }
}

void TimelineItems::beginRecords() {
    m_form = Form::Records;
    m_times.clear();
    addRecord(m_first);
}

void TimelineItems::addRecord(const NumberList& list) {
    if (list.damageOffset && (list.count != kRecordNumbers || !list.numbers[0].whole || !list.numbers[2].whole)) {
        reportDamage(list.offset, "a record");
        return;
    }
    if (list.damageOffset) {
        reportOddity(list.offset);
    }
    const uint64_t before = m_rows.records();
    m_rows.addRecord(list.numbers, list.offset);
    if (m_rows.records() == before) {
        m_lossOffset = m_lossOffset.value_or(list.offset);
    }
}

/// Behind the first row it shows whether that has the columns of all, or is damaged in a way that is JSON.
void TimelineItems::addRow(const NumberList& list) {
    const bool isFirst = m_rows.columns() == 0 && !m_oddFirst && !list.damageOffset;
    if (isFirst && list.count != kColumnsOfWriter && list.count <= kMaxColumns) {
        m_oddFirst = list;
        m_oddIndex = m_nextRow++;
        return;
    }
    addOddFirst(list.count == kColumnsOfWriter);
    placeRow(list, m_nextRow++);
}

/// `isStray`: the rows behind it have another number of columns.
void TimelineItems::addOddFirst(bool isStray) {
    if (!m_oddFirst) {
        return;
    }
    const NumberList list = std::move(*m_oddFirst);
    m_oddFirst.reset();
    if (isStray) {
        m_rows.reportStray(list.offset);
    } else {
        placeRow(list, m_oddIndex);
    }
}

void TimelineItems::placeRow(const NumberList& list, size_t index) {
    const std::optional<Number> time = m_times.at(index);
    if (list.damageOffset && list.count != columns()) {
        reportDamage(list.offset, "a row");
    } else if (list.count > kMaxColumns) {
        m_rows.reportStray(list.offset);
    } else {
        if (list.damageOffset) {
            reportOddity(list.offset);
        }
        m_rows.addRow(time ? &*time : nullptr, list.numbers, list.offset);
    }
}

void TimelineItems::finish(bool isCut) {
    addOddFirst(false);
    if (m_form == Form::Rows && !isCut && m_nextRow < m_times.size()) {
        m_rows.reportUnpairedTimes(m_first.offset, m_times.size() - m_nextRow);
    }
    if (m_form == Form::Rows) {
        reportUncertainTimes(isCut);
    }
    if (m_form == Form::Records && m_lossOffset) {
        m_rows.report("uncertain_level", Severity::Warning, *m_lossOffset);
    }
    m_rows.finish();
}

/// If times or rows were lost, which ones cannot be told, so neither which time the other rows belong to.
void TimelineItems::reportUncertainTimes(bool isCut) {
    const bool areTimesDamaged = m_first.damageOffset.has_value();
    const bool isSuspect = isCut ? areTimesDamaged || m_lossOffset : m_nextRow != m_times.size();
    const bool areBothDamaged = areTimesDamaged && m_lossOffset;
    const uint64_t before = m_damageOffset ? m_rowsBefore : 0;
    if ((isSuspect || areBothDamaged) && m_rows.rows() > before) {
        m_rows.report("uncertain_time", Severity::Warning, m_damageOffset.value_or(m_first.offset), {},
                      m_rows.rows() - before);
    }
}

}  // namespace warpline::loaders::memory_timeline
