// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/area/rows_text.h"

#include <QStringList>

#include <algorithm>

#include "core/base/units.h"
#include "core/trace/process_title.h"
#include "widgets/panels/area/area_words.h"
#include "widgets/support/cell_text.h"

namespace warpline::area {

namespace {

QString number(const std::optional<double>& value) {
    constexpr int kDigits = 10;
    return value ? QString::number(*value, 'g', kDigits) : QStringLiteral("n/a");
}

QString heading(const Trace& trace, const RowTitle& row) {
    return QStringLiteral("<b>%1</b> (%2)")
        .arg(fromUtf8(row.title).toHtmlEscaped(), fromUtf8(processTitle(trace, row.process)).toHtmlEscaped());
}

QString nameText(const Trace& trace, const AsyncNameSum& sum) {
    QString name = fromUtf8(trace.string(sum.name));
    QString text = QStringLiteral("%1: %2").arg(name.isEmpty() ? tr("(no name)") : name.toHtmlEscaped(),
                                                fromUtf8(formatCountOf(sum.count, "slice")));
    if (sum.unknownCount < sum.count) {
        const std::optional<int64_t> inside = sum.insideNs.value();
        text += tr(", %1 inside").arg(inside ? duration(*inside) : QStringLiteral("n/a"));
        text += sum.minNs == sum.maxNs ? tr(", each %1 long").arg(duration(*sum.minNs))
                                       : tr(", each %1 to %2 long").arg(duration(*sum.minNs), duration(*sum.maxNs));
    }
    if (sum.unknownCount > 0) {
        text += tr(", %1 without an end in the file").arg(fromUtf8(formatCount(sum.unknownCount)));
    }
    return text;
}

QString asyncText(const Trace& trace, const RowTitle& row, const AsyncRowArea& found) {
    QStringList lines{heading(trace, row)};
    for (size_t i = 0; i < std::min(kNamedAsync, found.names.size()); ++i) {
        lines << nameText(trace, found.names[i]);
    }
    if (found.names.size() > kNamedAsync) {
        lines << tr("and %1 more names").arg(fromUtf8(formatCount(found.names.size() - kNamedAsync)));
    }
    if (found.instants > 0) {
        lines << fromUtf8(formatCountOf(found.instants, "moment"));
    }
    if (lines.size() == 1) {
        lines << tr("nothing in this time");
    }
    return lines.join("<br>");
}

QString counterText(const Trace& trace, const RowTitle& row, const CounterRowArea& found) {
    return tr("%1: min %2, mean %3 over the time, max %4, last %5; %6")
        .arg(heading(trace, row), number(found.min), number(found.mean), number(found.max), number(found.last),
             fromUtf8(formatCountOf(found.samples, "sample")));
}

}  // namespace

std::vector<RowTitle> rowTitlesOf(std::span<const SectionRef> rows) {
    std::vector<RowTitle> out;
    for (const SectionRef& row : rows) {
        out.push_back({row.kind == SectionRef::Kind::Counter ? RowTitle::Kind::Counter : RowTitle::Kind::Async,
                       row.process, row.title});
    }
    return out;
}

QString rowsText(const Trace& trace, std::span<const RowTitle> asked, const RowsArea& found) {
    QString text;
    const auto add = [&text](const QString& paragraph) {
        text += "<p style=\"margin-top:0; margin-bottom:4px\">" + paragraph + "</p>";
    };
    size_t told = 0;
    for (size_t i = 0; i < asked.size() && told < kNamedRows; ++i) {
        if (const auto row = std::ranges::find(found.async, i, &AsyncRowArea::row); row != found.async.end()) {
            add(asyncText(trace, asked[i], *row));
            ++told;
        }
        for (const CounterRowArea& row : found.counters) {
            if (row.row == i) {
                add(counterText(trace, asked[i], row));
                ++told;
            }
        }
    }
    if (const size_t all = found.async.size() + found.counters.size(); all > told) {
        add(tr("and %1 more rows").arg(fromUtf8(formatCount(all - told))));
    }
    return text;
}

}  // namespace warpline::area
