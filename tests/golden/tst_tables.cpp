// SPDX-License-Identifier: MIT
// Recorded traces in, tables out, compared with the reviewed texts beside this file. After a wanted change run it with
// WARPLINE_UPDATE_GOLDEN=1 in the environment, which rewrites them, and review the difference.
#include <QDir>
#include <QFile>
#include <QtTest>

#include "core/analyses/registry.h"
#include "core/loaders/load_trace.h"
#include "core/table/table_format.h"

using namespace warpline;

namespace {

std::shared_ptr<const Trace> load(const QString& path) {
    JobControl job;
    auto trace = loadTrace({path.toStdString()}, {}, job);
    if (!trace) {
        throw std::runtime_error(trace.error().message);
    }
    return std::move(trace).value();
}

/// The table as CSV with plain line ends, its totals above it.
QByteArray tableText(const Trace& trace, const std::string& id, const std::string& groupBy) {
    for (const auto& analysis : analyses::all()) {
        if (analysis->info().id == id) {
            JobControl job;
            AnalysisOptions options;
            options.groupBy = groupBy;
            const auto result = analysis->run(trace, options, job);
            if (!result) {
                throw std::runtime_error(result.error().message);
            }
            QByteArray out;
            for (const Total& total : result.value().totals) {
                out += QByteArray::fromStdString(total.info.id + ' ' + cellJson(total.value, total.info)) + '\n';
            }
            out += QByteArray::fromStdString(formatTable(result.value().table, TableFormat::Csv));
            return out.replace("\r\n", "\n");
        }
    }
    throw std::runtime_error("no analysis " + id);
}

QString firstDifference(const QByteArray& expected, const QByteArray& actual) {
    const auto a = expected.split('\n');
    const auto b = actual.split('\n');
    for (qsizetype i = 0; i < std::max(a.size(), b.size()); ++i) {
        const QByteArray want = i < a.size() ? a[i] : QByteArray("(nothing)");
        const QByteArray got = i < b.size() ? b[i] : QByteArray("(nothing)");
        if (want != got) {
            return QStringLiteral("line %1\n  expected %2\n  got      %3")
                .arg(i + 1)
                .arg(QString::fromUtf8(want), QString::fromUtf8(got));
        }
    }
    return {};
}

}  // namespace

class tst_Tables : public QObject {
    Q_OBJECT
private slots:
    void tables_data() {
        QTest::addColumn<QString>("trace");
        QTest::addColumn<QString>("analysis");
        QTest::addColumn<QString>("groupBy");
        const QString samples = QStringLiteral(WARPLINE_SAMPLES_DIR "/");
        const QString data = QStringLiteral(WARPLINE_TEST_DATA_DIR "/");
        const auto rows = [](const QString& path) {
            const QString name = QFileInfo(path).fileName().section(QLatin1Char('.'), 0, 0);
            const auto row = [&](const char* analysis, const char* groupBy) {
                QTest::addRow("%s.%s.%s", qPrintable(name), analysis, groupBy) << path << analysis << groupBy;
            };
            row("op_table", "name");
            row("op_table", "shape");
            row("op_table", "annotation");
            row("kernel_table", "shape");
            row("kernel_table", "annotation");
            row("kernel_table", "name");
            row("gpu_busy", "name");
        };
        rows(samples + QStringLiteral("quickstart.trace.json.gz"));
        rows(samples + QStringLiteral("worked_example.trace.json.gz"));
        rows(samples + QStringLiteral("multi_stream.trace.json.gz"));
        rows(data + QStringLiteral("memory_oom.trace.json.gz"));
        for (const char* groupBy : {"name", "kind", "track"}) {
            QTest::addRow("memory_oom.area_table.%s", groupBy)
                << data + QStringLiteral("memory_oom.trace.json.gz") << "area_table" << groupBy;
        }
        QTest::newRow("memory_oom.op_table.stack") << data + QStringLiteral("memory_oom.trace.json.gz") << "op_table"
                                                   << "stack";
    }

    void tables() {
        QFETCH(QString, trace);
        QFETCH(QString, analysis);
        QFETCH(QString, groupBy);
        const QByteArray actual = tableText(*load(trace), analysis.toStdString(), groupBy.toStdString());
        QVERIFY(actual.count('\n') > 1);
        QFile file(
            QStringLiteral(WARPLINE_TEST_DATA_DIR "/../golden/%1.csv").arg(QString::fromUtf8(QTest::currentDataTag())));
        if (qEnvironmentVariableIsSet("WARPLINE_UPDATE_GOLDEN")) {
            QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(file.errorString()));
            QCOMPARE(file.write(actual), actual.size());
            return;
        }
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName() + file.errorString()));
        const QString difference = firstDifference(file.readAll(), actual);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
};

QTEST_APPLESS_MAIN(tst_Tables)
#include "tst_tables.moc"
