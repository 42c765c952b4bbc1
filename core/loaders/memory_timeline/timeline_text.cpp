// SPDX-License-Identifier: MIT
#include "core/loaders/memory_timeline/timeline_text.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/event_column.h"
#include "core/loaders/memory_timeline/number_tokens.h"

namespace warpline::loaders::memory_timeline {

namespace {

/// A writer has nine. What is longer is no row, and is not held.
constexpr size_t kMaxColumns = 4096;
constexpr size_t kRecordNumbers = 4;
constexpr size_t kColumnsOfWriter = 9;

/// The times of the form with columns: nothing else of a file grows with it before it is in the trace.
class Times {
public:
    explicit Times(TimelineRows& rows) : m_rows(rows) {}

    /// False if it runs backwards.
    bool add(const Number& number) {
        const bool isInOrder = !number.micros || *number.micros >= m_last;
        m_last = number.micros.value_or(m_last);
        m_times.push_back(number.micros.value_or(kUnknown));
        constexpr size_t kStride = 4096;
        if (m_times.size() % kStride == 0) {
            m_rows.holdBytes(m_times.size() * sizeof(TimeNs));
        }
        return isInOrder;
    }
    void forgetLast() { m_times.back() = kUnknown; }
    size_t size() const { return m_times.size(); }
    /// nullopt: there is none. A time that cannot be told is one without a value.
    std::optional<Number> at(size_t i) const {
        if (i >= m_times.size()) {
            return std::nullopt;
        }
        Number number;
        if (m_times[i] != kUnknown) {
            number.micros = m_times[i];
        }
        return number;
    }
    void clear() {
        m_times.clear();
        m_rows.holdBytes(0);
    }

private:
    static constexpr TimeNs kUnknown = std::numeric_limits<TimeNs>::min();  // no trace holds it
    TimelineRows& m_rows;
    EventColumn<TimeNs> m_times;
    TimeNs m_last = kUnknown;
};

/// A list of numbers, or what is left of one.
struct NumberList {
    uint64_t offset = 0;
    std::vector<Number> numbers;  ///< kMaxColumns at most
    size_t count = 0;
    bool isDamaged = false;
};

class Reader {
public:
    Reader(TextChars& chars, TimelineRows& rows) : m_tokens(chars), m_rows(rows), m_times(rows) {}

    TimelineText read() {
        readAll();
        m_text.endedEarly = !m_isWhole && m_tokens.next().kind == TokenKind::End;
        return m_text;
    }

    uint64_t openOffset() const { return m_list.offset; }
    bool isWhole() const { return m_isWhole; }
    std::optional<uint64_t> trailingOffset() const {
        return m_isWhole && m_tokens.next().kind != TokenKind::End ? std::optional(m_tokens.next().offset)
                                                                   : std::nullopt;
    }

    /// Rows that miss their time, or times that miss their row. `isCut`: the text ends early, so some are missing.
    void finish(bool isCut) {
        if (m_text.form == TimelineForm::Columns && !isCut && m_nextRow < m_times.size()) {
            m_rows.reportUnpairedTimes(m_timesOffset, m_times.size() - m_nextRow);
        }
        // Which of them were lost cannot be told, so neither which time the rows behind belong to.
        const bool isUncertain = m_text.damageOffset || m_isDisordered;
        if (m_text.form == TimelineForm::Columns && !isCut && m_nextRow != m_times.size() && isUncertain &&
            m_rows.rows() > m_rowsBefore) {
            m_rows.report("uncertain_time", Severity::Warning, m_text.damageOffset.value_or(m_timesOffset), {},
                          m_rows.rows() - m_rowsBefore);
        }
        if (m_text.form == TimelineForm::Raw && m_lossOffset) {
            m_rows.report("uncertain_level", Severity::Warning, *m_lossOffset);
        }
        m_rows.finish();
    }

private:
    bool isNext(TokenKind kind) const { return m_tokens.next().kind == kind; }
    /// Whether an end of a list, which comes next, is followed by a further item.
    bool goesOn() const {
        return m_tokens.second().kind == TokenKind::Comma || m_tokens.second().kind == TokenKind::Open;
    }

    void noteDamage(uint64_t offset) {
        if (!m_text.damageOffset) {
            m_text.damageOffset = offset;
            m_rowsBefore = m_rows.rows();
        }
    }
    /// Damage that costs nothing, or a level.
    void reportOddity(uint64_t offset) {
        noteDamage(offset);
        m_rows.report("invalid_json", Severity::Warning, offset);
    }
    void reportDamage(uint64_t offset, std::string_view detail) {
        noteDamage(offset);
        m_lossOffset = m_lossOffset.value_or(offset);
        m_rows.report("invalid_json", Severity::DataLoss, offset, detail);
    }

    void readAll() {
        if (!isNext(TokenKind::Open)) {
            return;
        }
        m_tokens.take();
        if (!isNext(TokenKind::Open) || !readFirst()) {
            return;
        }
        bool isShort = false;  // the item before lacks its end
        while (!isNext(TokenKind::End)) {
            const Token token = m_tokens.next();
            if (token.kind == TokenKind::Comma) {
                m_tokens.take();
            } else if (token.kind == TokenKind::Word) {
                readStray(isShort);
                isShort = false;
            } else if (token.kind == TokenKind::Close) {
                m_tokens.take();
                if (!isItem(m_tokens.next().kind)) {
                    close();
                    return;
                }
                reportOddity(token.offset);
            } else if (m_text.form == TimelineForm::Raw) {
                isShort = readRecord();
            } else if (m_text.form == TimelineForm::Columns) {
                reportOddity(token.offset);
                isShort = readRow();  // behind an end that is none
            } else if (!findForm()) {
                return;
            }
        }
    }

    static bool isItem(TokenKind kind) { return kind == TokenKind::Comma || kind == TokenKind::Open; }

    /// The outer list is closed.
    void close() {
        m_isWhole = true;
        if (m_text.form == TimelineForm::Unknown && m_times.size() == kRecordNumbers) {
            becomeRaw();
        }
    }

    /// The times, or the first record. False if it is neither.
    bool readFirst() {
        m_timesOffset = m_tokens.next().offset;
        m_list = {m_timesOffset, {}, 0, false};
        m_tokens.take();
        const bool isClosed = readNumbers(
            [this] {
                // The end of the list was lost if what follows begins as the rows do, or as a record.
                const bool isRecord = m_list.count == kRecordNumbers && m_isBehindComma;
                return m_tokens.second().kind == TokenKind::Open || isRecord;
            },
            true);
        m_firstRecord = m_list;
        const bool isNone = m_list.count == 0 && isNext(TokenKind::Open);
        return isClosed && !isNone;
    }

    /// At the begin of the second list. False if this is no timeline.
    bool findForm() {
        const Token& inside = m_tokens.second();
        const bool isBad = inside.kind == TokenKind::Word && !inside.isJson;
        if (isItem(inside.kind) || inside.kind == TokenKind::Close || isBad) {
            m_list.offset = m_tokens.take().offset;
            m_text.form = TimelineForm::Columns;
            return readRows();
        }
        if (m_times.size() == kRecordNumbers) {
            becomeRaw();
            return true;
        }
        if (inside.kind == TokenKind::End || !m_text.damageOffset) {
            m_tokens.take();
            return false;
        }
        m_text.form = TimelineForm::Columns;  // without the begin of its rows
        return readRows();
    }

    void becomeRaw() {
        m_text.form = TimelineForm::Raw;
        m_times.clear();
        addRecord(m_firstRecord);
    }

    /// True if what follows may still belong to it.
    bool readRecord() {
        m_list = {m_tokens.take().offset, {}, 0, false};
        const bool isClosed = readNumbers([this] { return m_list.count >= kRecordNumbers && m_isBehindComma; }, false);
        if (isClosed) {
            addRecord(m_list);
        }
        return m_list.count < kRecordNumbers;
    }

    void addRecord(const NumberList& list) {
        if (list.isDamaged && (list.count != kRecordNumbers || !list.numbers[0].whole || !list.numbers[2].whole)) {
            reportDamage(list.offset, "a record");
        } else {
            if (list.isDamaged) {
                reportOddity(list.offset);
            }
            m_rows.addRecord(list.numbers, list.offset);
        }
    }

    /// Behind the begin of the list of rows. True once it is closed.
    bool readRows() {
        bool isShort = false;
        while (!isNext(TokenKind::End)) {
            const Token token = m_tokens.next();
            if (token.kind == TokenKind::Open) {
                isShort = readRow();
            } else if (token.kind == TokenKind::Word) {
                m_nextRow += readStray(isShort);
                isShort = false;
            } else {
                m_tokens.take();
                if (token.kind == TokenKind::Close && !isItem(m_tokens.next().kind)) {
                    return true;
                }
                if (token.kind == TokenKind::Close) {
                    reportOddity(token.offset);
                }
            }
        }
        return true;
    }

    bool readRow() {
        m_list = {m_tokens.take().offset, {}, 0, false};
        const size_t columns = m_rows.columns() == 0 ? kColumnsOfWriter : m_rows.columns();
        if (!readNumbers([&] { return m_list.count >= columns && m_isBehindComma; }, false)) {
            return false;
        }
        const std::optional<Number> time = m_times.at(m_nextRow++);
        if (m_list.isDamaged && m_list.count != columns) {
            reportDamage(m_list.offset, "a row");
        } else if (m_list.count > kMaxColumns) {
            m_rows.reportStray(m_list.offset);
        } else {
            if (m_list.isDamaged) {
                reportOddity(m_list.offset);
            }
            m_rows.addRow(time ? &*time : nullptr, m_list.numbers, m_list.offset);
        }
        return m_list.count < (m_rows.columns() == 0 ? columns : m_rows.columns());
    }

    /// What stands between items and is none. Returns how many items it was.
    size_t readStray(bool isShort) {
        const uint64_t offset = m_tokens.next().offset;
        uint64_t firstValue = 0;
        size_t values = 0;
        uint64_t badBytes = 0;
        while (isNext(TokenKind::Word) || isNext(TokenKind::Comma)) {
            const Token token = m_tokens.take();
            const bool isItem = token.isJson && !isNext(TokenKind::Open);  // else it stands in place of a comma
            if (token.kind == TokenKind::Word && isItem) {
                firstValue = values == 0 ? token.offset : firstValue;
                ++values;
            } else if (token.kind == TokenKind::Word) {
                badBytes += token.length;
            }
        }
        if (isNext(TokenKind::Close) && (goesOn() || (isShort && m_tokens.second().kind == TokenKind::Close))) {
            m_tokens.take();  // the end of an item without its begin
            if (isShort) {
                noteDamage(offset);
                return 0;
            }
            reportDamage(offset, "the begin of a list");
            return 1;
        }
        // A single byte stands in place of a comma or a blank.
        if (badBytes > 1) {
            reportDamage(offset, "between lists");
        } else if (badBytes == 1) {
            reportOddity(offset);
        }
        if (values > 0) {
            m_rows.reportStray(firstValue, values);
        }
        return values;
    }

    void addNumber(const Number& number, bool isTimes) {
        ++m_list.count;
        if (isTimes) {
            m_isDisordered = !m_times.add(number) || m_isDisordered;
        }
        if (m_list.numbers.size() < (isTimes ? kRecordNumbers : kMaxColumns)) {
            m_list.numbers.push_back(number);
        }
    }

    /// The number that was read last is none: what parts it from the next one is damaged.
    void forgetLast(bool isTimes) {
        if (isTimes) {
            m_times.forgetLast();
        }
        if (m_list.count == m_list.numbers.size()) {
            m_list.numbers.back() = {};
        }
    }

    void listIsDamaged(uint64_t offset) {
        m_list.isDamaged = true;
        noteDamage(offset);
    }

    /// Behind the begin of m_list. `isEnded` says whether the begin of a list, which comes next, shows that the end of
    /// this one was lost. False if the text ends before it.
    template <class IsEnded>
    bool readNumbers(IsEnded isEnded, bool isTimes) {
        bool hasNumber = false;  // since the last comma
        uint64_t length = 0;     // of the last word
        uint64_t usualLength = 0;
        m_isBehindComma = false;
        while (!isNext(TokenKind::End)) {
            const Token token = m_tokens.next();
            if (token.kind == TokenKind::Open) {
                if (m_list.count == 0 && isTimes) {
                    return true;
                }
                listIsDamaged(token.offset);
                if (isEnded()) {
                    return true;
                }
                m_tokens.take();
                continue;
            }
            m_tokens.take();
            if (token.kind == TokenKind::Word) {
                if (hasNumber) {
                    listIsDamaged(token.offset);
                    forgetLast(isTimes);
                }
                if (!token.isJson) {
                    listIsDamaged(token.offset);
                }
                // Times are of a length, so two that are no longer than one are halves of it.
                const bool isHalf =
                    hasNumber && isTimes && length < usualLength && length + token.length <= usualLength;
                if (!isHalf) {
                    addNumber(token.number, isTimes);
                }
                hasNumber = true;
                m_isBehindComma = false;
                length = token.length;
                continue;
            }
            const bool isClose = token.kind == TokenKind::Close;
            if (isClose && isNext(TokenKind::Word) && m_tokens.second().kind != TokenKind::Open) {
                listIsDamaged(token.offset);  // in place of a digit or comma
                continue;
            }
            if (!hasNumber && (!isClose || m_isBehindComma)) {
                listIsDamaged(token.offset);
                addNumber({}, isTimes);
            }
            if (isClose) {
                return true;
            }
            usualLength = hasNumber ? std::max(length, usualLength) : usualLength;
            hasNumber = false;
            m_isBehindComma = true;
        }
        return false;
    }

    NumberTokens m_tokens;
    TimelineRows& m_rows;
    TimelineText m_text;
    Times m_times;
    NumberList m_list;  ///< that was begun last
    NumberList m_firstRecord;
    std::optional<uint64_t> m_lossOffset;  ///< of the first item that was dropped
    uint64_t m_timesOffset = 0;
    size_t m_nextRow = 0;
    uint64_t m_rowsBefore = 0;  ///< the first damage
    bool m_isBehindComma = false;
    bool m_isWhole = false;
    bool m_isDisordered = false;  ///< a time runs backwards
};

}  // namespace

TimelineText readTimeline(TextChars& chars, TimelineRows& rows) {
    Reader reader(chars, rows);
    TimelineText text = reader.read();
    if (!chars.status()) {
        return text;
    }
    reader.finish(text.endedEarly);
    if (text.endedEarly) {
        rows.report("truncated", Severity::DataLoss, reader.openOffset());
    } else if (const auto trailing = reader.trailingOffset()) {
        rows.report("trailing_data", Severity::Warning, *trailing);
    }
    return text;
}

}  // namespace warpline::loaders::memory_timeline
