// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/support/trace_text.h"
#include "widgets/panels/timeline/elided_title.h"

using namespace warpline;
using namespace warpline::timeline;

namespace {

/// A font in which each sign takes one pixel.
int signs(const QString& text) {
    return static_cast<int>(text.size());
}

}  // namespace

class TestElidedTitle : public QObject {
    Q_OBJECT
private slots:
    void cuts_data() {
        QTest::addColumn<QString>("title");
        QTest::addColumn<QStringList>("neighbours");
        QTest::addColumn<int>("width");
        QTest::addColumn<QString>("shown");
        const auto row = [](const char* name, const char* title, const QStringList& neighbours, int width,
                            const char* shown) {
            QTest::newRow(name) << QString::fromUtf8(title) << neighbours << width << QString::fromUtf8(shown);
        };
        row("fits", "stream 7", {"stream 8"}, 8, "stream 7");
        row("in the middle", "abcdefghijkl", {}, 7, "abc…jkl");
        row("the end tells", "worker thread number 12", {"worker thread number 13"}, 11, "worke…er 12");
        row("the begin tells", "alpha of a long name", {"gamma of a long name"}, 11, "alpha… name");
        row("the middle tells", "python worker 12 of the pool with a long name",
            {"python worker 13 of the pool with a long name"}, 20, "python…12 of the po…");
        row("what follows fits", "common beginning of all: loader (pid 1)", {"common beginning of all: writer (pid 1)"},
            22, "common …loader (pid 1)");
        row("two neighbours that differ at two places", "common part here 12 of 34 and again a common end",
            {"common part here 11 of 34 and again a common end", "common part here 12 of 35 and again a common end"},
            24, "common p…12 of 34 and a…");
        row("one that is the same", "abcdefghijkl", {"abcdefghijkl"}, 7, "abc…jkl");
        row("one that goes on", "a long common beginning", {"a long common beginning and more"}, 12, "a long…nning");
        row("no room for what differs", "a long common beginning loader and a common end",
            {"a long common beginning writer and a common end"}, 6, "…load…");
        row("no room at all", "abcdef", {}, 1, "…");
        row("not even that", "abcdef", {"abcdeg"}, 0, "…");
        row("signs of two halves stay whole", "\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80", {}, 6,
            "\xF0\x9F\x98\x80…\xF0\x9F\x98\x80");
    }
    void cuts() {
        QFETCH(QString, title);
        QFETCH(QStringList, neighbours);
        QFETCH(int, width);
        const std::vector<QString> beside(neighbours.begin(), neighbours.end());
        const QString shown = elidedTitle(title, beside, width, signs);
        QTEST(shown, "shown");
        QVERIFY(shown.size() <= std::max(width, 1));
    }
    /// Whatever the room, what is told apart by the full titles is told apart as long as there is room for it.
    void neighboursLookDifferent() {
        const QString begin = "pt_autograd_backward_worker_of_rank_0 (";
        for (int width = 12; width < 60; ++width) {
            std::vector<QString> shown;
            for (int i = 0; i < 5; ++i) {
                std::vector<QString> beside;
                for (int other = std::max(0, i - 2); other <= std::min(4, i + 2); ++other) {
                    if (other != i) {
                        beside.push_back(begin + QString::number(1000 + other) + ") of a common end");
                    }
                }
                shown.push_back(
                    elidedTitle(begin + QString::number(1000 + i) + ") of a common end", beside, width, signs));
            }
            for (size_t i = 0; i + 1 < shown.size(); ++i) {
                QVERIFY2(shown[i] != shown[i + 1], qPrintable(QString("%1: %2").arg(width).arg(shown[i])));
            }
        }
    }
    void whatStandsBeside() {
        const auto trace = test::traceFromText(R"(
            cpu 1/1: a 0..10 { b 1..2 }
            cpu 1/2: a 0..10
            cpu 2/3: a 0..10 { b 1..2 }
            cpu 2/4: a 0..10)");
        const auto model = buildTimelineModel(*trace);
        const LaneLayout layout = LaneLayout::build(*trace, *model, initialLayoutState(*trace, *model, 1000));
        QStringList lines;
        for (size_t i = 0; i < layout.sections().size(); ++i) {
            const std::vector<QString> beside = titlesBeside(layout, i);
            lines << QString::fromStdString(layout.sections()[i].title) + ": " +
                         QStringList(beside.begin(), beside.end()).join(" ");
        }
        QCOMPARE(lines, QStringList({"process 1: process 2", "thread 1: thread 2", "thread 2: thread 1 thread 3",
                                     "process 2: process 1", "thread 3: thread 2 thread 4", "thread 4: thread 3"}));
    }
    void rememberedUntilTheWidthChanges() {
        const auto trace = test::traceFromText("cpu 1/1: a 0..10 { b 1..2 }\ncpu 1/2: a 0..10");
        const auto model = buildTimelineModel(*trace);
        const LaneLayout layout = LaneLayout::build(*trace, *model, initialLayoutState(*trace, *model, 1000));
        ElidedTitles titles;
        int asked = 0;
        const TextWidth counted = [&asked](const QString& text) { return ++asked, signs(text); };
        QCOMPARE(titles.of(layout, 1, 4, counted).size(), 4);
        const int first = asked;
        QVERIFY(first > 0);
        titles.of(layout, 1, 4, counted);
        QCOMPARE(asked, first);
        QCOMPARE(titles.of(layout, 1, 5, counted).size(), 5);
        QVERIFY(asked > first);
    }
};

QTEST_GUILESS_MAIN(TestElidedTitle)
#include "tst_elided_title.moc"
