// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/cell_text.h"

#include <cmath>
#include <string>

#include "core/base/units.h"
#include "core/table/table_format.h"

namespace warpline {

namespace {

QString grouped(int64_t value) {
    const uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    const QString text = fromUtf8(formatCount(magnitude));
    return value < 0 ? QStringLiteral("\u2212") + text : text;
}

/// A grid or block "[128,1,1]" reads as "128 × 1 × 1"; other JSON stays as it is.
QString jsonText(const QString& json) {
    if (json.size() < 2 || json.front() != '[' || json.back() != ']') {
        return json;
    }
    const QString inner = json.mid(1, json.size() - 2);
    if (inner.isEmpty()) {
        return json;
    }
    for (const QChar c : inner) {
        if (!c.isDigit() && c != ',' && c != ' ') {
            return json;
        }
    }
    QString spaced = inner;
    spaced.remove(' ');
    return spaced.replace(',', QStringLiteral(" \u00d7 "));
}

const char* unitSuffix(Unit unit) {
    switch (unit) {
        case Unit::Nanoseconds:
            return " ns";
        case Unit::Bytes:
            return " B";
        case Unit::Flops:
            return " FLOP";
        default:
            return "";
    }
}

}  // namespace

QString notAvailable() {
    return QStringLiteral("n/a");
}

QString fromUtf8(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString countText(uint64_t count, std::string_view one, std::string_view many) {
    return fromUtf8(formatCountOf(count, one, many));
}

bool isNumeric(const ColumnInfo& column) {
    return column.type == ColumnType::Integer || column.type == ColumnType::Real;
}

QString shownCellText(const Cell& cell, const ColumnInfo& column) {
    if (const auto* text = std::get_if<std::string>(&cell)) {
        const QString shown = fromUtf8(*text);
        return column.type == ColumnType::Json ? jsonText(shown) : shown;
    }
    return fromUtf8(cellText(cell, column));
}

QString exactCellText(const Cell& cell, const ColumnInfo& column) {
    if (const auto* whole = std::get_if<int64_t>(&cell)) {
        return grouped(*whole) + QLatin1String(unitSuffix(column.unit));
    }
    if (const auto* real = std::get_if<double>(&cell)) {
        if (!std::isfinite(*real)) {
            return notAvailable();
        }
        return QString::number(*real, 'g', 15) + QLatin1String(unitSuffix(column.unit));
    }
    if (const auto* text = std::get_if<std::string>(&cell)) {
        return fromUtf8(*text);
    }
    if (const auto* varies = std::get_if<Varies>(&cell)) {
        return fromUtf8(varies->values);
    }
    return QStringLiteral("not known from this trace");
}

QVariant rawCellValue(const Cell& cell) {
    if (const auto* whole = std::get_if<int64_t>(&cell)) {
        return QVariant::fromValue<qlonglong>(*whole);
    }
    if (const auto* real = std::get_if<double>(&cell)) {
        return *real;
    }
    if (const auto* text = std::get_if<std::string>(&cell)) {
        return fromUtf8(*text);
    }
    return {};
}

}  // namespace warpline
