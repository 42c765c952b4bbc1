// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/cell_text.h"

#include <cmath>
#include <string>

#include "core/base/units.h"

namespace warpline {

namespace {

QString grouped(int64_t value) {
    const uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    const QString text = fromUtf8(formatCount(magnitude));
    return value < 0 ? QStringLiteral("\u2212") + text : text;
}

QString realText(double value) {
    if (!std::isfinite(value)) {
        return notAvailable();
    }
    return QString::number(value, 'g', 6);
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

QString integerText(int64_t value, Unit unit) {
    switch (unit) {
        case Unit::Nanoseconds:
            return fromUtf8(formatDuration(DurationNs{value}));
        case Unit::Bytes:
            return fromUtf8(formatBytes(static_cast<double>(value)));
        case Unit::Ratio:
            return fromUtf8(formatRatio(static_cast<double>(value)));
        case Unit::Flops:
            return fromUtf8(formatRate(static_cast<double>(value), "FLOP"));
        case Unit::Count:
        case Unit::None:
            return grouped(value);
    }
    return grouped(value);
}

QString floatText(double value, Unit unit) {
    if (!std::isfinite(value)) {
        return notAvailable();
    }
    switch (unit) {
        case Unit::Nanoseconds:
            return fromUtf8(formatDuration(value));
        case Unit::Bytes:
            return fromUtf8(formatBytes(value));
        case Unit::Ratio:
            return fromUtf8(formatRatio(value));
        case Unit::Flops:
            return fromUtf8(formatRate(value, "FLOP"));
        case Unit::Count:
        case Unit::None:
            return realText(value);
    }
    return realText(value);
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

bool isNumeric(const ColumnInfo& column) {
    return column.type == ColumnType::Integer || column.type == ColumnType::Real;
}

QString cellText(const Cell& cell, const ColumnInfo& column) {
    if (const auto* whole = std::get_if<int64_t>(&cell)) {
        return integerText(*whole, column.unit);
    }
    if (const auto* real = std::get_if<double>(&cell)) {
        return floatText(*real, column.unit);
    }
    if (const auto* text = std::get_if<std::string>(&cell)) {
        const QString shown = fromUtf8(*text);
        return column.type == ColumnType::Json ? jsonText(shown) : shown;
    }
    return notAvailable();
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
