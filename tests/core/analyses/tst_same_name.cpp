// SPDX-License-Identifier: MIT
#include <QTest>

#include <random>

#include "core/analyses/same_name.h"
#include "tests/support/trace_text.h"

using namespace warpline;

class TestSameName : public QObject {
    Q_OBJECT

private slots:
    void stepsOverTracks();
    void agreesWithAScan();
    void isStopped();
};

void TestSameName::stepsOverTracks() {
    const auto trace = test::traceFromText("cpu main: a 0..10 b 20..30 a 40..50\ngpu 0 stream 7: a 5..8 b 40..45");
    const JobControl job;
    const auto step = [&](uint32_t row, int direction) {
        return besideWithSameName(*trace, EventRow(row), direction, job).value();
    };
    EventRow first;
    for (uint32_t row = 0; row < trace->sliceCount(); ++row) {
        if (trace->slices().begin[row] == 0) {
            first = EventRow(row);
        }
    }
    const EventRow second = step(first.value, 1);
    QCOMPARE(trace->slices().begin[second.value], TimeNs(5));
    const EventRow third = step(second.value, 1);
    QCOMPARE(trace->slices().begin[third.value], TimeNs(40));
    QCOMPARE(trace->sliceName(third), std::string_view("a"));
    QVERIFY(!step(third.value, 1).valid());
    QCOMPARE(step(third.value, -1), second);
    QCOMPARE(step(second.value, -1), first);
    QVERIFY(!step(first.value, -1).valid());
}

void TestSameName::agreesWithAScan() {
    std::mt19937 random(3);
    std::string text;
    for (int track = 0; track < 4; ++track) {
        text += "cpu t" + std::to_string(track) + ":";
        int at = 0;
        for (int i = 0; i < 60; ++i) {
            at += static_cast<int>(random() % 3);
            const int length = static_cast<int>(random() % 2);
            text +=
                std::string(" ") + "abc"[random() % 3] + " " + std::to_string(at) + ".." + std::to_string(at + length);
            at += length;
        }
        text += "\n";
    }
    const auto trace = test::traceFromText(text);
    const SliceColumns& slices = trace->slices();
    const JobControl job;
    const auto key = [&](uint32_t row) { return std::pair(slices.begin[row], row); };
    for (uint32_t from = 0; from < slices.size(); ++from) {
        for (const int direction : {1, -1}) {
            EventRow expected;
            for (uint32_t row = 0; row < slices.size(); ++row) {
                if (slices.name[row] == slices.name[from] &&
                    (direction > 0 ? key(row) > key(from) : key(row) < key(from)) &&
                    (!expected.valid() ||
                     (direction > 0 ? key(row) < key(expected.value) : key(row) > key(expected.value)))) {
                    expected = EventRow(row);
                }
            }
            QCOMPARE(besideWithSameName(*trace, EventRow(from), direction, job).value(), expected);
        }
    }
}

void TestSameName::isStopped() {
    std::string text = "cpu main: a 0..1";
    for (int i = 1; i < 20'000; ++i) {
        text += " b " + std::to_string(i * 2) + ".." + std::to_string(i * 2 + 1);
    }
    const auto trace = test::traceFromText(text);
    JobControl job;
    job.requestStop();
    const auto found = besideWithSameName(*trace, EventRow(0U), 1, job);
    QVERIFY(!found.ok() && found.error().isCancelled());
}

QTEST_APPLESS_MAIN(TestSameName)
#include "tst_same_name.moc"
