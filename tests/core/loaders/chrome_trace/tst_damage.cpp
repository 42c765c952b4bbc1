// SPDX-License-Identifier: MIT
// Wrong and missing bytes anywhere in a trace: they cost the events that they hit, what they cost is told, and neither
// the threads nor the cuts have a say in it.
#include <QTest>

#include "tests/core/loaders/loader_testing.h"

using namespace warpline;
using namespace warpline::loaders::chrome_trace;
using namespace warpline::test;

namespace {

constexpr int kEvents = 6;

/// An event of each layout that producers have.
QByteArray eventText(const QByteArray& layout, int i) {
    const QByteArray n = QByteArray::number(i);
    if (layout == "Kineto") {
        return "  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op" + n +
               "\", \"pid\": 1, \"tid\": 2,\n    \"ts\": 10" + n +
               "0.5, \"dur\": 5,\n    \"args\": {\n      \"External id\": " + n +
               ",\"Input Dims\": [[2, 3], []], \"name\": \"x" + n + "\"\n    }\n  }";
    }
    return R"({"ph":"X","cat":"cpu_op","name":"op)" + n + R"(","pid":1,"tid":2,"ts":10)" + n + R"(0,"dur":5})";
}

QByteArray traceText(const QByteArray& layout, int events = kEvents) {
    const bool isArray = layout == "array";
    QByteArray text = isArray               ? "["
                      : layout == "compact" ? "{\"displayTimeUnit\":\"ms\",\"traceEvents\":["
                      : layout == "lines"   ? "{\"traceEvents\":[\n"
                                            : "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\"id\": 0, "
                                              "\"name\": \"Example GPU\"}\n  ],\n  \"traceEvents\": [\n";
    for (int i = 0; i < events; ++i) {
        text += (i == 0 ? "" : layout == "compact" ? "," : ",\n") + eventText(layout, i);
    }
    text += isArray ? "]" : layout == "compact" ? "],\"otherData\":{\"a\":1}}" : "\n]}\n";
    return text;
}

void addLayouts() {
    QTest::addColumn<QByteArray>("layout");
    for (const char* layout : {"Kineto", "compact", "lines", "array"}) {
        QTest::newRow(layout) << QByteArray(layout);
    }
}

/// What must come out the same however the text is read.
QStringList outcome(const QByteArray& text, size_t window, unsigned threads) {
    LoadOptions options;
    options.threads = threads;
    const auto trace = loadText(text, {.windowBytes = window}, options);
    return trace ? digest(*trace.value()) + issueLines(*trace.value()) +
                       QStringList(trace.value()->report().complete() ? "complete" : "incomplete")
                 : QStringList(QString::fromStdString(trace.error().message));
}

class Damage {
public:
    /// Checks one damaged text; returns what is wrong.
    QString check(const QByteArray& text, int mostMissing) {
        const auto trace = loadText(text, {.windowBytes = 4096});
        if (!trace) {
            return QString::fromStdString(trace.error().message);
        }
        const EventCounts& counts = trace.value()->counts();
        // A wrong phase makes an event of another sort.
        const int missing = kEvents - int(counts.slices + counts.instants + counts.flows + counts.async +
                                          counts.metadata + counts.counters + trace.value()->asyncInstants().size());
        const ImportReport& report = trace.value()->report();
        if (missing > mostMissing) {
            return QString("%1 events are missing").arg(missing);
        }
        if (missing > 0 && report.lostCount() == 0) {
            return QString("%1 events are missing and it does not say so").arg(missing);
        }
        if (report.lostCount() > 2) {
            return QString("%1 events are said to be lost").arg(report.lostCount());
        }
        // The ways of reading take turns.
        constexpr size_t kWindows[] = {1, 40, 100, 300};
        const size_t window = kWindows[m_count % std::size(kWindows)];
        const unsigned threads = m_count % 64 == 0 ? 3 : 1;
        constexpr int kEach = WARPLINE_SANITIZED ? 50 : 5;
        if (m_count++ % kEach == 0) {
            const QStringList whole = outcome(text, 4096, 1);
            const QStringList cut = outcome(text, window, threads);
            if (whole != cut) {
                return QString("differs with a window of %1: %2\n%3").arg(window).arg(whole.join('\n'), cut.join('\n'));
            }
        }
        return {};
    }

private:
    size_t m_count = 0;
};

}  // namespace

class tst_Damage : public QObject {
    Q_OBJECT

private slots:
    void items_data();
    void items();
    void wrongBytes_data() { addLayouts(); }
    void wrongBytes();
    void lostBytes_data() { addLayouts(); }
    void lostBytes();
    void holes_data() { addLayouts(); }
    void holes();
};

void tst_Damage::items_data() {
    QTest::addColumn<QByteArray>("before");  // in the first event, or between it and the next
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<int>("slices");
    QTest::addColumn<QStringList>("issues");
    const auto row = [](const char* name, const QByteArray& before, const QByteArray& after, int slices,
                        const QStringList& issues) { QTest::newRow(name) << before << after << slices << issues; };
    row("a quote that is a brace", R"(,"cat)", R"(,}cat)", 5,
        {"bad_timestamp data_loss 1 @17", "invalid_json info 1 @17"});
    row("a quote that is a brace, behind the times", R"("dur":5})", R"("dur":5}args":{"a":"b, ]}"}})", 6,
        {"invalid_json data_loss 1 @89"});
    row("bytes between two events are gone", "},\n{\"ph\":\"X\",\"cat\":\"cp", "},\n", 5,
        {"invalid_json data_loss 1 @91"});
    row("a stray colon", "},\n{", "},\n : {", 6, {"invalid_json info 1 @92"});
    row("a stray letter", "},\n{", "},\nx{", 6, {"invalid_json data_loss 1 @91"});
    row("zeros in a string", "cpu_op", QByteArray("cpu") + QByteArray(600, '\0'), 5, {"invalid_json data_loss 1 @17"});
    row("zeros in a number", "\"ts\":1", "\"ts\":1" + QByteArray(600, '\0'), 5, {"invalid_json data_loss 1 @17"});
    row("zeros from one event into the next",
        "\"op0\",\"pid\":1,\"tid\":2,\"ts\":1000,\"dur\":5},\n{\"ph\":\"X\",\"cat\":\"cpu",
        "\"op" + QByteArray(40, '\0'), 4, {"invalid_json data_loss 1 @17"});
    row("two events that run into one",
        R"(:1,"tid":2,"ts":1000,"dur":5},)"
        "\n"
        R"({"ph":"X","cat":"cpu_op","name)",
        R"(:1,"name)", 4, {"invalid_json data_loss 1 @17"});
    row("an event as a value", "5},\n", "", 5, {"invalid_json data_loss 1 @17"});
}

void tst_Damage::items() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(int, slices);
    QFETCH(QStringList, issues);
    QByteArray text = traceText("lines");
    const qsizetype at = text.indexOf(before);
    QVERIFY(at > 0);
    text.replace(at, before.size(), after);
    const auto trace = loadText(text);
    QCOMPARE(int(trace.value()->sliceCount()), slices);
    QCOMPARE(issueLines(*trace.value()), issues);
    QCOMPARE(trace.value()->report().complete(), slices == kEvents && !issues.join("").contains("loss"));
}

void tst_Damage::wrongBytes() {
    QFETCH(QByteArray, layout);
    const QByteArray text = traceText(layout);
    Damage damage;
    for (qsizetype at = 0; at < text.size(); ++at) {
        for (const char byte : {'"', '}', '{', '[', ']', ',', '\\', '\0', ':', 'x', '\n'}) {
            QByteArray damaged = text;
            damaged[at] = byte;
            const QString wrong = damage.check(damaged, 1);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong + "\nin " + damaged));
        }
    }
}

void tst_Damage::lostBytes() {
    QFETCH(QByteArray, layout);
    const QByteArray text = traceText(layout);
    Damage damage;
    for (qsizetype at = 0; at < text.size(); ++at) {
        for (qsizetype length = 1; length <= 40; ++length) {
            QByteArray damaged = text;
            damaged.remove(at, length);
            const QString wrong = damage.check(damaged, 2);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong + "\nin " + damaged));
        }
    }
}

void tst_Damage::holes() {
    QFETCH(QByteArray, layout);
    const QByteArray text = traceText(layout);
    Damage damage;
    for (qsizetype at = 0; at < text.size(); ++at) {
        for (const qsizetype length : {2, 5, 30}) {
            QByteArray damaged = text;
            damaged.replace(at, length, QByteArray(length, '\0'));
            const QString wrong = damage.check(damaged, 2);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong + "\nin " + damaged.replace('\0', '~')));
        }
    }
}

QTEST_APPLESS_MAIN(tst_Damage)
#include "tst_damage.moc"
