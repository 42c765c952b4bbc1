// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <string>

#include "tests/support/trace_text.h"
#include "widgets/panels/timeline/track_filter.h"
#include "widgets/panels/timeline/track_order.h"

using namespace warpline;
using namespace warpline::timeline;

class TestTrackOrder : public QObject {
    Q_OBJECT

private slots:
    void init();
    void movesAmongTheTracksOfAProcess();
    void movesProcesses();
    void namesNoMoreThanItMust();
    void movesNothingToAnotherProcess();
    void otherProcessesKeepTheirOrder();
    void filters_data();
    void filters();

private:
    std::string tracksOf(ProcessId process, const TrackArrangement& arrangement) const {
        std::string text;
        for (const TrackItem& item : orderedItems(*m_trace, *m_model, process, ArrangementIndex(arrangement))) {
            text += (text.empty() ? "" : " ") + itemTitle(*m_trace, *m_model, item);
        }
        return text;
    }
    std::string processes(const TrackArrangement& arrangement) const {
        std::string text;
        for (const ProcessId id : orderedProcesses(*m_trace, *m_model, ArrangementIndex(arrangement))) {
            text += std::string(m_trace->string(*m_trace->process(id).pid)) + " ";
        }
        return text;
    }
    SectionRef named(ProcessId process, std::string_view title) const {
        for (const TrackItem& item : orderedItems(*m_trace, *m_model, process, ArrangementIndex())) {
            if (itemTitle(*m_trace, *m_model, item) == title) {
                return item.ref;
            }
        }
        return {};
    }
    ProcessId pid(std::string_view text) const {
        for (uint32_t i = 0; i < m_trace->processes().size(); ++i) {
            if (m_trace->string(*m_trace->processes()[i].pid) == text) {
                return ProcessId(i);
            }
        }
        return ProcessId::none();
    }
    TrackArrangement moved(const TrackArrangement& from, const SectionRef& what, const SectionRef& beside,
                           bool after) const {
        return withMoved(*m_trace, *m_model, from, what, beside, after);
    }

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const TimelineModel> m_model;
};

void TestTrackOrder::init() {
    m_trace = test::traceFromText(
        "cpu 1/1: a 0..9\ncpu 1/2: a 0..9\ncpu 1/3: a 0..9\ncpu 1/4: a 0..9\ncounter memory: 0=1 5=3\n"
        "cpu 2/1: a 0..9\ncpu 2/2: a 0..9\ncpu 3/1: a 0..9\n");
    m_model = buildTimelineModel(*m_trace);
}

void TestTrackOrder::movesAmongTheTracksOfAProcess() {
    const ProcessId one = pid("1");
    QCOMPARE(tracksOf(one, {}), std::string("thread 1 thread 2 thread 3 thread 4"));
    const TrackArrangement first = moved({}, named(one, "thread 3"), named(one, "thread 1"), false);
    QCOMPARE(tracksOf(one, first), std::string("thread 3 thread 1 thread 2 thread 4"));
    const TrackArrangement then = moved(first, named(one, "thread 1"), named(one, "thread 4"), true);
    QCOMPARE(tracksOf(one, then), std::string("thread 3 thread 2 thread 4 thread 1"));
    QCOMPARE(tracksOf(pid("2"), then), std::string("thread 1 thread 2"));
}

void TestTrackOrder::movesProcesses() {
    const std::string before = processes({});
    const TrackArrangement last = moved({}, SectionRef::ofProcess(pid("3")), SectionRef::ofProcess(pid("1")), false);
    QVERIFY(processes(last).find("3 ") < processes(last).find("1 "));
    QVERIFY(processes(last).find("1 ") < processes(last).find("2 "));
    QCOMPARE(processes(moved(last, SectionRef::ofProcess(pid("3")), SectionRef::ofProcess(pid("2")), true)), before);
}

void TestTrackOrder::namesNoMoreThanItMust() {
    const ProcessId one = pid("1");
    const TrackArrangement second = moved({}, named(one, "thread 2"), named(one, "thread 1"), false);
    QCOMPARE(second.order, (std::vector<SectionRef>{named(one, "thread 2")}));
    // Back where it was there is nothing to say.
    QVERIFY(moved(second, named(one, "thread 2"), named(one, "thread 1"), true).empty());
}

void TestTrackOrder::movesNothingToAnotherProcess() {
    QVERIFY(moved({}, named(pid("1"), "thread 2"), named(pid("2"), "thread 1"), false).empty());
    QVERIFY(moved({}, named(pid("1"), "thread 2"), named(pid("1"), "thread 2"), true).empty());
}

void TestTrackOrder::otherProcessesKeepTheirOrder() {
    const ProcessId one = pid("1");
    const ProcessId two = pid("2");
    TrackArrangement both = moved({}, named(two, "thread 2"), named(two, "thread 1"), false);
    both = moved(both, named(one, "thread 4"), named(one, "thread 1"), false);
    QCOMPARE(tracksOf(two, both), std::string("thread 2 thread 1"));
    QCOMPARE(tracksOf(one, both), std::string("thread 4 thread 1 thread 2 thread 3"));
}

void TestTrackOrder::filters_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("passes");
    QTest::newRow("nothing") << QByteArray("  ") << true;
    QTest::newRow("own title") << QByteArray("STREAM") << true;
    QTest::newRow("of the process") << QByteArray("gpu") << true;
    QTest::newRow("one of each") << QByteArray("7  gpu") << true;
    QTest::newRow("not all words") << QByteArray("stream 8") << false;
    QTest::newRow("beyond ASCII") << QByteArray("MÜLLER") << true;
    QTest::newRow("no word across both") << QByteArray("python3stream") << false;
}

void TestTrackOrder::filters() {
    QFETCH(QByteArray, text);
    QFETCH(bool, passes);
    QCOMPARE(TrackFilter(text.toStdString()).passes("GPU 0 · müller's python3", "stream 7"), passes);
    QCOMPARE(TrackFilter(text.toStdString()).within("GPU 0 · müller's python3").passes({}, "stream 7"), passes);
    QCOMPARE(TrackFilter(text.toStdString()).empty(), text.trimmed().isEmpty());
}

QTEST_APPLESS_MAIN(TestTrackOrder)
#include "tst_track_order.moc"
