// SPDX-License-Identifier: MIT
#include "core/loaders/memory_timeline/timeline_text.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/decimal_time.h"

namespace warpline::loaders::memory_timeline {

namespace {

Number wholeNumber(int64_t value) {
    constexpr int64_t kNsPerUs = 1000;
    TimeNs ns = 0;
    const bool fits = !__builtin_mul_overflow(value, kNsPerUs, &ns);
    // What a trace cannot hold is said by who places the row; here it has to stay a number.
    return {value, fits ? ns : std::numeric_limits<TimeNs>::max()};
}

/// The outer list is level 1, its lists level 2, the rows of the second one level 3.
class Handler final : public nlohmann::json_sax<nlohmann::json> {
public:
    Handler(TextChars& chars, TimelineRows& rows) : m_chars(chars), m_rows(rows) {}

    bool number_integer(number_integer_t value) override { return take(wholeNumber(value)); }
    bool number_unsigned(number_unsigned_t value) override {
        constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
        return take(value <= kMost ? wholeNumber(static_cast<int64_t>(value)) : Number{});
    }
    bool number_float(number_float_t, const string_t& digits) override {
        return take({std::nullopt, nsFromMicrosText(digits)});
    }
    bool null() override { return take({}); }
    bool boolean(bool) override { return take({}); }
    bool string(string_t&) override { return take({}); }
    bool binary(binary_t&) override { return true; }  // no text gives one
    bool start_object(size_t) override { return open(true); }
    bool key(string_t&) override { return true; }
    bool end_object() override { return close(); }
    bool start_array(size_t) override { return open(false); }
    bool end_array() override { return close(); }
    bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override {
        m_isBroken = true;
        return false;
    }

    TimelineForm form() const { return m_form; }
    bool isBroken() const { return m_isBroken; }
    /// The outer list was closed.
    bool isWhole() const { return m_isWhole; }
    uint64_t openOffset() const { return m_openOffset; }

    /// Rows that miss their time, or times that miss their row. `isCut`: the text ends early, so some are missing.
    void finish(bool isCut) {
        if (m_form == TimelineForm::Unknown && m_lists == 1 && m_first.size() == 4 && m_isWhole) {
            m_form = TimelineForm::Raw;
            m_rows.addRecord(m_first, m_listOffset);
        }
        if (m_form == TimelineForm::Columns && !isCut) {
            for (; m_nextRow < m_first.size(); ++m_nextRow) {
                m_rows.addRow(&m_first[m_nextRow], std::nullopt, m_timesOffset);
            }
        }
        m_rows.finish();
    }

private:
    /// A value that is no list.
    bool take(Number number) {
        if (m_strayDepth != 0) {
            return true;
        }
        if (m_depth == 0) {
            return false;  // the whole text is this value
        }
        const bool isNumber = number.whole || number.micros;
        if (m_depth == 1) {
            return stray(isNumber);
        }
        if (m_depth == 2 && m_lists == 2 && m_form == TimelineForm::Unknown) {
            becomeRaw();
        }
        if (m_depth == 2 && m_form == TimelineForm::Columns) {
            return m_lists == 2 ? rowIsNone(isNumber) : stray(isNumber);
        }
        (m_depth == 2 && m_form == TimelineForm::Unknown ? m_first : m_row).push_back(number);
        return true;
    }

    bool open(bool isObject) {
        const uint64_t offset = m_chars.offset() - 1;
        if (m_strayDepth != 0) {
            ++m_strayDepth;
            return true;
        }
        if (m_depth == 0 && isObject) {
            return false;
        }
        if (m_depth == 2 && !isObject && m_form == TimelineForm::Unknown && m_lists == 2 && m_row.empty()) {
            m_form = TimelineForm::Columns;
        }
        const bool isRow = m_depth == 2 && m_form == TimelineForm::Columns && m_lists == 2;
        if (!isObject && (m_depth < 2 || isRow)) {
            ++m_depth;
            m_openOffset = offset;
            m_row.clear();
            m_rowIsOdd = false;
            if (m_depth == 2) {
                ++m_lists;
                m_listOffset = offset;
                m_timesOffset = m_lists == 1 ? offset : m_timesOffset;
            }
            return true;
        }
        m_strayDepth = 1;
        if (m_depth == 2 && m_form == TimelineForm::Unknown && m_lists == 1) {
            return false;  // the first list holds numbers alone in either form
        }
        if (m_depth == 1) {
            return stray();
        }
        if (isRow) {
            return rowIsNone();
        }
        m_rowIsOdd = true;
        return true;
    }

    bool close() {
        if (m_strayDepth != 0) {
            --m_strayDepth;
            return true;
        }
        if (m_depth == 3) {
            addColumns();
        } else if (m_depth == 2 && m_form == TimelineForm::Raw) {
            addRecord(m_row, m_listOffset);
        } else if (m_depth == 2 && m_lists == 2 && m_form == TimelineForm::Unknown) {
            // Empty: no rows to the times.
            m_form = TimelineForm::Columns;
        } else if (m_depth == 1) {
            m_isWhole = true;
        }
        --m_depth;
        return true;
    }

    void becomeRaw() {
        m_form = TimelineForm::Raw;
        m_rows.addRecord(m_first, m_timesOffset);
        std::vector<Number>().swap(m_first);
    }

    void addRecord(const std::vector<Number>& record, uint64_t offset) {
        if (m_rowIsOdd) {
            m_rows.reportStray(offset);
        } else {
            m_rows.addRecord(record, offset);
        }
    }

    void addColumns() {
        const Number* time = m_nextRow < m_first.size() ? &m_first[m_nextRow] : nullptr;
        ++m_nextRow;
        if (m_rowIsOdd) {
            m_rows.reportStray(m_openOffset);
        } else {
            m_rows.addRow(time, m_row, m_openOffset);
        }
    }

    /// Something else where a row of columns should be: its time has no row.
    bool rowIsNone(bool isNumber = false) {
        ++m_nextRow;
        return stray(isNumber);
    }

    bool stray(bool isNumber = false) {
        // Where a number ends is seen a character later.
        m_rows.reportStray(m_chars.offset() - (isNumber ? 2 : 1));
        return true;
    }

    TextChars& m_chars;
    TimelineRows& m_rows;
    TimelineForm m_form = TimelineForm::Unknown;
    int m_depth = 0;
    uint64_t m_strayDepth = 0;    ///< how deep inside something that is no list of numbers
    uint64_t m_lists = 0;         ///< lists of level 2 so far
    std::vector<Number> m_first;  ///< the first of them: the times, or the first record
    std::vector<Number> m_row;
    bool m_rowIsOdd = false;
    size_t m_nextRow = 0;
    uint64_t m_openOffset = 0;  ///< of the row or list that was opened last
    uint64_t m_listOffset = 0;  ///< likewise, of level 2
    uint64_t m_timesOffset = 0;
    bool m_isBroken = false;
    bool m_isWhole = false;
};

}  // namespace

TimelineText readTimeline(TextChars& chars, TimelineRows& rows) {
    Handler handler(chars, rows);
    nlohmann::json::sax_parse(chars.begin(), TextChars::end(), &handler);
    TimelineText text{handler.form(), false};
    if (!chars.status()) {
        return text;
    }
    const bool isCut = handler.isBroken() && !handler.isWhole();
    handler.finish(isCut);
    text.form = handler.form();
    if (isCut && chars.atEnd()) {
        rows.report("truncated", Severity::DataLoss, handler.openOffset());
    } else if (isCut) {
        rows.report("invalid_json", Severity::DataLoss, chars.offset() - 1);
    } else if (handler.isBroken()) {
        rows.report("trailing_data", Severity::Warning, chars.offset() - 1);
    }
    text.endedEarly = isCut;
    return text;
}

}  // namespace warpline::loaders::memory_timeline
