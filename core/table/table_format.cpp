// SPDX-License-Identifier: MIT
#include "core/table/table_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "core/base/json_writer.h"
#include "core/base/units.h"

namespace warpline {

namespace {

constexpr std::string_view kVaries = "varies";

std::string shortestReal(double value) {
    char digits[40];
    const bool isCommon = std::abs(value) >= 1e-5 && std::abs(value) < 1e16;
    const auto end = isCommon ? std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed)
                              : std::to_chars(digits, digits + sizeof digits, value);
    return std::string(digits, end.ptr);
}

size_t codePoints(std::string_view text) {
    return static_cast<size_t>(std::count_if(text.begin(), text.end(),
                                             [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string elided(std::string text, size_t width) {
    if (width == 0 || codePoints(text) <= width) {
        return text;
    }
    size_t count = 0;
    size_t end = 0;
    while (end < text.size()) {
        if ((static_cast<unsigned char>(text[end]) & 0xc0U) != 0x80U && ++count == width) {
            break;
        }
        ++end;
    }
    return text.substr(0, end) + "…";
}

bool isNumeric(const ColumnInfo& column) {
    return column.type == ColumnType::Integer || column.type == ColumnType::Real;
}

/// Text for one line of a terminal or a Markdown cell.
std::string oneLine(std::string text) {
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            c = ' ';
        }
    }
    return text;
}

std::string csvField(const Cell& cell) {
    if (const auto* whole = std::get_if<int64_t>(&cell)) {
        return std::to_string(*whole);
    }
    if (const auto* real = std::get_if<double>(&cell)) {
        return std::isfinite(*real) ? shortestReal(*real) : std::string();
    }
    if (std::holds_alternative<Varies>(cell)) {
        return std::string(kVaries);
    }
    const auto* text = std::get_if<std::string>(&cell);
    if (text == nullptr) {
        return {};
    }
    if (text->find_first_of(",\"\r\n") == std::string::npos) {
        return *text;
    }
    std::string out = "\"";
    for (const char c : *text) {
        out += c;
        if (c == '"') {
            out += c;
        }
    }
    return out + '"';
}

std::string markdownField(std::string text) {
    std::string out;
    for (const char c : oneLine(std::move(text))) {
        if (c == '|' || c == '\\' || c == '<' || c == '*' || c == '_' || c == '`' || c == '[') {
            out += '\\';
        }
        out += c;
    }
    return out;
}

struct Selection {
    std::vector<size_t> rows;
    std::vector<size_t> columns;
};

Selection select(const Table& table, const TableFormatOptions& options, bool shownOnly) {
    Selection out;
    if (options.rows) {
        out.rows = *options.rows;
    } else {
        out.rows.resize(table.rowCount());
        std::iota(out.rows.begin(), out.rows.end(), size_t{0});
    }
    if (options.columns) {
        out.columns = *options.columns;
    } else {
        for (size_t i = 0; i < table.columns().size(); ++i) {
            if (!shownOnly || table.columns()[i].info.shownByDefault) {
                out.columns.push_back(i);
            }
        }
    }
    return out;
}

std::string formatCsv(const Table& table, const Selection& selection) {
    std::string out;
    const auto line = [&](auto field) {
        for (size_t i = 0; i < selection.columns.size(); ++i) {
            out += i == 0 ? "" : ",";
            out += field(selection.columns[i]);
        }
        out += "\r\n";
    };
    line([&](size_t column) { return csvField(table.columns()[column].info.id); });
    for (const size_t row : selection.rows) {
        line([&](size_t column) { return csvField(table.cell(row, column)); });
    }
    return out;
}

std::string formatJson(const Table& table, const Selection& selection) {
    std::string out = "[";
    for (size_t i = 0; i < selection.rows.size(); ++i) {
        out += i == 0 ? "\n{" : ",\n{";
        for (size_t k = 0; k < selection.columns.size(); ++k) {
            const ColumnInfo& info = table.columns()[selection.columns[k]].info;
            out += k == 0 ? "" : ", ";
            out += jsonString(info.id) + ": " + cellJson(table.cell(selection.rows[i], selection.columns[k]), info);
        }
        out += '}';
    }
    return out + (selection.rows.empty() ? "]" : "\n]");
}

std::string formatMarkdown(const Table& table, const Selection& selection) {
    std::string head = "|";
    std::string rule = "|";
    for (const size_t column : selection.columns) {
        const ColumnInfo& info = table.columns()[column].info;
        head += ' ' + markdownField(info.title) + " |";
        rule += isNumeric(info) ? " ---: |" : " --- |";
    }
    std::string out = head + '\n' + rule + '\n';
    for (const size_t row : selection.rows) {
        out += '|';
        for (const size_t column : selection.columns) {
            out += ' ' + markdownField(cellText(table.cell(row, column), table.columns()[column].info)) + " |";
        }
        out += '\n';
    }
    return out;
}

std::string formatText(const Table& table, const Selection& selection, size_t maxTextWidth) {
    std::vector<std::vector<std::string>> texts(selection.columns.size());
    std::vector<size_t> widths(selection.columns.size());
    for (size_t k = 0; k < selection.columns.size(); ++k) {
        const ColumnInfo& info = table.columns()[selection.columns[k]].info;
        texts[k].push_back(info.title);
        for (const size_t row : selection.rows) {
            std::string text = oneLine(cellText(table.cell(row, selection.columns[k]), info));
            texts[k].push_back(isNumeric(info) ? std::move(text) : elided(std::move(text), maxTextWidth));
        }
        for (const std::string& text : texts[k]) {
            widths[k] = std::max(widths[k], codePoints(text));
        }
    }
    std::string out;
    for (size_t line = 0; line <= selection.rows.size(); ++line) {
        std::string text;
        for (size_t k = 0; k < selection.columns.size(); ++k) {
            const std::string& cell = texts[k][line];
            const std::string padding(widths[k] - codePoints(cell), ' ');
            const bool right = isNumeric(table.columns()[selection.columns[k]].info);
            text += (k == 0 ? "" : "  ") + (right ? padding + cell : cell + padding);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + '\n';
    }
    return out;
}

}  // namespace

std::string formatTable(const Table& table, TableFormat format, const TableFormatOptions& options) {
    const bool forPeople = format == TableFormat::Text || format == TableFormat::Markdown;
    const Selection selection = select(table, options, forPeople);
    switch (format) {
        case TableFormat::Csv:
            return formatCsv(table, selection);
        case TableFormat::Markdown:
            return formatMarkdown(table, selection);
        case TableFormat::JsonRows:
            return formatJson(table, selection);
        case TableFormat::Text:
            break;
    }
    return formatText(table, selection, options.maxTextWidth);
}

std::string cellText(const Cell& cell, const ColumnInfo& column) {
    if (const auto* text = std::get_if<std::string>(&cell)) {
        return *text;
    }
    if (std::holds_alternative<Varies>(cell)) {
        return std::string(kVaries);
    }
    const auto* whole = std::get_if<int64_t>(&cell);
    const auto* real = std::get_if<double>(&cell);
    if (whole == nullptr && (real == nullptr || !std::isfinite(*real))) {
        return "n/a";
    }
    const double value = whole != nullptr ? static_cast<double>(*whole) : *real;
    switch (column.unit) {
        case Unit::Nanoseconds:
            return whole != nullptr ? formatDuration(*whole) : formatDuration(*real);
        case Unit::Bytes:
            return formatBytes(value);
        case Unit::Ratio:
            return formatRatio(value);
        case Unit::Flops:
            return formatRate(value, "FLOP");
        case Unit::Count:
            if (whole != nullptr) {
                const auto magnitude = *whole < 0 ? 0 - static_cast<uint64_t>(*whole) : static_cast<uint64_t>(*whole);
                return (*whole < 0 ? "-" : "") + formatCount(magnitude);
            }
            break;
        case Unit::None:
            break;
    }
    if (whole != nullptr) {
        return std::to_string(*whole);
    }
    char digits[48];
    const auto end = std::to_chars(digits, digits + sizeof digits, *real, std::chars_format::general, 4);
    return std::string(digits, end.ptr);
}

std::string cellJson(const Cell& cell, const ColumnInfo& column) {
    if (const auto* whole = std::get_if<int64_t>(&cell)) {
        return std::to_string(*whole);
    }
    if (const auto* real = std::get_if<double>(&cell)) {
        return std::isfinite(*real) ? shortestReal(*real) : "null";
    }
    const auto* text = std::get_if<std::string>(&cell);
    if (text == nullptr) {
        return "null";
    }
    return column.type == ColumnType::Json ? *text : jsonString(*text);
}

}  // namespace warpline
