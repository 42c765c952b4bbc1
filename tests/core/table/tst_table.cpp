// SPDX-License-Identifier: MIT
#include <QtTest>
#include <limits>

#include "core/table/table.h"
#include "core/table/table_format.h"

using namespace warpline;

namespace {

Table sample() {
    Table table;
    table.addColumn({"key", "Name", "", ColumnType::Text, Unit::None});
    table.addColumn({"self_ns", "Self", "", ColumnType::Integer, Unit::Nanoseconds});
    table.addColumn({"avg_ns", "Avg", "", ColumnType::Real, Unit::Nanoseconds});
    table.addColumn({"grid", "Grid", "", ColumnType::Json, Unit::None, false});
    table.addRow({std::string("b"), int64_t{9007199254740993}, 0.1, std::string("[1, 2, 3]")});
    table.addRow({std::string("a, \"q\""), int64_t{2}, Cell(), Cell()});
    table.addRow({std::string("c|_\n"), Cell(), 2.0, std::string("[]")});
    table.addRow({std::string("é"), int64_t{9007199254740992}, std::numeric_limits<double>::infinity(), Cell()});
    return table;
}

std::vector<size_t> sorted(const char* id, bool descending) {
    return sample().sortedRows(id, descending).value();
}

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

}  // namespace

class tst_Table : public QObject {
    Q_OBJECT
private slots:
    void sorting() {
        using Rows = std::vector<size_t>;
        // Differences above 2^53 count; unknown is last either way.
        QCOMPARE(sorted("self_ns", false), (Rows{1, 3, 0, 2}));
        QCOMPARE(sorted("self_ns", true), (Rows{0, 3, 1, 2}));
        QCOMPARE(sorted("-self_ns", false), (Rows{0, 3, 1, 2}));
        QCOMPARE(sorted("key", false), (Rows{1, 0, 2, 3}));
        QCOMPARE(sorted("avg_ns", true), (Rows{3, 2, 0, 1}));
        const auto none = sample().sortedRows("nope", false);
        QVERIFY(!none.ok());
        QVERIFY(text(none.error().message).contains(QStringLiteral("self_ns")));
    }
    void equalCellsKeepTheirOrder() {
        Table table;
        table.addColumn({"n", "N", "", ColumnType::Integer, Unit::None});
        for (int i = 0; i < 4; ++i) {
            table.addRow({int64_t{i % 2}});
        }
        QCOMPARE(table.sortedRows("n", true).value(), (std::vector<size_t>{1, 3, 0, 2}));
    }
    void json() {
        QCOMPARE(
            text(formatTable(sample(), TableFormat::JsonRows)),
            QStringLiteral("[\n"
                           "{\"key\": \"b\", \"self_ns\": 9007199254740993, \"avg_ns\": 0.1, \"grid\": [1, 2, 3]},\n"
                           "{\"key\": \"a, \\\"q\\\"\", \"self_ns\": 2, \"avg_ns\": null, \"grid\": null},\n"
                           "{\"key\": \"c|_\\n\", \"self_ns\": null, \"avg_ns\": 2, \"grid\": []},\n"
                           "{\"key\": \"é\", \"self_ns\": 9007199254740992, \"avg_ns\": null, \"grid\": null}\n"
                           "]"));
        QCOMPARE(text(formatTable(Table(), TableFormat::JsonRows)), QStringLiteral("[]"));
    }
    void csv() {
        TableFormatOptions options;
        options.rows = std::vector<size_t>{1, 0};
        QCOMPARE(text(formatTable(sample(), TableFormat::Csv, options)),
                 QStringLiteral(
                     "key,self_ns,avg_ns,grid\r\n\"a, \"\"q\"\"\",2,,\r\nb,9007199254740993,0.1,\"[1, 2, 3]\"\r\n"));
    }
    void whatVariesIsSaidInTextsAndSortedLast() {
        Table table;
        table.addColumn({"n", "N", "", ColumnType::Integer, Unit::None});
        for (const Cell& cell : {Cell(Varies{"2 values, 1 to 3"}), Cell(int64_t{1}), Cell(int64_t{2})}) {
            table.addRow({cell});
        }
        QCOMPARE(text(formatTable(table, TableFormat::Csv)), QStringLiteral("n\r\nvaries\r\n1\r\n2\r\n"));
        QCOMPARE(text(formatTable(table, TableFormat::Text)), QStringLiteral("     N\nvaries\n     1\n     2\n"));
        QCOMPARE(text(formatTable(table, TableFormat::JsonRows)),
                 QStringLiteral("[\n{\"n\": null},\n{\"n\": 1},\n{\"n\": 2}\n]"));
        QVERIFY(table.sortedRows("n", false).value() == std::vector<size_t>({1, 2, 0}));
        QVERIFY(table.sortedRows("n", true).value() == std::vector<size_t>({2, 1, 0}));
    }
    void markdown() {
        TableFormatOptions options;
        options.columns = std::vector<size_t>{0, 2};
        options.rows = std::vector<size_t>{2, 1};
        QCOMPARE(text(formatTable(sample(), TableFormat::Markdown, options)),
                 QStringLiteral("| Name | Avg |\n| --- | ---: |\n| c\\|\\_  | 2 ns |\n| a, \"q\" | n/a |\n"));
    }
    void plainText() {
        TableFormatOptions options;
        options.rows = std::vector<size_t>{3, 1};
        options.maxTextWidth = 4;
        const QStringList lines = text(formatTable(sample(), TableFormat::Text, options)).split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), qsizetype{4});
        QVERIFY(lines[0].startsWith(QStringLiteral("Name  ")));
        QVERIFY(!lines[0].contains(QStringLiteral("Grid")));
        QCOMPARE(lines[1].size(), lines[2].size());
        QVERIFY(lines[2].startsWith(QStringLiteral("a, …  ")));
        QVERIFY(lines[2].endsWith(QStringLiteral("2 ns  n/a")));
    }
    void cells() {
        const ColumnInfo ratio{"r", "R", "", ColumnType::Real, Unit::Ratio};
        QCOMPARE(text(cellText(0.5, ratio)), QStringLiteral("50.0 %"));
        const ColumnInfo count{"c", "C", "", ColumnType::Integer, Unit::Count};
        QCOMPARE(text(cellText(int64_t{12345}, count)), QStringLiteral("12,345"));
        QCOMPARE(text(cellText(std::numeric_limits<int64_t>::min(), count)),
                 QStringLiteral("-9,223,372,036,854,775,808"));
        QCOMPARE(text(cellText(Cell(), count)), QStringLiteral("n/a"));
        QCOMPARE(text(cellText(Varies{"2 values, 1 to 3"}, count)), QStringLiteral("varies"));
        QCOMPARE(text(cellJson(Varies{"2 values, 1 to 3"}, count)), QStringLiteral("null"));
        const ColumnInfo plain{"w", "W", "", ColumnType::Real, Unit::None};
        QCOMPARE(text(cellText(3.878787878, plain)), QStringLiteral("3.879"));
    }
};

QTEST_APPLESS_MAIN(tst_Table)
#include "tst_table.moc"
