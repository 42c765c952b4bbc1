// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/trace/process_title.h"
#include "core/trace/trace_builder.h"
#include "tests/support/trace_text.h"

using namespace warpline;

class TestProcessTitle : public QObject {
    Q_OBJECT

private slots:
    void titles_data();
    void titles();
    void tracks();
};

using Ranks = QList<int>;  ///< one a file; -1: the file gives none

void TestProcessTitle::titles_data() {
    QTest::addColumn<Ranks>("ranks");
    QTest::addColumn<QStringList>("titles");
    QTest::newRow("one file") << Ranks{3} << QStringList{"python"};
    QTest::newRow("ranks") << Ranks{0, 3} << QStringList{"rank 0 \u00b7 python", "rank 3 \u00b7 python"};
    QTest::newRow("no ranks") << Ranks{-1, -1} << QStringList{"f0.json \u00b7 python", "f1.json \u00b7 python"};
    QTest::newRow("one rank in two files")
        << Ranks{1, 1, 2} << QStringList{"f0.json \u00b7 python", "f1.json \u00b7 python", "rank 2 \u00b7 python"};
}

void TestProcessTitle::titles() {
    QFETCH(Ranks, ranks);
    QFETCH(QStringList, titles);
    TraceBuilder builder;
    for (qsizetype i = 0; i < ranks.size(); ++i) {
        FileInfo info;
        info.path = "/folder/f" + std::to_string(i) + ".json";
        if (ranks[i] >= 0) {
            info.rank = ranks[i];
        }
        const ProcessId process = builder.process(builder.addFile(info), "7");
        builder.nameProcess(process, builder.intern("python"));
        SliceRecord slice;
        slice.duration = 5;
        slice.track = builder.track(process, "7");
        builder.addSlice(slice);
    }
    JobControl job;
    const auto trace = builder.seal(job);
    QVERIFY(trace.ok());
    QStringList found;
    for (const ProcessId id : trace.value()->processOrder()) {
        found << QString::fromStdString(processTitle(*trace.value(), id));
    }
    QCOMPARE(found, titles);
}

void TestProcessTitle::tracks() {
    const auto trace = test::traceFromText(R"~(
cpu 9/12: a 0..1
cpu 9/13: a 0..1
cpu 9/14: a 0..1
gpu 0 stream 7: k 0..1
name thread 9/13 "thread 13 (pt_autograd_0)"
name thread 9/14 "loader "
)~");
    QStringList found;
    for (uint32_t id = 0; id < trace->tracks().size(); ++id) {
        found << QString::fromStdString(trackTitle(*trace, TrackId(id)));
    }
    found.sort();
    QCOMPARE(found, (QStringList{"loader", "pt_autograd_0 (13)", "stream 7", "thread 12"}));
}

QTEST_APPLESS_MAIN(TestProcessTitle)
#include "tst_process_title.moc"
