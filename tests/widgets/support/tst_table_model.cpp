// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "widgets/support/cell_text.h"
#include "widgets/support/table_model.h"

using namespace warpline;

class TestTableModel : public QObject {
    Q_OBJECT

private slots:
    void cellsAreShown_data();
    void cellsAreShown();
    void columnsTellHeadingTooltipAndAlignment();
    void orderMovesRowsAndKeepsTheirIndexes();
    void anEmptyModelHasNothing();
    void sharesAreKnownRatiosOnly();
};

namespace {

std::shared_ptr<const Table> sampleTable() {
    auto table = std::make_shared<Table>("name");
    table->addColumn({"name", "Name", "What it is called", ColumnType::Text, Unit::None});
    table->addColumn({"total_ns", "Total", "Sum of durations", ColumnType::Integer, Unit::Nanoseconds});
    table->addColumn({"share", "Share", "Part of the whole", ColumnType::Real, Unit::Ratio});
    table->addColumn({"grid", "Grid", "Blocks", ColumnType::Json, Unit::None});
    table->addRow({std::string("mm"), int64_t{12345}, 0.125, std::string("[128,1,1]")});
    table->addRow({std::string("add"), int64_t{0}, Cell(), Varies{"2 values: [1, 1, 1], [2, 1, 1]"}});
    table->addRow({std::string("relu"), int64_t{9007199254740993}, 1.0, std::string("[[2,3],[4]]")});
    return table;
}

}  // namespace

void TestTableModel::cellsAreShown_data() {
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("exact");
    QTest::addColumn<QVariant>("raw");
    QTest::newRow("text") << 0 << 0 << "mm"
                          << "mm" << QVariant("mm");
    QTest::newRow("time") << 0 << 1 << QString::fromUtf8("12.345 µs") << "12,345 ns" << QVariant(12345LL);
    QTest::newRow("ratio") << 0 << 2 << "12.5 %"
                           << "0.125" << QVariant(0.125);
    QTest::newRow("dimensions") << 0 << 3 << QString::fromUtf8("128 × 1 × 1") << "[128,1,1]" << QVariant("[128,1,1]");
    QTest::newRow("zero") << 1 << 1 << "0 ns"
                          << "0 ns" << QVariant(0LL);
    QTest::newRow("unknown") << 1 << 2 << "n/a"
                             << "not known from this trace" << QVariant();
    QTest::newRow("varies") << 1 << 3 << "varies"
                            << "2 values: [1, 1, 1], [2, 1, 1]" << QVariant();
    QTest::newRow("above 2^53") << 2 << 1 << "150119 min 59.3 s"
                                << "9,007,199,254,740,993 ns" << QVariant(9007199254740993LL);
    QTest::newRow("shapes") << 2 << 3 << "[[2,3],[4]]"
                            << "[[2,3],[4]]" << QVariant("[[2,3],[4]]");
}

void TestTableModel::cellsAreShown() {
    QFETCH(int, row);
    QFETCH(int, column);
    TableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setTable(sampleTable());
    const QModelIndex index = model.index(row, column);
    QTEST(index.data().toString(), "text");
    QTEST(index.data(Qt::ToolTipRole).toString(), "exact");
    QTEST(index.data(TableModel::RawRole), "raw");
}

void TestTableModel::columnsTellHeadingTooltipAndAlignment() {
    TableModel model;
    model.setTable(sampleTable());
    QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), "Total");
    QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::ToolTipRole).toString(), "Sum of durations");
    const auto alignment = [&](int column) {
        return model.index(0, column).data(Qt::TextAlignmentRole).value<Qt::Alignment>();
    };
    QVERIFY(alignment(0).testFlag(Qt::AlignLeft));
    QVERIFY(alignment(1).testFlag(Qt::AlignRight));
    QVERIFY(alignment(3).testFlag(Qt::AlignLeft));
    QCOMPARE(model.columnOf("share"), 2);
    QCOMPARE(model.columnOf("nothing"), -1);
}

void TestTableModel::orderMovesRowsAndKeepsTheirIndexes() {
    TableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const std::shared_ptr<const Table> table = sampleTable();
    model.setTable(table);
    const QPersistentModelIndex relu = model.index(2, 0);
    QSignalSpy changed(&model, &QAbstractItemModel::layoutChanged);
    const auto order = table->sortedRows("share", true);
    QVERIFY(order.ok());
    model.setOrder(order.value());
    QCOMPARE(changed.count(), 1);
    QCOMPARE(model.index(0, 0).data().toString(), "relu");
    QCOMPARE(model.index(1, 0).data().toString(), "mm");
    // Unknown comes last in either direction.
    QCOMPARE(model.index(2, 0).data().toString(), "add");
    QCOMPARE(relu.row(), 0);
    QCOMPARE(model.tableRow(0), size_t{2});
    model.setOrder(table->sortedRows("share", false).value());
    QCOMPARE(model.index(0, 0).data().toString(), "mm");
    QCOMPARE(model.index(2, 0).data().toString(), "add");
    QCOMPARE(relu.row(), 1);
}

void TestTableModel::anEmptyModelHasNothing() {
    TableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.columnCount(), 0);
    model.setTable(sampleTable());
    QCOMPARE(model.rowCount(), 3);
    model.setTable(nullptr);
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.headerData(0, Qt::Horizontal), QVariant());
}

void TestTableModel::sharesAreKnownRatiosOnly() {
    TableModel model;
    model.setTable(sampleTable());
    QCOMPARE(model.index(0, 2).data(TableModel::ShareRole), QVariant(0.125));
    QVERIFY(!model.index(1, 2).data(TableModel::ShareRole).isValid());
    QVERIFY(!model.index(0, 1).data(TableModel::ShareRole).isValid());
}

QTEST_MAIN(TestTableModel)
#include "tst_table_model.moc"
