// SPDX-License-Identifier: MIT
#include <QTest>

#include <string>
#include <unordered_set>

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
    void inTwoSteps();
    void hashesSpread();
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

void tst_StringPool::inTwoSteps() {
    StringPool pool;
    const StringId known = pool.intern("known");
    const StringPool::Candidate a = pool.prepare("known");
    const StringPool::Candidate b = pool.prepare("new");
    const StringPool::Candidate none = pool.prepare("");
    for (int i = 0; i < 10'000; ++i) {
        pool.intern("grows " + std::to_string(i));
    }
    QVERIFY(pool.intern(a) == known);
    const StringId fresh = pool.intern(b);
    QCOMPARE(pool.view(fresh), std::string_view("new"));
    QVERIFY(pool.intern("new") == fresh);
    QVERIFY(pool.intern(none) == StringId());
}

/// Texts of a kind, which differ in few bytes at any place, have hashes that differ.
void tst_StringPool::hashesSpread() {
    StringPool pool;
    std::unordered_set<uint32_t> hashes;
    size_t texts = 0;
    const auto add = [&](const std::string& text) {
        hashes.insert(pool.prepare(text).hash);
        ++texts;
    };
    for (int i = 0; i < 30'000; ++i) {
        const std::string number = std::to_string(i);
        for (const char* before :
             {"", "k", "kernel<", "void at::native::", "void at::native::vectorized_kernel<4, f"}) {
            add(before + number);
            add(number + before + ", 1> ");
        }
    }
    for (size_t size = 1; size < 2'000; ++size) {
        add(std::string(size, 'x'));
        add(std::string(size, '\0'));
    }
    // Of 300,000 random numbers of 32 bits about 10 pairs are equal.
    QVERIFY2(texts - hashes.size() < 100, qPrintable(QString::number(texts - hashes.size())));
}

QTEST_GUILESS_MAIN(tst_StringPool)
#include "tst_string_pool.moc"
