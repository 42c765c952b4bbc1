// SPDX-License-Identifier: MIT
#include "app/cli/commands/table_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

#include "app/cli/exit_code.h"
#include "app/cli/inputs.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress_line.h"
#include "app/cli/range_text.h"
#include "app/cli/standard_output.h"
#include "app/cli/terminal.h"
#include "core/analyses/registry.h"
#include "core/base/json_writer.h"
#include "core/base/units.h"
#include "core/pattern/name_pattern.h"
#include "core/table/table_format.h"
#include "core/trace/category_counts.h"

namespace warpline::cli {

namespace {

struct TableOptions {
    TableCommand command;
    InputOptions input;
    std::string groupBy;
    std::string sort;
    std::optional<int64_t> limit;
    std::string filter;
    std::string range;
    std::vector<std::string> categories;
    bool json = false, csv = false, markdown = false, wide = false;
};

std::unique_ptr<Analysis> findAnalysis(const std::string& id) {
    for (auto& analysis : analyses::all()) {
        if (analysis->info().id == id) {
            return std::move(analysis);
        }
    }
    return nullptr;
}

/// "" if `text` is good, else why not; for CLI11.
std::string checkRegex(const std::string& text) {
    const Status status = checkPattern(text);
    return status.ok() ? std::string() : status.error().message;
}

std::string checkRange(const std::string& text) {
    const auto range = parseRange(text, 0);
    return range.ok() ? std::string() : range.error().message;
}

std::string checkGrouping(const std::string& key, const std::vector<std::string>& groupings,
                          const std::string& command) {
    if (std::find(groupings.begin(), groupings.end(), key) != groupings.end()) {
        return {};
    }
    std::string known;
    for (const std::string& grouping : groupings) {
        known += (known.empty() ? "" : ", ") + grouping;
    }
    return "the rows of `" + command + "` are made by " + known + ", not by " + key;
}

int wrongUsage(const std::string& text) {
    printError(text);
    return kWrongUsage;
}

std::vector<size_t> allRows(const Table& table) {
    std::vector<size_t> rows(table.rowCount());
    std::iota(rows.begin(), rows.end(), size_t{0});
    return rows;
}

Result<std::vector<size_t>> orderedRows(const Table& table, const TableOptions& options) {
    if (!options.sort.empty()) {
        const bool turned = options.sort.front() == '-';
        const std::string id = options.sort.substr(turned ? 1 : 0);
        const auto column = table.findColumn(id);
        if (!column) {
            std::string known;
            for (const Column& c : table.columns()) {
                known += (known.empty() ? "" : ", ") + c.info.id;
            }
            return Error::failed("--sort " + options.sort + ": there is no such column; there are " + known);
        }
        const ColumnType type = table.columns()[*column].info.type;
        const bool isNumber = type == ColumnType::Integer || type == ColumnType::Real;
        return table.sortedRows(id, isNumber != turned);
    }
    return allRows(table);
}

std::string tableJson(const AnalysisResult& result, const std::vector<size_t>& rows) {
    std::string out;
    JsonWriter json(out, 2);
    json.beginObject().key("rows").beginArray();
    for (const size_t row : rows) {
        json.beginObject();
        for (const Column& column : result.table.columns()) {
            json.key(column.info.id).raw(cellJson(column.cells[row], column.info));
        }
        json.endObject();
    }
    json.endArray();
    for (const Total& total : result.totals) {
        json.key(total.info.id).raw(cellJson(total.value, total.info));
    }
    json.endObject();
    out += '\n';
    return out;
}

/// Columns that terminals show a text in: bytes without the continuation bytes of UTF-8.
size_t widestLine(std::string_view text) {
    size_t widest = 0, width = 0;
    for (const char c : text) {
        if (c == '\n') {
            widest = std::max(widest, width);
            width = 0;
        } else {
            width += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
        }
    }
    return std::max(widest, width);
}

std::vector<size_t> shownColumns(const Table& table) {
    std::vector<size_t> shown;
    for (size_t i = 0; i < table.columns().size(); ++i) {
        if (table.columns()[i].info.shownByDefault) {
            shown.push_back(i);
        }
    }
    return shown;
}

/// Takes the last column away that is neither the name nor what the rows are ordered by; its title, "" if there is
/// none.
std::string leaveOutColumn(const Table& table, const TableOptions& options, std::vector<size_t>& columns) {
    for (size_t i = columns.size(); i-- > 1;) {
        const ColumnInfo& info = table.columns()[columns[i]].info;
        const auto& order = options.command.defaultOrder;
        const bool isOrder = options.sort.empty() ? std::find(order.begin(), order.end(), info.id) != order.end()
                                                  : options.sort == info.id || options.sort == "-" + info.id;
        if (!isOrder) {
            columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(i));
            return info.title;
        }
    }
    return {};
}

/// Fits a table that is wider than the terminal: shortens texts, then leaves out columns from the end and says which.
std::string fittedText(const Table& table, TableFormatOptions format, const TableOptions& options, size_t room) {
    constexpr size_t kShortText = 24;
    std::string text = formatTable(table, TableFormat::Text, format);
    if (widestLine(text) <= room) {
        return text;
    }
    format.maxTextWidth = kShortText;
    format.columns = shownColumns(table);
    std::string leftOut;
    while (widestLine(text = formatTable(table, TableFormat::Text, format)) > room) {
        const std::string title = leaveOutColumn(table, options, *format.columns);
        if (title.empty()) {
            break;
        }
        leftOut = leftOut.empty() ? title : title + ", " + leftOut;
    }
    if (const size_t width = widestLine(text); width < room) {
        format.maxTextWidth += room - width;
        const std::string wider = formatTable(table, TableFormat::Text, format);
        text = widestLine(wider) <= room ? wider : text;
    }
    return leftOut.empty() ? text : text + "\nNo room for: " + leftOut + ". --wide shows all.\n";
}

std::string tableText(const Table& table, TableFormatOptions format, const TableOptions& options) {
    if (options.wide) {
        format.maxTextWidth = 0;
        return formatTable(table, TableFormat::Text, format);
    }
    const size_t room = outputWidth();
    return room > 0 ? fittedText(table, format, options, room) : formatTable(table, TableFormat::Text, format);
}

std::string headerText(const Trace& trace, const AnalysisResult& result, size_t shownRows) {
    std::string text = oneLine(trace.files()[0].path) + ": " + formatCountOf(result.table.rowCount(), "row");
    if (shownRows < result.table.rowCount()) {
        text += ", " + formatCount(shownRows) + " shown";
    }
    for (const Total& total : result.totals) {
        text += ", " + total.info.title + " " + cellText(total.value, total.info);
    }
    return text + "\n\n";
}

std::string output(const Trace& trace, const AnalysisResult& result, const std::vector<size_t>& rows,
                   const TableOptions& options) {
    TableFormatOptions format;
    format.rows = rows;
    if (options.json) {
        return tableJson(result, rows);
    }
    if (options.csv) {
        return formatTable(result.table, TableFormat::Csv, format);
    }
    if (options.markdown) {
        return formatTable(result.table, TableFormat::Markdown, format);
    }
    return headerText(trace, result, rows.size()) + tableText(result.table, format, options);
}

/// A mistyped category leaves an empty table, which looks like an answer.
void sayUnknownCategories(const Trace& trace, const std::vector<std::string>& wanted, const JobControl& job) {
    const auto counts = wanted.empty() ? Result(std::vector<CategoryCount>()) : countCategories(trace, job);
    if (!counts || wanted.empty()) {
        return;
    }
    std::string known;
    for (const CategoryCount& count : counts.value()) {
        known += (known.empty() ? "" : ", ") + (count.category.empty() ? "(none)" : count.category);
    }
    for (const std::string& category : wanted) {
        if (std::ranges::find(counts.value(), category, &CategoryCount::category) == counts.value().end()) {
            printError("nothing has the category " + category + "; there are: " + known);
        }
    }
}

int runTable(const TableOptions& options) {
    const auto analysis = findAnalysis(options.command.analysisId);
    if (!analysis) {
        return fail(Error::failed("this build has no analysis " + options.command.analysisId));
    }
    const auto trace = loadInputs(options.input);
    if (!trace.ok()) {
        return fail(trace.error());
    }
    AnalysisOptions wanted;
    wanted.filter.text = options.filter;
    wanted.filter.textIsRegex = true;
    wanted.filter.categories = options.categories;
    if (!options.groupBy.empty()) {
        wanted.groupBy = options.groupBy;
    }
    if (!options.range.empty()) {
        const auto whole = trace.value()->range();
        const auto range = parseRange(options.range, whole ? whole->begin : 0);
        if (!range.ok()) {
            return wrongUsage(range.error().message);
        }
        wanted.filter.range = range.value();
    }
    JobControl& job = interruptibleJob();
    const auto result = [&] {
        const ProgressLine progress(job);
        return analysis->run(*trace.value(), wanted, job);
    }();
    if (!result.ok()) {
        return fail(result.error());
    }
    auto rows = orderedRows(result.value().table, options);
    if (!rows.ok()) {
        return wrongUsage(rows.error().message);
    }
    if (options.limit && static_cast<uint64_t>(*options.limit) < rows.value().size()) {
        rows.value().resize(static_cast<size_t>(*options.limit));
    }
    sayUnknownCategories(*trace.value(), options.categories, job);
    const Status status = writeOutput(output(*trace.value(), result.value(), rows.value(), options));
    return status.ok() ? finish(*trace.value(), options.input) : fail(status.error());
}

}  // namespace

void addTableCommand(CLI::App& app, Choice& choice, const TableCommand& table) {
    auto* command = app.add_subcommand(table.name, table.description);
    auto options = std::make_shared<TableOptions>();
    options->command = table;
    addInputOptions(*command, options->input, false);
    const auto analysis = findAnalysis(table.analysisId);
    const bool hasGroupings = analysis && !analysis->info().groupings.empty();
    command->add_option("--group-by", options->groupBy, "what makes a row of its own")
        ->type_name("KEY")
        ->check(
            CLI::Validator([groupings = hasGroupings ? analysis->info().groupings : std::vector<std::string>{"name"},
                            name = table.name](const std::string& key) { return checkGrouping(key, groupings, name); },
                           "", "group-by"));
    command
        ->add_option("--sort", options->sort, "order by a column (an id of --json), largest first; --sort=-COL turns")
        ->type_name("COL");
    command->add_option("--limit", options->limit, "print the first N rows")
        ->type_name("N")
        ->check(CLI::Range(int64_t{0}, std::numeric_limits<int64_t>::max()));
    command->add_option("--filter", options->filter, "only names in which a regular expression is found")
        ->type_name("RE")
        ->check(CLI::Validator(checkRegex, "", "regex"));
    command->add_option("--category", options->categories, "only these categories, with commas between")
        ->type_name("CAT")
        ->delimiter(',')
        ->allow_extra_args(false);
    command
        ->add_option("--range", options->range,
                     "only what begins between two times from the start of the trace: A:B in ns, or with us, ms, s")
        ->type_name("A:B")
        ->check(CLI::Validator(checkRange, "", "range"));
    auto* json = command->add_flag("--json", options->json, "print one JSON document");
    auto* csv = command->add_flag("--csv", options->csv, "print CSV");
    auto* markdown = command->add_flag("--markdown", options->markdown, "print a Markdown table");
    auto* wide = command->add_flag("--wide", options->wide, "print long names and all columns, however wide");
    json->excludes(csv)->excludes(markdown)->excludes(wide);
    csv->excludes(markdown)->excludes(wide);
    markdown->excludes(wide);
    command->footer(table.example);
    command->callback([&choice, options] { choice.run = [options] { return runTable(*options); }; });
}

void addOps(CLI::App& app, Choice& choice) {
    addTableCommand(app, choice,
                    {"ops",
                     "The op table: time by operator, annotation, API call and device work",
                     "op_table",
                     {"self_device_ns", "self_cpu_ns"},
                     "Example: warpline ops trace.json.gz --group-by shape --filter '^aten::' --limit 20"});
}

void addKernels(CLI::App& app, Choice& choice) {
    addTableCommand(app, choice,
                    {"kernels",
                     "One row a kernel name, or more by --group-by: statistics and launch configuration",
                     "kernel_table",
                     {"total_ns"},
                     "Example: warpline kernels trace.json.gz --sort median_ns --range 10ms:20ms --csv"});
}

}  // namespace warpline::cli
