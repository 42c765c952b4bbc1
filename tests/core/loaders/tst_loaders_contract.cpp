// SPDX-License-Identifier: MIT
// What every loader owes: no crash and a clear answer, whatever the bytes.
#include <QSet>
#include <QTest>

#include "core/loaders/registry.h"
#include "tests/core/loaders/loader_testing.h"
#include "tests/support/capture_maker.h"
#include "tests/support/nsys_export.h"
#include "tests/support/perfetto_trace.h"

using namespace warpline;
using namespace warpline::test;

namespace {

struct Outcome {
    bool loaded = false;
    std::string message;
    uint64_t lost = 0;
};

Outcome loadWith(const Loader& loader, const QByteArray& bytes) {
    TraceBuilder builder;
    const FileId file = builder.addFile({});
    JobControl job;
    const Status status = loader.load(makeMemorySource(bytes.toStdString()), file, builder, {}, job);
    if (!status) {
        return {false, status.error().message, 0};
    }
    const auto trace = builder.seal(job);
    return {trace.ok(), trace.ok() ? "" : trace.error().message, trace.ok() ? trace.value()->report().lostCount() : 0};
}

}  // namespace

class tst_LoadersContract : public QObject {
    Q_OBJECT

private slots:
    void loadersAreNamed();
    void foreignFiles_data();
    void foreignFiles();
    void cutAnywhere_data() { smallFiles(); }
    void cutAnywhere();
    void garbledAnywhere_data() { smallFiles(); }
    void garbledAnywhere();
    void stopsAtOnce_data() { smallFiles(); }
    void stopsAtOnce();
    void eachFileHasOneLoader_data() { smallFiles(); }
    void eachFileHasOneLoader();

private:
    void smallFiles();
};

/// A small file of each format: every loader is given every one.
void tst_LoadersContract::smallFiles() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("loader");
    QTest::newRow("Kineto") << kinetoText(20) << "chrome_trace";
    QTest::newRow("memory timeline") << QByteArray(
                                            "[[10, 10, 11], [[0, 1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 2, 0, 0, 0, 0, 0, 0], "
                                            "[0, 1, 2, 3, 0, 0, 0, 0, 0]]]")
                                     << "memory_timeline";
    QTest::newRow("raw memory timeline") << QByteArray("[[-1, 1, 100, 0], [5000, 2, 8, 3], [6000, 4, -8, 3]]")
                                         << "memory_timeline";
    QTest::newRow("Proton")
        << QByteArray(
               R"j([{"children": [{"children": [], "frame": {"name": "k", "type": "function"}, "metrics": {"count": 2,
                "device_id": "0", "device_type": "CUDA", "time (ns)": 20}}], "frame": {"name": "ROOT", "type": "function"},
                "metrics": {"count": 0, "time (ns)": 0}}, {"CUDA": {"0": {"arch": "90", "num_sms": 132}}}])j")
        << "proton_hatchet";
    QTest::newRow("Nsight Systems")
        << sqliteFile(
               "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
               "CREATE TABLE NVTX_EVENTS (start INT, end INT, eventType INT, text TEXT, globalTid INT);"
               "INSERT INTO StringIds VALUES (1, 'a'); INSERT INTO NVTX_EVENTS VALUES (1, 2, 59, 'x', 16777217);")
        << "nsys_sqlite";
    QTest::newRow("Perfetto") << samplePerfettoTrace(3) << "perfetto_proto";
    QTest::newRow("capture") << QByteArray::fromStdString(sampleCapture(2)) << "capture";
}

void tst_LoadersContract::loadersAreNamed() {
    QSet<QString> ids;
    const auto all = loaders::all();
    QVERIFY(!all.empty());
    for (const auto& loader : all) {
        const QString id = QString::fromStdString(loader->info().id);
        QVERIFY(!id.isEmpty() && !ids.contains(id));
        ids.insert(id);
        QVERIFY(!loader->info().title.empty());
    }
    QVERIFY(ids.contains("chrome_trace"));
}

void tst_LoadersContract::foreignFiles_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("blank") << QByteArray(" \n\t ");
    QTest::newRow("picture") << QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", 18);
    QTest::newRow("pickle") << QByteArray("\x80\x04\x95\x20\0\0\0\0\0\0\0}\x94.", 14);
    QTest::newRow("text") << QByteArray("The quick brown fox\njumps.\n");
    QTest::newRow("zeros") << QByteArray(4096, '\0');
    QTest::newRow("all bytes") << [] {
        QByteArray bytes;
        for (int i = 0; i < 4096; ++i) {
            bytes += char(i * 37);
        }
        return bytes;
    }();
    QTest::newRow("deep lists") << QByteArray(1'000'000, '[');
    QTest::newRow("deep objects") << QByteArray("{\"a\":").repeated(200'000);
    QTest::newRow("quotes") << QByteArray(100'000, '"');
    QTest::newRow("commas in a list") << "[" + QByteArray(100'000, ',') + "\"x";
    QTest::newRow("brackets in a list") << "[" + QByteArray("{}{}[").repeated(20'000);
    QTest::newRow("other JSON") << QByteArray("{\"name\": \"x\", \"version\": [1, 2]}");
}

void tst_LoadersContract::foreignFiles() {
    QFETCH(QByteArray, bytes);
    for (const auto& loader : loaders::all()) {
        const int score = loader->sniff({std::string_view(bytes.data(), size_t(bytes.size())).substr(0, 65536), "x"});
        QVERIFY(score >= 0 && score <= 50);
        const Outcome outcome = loadWith(*loader, bytes);
        QVERIFY(outcome.loaded ? outcome.lost > 0 || bytes.trimmed().isEmpty() : !outcome.message.empty());
    }
}

void tst_LoadersContract::cutAnywhere() {
    QFETCH(QByteArray, bytes);
    const qsizetype step = qMax<qsizetype>(1, bytes.size() / 400);
    for (const auto& loader : loaders::all()) {
        for (qsizetype length = 0; length < bytes.size(); length += step) {
            const Outcome outcome = loadWith(*loader, bytes.left(length));
            QVERIFY(outcome.loaded || !outcome.message.empty());
            QVERIFY(outcome.lost <= 3);  // the event that is cut; of a database, a count a table and one for the file
        }
    }
}

void tst_LoadersContract::garbledAnywhere() {
    QFETCH(QByteArray, bytes);
    // Sanitizers slow every byte down.
    const qsizetype step = qMax<qsizetype>(1, bytes.size() / (WARPLINE_SANITIZED ? 40 : 200));
    for (const auto& loader : loaders::all()) {
        for (qsizetype at = 0; at < bytes.size(); at += step) {
            for (const char byte : {'"', '}', ']', '{', '\\', '\xff', '\0', '\x0a'}) {
                QByteArray garbled = bytes;
                garbled[at] = byte;
                const Outcome outcome = loadWith(*loader, garbled);
                QVERIFY(outcome.loaded || !outcome.message.empty());
            }
        }
    }
}

void tst_LoadersContract::stopsAtOnce() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, loader);
    for (const auto& candidate : loaders::all()) {
        TraceBuilder builder;
        const FileId file = builder.addFile({});
        JobControl job;
        job.requestStop();
        const Status status = candidate->load(makeMemorySource(bytes.toStdString()), file, builder, {}, job);
        QVERIFY(!status.ok());
        // Another may see first that it is none of its own.
        QVERIFY(status.error().isCancelled() || QString::fromStdString(candidate->info().id) != loader);
    }
}

void tst_LoadersContract::eachFileHasOneLoader() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, loader);
    for (const auto& candidate : loaders::all()) {
        const int score = candidate->sniff({std::string_view(bytes.data(), size_t(bytes.size())), "x"});
        const bool isIt = QString::fromStdString(candidate->info().id) == loader;
        // JSON of one format may faintly look like another's.
        QVERIFY2(isIt ? score >= 60 && loadWith(*candidate, bytes).loaded : score <= 20,
                 qPrintable(QString::fromStdString(candidate->info().id) + ": " + QString::number(score)));
    }
}

QTEST_APPLESS_MAIN(tst_LoadersContract)
#include "tst_loaders_contract.moc"
