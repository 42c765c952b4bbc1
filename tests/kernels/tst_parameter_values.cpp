// SPDX-License-Identifier: MIT
// Parameters of sample kernels from text: defaults, limits, and what is said of wrong ones; nearest names.
#include <QTest>

#include "kernels/nearest_name.h"
#include "kernels/parameter_values.h"

using namespace warpline;

namespace {
const std::vector<KernelParameter> kParameters = {{"M", 4096, 8, 65536, "rows", "elements", 8},
                                                  {"nodes", 50, 1, 1000, "nodes", ""}};
}

class TestParameterValues : public QObject {
    Q_OBJECT

private slots:
    void defaults();
    void settings_data();
    void settings();
    void wrongOnes_data();
    void wrongOnes();
    void nearest_data();
    void nearest();
};

void TestParameterValues::defaults() {
    const auto values = ParameterValues::parse(kParameters, {});
    QVERIFY(values.ok());
    QCOMPARE(values.value()["M"], int64_t{4096});
    QCOMPARE(values.value()["nodes"], int64_t{50});
    QCOMPARE(values.value().all().size(), size_t{2});
}

void TestParameterValues::settings_data() {
    QTest::addColumn<QString>("setting");
    QTest::addColumn<qint64>("value");
    QTest::newRow("least") << "M=8" << qint64{8};
    QTest::newRow("most") << "M=65536" << qint64{65536};
    QTest::newRow("k") << "M=4k" << qint64{4096};
    QTest::newRow("K") << "M=16K" << qint64{16384};
}

void TestParameterValues::settings() {
    QFETCH(QString, setting);
    QFETCH(qint64, value);
    const auto values = ParameterValues::parse(kParameters, {setting.toStdString()});
    QVERIFY(values.ok());
    QCOMPARE(values.value()["M"], value);
    QCOMPARE(values.value()["nodes"], int64_t{50});
}

void TestParameterValues::wrongOnes_data() {
    QTest::addColumn<QStringList>("settings");
    QTest::addColumn<QString>("message");
    const QString limits = "M is a whole number, 8 to 65536, a multiple of 8";
    QTest::newRow("too small") << QStringList{"M=0"} << "--param M=0: " + limits;
    QTest::newRow("too large") << QStringList{"M=65544"} << "--param M=65544: " + limits;
    QTest::newRow("no multiple") << QStringList{"M=4097"} << "--param M=4097: " + limits;
    QTest::newRow("negative") << QStringList{"M=-8"} << "--param M=-8: " + limits;
    QTest::newRow("no number") << QStringList{"M=many"} << "--param M=many: " + limits;
    QTest::newRow("nothing") << QStringList{"M="} << "--param M=: " + limits;
    QTest::newRow("a letter alone") << QStringList{"M=k"} << "--param M=k: " + limits;
    QTest::newRow("too long") << QStringList{"M=99999999999999999999"} << "--param M=99999999999999999999: " + limits;
    QTest::newRow("overflow") << QStringList{"M=9223372036854775807g"} << "--param M=9223372036854775807g: " + limits;
    QTest::newRow("plain limits") << QStringList{"nodes=1001"}
                                  << "--param nodes=1001: nodes is a whole number, 1 to 1000";
    QTest::newRow("no =") << QStringList{"M"} << "--param M: is not NAME=VALUE";
    QTest::newRow("no name") << QStringList{"=8"} << "--param =8: is not NAME=VALUE";
    QTest::newRow("misspelt") << QStringList{"node=8"} << "--param node=8: no such parameter; did you mean nodes?";
    QTest::newRow("unknown") << QStringList{"queue=8"} << "--param queue=8: no such parameter; known are M, nodes";
    QTest::newRow("twice") << QStringList{"M=8", "M=16"} << "--param M=16: M is given twice";
}

void TestParameterValues::wrongOnes() {
    QFETCH(QStringList, settings);
    QFETCH(QString, message);
    std::vector<std::string> texts;
    for (const QString& setting : settings) {
        texts.push_back(setting.toStdString());
    }
    const auto values = ParameterValues::parse(kParameters, texts);
    QVERIFY(!values.ok());
    QCOMPARE(QString::fromStdString(values.error().message), message);
}

void TestParameterValues::nearest_data() {
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<QString>("nearest");
    QTest::newRow("same") << "gemm"
                          << "gemm";
    QTest::newRow("a letter lost") << "gem"
                                   << "gemm";
    QTest::newRow("of another case") << "GEMM"
                                     << "gemm";
    QTest::newRow("swapped") << "gmem"
                             << "gemm";
    QTest::newRow("a letter changed") << "vector_odd"
                                      << "vector_add";
    QTest::newRow("far from all") << "convolution"
                                  << "";
    QTest::newRow("empty") << ""
                           << "";
}

void TestParameterValues::nearest() {
    QFETCH(QString, wanted);
    QFETCH(QString, nearest);
    QCOMPARE(QString::fromStdString(nearestName(wanted.toStdString(), {"vector_add", "gemm", "tiny_gemm"})), nearest);
}

QTEST_GUILESS_MAIN(TestParameterValues)
#include "tst_parameter_values.moc"
