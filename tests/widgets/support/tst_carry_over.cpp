// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/loaders/load_trace.h"
#include "tests/core/loaders/loader_testing.h"
#include "tests/support/trace_text.h"
#include "widgets/support/carry_over.h"

using namespace warpline;
using test::traceFromText;

class TestCarryOver : public QObject {
    Q_OBJECT

private slots:
    void slices_data();
    void slices();
    void instants();
    void counterSamples();
    void asyncWork();
    void areas();
    void filesThatMoveTakeTheirEventsAlong();
};

namespace {

EventRow rowNamed(const Trace& trace, std::string_view name, uint32_t number = 0) {
    for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
        if (trace.sliceName(EventRow(row)) == name && number-- == 0) {
            return EventRow(row);
        }
    }
    return EventRow::none();
}

}  // namespace

void TestCarryOver::slices_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("begin");  ///< of the slice "x" that is found in the trace after, "" if none
    QTest::newRow("rows move") << "cpu main: a 0..10 x 20..30"
                               << "cpu early: z 0..5\ncpu main: a 0..10 b 12..15 x 20..30"
                               << "20";
    QTest::newRow("of several the one of this time") << "cpu main: x 20..30"
                                                     << "cpu main: x 0..10 x 20..30 x 40..50"
                                                     << "20";
    QTest::newRow("the end came later") << "cpu main: x 20..?"
                                        << "cpu main: x 20..90"
                                        << "20";
    QTest::newRow("another name") << "cpu main: x 20..30"
                                  << "cpu main: y 20..30"
                                  << "";
    QTest::newRow("another time") << "cpu main: x 20..30"
                                  << "cpu main: x 21..30"
                                  << "";
    QTest::newRow("another thread") << "cpu main: x 20..30"
                                    << "cpu worker: x 20..30"
                                    << "";
    QTest::newRow("nothing") << "cpu main: x 20..30"
                             << ""
                             << "";
}

void TestCarryOver::slices() {
    QFETCH(QString, before);
    QFETCH(QString, after);
    QFETCH(QString, begin);
    const auto from = traceFromText(before.toStdString());
    const auto to = traceFromText(after.toStdString());
    const CarryOver carry(*from, *to);
    const Selection found = carry.selection(Selection::slice(rowNamed(*from, "x")));
    if (begin.isEmpty()) {
        QCOMPARE(found, Selection());
        return;
    }
    QVERIFY(found.kind == Selection::Kind::Slice);
    QCOMPARE(to->sliceName(EventRow(found.index)), std::string_view("x"));
    QCOMPARE(to->slices().begin[found.index], TimeNs(begin.toLongLong()));
}

void TestCarryOver::instants() {
    const auto from = traceFromText("cpu main: a 0..10\ninstant main: mark 5 other 5 mark 9");
    const auto to = traceFromText("cpu main: a 0..10\ninstant main: mark 1 mark 5 other 5 mark 9");
    const CarryOver carry(*from, *to);
    for (uint32_t i = 0; i < from->instants().size(); ++i) {
        const Selection found = carry.selection({Selection::Kind::Instant, i});
        QVERIFY(found.kind == Selection::Kind::Instant);
        QCOMPARE(to->instants()[found.index].time, from->instants()[i].time);
        QCOMPARE(to->string(to->instants()[found.index].name), from->string(from->instants()[i].name));
    }
}

void TestCarryOver::counterSamples() {
    const auto from = traceFromText("cpu main: a 0..10\ncounter c: 5=1 7=2");
    const auto to = traceFromText("cpu main: a 0..10\ncounter b: 7=9\ncounter c: 1=0 5=1 7=2");
    const Selection found = CarryOver(*from, *to).selection({Selection::Kind::CounterSample, 0, 0, 1});
    QVERIFY(found.kind == Selection::Kind::CounterSample);
    const Counter& counter = to->counters()[found.index];
    QCOMPARE(to->string(counter.name), std::string_view("c"));
    QCOMPARE(counter.series[found.series].time[found.sample], TimeNs(7));
}

void TestCarryOver::asyncWork() {
    const QByteArray early =
        R"({"ph":"b","cat":"c","name":"x","id":1,"pid":1,"tid":1,"ts":5},{"ph":"e","cat":"c","name":"x","id":1,"pid":1,"tid":1,"ts":9},)"
        R"({"ph":"n","cat":"c","name":"m","id":1,"pid":1,"tid":1,"ts":6})";
    const QByteArray late = early + R"(,{"ph":"b","cat":"c","name":"y","id":2,"pid":1,"tid":1,"ts":50})";
    // Others that begin before, or with it under another id.
    const QByteArray first =
        R"({"ph":"b","cat":"c","name":"x","id":0,"pid":1,"tid":1,"ts":5},{"ph":"e","cat":"c","name":"x","id":0,"pid":1,"tid":1,"ts":9},)"
        R"({"ph":"n","cat":"c","name":"m","id":0,"pid":1,"tid":1,"ts":2},{"ph":"b","cat":"c","name":"w","id":8,"pid":1,"tid":1,"ts":1},)" +
        early;
    QByteArray other = early;
    other.replace("\"ts\":5", "\"ts\":4").replace("\"ts\":6", "\"ts\":7");
    const auto from = test::loadText("[" + early + "]").value();
    const auto grown = test::loadText("[" + late + "]").value();
    const auto longer = test::loadText("[" + first + "]").value();
    const auto changed = test::loadText("[" + other + "]").value();
    const auto none = test::loadText(R"([{"ph":"X","name":"x","pid":1,"tid":1,"ts":5,"dur":4}])").value();
    for (const Selection::Kind kind : {Selection::Kind::AsyncSlice, Selection::Kind::AsyncInstant}) {
        const Selection wanted{kind, 0};
        QVERIFY(wanted.isIn(*from));
        QCOMPARE(CarryOver(*from, *grown).selection(wanted), wanted);
        const Selection later = CarryOver(*from, *longer).selection(wanted);
        QCOMPARE(later.kind, kind);
        QVERIFY(later != wanted);
        QCOMPARE(QString::fromStdString(
                     longer->idText(*(kind == Selection::Kind::AsyncSlice ? longer->asyncSlices()[later.index].id
                                                                          : longer->asyncInstants()[later.index].id))),
                 QString("1"));
        QCOMPARE(CarryOver(*from, *changed).selection(wanted), Selection());
        QCOMPARE(CarryOver(*from, *none).selection(wanted), Selection());
    }
}

void TestCarryOver::areas() {
    const auto from = traceFromText("cpu main: a 0..10\ncpu worker: b 0..10");
    const auto to = traceFromText("cpu early: z 0..5\ncpu main: a 0..10");
    const CarryOver carry(*from, *to);
    const TrackId main = from->slices().track[rowNamed(*from, "a").value];
    const TrackId worker = from->slices().track[rowNamed(*from, "b").value];
    const TrackId now = to->slices().track[rowNamed(*to, "a").value];
    QCOMPARE(carry.area({{2, 5}, {main, worker}}), (AreaSelection{{2, 5}, {now}}));
    QCOMPARE(carry.area({{2, 5}, {}}), (AreaSelection{{2, 5}, {}}));
    QVERIFY(!carry.area({{2, 5}, {worker}}).has_value());
}

void TestCarryOver::filesThatMoveTakeTheirEventsAlong() {
    const auto load = [](std::string_view second, DurationNs offset) {
        QTemporaryDir folder;
        std::vector<std::string> paths;
        for (const auto& [name, text] : {std::pair<QString, std::string_view>(
                                             "a.json", R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}])"),
                                         std::pair<QString, std::string_view>("b.json", second)}) {
            QFile file(folder.filePath(name));
            if (!file.open(QIODevice::WriteOnly)) {
                qFatal("no temporary file");
            }
            file.write(text.data(), static_cast<qint64>(text.size()));
            paths.push_back(name.toStdString());
        }
        const QString before = QDir::currentPath();
        QDir::setCurrent(folder.path());
        JobControl job;
        auto trace = loadTrace(paths, {}, job, {{1, offset}});
        QDir::setCurrent(before);
        return trace.value();
    };
    constexpr std::string_view kSecond = R"([{"ph":"X","name":"x","pid":1,"tid":1,"ts":5,"dur":1}])";
    const auto from = load(kSecond, 0);
    const auto to = load(kSecond, -3'000);
    const Selection found = CarryOver(*from, *to).selection(Selection::slice(rowNamed(*from, "x")));
    QVERIFY(found.kind == Selection::Kind::Slice);
    QCOMPARE(to->slices().begin[found.index], TimeNs(2'000));
}

QTEST_GUILESS_MAIN(TestCarryOver)
#include "tst_carry_over.moc"
