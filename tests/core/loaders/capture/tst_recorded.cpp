// SPDX-License-Identifier: MIT
// Recordings made on an H200 of programs whose work is known (tests/gpu/record_sample.cu and torch_sample.py): what
// they hold is what was launched. UUIDs and paths were replaced before they were stored; code was left out of two of
// them.
#include "core/trace/category_counts.h"
#include "tests/core/loaders/capture/capture_testing.h"
#include "tests/support/capture_reader.h"
#include "tests/support/cli_process.h"

using namespace warpline;
using namespace warpline::test;

class tst_Recorded : public QObject {
    Q_OBJECT

private slots:
    void holdsWhatWasLaunched_data();
    void holdsWhatWasLaunched();
    void everyKernelHasItsLaunch_data();
    void everyKernelHasItsLaunch();
    void kernelsThatWereChosen();
    void peaksOfTheAllocator();

private:
    static std::shared_ptr<const Trace> load(const QString& name);
};

std::shared_ptr<const Trace> tst_Recorded::load(const QString& name) {
    QFile file(dataFile("captures/" + name + ".wcap"));
    if (!file.open(QIODevice::ReadOnly)) {
        return nullptr;
    }
    const QByteArray bytes = file.readAll();
    auto trace = loadCapture({bytes.data(), static_cast<size_t>(bytes.size())});
    return trace.ok() ? trace.value() : nullptr;
}

void tst_Recorded::holdsWhatWasLaunched_data() {
    QTest::addColumn<QList<int>>("wanted");  // kernels, copies, sets, ranges, processes recorded
    QTest::newRow("mixed") << QList<int>{100, 100, 50, 50, 1};
    QTest::newRow("all_calls") << QList<int>{40, 40, 20, 20, 1};
    QTest::newRow("graph") << QList<int>{1000, 0, 0, 0, 1};
    QTest::newRow("graph_launch") << QList<int>{20, 0, 0, 0, 1};
    QTest::newRow("forks") << QList<int>{50 + 1050 + 100, 0, 0, 0, 3};
    QTest::newRow("events") << QList<int>{401, 0, 0, 0, 1};
    QTest::newRow("behind") << QList<int>{102, 0, 0, 0, 1};
    QTest::newRow("select") << QList<int>{7, 0, 0, 50, 1};
    QTest::newRow("range") << QList<int>{50, 50, 25, 50, 1};
    QTest::newRow("triton") << QList<int>{21, 1, 0, 0, 1};
}

void tst_Recorded::holdsWhatWasLaunched() {
    QFETCH(QList<int>, wanted);
    const auto trace = load(QTest::currentDataTag());
    QVERIFY(trace != nullptr);
    const auto count = [&](std::string_view category) {
        const auto counts = countCategories(*trace, JobControl());
        int number = 0;
        for (const CategoryCount& entry : counts.value()) {
            number += entry.category == category ? static_cast<int>(entry.count) : 0;
        }
        return number;
    };
    const CaptureContent content = readCaptureFile(dataFile("captures/" + QString(QTest::currentDataTag()) + ".wcap"));
    QCOMPARE((QList<int>{count("kernel"), count("gpu_memcpy"), count("gpu_memset"), count("user_annotation"),
                         static_cast<int>(content.sources().size())}),
             wanted);
    QCOMPARE(content.damage.places, uint64_t(0));
    QCOMPARE(content.damage.missingFrames, uint64_t(0));
    for (const Issue& issue : trace->report().issues()) {
        QVERIFY2(issue.severity != Severity::DataLoss && issue.code != "orphan_kernel", issue.message.c_str());
    }
}

void tst_Recorded::everyKernelHasItsLaunch_data() {
    QTest::addColumn<int>("unused");
    for (const char* name : {"mixed", "all_calls", "graph", "forks", "events", "behind", "select", "range", "triton"}) {
        QTest::newRow(name) << 0;
    }
}

void tst_Recorded::everyKernelHasItsLaunch() {
    const auto trace = load(QTest::currentDataTag());
    QVERIFY(trace != nullptr);
    const SliceColumns& slices = trace->slices();
    int kernels = 0;
    for (uint32_t row = 0; row < slices.size(); ++row) {
        if (slices.kind[row] != EventKind::Kernel) {
            continue;
        }
        ++kernels;
        const EventRow call = trace->launchOf(EventRow(row));
        QVERIFY(call);
        QVERIFY(slices.begin[call.value] <= slices.begin[row]);
        QVERIFY(trace->string(slices.name[call.value]).find("aunch") != std::string_view::npos);
    }
    QVERIFY(kernels > 0);
}

void tst_Recorded::kernelsThatWereChosen() {
    const auto trace = load("select");
    QVERIFY(trace != nullptr);
    const SliceColumns& slices = trace->slices();
    for (uint32_t row = 0; row < slices.size(); ++row) {
        if (slices.kind[row] == EventKind::Kernel) {
            QCOMPARE(stringOf(*trace, slices.name[row]), QString("void scale_kernel<2>(float*, int)"));
        }
    }
}

/// PyTorch's own figures went into the recording at the program's end.
void tst_Recorded::peaksOfTheAllocator() {
    const auto trace = load("train");
    QVERIFY(trace != nullptr);
    const CaptureContent content = readCaptureFile(dataFile("captures/train.wcap"));
    const auto highest = [&](std::string_view series) {
        int64_t value = 0;
        for (const Counter& counter : trace->counters()) {
            for (const CounterSeries& line : counter.series) {
                if (trace->string(counter.name).find("PyTorch allocator") != std::string_view::npos &&
                    trace->string(line.name) == series) {
                    value = static_cast<int64_t>(*std::ranges::max_element(line.value));
                }
            }
        }
        return std::to_string(value);
    };
    QCOMPARE(content.sources().size(), size_t(1));
    const uint32_t source = *content.sources().begin();
    QVERIFY(!content.fact(source, "torch.0.max_memory_allocated").empty());
    QCOMPARE(highest("allocated"), content.fact(source, "torch.0.max_memory_allocated"));
    QCOMPARE(highest("reserved"), content.fact(source, "torch.0.max_memory_reserved"));
}

QTEST_GUILESS_MAIN(tst_Recorded)
#include "tst_recorded.moc"
