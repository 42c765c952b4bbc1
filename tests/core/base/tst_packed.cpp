// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/base/packed.h"

using namespace warpline;

class tst_Packed : public QObject {
    Q_OBJECT

private slots:
    void givesBackWhatItGot();
    void cutAnywhereFails();
    void lengthsThatLie();
};

namespace {

std::string written() {
    PackedWriter out;
    out.number(~uint64_t{0});
    out.text("");
    out.text(std::string_view("a\0b", 3));
    out.number(7);
    return out.take();
}

}  // namespace

void tst_Packed::givesBackWhatItGot() {
    const std::string bytes = written();
    QCOMPARE(bytes.size(), size_t(4 * 8 + 3));
    PackedReader in(bytes);
    QVERIFY(!in.ok());
    QCOMPARE(in.number(), ~uint64_t{0});
    QCOMPARE(in.text(), std::string_view());
    QCOMPARE(in.text(), std::string_view("a\0b", 3));
    QVERIFY(!in.ok());  // something is left
    QCOMPARE(in.number(), uint64_t{7});
    QVERIFY(in.ok());
    QCOMPARE(in.number(), uint64_t{0});
    QVERIFY(in.failed());
}

void tst_Packed::cutAnywhereFails() {
    const std::string whole = written();
    for (size_t length = 0; length < whole.size(); ++length) {
        const std::string bytes = whole.substr(0, length);
        PackedReader in(bytes);
        in.number();
        in.text();
        in.text();
        in.number();
        QVERIFY2(in.failed() && !in.ok(), qPrintable(QString::number(length)));
    }
}

void tst_Packed::lengthsThatLie() {
    PackedWriter out;
    out.number(~uint64_t{0});
    const std::string bytes = out.take() + "text";
    PackedReader in(bytes);
    QCOMPARE(in.text(), std::string_view());
    QVERIFY(in.failed());
    QCOMPARE(in.number(), uint64_t{0});  // and nothing after it
}

QTEST_APPLESS_MAIN(tst_Packed)
#include "tst_packed.moc"
