// SPDX-License-Identifier: MIT
#include <QTest>

#include <string>

#include "core/trace/string_pool.h"

using namespace warpline;

class tst_StringPool : public QObject {
    Q_OBJECT

private slots:
    void emptyIsZero();
    void equalTextsHaveOneId();
    void viewsStayValidWhileThePoolGrows();
    void findsOnlyWhatIsThere();
    void keepsZeroBytesAndLongTexts();
};

void tst_StringPool::emptyIsZero() {
    StringPool pool;
    QCOMPARE(pool.intern("").value, 0U);
    QCOMPARE(pool.size(), 1U);
    QVERIFY(pool.view(StringId()).empty());
}

void tst_StringPool::equalTextsHaveOneId() {
    StringPool pool;
    const StringId a = pool.intern("aten::mm");
    const StringId b = pool.intern("aten::add");
    QVERIFY(a != b);
    QCOMPARE(pool.intern(std::string("aten::") + "mm").value, a.value);
    QCOMPARE(pool.size(), 3U);
}

void tst_StringPool::viewsStayValidWhileThePoolGrows() {
    StringPool pool;
    const StringId first = pool.intern("first");
    const std::string_view view = pool.view(first);
    std::vector<StringId> ids;
    for (int i = 0; i < 100'000; ++i) {
        ids.push_back(pool.intern("name " + std::to_string(i)));
    }
    QCOMPARE(view, std::string_view("first"));
    for (int i = 0; i < 100'000; ++i) {
        QCOMPARE(pool.view(ids[static_cast<size_t>(i)]), std::string_view("name " + std::to_string(i)));
        QCOMPARE(pool.intern("name " + std::to_string(i)).value, ids[static_cast<size_t>(i)].value);
    }
}

void tst_StringPool::findsOnlyWhatIsThere() {
    StringPool pool;
    const StringId id = pool.intern("there");
    QVERIFY(pool.find("there") == id);
    QVERIFY(!pool.find("not there"));
    QVERIFY(pool.find("") == StringId());
    QCOMPARE(pool.size(), 2U);
}

void tst_StringPool::keepsZeroBytesAndLongTexts() {
    StringPool pool;
    const std::string zero("a\0b", 3);
    const std::string longText(200'000, 'x');
    const StringId z = pool.intern(zero);
    const StringId l = pool.intern(longText);
    QCOMPARE(pool.view(z).size(), size_t{3});
    QVERIFY(pool.view(l) == longText);
    QVERIFY(pool.intern("a") != z);
}

QTEST_GUILESS_MAIN(tst_StringPool)
#include "tst_string_pool.moc"
