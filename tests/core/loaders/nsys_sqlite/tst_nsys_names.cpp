// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/loaders/nsys_sqlite/identities.h"
#include "core/loaders/nsys_sqlite/names.h"

using namespace warpline;
using namespace warpline::loaders::nsys_sqlite;

class tst_NsysNames : public QObject {
    Q_OBJECT

private slots:
    void apiNames_data();
    void apiNames();
    void copies_data();
    void copies();
    void numbersOfSeveralProcesses();
};

void tst_NsysNames::apiNames_data() {
    QTest::addColumn<QByteArray>("stored");
    QTest::addColumn<QByteArray>("shown");
    QTest::addColumn<int>("kind");
    QTest::newRow("runtime") << QByteArray("cudaLaunchKernel_v7000") << QByteArray("cudaLaunchKernel")
                             << int(EventKind::Runtime);
    QTest::newRow("per thread") << QByteArray("cudaMemcpyAsync_ptsz_v7000") << QByteArray("cudaMemcpyAsync_ptsz")
                                << int(EventKind::Runtime);
    QTest::newRow("driver") << QByteArray("cuLaunchKernel") << QByteArray("cuLaunchKernel") << int(EventKind::Driver);
    QTest::newRow("driver, its own version")
        << QByteArray("cuMemAlloc_v2") << QByteArray("cuMemAlloc_v2") << int(EventKind::Driver);
    QTest::newRow("neither") << QByteArray("cublasSgemm_v2") << QByteArray("cublasSgemm_v2") << int(EventKind::Other);
    QTest::newRow("mark alone") << QByteArray("_v7000") << QByteArray("_v7000") << int(EventKind::Other);
    QTest::newRow("no digits") << QByteArray("cudaFree_v") << QByteArray("cudaFree_v") << int(EventKind::Runtime);
    QTest::newRow("empty") << QByteArray("") << QByteArray("") << int(EventKind::Other);
}

void tst_NsysNames::apiNames() {
    QFETCH(QByteArray, stored);
    QFETCH(QByteArray, shown);
    QFETCH(int, kind);
    const std::string text = stored.toStdString();
    QCOMPARE(std::string(apiName(text)), shown.toStdString());
    QCOMPARE(int(apiKind(text)), kind);
}

void tst_NsysNames::copies_data() {
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("as Kineto") << QByteArray("CUDA_MEMCPY_KIND_HTOD") << QByteArray("Pinned") << QByteArray("Device")
                               << QByteArray("Memcpy HtoD (Pinned -> Device)");
    QTest::newRow("no memory kinds") << QByteArray("CUDA_MEMCPY_KIND_PTOP") << QByteArray() << QByteArray()
                                     << QByteArray("Memcpy PtoP");
    QTest::newRow("one memory kind") << QByteArray("CUDA_MEMCPY_KIND_DTOA") << QByteArray("Device") << QByteArray()
                                     << QByteArray("Memcpy DtoA");
    QTest::newRow("unified") << QByteArray("CUDA_MEMCPY_KIND_UVM_DTOH") << QByteArray("Managed")
                             << QByteArray("Pageable") << QByteArray("Memcpy Unified DtoH (Managed -> Pageable)");
    QTest::newRow("unknown") << QByteArray("CUDA_MEMCPY_KIND_UNKNOWN") << QByteArray("Device") << QByteArray("Device")
                             << QByteArray("Memcpy (Device -> Device)");
    QTest::newRow("foreign") << QByteArray("?") << QByteArray() << QByteArray() << QByteArray("Memcpy");
}

void tst_NsysNames::copies() {
    QFETCH(QByteArray, kind);
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, name);
    QCOMPARE(copyName(kind.toStdString(), from.toStdString(), to.toStdString()), name.toStdString());
    QCOMPARE(memsetName("Device"), std::string("Memset (Device)"));
    QCOMPARE(memsetName(""), std::string("Memset"));
}

void tst_NsysNames::numbersOfSeveralProcesses() {
    const int64_t a = int64_t{100} << 24 | 7;
    const int64_t b = int64_t{200} << 24 | 7;
    QCOMPARE(processOf(b), int64_t(200));
    QCOMPARE(threadOf(b), int64_t(7));
    Identities identities;
    QCOMPARE(identities.processNumber(a), 0U);
    QCOMPARE(identities.processNumber(b), 1U);
    QCOMPARE(identities.processNumber(a), 0U);
    QCOMPARE(identities.correlation(a, 5), uint64_t(5));
    QCOMPARE(identities.correlation(b, 5), (uint64_t{1} << 32) + 5);
    QCOMPARE(identities.correlation(b, 0), uint64_t(0));
    QCOMPARE(identities.correlation(b, std::nullopt), uint64_t(0));
    QCOMPARE(identities.correlation(std::nullopt, 5), uint64_t(5));
    identities.addCudaDevice(200, 0, 3);
    QCOMPARE(identities.device(b, 0), 3);
    QCOMPARE(identities.device(a, 0), 0);
    QCOMPARE(identities.device(a, std::nullopt), -1);
    QCOMPARE(identities.device(a, int64_t{1} << 40), -1);
}

QTEST_APPLESS_MAIN(tst_NsysNames)
#include "tst_nsys_names.moc"
