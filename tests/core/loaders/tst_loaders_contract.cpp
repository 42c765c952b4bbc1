// SPDX-License-Identifier: MIT
// What every loader owes: no crash and a clear answer, whatever the bytes.
#include <QSet>
#include <QTest>

#include "core/loaders/registry.h"
#include "tests/core/loaders/loader_testing.h"

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
    void cutAnywhere();
    void garbledAnywhere();
    void stopsAtOnce();
};

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
    const QByteArray text = kinetoText(40);
    for (const auto& loader : loaders::all()) {
        for (qsizetype length = 0; length < text.size(); length += 13) {
            const Outcome outcome = loadWith(*loader, text.left(length));
            QVERIFY(outcome.loaded || !outcome.message.empty());
            QVERIFY(outcome.lost <= 1);
        }
    }
}

void tst_LoadersContract::garbledAnywhere() {
    const QByteArray text = kinetoText(20);
    for (const auto& loader : loaders::all()) {
        for (qsizetype at = 0; at < text.size(); at += 7) {
            for (const char byte : {'"', '}', ']', '{', '\\', '\xff', '\0'}) {
                QByteArray bytes = text;
                bytes[at] = byte;
                const Outcome outcome = loadWith(*loader, bytes);
                QVERIFY(outcome.loaded || !outcome.message.empty());
            }
        }
    }
}

void tst_LoadersContract::stopsAtOnce() {
    for (const auto& loader : loaders::all()) {
        TraceBuilder builder;
        const FileId file = builder.addFile({});
        JobControl job;
        job.requestStop();
        const Status status = loader->load(makeMemorySource(kinetoText(10).toStdString()), file, builder, {}, job);
        QVERIFY(!status.ok() && status.error().isCancelled());
    }
}

QTEST_APPLESS_MAIN(tst_LoadersContract)
#include "tst_loaders_contract.moc"
