// SPDX-License-Identifier: MIT
#include "core/loaders/nsys_sqlite/tree_check.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace warpline::loaders::nsys_sqlite {

namespace {

constexpr int kMaxDepth = 20;  // SQLite follows no more
constexpr size_t kMaxDamages = 1000;

enum PageType : uint8_t { kInnerIndex = 2, kInnerTable = 5, kLeafIndex = 10, kLeafTable = 13 };

bool isInner(uint8_t type) {
    return type == kInnerIndex || type == kInnerTable;
}
bool isTable(uint8_t type) {
    return type == kInnerTable || type == kLeafTable;
}

/// A page's bytes. Places behind its end read as 0, so no check has to come before a read.
class Page {
public:
    Page(std::string_view text, uint32_t usable, uint32_t headerAt)
        : m_text(text), m_usable(usable), m_headerAt(headerAt) {}

    uint64_t number(uint64_t at, size_t count) const {
        uint64_t value = 0;
        for (size_t i = 0; i < count; ++i) {
            value = value << 8 | byte(at + i);
        }
        return value;
    }
    /// Moves `at` behind it.
    uint64_t varint(uint64_t& at) const {
        constexpr int kLong = 8;
        uint64_t value = 0;
        for (int i = 0; i < kLong; ++i) {
            const uint8_t b = byte(at++);
            value = value << 7 | (b & 0x7fU);
            if (b < 0x80) {
                return value;
            }
        }
        return value << 8 | byte(at++);
    }
    uint64_t usable() const { return m_usable; }
    uint8_t type() const { return byte(m_headerAt); }
    uint64_t firstFree() const { return number(m_headerAt + 1, 2); }
    uint64_t cells() const { return number(m_headerAt + 3, 2); }
    uint64_t contentAt() const {
        const uint64_t at = number(m_headerAt + 5, 2);
        return at == 0 ? 65536 : at;
    }
    uint64_t fragments() const { return byte(m_headerAt + 7); }
    uint64_t rightChild() const { return number(m_headerAt + 8, 4); }
    uint64_t pointersAt() const { return m_headerAt + (isInner(type()) ? 12 : 8); }
    uint64_t cellAt(uint64_t cell) const { return number(pointersAt() + 2 * cell, 2); }

private:
    uint8_t byte(uint64_t at) const { return at < m_text.size() ? static_cast<uint8_t>(m_text[at]) : 0; }

    std::string_view m_text;
    uint64_t m_usable;
    uint64_t m_headerAt;
};

/// How much of a payload stands in the page itself, with the number of the page where the rest begins.
uint64_t localBytes(uint64_t payload, uint64_t usable, bool isTableLeaf) {
    const uint64_t most = isTableLeaf ? usable - 35 : (usable - 12) * 64 / 255 - 23;
    if (payload <= most) {
        return payload;
    }
    const uint64_t least = (usable - 12) * 32 / 255 - 23;
    const uint64_t even = least + (payload - least) % (usable - 4);
    return (even <= most ? even : least) + 4;
}

uint64_t cellBytes(const Page& page, uint64_t at) {
    constexpr uint64_t kLeast = 4;
    const uint64_t begin = at;
    at += isInner(page.type()) ? 4 : 0;
    uint64_t local = 0;
    if (page.type() == kInnerTable) {
        page.varint(at);
    } else {
        local = localBytes(page.varint(at), page.usable(), page.type() == kLeafTable);
        if (page.type() == kLeafTable) {
            page.varint(at);
        }
    }
    return std::max(kLeast, at - begin + local);
}

/// What is wrong with a page by itself; empty if nothing is. Between the begin of its contents and its end, each byte
/// belongs to a cell, a free block or is counted as a fragment.
std::string_view wrongIn(const Page& page) {
    if (page.pointersAt() + 2 * page.cells() > page.contentAt() || page.contentAt() > page.usable()) {
        return "its cells do not fit";
    }
    uint64_t used = page.fragments();
    for (uint64_t i = 0; i < page.cells(); ++i) {
        const uint64_t at = page.cellAt(i);
        const uint64_t size = at < page.contentAt() ? page.usable() : cellBytes(page, at);
        if (at + size > page.usable()) {
            return "a cell lies outside of it";
        }
        used += size;
    }
    for (uint64_t at = page.firstFree(); at != 0;) {
        const uint64_t next = page.number(at, 2);
        const uint64_t size = page.number(at + 2, 2);
        // The smallest block holds its own two numbers; none smaller leads on.
        constexpr uint64_t kLeastFree = 4;
        if (size < kLeastFree || at < page.contentAt() || at + size > page.usable() ||
            (next != 0 && next < at + size)) {
            return "a free block lies outside of it";
        }
        used += size;
        at = next;
    }
    return used == page.usable() - page.contentAt() ? std::string_view() : "its cells do not fill it";
}

/// Whether the values that a row's types speak of take just its payload, and no type is one that SQLite never writes.
/// A row whose types stand on a further page too is not looked at.
bool isRecord(const Page& page, uint64_t at, uint64_t payload) {
    const uint64_t begin = at;
    const uint64_t local = localBytes(payload, page.usable(), true);
    const uint64_t headerBytes = page.varint(at);
    if (headerBytes > payload || headerBytes < at - begin) {
        return false;
    }
    if (headerBytes > local) {
        return true;
    }
    constexpr std::array<uint64_t, 10> kBytes = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
    uint64_t rest = payload - headerBytes;
    while (at - begin < headerBytes) {
        const uint64_t type = page.varint(at);
        constexpr uint64_t kFirstText = 12;
        if (type >= kBytes.size() && type < kFirstText) {
            return false;
        }
        const uint64_t bytes = type < kFirstText ? kBytes[type] : (type - kFirstText) / 2;
        if (bytes > rest) {
            return false;
        }
        rest -= bytes;
    }
    return at - begin == headerBytes && rest == 0;
}

struct RowRange {
    std::optional<int64_t> above{}, upTo{};
};

class TreeWalk {
public:
    TreeWalk(SourceBytes& bytes, PageLayout layout, const JobControl* job)
        : m_bytes(bytes), m_layout(layout), m_job(job), m_seen(bytes.size() / layout.pageBytes + 1) {}

    /// `from`: the page that names it, which is the damaged one if there is no such page. `range`: what it can hold.
    void visit(uint64_t number, uint64_t from, std::optional<bool> isOfTable, RowRange range, int depth) {
        if (isOver()) {
            return;
        }
        if (number == 0 || number >= m_seen.size() || m_seen[number]) {
            note(from, range,
                 "it leads to page " + std::to_string(number) +
                     (number != 0 && number < m_seen.size() ? " again" : ", which is not there"));
            return;
        }
        m_seen[number] = true;
        std::string text(m_layout.pageBytes, '\0');
        if (!m_bytes.read((number - 1) * m_layout.pageBytes, text)) {
            note(number, range, "it cannot be read");
            return;
        }
        constexpr uint32_t kFileHeader = 100;
        const Page page(text, m_layout.usableBytes, number == 1 ? kFileHeader : 0);
        const uint8_t type = page.type();
        const bool isPage = isInner(type) || type == kLeafIndex || type == kLeafTable;
        if (!isPage || isTable(type) != isOfTable.value_or(isTable(type))) {
            note(number, range, "it is no page of a table (type " + std::to_string(type) + ")");
            return;
        }
        if (const std::string_view wrong = wrongIn(page); !wrong.empty()) {
            note(number, range, std::string(wrong));
            return;
        }
        if (page.cells() == 0 && depth > 0) {
            note(number, range, "it is empty");
            return;
        }
        if (type == kLeafTable) {
            checkRows(page, (number - 1) * m_layout.pageBytes);
        }
        if (!isInner(type)) {
            return;
        }
        if (depth == kMaxDepth) {
            note(number, range, "the table is nested too deeply");
            return;
        }
        std::optional<int64_t> above = range.above;
        for (uint64_t i = 0; i < page.cells(); ++i) {
            uint64_t at = page.cellAt(i);
            const uint64_t child = page.number(at, 4);
            at += 4;
            const auto key = isTable(type) ? std::optional(static_cast<int64_t>(page.varint(at))) : std::nullopt;
            visit(child, number, isTable(type), {above, key}, depth + 1);
            above = key;
        }
        visit(page.rightChild(), number, isTable(type), {above, range.upTo}, depth + 1);
    }

    TreeDamage take() { return {std::move(m_damages), std::move(m_rows)}; }

private:
    bool isOver() const { return m_damages.size() >= kMaxDamages || (m_job != nullptr && m_job->stopRequested()); }

    void checkRows(const Page& page, uint64_t offset) {
        for (uint64_t i = 0; i < page.cells(); ++i) {
            uint64_t at = page.cellAt(i);
            const uint64_t row = offset + at;
            const uint64_t payload = page.varint(at);
            const auto rowid = static_cast<int64_t>(page.varint(at));
            if (!isRecord(page, at, payload)) {
                m_rows.push_back({rowid, row});
            }
        }
    }

    void note(uint64_t page, RowRange range, const std::string& what) {
        const uint64_t number = std::max<uint64_t>(page, 1);
        m_damages.push_back({(number - 1) * m_layout.pageBytes, range.above, range.upTo,
                             "page " + std::to_string(number) + ": " + what});
    }

    SourceBytes& m_bytes;
    PageLayout m_layout;
    const JobControl* m_job;
    std::vector<bool> m_seen;  ///< by page
    std::vector<PageDamage> m_damages;
    std::vector<RowDamage> m_rows;
};

}  // namespace

TreeDamage checkTree(SourceBytes& bytes, PageLayout layout, uint64_t root, const JobControl* job) {
    TreeWalk walk(bytes, layout, job);
    walk.visit(root, 1, std::nullopt, {}, 0);
    return walk.take();
}

}  // namespace warpline::loaders::nsys_sqlite
