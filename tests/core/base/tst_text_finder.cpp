// SPDX-License-Identifier: MIT
#include <QTest>
#include <random>
#include <string>

#include "core/base/text_finder.h"

using namespace warpline;

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

/// Byte by byte, as it is defined.
size_t slowFind(const std::string& text, const std::string& needle, Case letterCase, size_t from) {
    for (size_t at = from; at + needle.size() <= text.size(); ++at) {
        size_t same = 0;
        while (same < needle.size() &&
               (text[at + same] == needle[same] ||
                (letterCase == Case::Ignored && lower(text[at + same]) == lower(needle[same])))) {
            ++same;
        }
        if (same == needle.size()) {
            return at;
        }
    }
    return std::string::npos;
}

}  // namespace

class TestTextFinder : public QObject {
    Q_OBJECT
private slots:
    void finds_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("needle");
        QTest::addColumn<int>("ignored");
        QTest::addColumn<int>("matters");
        const auto row = [](const char* name, std::string text, std::string needle, int ignored, int matters) {
            QTest::newRow(name) << std::move(text) << std::move(needle) << ignored << matters;
        };
        row("empty text", "", "a", -1, -1);
        row("longer than the text", "ab", "abc", -1, -1);
        row("all of it", "abc", "abc", 0, 0);
        row("other case", "xxABC", "abc", 2, -1);
        row("capitals are asked for", "xxabcABC", "ABC", 2, 5);
        row("at the end", "0123456789abcdefgh", "gh", 16, 16);
        row("the eighth byte", "0123456x", "x", 7, 7);
        row("only letters have two cases", "@[`{", "`", 2, 2);
        row("nor bytes above", "\xc3\x89\xc3\xa9", "\xc3\xa9", 2, 2);
        row("zero bytes", std::string("a\0b\0c", 5), std::string("\0c", 2), 3, 3);
        row("behind a near miss", "aaaaaaaaab", "aab", 7, 7);
    }
    void finds() {
        QFETCH(std::string, text);
        QFETCH(std::string, needle);
        QFETCH(int, ignored);
        QFETCH(int, matters);
        QCOMPARE(static_cast<int>(TextFinder(needle, Case::Ignored).find(text)), ignored);
        QCOMPARE(static_cast<int>(TextFinder(needle, Case::Matters).find(text)), matters);
    }

    void findsWhatASlowSearchFinds() {
        std::mt19937 random(7);
        const std::string alphabet("abAB@`\xff\x80\0z", 10);
        const auto made = [&](size_t length) {
            std::string out;
            for (size_t i = 0; i < length; ++i) {
                out += alphabet[random() % alphabet.size()];
            }
            return out;
        };
        int found = 0;
        for (int i = 0; i < 20'000; ++i) {
            const std::string text = made(random() % 60);
            const std::string needle = made(1 + random() % 4);
            const size_t from = random() % 20;
            for (const Case letterCase : {Case::Matters, Case::Ignored}) {
                const size_t expected = slowFind(text, needle, letterCase, from);
                QCOMPARE(TextFinder(needle, letterCase).find(text, from), expected);
                found += expected != std::string::npos ? 1 : 0;
            }
        }
        QVERIFY(found > 5'000 && found < 35'000);
    }

    void comparesParts() {
        const TextFinder finder("Gemm", Case::Ignored);
        QVERIFY(finder.equals("EM", 1));
        QVERIFY(finder.equals("", 4));
        QVERIFY(!finder.equals("me", 1));
        QVERIFY(!TextFinder("Gemm", Case::Matters).equals("EM", 1));
    }
};

QTEST_APPLESS_MAIN(TestTextFinder)
#include "tst_text_finder.moc"
