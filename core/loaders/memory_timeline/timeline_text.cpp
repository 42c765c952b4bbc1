// SPDX-License-Identifier: MIT
#include "core/loaders/memory_timeline/timeline_text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/loaders/memory_timeline/number_list.h"
#include "core/loaders/memory_timeline/timeline_items.h"

namespace warpline::loaders::memory_timeline {

namespace {

class Reader {
public:
    Reader(TextChars& chars, TimelineRows& rows) : m_tokens(chars), m_items(rows) {}

    TimelineText read() {
        if (areRecordsAhead()) {
            m_text.form = TimelineForm::Raw;
            m_items.beginRecordsAlone();
        }
        readAll();
        m_text.endedEarly = !m_isWhole && m_tokens.next().kind == TokenKind::End;
        m_text.damageOffset = m_items.damageOffset();
        return m_text;
    }

    /// Not if the text could not be read to its end.
    void finish() { m_items.finish(m_text.endedEarly); }
    uint64_t openOffset() const { return m_openOffset; }
    std::optional<uint64_t> trailingOffset() const {
        return m_isWhole && m_tokens.next().kind != TokenKind::End ? std::optional(m_tokens.next().offset)
                                                                   : std::nullopt;
    }

private:
    /// What stands before the next item of a list.
    enum class Before {
        Begin,  ///< of the list
        Item,
        Comma,
        Any,  ///< damage, which is said
    };

    bool isNext(TokenKind kind) const { return m_tokens.next().kind == kind; }
    static bool isItem(TokenKind kind) { return kind == TokenKind::Comma || kind == TokenKind::Open; }
    /// Whether an end of a list, which comes next, is followed by a further item.
    bool goesOn() const { return isItem(m_tokens.second().kind); }
    /// Whether the list that was closed just now goes on after all: with an item, or with the numbers of one.
    bool goesOnBehindEnd() const {
        const Token& next = m_tokens.next();
        const bool isNumbers = next.kind == TokenKind::Word && next.isJson && next.number.whole &&
                               m_tokens.second().kind == TokenKind::Comma;
        return isItem(next.kind) || isNumbers;
    }
    /// How many numbers an item has.
    size_t usualNumbers() const { return m_text.form == TimelineForm::Columns ? m_items.columns() : kRecordNumbers; }

    /// Takes a comma between items.
    void takeComma() {
        const Token comma = m_tokens.take();
        if (m_before == Before::Comma || m_before == Before::Begin) {
            m_items.reportOddity(comma.offset, "a comma too many");
        }
        m_before = Before::Comma;
    }
    void expectComma(uint64_t offset) {
        if (m_before == Before::Item) {
            m_items.reportOddity(offset, "a comma too few");
        }
    }
    void expectItem(uint64_t offset) {
        if (m_before == Before::Comma) {
            m_items.reportOddity(offset, "a comma too many");
        }
    }

    /// The begin of the outer list, or what is left of it. False if there is none.
    bool takeBegin() {
        takeStrayBegin();
        const Token token = m_tokens.next();
        const bool isInsideNext = m_tokens.second().kind == TokenKind::Open;
        if (token.kind == TokenKind::Open && !isInsideNext && m_tokens.third().kind == TokenKind::Open) {
            m_tokens.take();
            m_items.reportOddity(m_tokens.take().offset, "before the begin of a list");
            return true;
        }
        if (token.kind == TokenKind::Open && !isInsideNext) {
            m_items.reportOddity(token.offset, "the begin of a list");
            return true;
        }
        if (token.kind != TokenKind::Open && isInsideNext) {
            m_items.reportOddity(token.offset, "the begin of a list");
        } else if (token.kind != TokenKind::Open) {
            return false;
        }
        m_tokens.take();
        return true;
    }

    /// What stands before the two lists that a timeline begins with.
    void takeStrayBegin() {
        const bool areTwoBehind = m_tokens.second().kind == TokenKind::Open && m_tokens.third().kind == TokenKind::Open;
        if (areTwoBehind && m_tokens.ahead(3).kind == TokenKind::Word) {
            m_items.reportOddity(m_tokens.take().offset, "before the begin");
        }
    }

    void readAll() {
        if (m_text.form == TimelineForm::Raw) {
            takeBeginOfRecords();
        } else if (!takeBegin() || !readFirst()) {
            return;
        }
        bool isShort = false;  // the item before lacks its end
        while (!isNext(TokenKind::End)) {
            const Token token = m_tokens.next();
            if (token.kind == TokenKind::Comma) {
                takeComma();
            } else if (token.kind == TokenKind::Word) {
                m_items.passRows(readStray(isShort));
                isShort = false;
            } else if (token.kind == TokenKind::Close) {
                m_tokens.take();
                if (!goesOnBehindEnd()) {
                    expectItem(token.offset);
                    close();
                    return;
                }
                m_items.reportOddity(token.offset, "an end of a list too many");
                m_before = Before::Any;
            } else if (m_text.form == TimelineForm::Raw) {
                expectComma(token.offset);
                isShort = readRecord();
            } else if (m_text.form == TimelineForm::Columns) {
                m_items.reportOddity(token.offset);
                isShort = readRow();  // behind an end that is none
            } else if (!findForm()) {
                return;
            }
        }
    }

    /// Whether the lists at the start are records, so many that one of them may be damaged: a time, what was done (1 to
    /// 4), bytes, a category (0 to 7).
    bool areRecordsAhead() {
        constexpr size_t kAhead = 400;
        size_t lists = 0;
        size_t records = 0;
        size_t numbers = 0;
        bool isSound = false;  // the list that was begun last is one of numbers alone, so far
        std::array<int64_t, kRecordNumbers> values{};
        for (size_t i = 0; i < kAhead && m_tokens.ahead(i).kind != TokenKind::End; ++i) {
            const Token& token = m_tokens.ahead(i);
            if (token.kind == TokenKind::Open) {
                isSound = true;
                numbers = 0;
            } else if (token.kind == TokenKind::Word) {
                isSound = isSound && token.number.whole;
                if (numbers < values.size()) {
                    values[numbers] = token.number.whole.value_or(-1);
                }
                ++numbers;
            } else if (token.kind == TokenKind::Close && std::exchange(isSound, false) && numbers > 0) {
                ++lists;
                const bool isRecord =
                    numbers == kRecordNumbers && values[1] >= 1 && values[1] <= 4 && values[3] >= 0 && values[3] <= 7;
                records += isRecord ? 1 : 0;
            }
        }
        constexpr size_t kFewest = 3;
        return records >= kFewest && records + 1 >= lists;
    }

    /// Of the two lists that records begin with, up to the first list or number.
    void takeBeginOfRecords() {
        takeStrayBegin();
        const Token token = m_tokens.next();
        const Token& second = m_tokens.second();
        const bool isOuterNext = token.kind == TokenKind::Open && second.kind != TokenKind::Word;
        const bool isNumber = token.kind == TokenKind::Word && token.isJson;
        if (isOuterNext || (token.kind != TokenKind::Open && !isNumber) ||
            (second.kind == TokenKind::Word && !second.isJson)) {
            m_tokens.take();
        }
        if (!isOuterNext) {
            m_items.reportOddity(token.offset, "the begin of a list");
            m_before = Before::Any;
        }
    }

    /// The outer list is closed.
    void close() {
        m_isWhole = true;
        if (m_text.form == TimelineForm::Unknown && m_items.times().size() == kRecordNumbers) {
            becomeRaw();
        }
    }

    NumberList readList(const NumberListReader::IsEnded& isEnded, TimelineTimes* times) {
        m_openOffset = m_tokens.take().offset;
        NumberList list = NumberListReader(m_tokens, m_openOffset).read(isEnded, times);
        if (list.damageOffset) {
            m_items.noteDamage(*list.damageOffset);
        }
        m_before = list.hasEnd ? Before::Item : Before::Any;
        return list;
    }

    /// The times, or the first record. False if it is neither.
    bool readFirst() {
        NumberList first = readList(
            [this](const NumberList& list) {
                // The end of the list was lost if what follows begins as the rows do, or as a record.
                return m_tokens.second().kind == TokenKind::Open ||
                       (list.count == kRecordNumbers && list.isBehindComma);
            },
            &m_items.times());
        const bool isNone = first.count == 0 && isNext(TokenKind::Open);
        const bool isThere = first.isClosed && !isNone;
        m_items.setFirst(std::move(first));
        return isThere;
    }

    /// At the begin of the second list. False if this is no timeline.
    bool findForm() {
        expectComma(m_tokens.next().offset);
        const Token& inside = m_tokens.second();
        const bool isBad = inside.kind == TokenKind::Word && !inside.isJson;
        const bool mayBeRaw = m_items.times().size() == kRecordNumbers;
        if (mayBeRaw && inside.kind == TokenKind::Comma && m_tokens.third().kind == TokenKind::Open) {
            m_items.reportOddity(m_tokens.take().offset, "the begin of a list");
            m_before = Before::Any;
            return true;
        }
        const bool isOdd = inside.kind == TokenKind::Comma || isBad;
        if (inside.kind == TokenKind::Open || inside.kind == TokenKind::Close || (isOdd && !mayBeRaw)) {
            m_openOffset = m_tokens.take().offset;
            becomeColumns();
            m_before = Before::Begin;
            return readRows();
        }
        if (inside.kind == TokenKind::End) {
            m_tokens.take();
            return false;
        }
        // A record, or a row without the begin of the list of rows.
        const bool wasDamaged = m_items.damageOffset().has_value();
        const bool isSaid = m_before == Before::Any;
        const NumberList list =
            readList([](const NumberList& l) { return l.count >= kRecordNumbers && l.isBehindComma; }, nullptr);
        const bool isRow = list.count == kColumnsOfWriter && (isBad || !list.damageOffset);
        const bool isRecord = !list.damageOffset && list.count == kRecordNumbers && m_items.first().damageOffset &&
                              m_items.times().size() <= 2 * kRecordNumbers;
        if ((mayBeRaw && !isRow) || isRecord) {
            becomeRaw();
            if (list.isClosed) {
                m_items.addRecord(list);
            }
            return true;
        }
        if (!isRow && !wasDamaged) {
            return false;
        }
        becomeColumns();
        if (!isSaid) {
            m_items.reportOddity(list.offset, "the begin of the list of rows");
        }
        if (list.isClosed) {
            m_items.addRow(list);
        }
        return readRows();
    }

    void becomeColumns() {
        m_text.form = TimelineForm::Columns;
        m_items.beginRows();
    }

    void becomeRaw() {
        m_text.form = TimelineForm::Raw;
        m_items.beginRecords();
    }

    /// True if what follows may still belong to it.
    bool readRecord() {
        const NumberList list =
            readList([](const NumberList& l) { return l.count >= kRecordNumbers && l.isBehindComma; }, nullptr);
        if (list.isClosed) {
            m_items.addRecord(list);
        }
        return list.count < kRecordNumbers;
    }

    /// Behind the begin of the list of rows. True once it is closed.
    bool readRows() {
        bool isShort = false;
        while (!isNext(TokenKind::End)) {
            const Token token = m_tokens.next();
            if (token.kind == TokenKind::Open) {
                expectComma(token.offset);
                isShort = readRow();
            } else if (token.kind == TokenKind::Word) {
                m_items.passRows(readStray(isShort));
                isShort = false;
            } else if (token.kind == TokenKind::Comma) {
                takeComma();
            } else {
                m_tokens.take();
                if (!goesOnBehindEnd()) {
                    expectItem(token.offset);
                    m_before = Before::Item;
                    return true;
                }
                m_items.reportOddity(token.offset, "an end of a list too many");
                m_before = Before::Any;
            }
        }
        return true;
    }

    /// True if what follows may still belong to it.
    bool readRow() {
        const size_t most = m_items.columns();
        const NumberList list =
            readList([most](const NumberList& l) { return l.count >= most && l.isBehindComma; }, nullptr);
        if (!list.isClosed) {
            return false;
        }
        m_items.addRow(list);
        return m_items.mayGoOn(list);
    }

    /// Returns how many rows it was.
    size_t readStray(bool isShort) {
        const uint64_t offset = m_tokens.next().offset;
        const StrayWords stray = takeStray(m_tokens);
        const bool isSaid = std::exchange(m_before, Before::Any) == Before::Any;
        if (isNext(TokenKind::Close)) {
            const bool isLast = m_tokens.second().kind == TokenKind::Close;
            // The last item has two ends of lists behind its own, or one in the raw form.
            const bool isOwnEnd =
                isLast && (m_text.form == TimelineForm::Raw || m_tokens.third().kind == TokenKind::Close);
            if (isShort && (goesOn() || isLast)) {
                m_tokens.take();
                m_items.noteDamage(offset);  // the rest of the item before, which is reported
                return 0;
            }
            if (goesOn() || isOwnEnd) {
                m_tokens.take();
                return addWithoutBegin(stray, offset, isSaid);
            }
        }
        // A single byte stands in place of a comma or a blank.
        if (stray.badBytes > 1) {
            m_items.reportDamage(offset, "between lists");
        } else if (stray.badBytes == 1) {
            m_items.reportOddity(offset);
        }
        if (stray.values.count > 0) {
            m_items.reportStray(stray.values);
        }
        return stray.values.count;
    }

    /// An item that lacks nothing but its begin is read.
    size_t addWithoutBegin(const StrayWords& stray, uint64_t offset, bool isSaid) {
        const size_t count = stray.values.count;
        if (m_text.form == TimelineForm::Unknown && m_items.times().size() == kRecordNumbers &&
            count == kRecordNumbers) {
            becomeRaw();
        } else if (m_text.form == TimelineForm::Unknown && stray.badBytes == 0 && count != kColumnsOfWriter &&
                   count == stray.values.numbers.size()) {
            m_items.reportOddity(offset, "the end of a list in the midst of the times");
            std::ranges::for_each(stray.values.numbers, [this](const Number& n) { m_items.times().add(n); });
            return 0;
        }
        const bool isComplete =
            m_text.form != TimelineForm::Unknown && stray.badBytes == 0 && stray.values.count == usualNumbers();
        if (!isComplete) {
            m_items.reportDamage(offset, "the begin of a list");
            return 1;
        }
        if (!isSaid) {
            m_items.reportOddity(offset, "the begin of a list");
        }
        if (m_text.form != TimelineForm::Columns) {
            m_items.addRecord(stray.values);
            return 1;
        }
        m_items.addRow(stray.values);
        return 0;  // it has counted itself
    }

    NumberTokens m_tokens;
    TimelineItems m_items;
    TimelineText m_text;
    uint64_t m_openOffset = 0;  ///< of the list that was begun last
    Before m_before = Before::Begin;
    bool m_isWhole = false;
};

}  // namespace

TimelineText readTimeline(TextChars& chars, TimelineRows& rows) {
    Reader reader(chars, rows);
    TimelineText text = reader.read();
    if (!chars.status()) {
        return text;
    }
    reader.finish();
    if (text.endedEarly) {
        rows.report("truncated", Severity::DataLoss, reader.openOffset());
    } else if (const auto trailing = reader.trailingOffset()) {
        rows.report("trailing_data", Severity::Warning, *trailing);
    }
    return text;
}

}  // namespace warpline::loaders::memory_timeline
