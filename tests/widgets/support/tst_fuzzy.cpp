// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "widgets/support/fuzzy.h"

using namespace warpline;

class TestFuzzy : public QObject {
    Q_OBJECT

private slots:
    void finds_data();
    void finds();
    void theBetterFitScoresMore_data();
    void theBetterFitScoresMore();
    void findsEverySubsequence();
    void longTextsAreBounded();
};

void TestFuzzy::finds_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("found");
    QTest::addColumn<QList<int>>("places");
    QTest::newRow("nothing typed") << ""
                                   << "Zoom in" << true << QList<int>{};
    QTest::newRow("spaces alone") << "  "
                                  << "Zoom in" << true << QList<int>{};
    QTest::newRow("nothing to find in") << "a"
                                        << "" << false << QList<int>{};
    QTest::newRow("begin") << "zo"
                           << "Zoom in" << true << QList<int>{0, 1};
    QTest::newRow("begins of words") << "zi"
                                     << "Zoom in" << true << QList<int>{0, 5};
    QTest::newRow("case") << "ZOOM"
                          << "zoom" << true << QList<int>{0, 1, 2, 3};
    QTest::newRow("order") << "iz"
                           << "Zoom in" << false << QList<int>{};
    QTest::newRow("too many") << "zoom inn"
                              << "Zoom in" << false << QList<int>{};
    QTest::newRow("letter twice") << "ooo"
                                  << "Zoom in" << false << QList<int>{};
    QTest::newRow("words in any order") << "in zoom"
                                        << "Zoom in" << true << QList<int>{0, 1, 2, 3, 5, 6};
    QTest::newRow("a word that is not there") << "zoom out"
                                              << "Zoom in" << false << QList<int>{};
    QTest::newRow("a run before scattered letters") << "sel"
                                                    << "a s e l select" << true << QList<int>{8, 9, 10};
    QTest::newRow("camel case") << "mk"
                                << "gemmMainKernel" << true << QList<int>{4, 8};
    QTest::newRow("digits") << "7"
                            << "stream 17 7" << true << QList<int>{10};
    QTest::newRow("not Latin") << "ß"
                               << "Straße" << true << QList<int>{4};
}

void TestFuzzy::finds() {
    QFETCH(QString, pattern);
    QFETCH(QString, text);
    QFETCH(bool, found);
    QList<int> places{99};
    QCOMPARE(fuzzyScore(pattern, text, &places).has_value(), found);
    QTEST(places, "places");
    QCOMPARE(fuzzyScore(pattern, text).has_value(), found);
}

void TestFuzzy::theBetterFitScoresMore_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("better");
    QTest::addColumn<QString>("worse");
    QTest::newRow("words begin") << "fa"
                                 << "Fit all"
                                 << "Default layout";
    QTest::newRow("run") << "fold"
                         << "Unfold"
                         << "Of old tools";
    QTest::newRow("shorter") << "open"
                             << "Open"
                             << "Open recent file";
    QTest::newRow("at the front") << "next"
                                  << "Next slice"
                                  << "Go to the next";
    QTest::newRow("near") << "ab"
                          << "xaxbx"
                          << "xaxxxxxbx";
}

void TestFuzzy::theBetterFitScoresMore() {
    QFETCH(QString, pattern);
    QFETCH(QString, better);
    QFETCH(QString, worse);
    QVERIFY(fuzzyScore(pattern, better) > fuzzyScore(pattern, worse));
    QVERIFY(fuzzyScore(pattern, worse).has_value());
}

/// What is found is a subsequence, and each that there is is found.
void TestFuzzy::findsEverySubsequence() {
    const QString letters = "ab -B1";
    uint32_t state = 7;
    const auto random = [&state](int below) {
        state = state * 1664525U + 1013904223U;
        return static_cast<int>((state >> 16) % static_cast<uint32_t>(below));
    };
    for (int round = 0; round < 400; ++round) {
        QString text;
        QString pattern;
        for (int i = random(9); i >= 0; --i) {
            text += letters[random(6)];
        }
        for (int i = random(3); i >= 0; --i) {
            pattern += "ab1"[random(3)];
        }
        // Is it a subsequence at all?
        qsizetype at = 0;
        for (const QChar c : text) {
            at += at < pattern.size() && c.toCaseFolded() == pattern[at].toCaseFolded() ? 1 : 0;
        }
        QList<int> places;
        const bool found = fuzzyScore(pattern, text, &places).has_value();
        QCOMPARE(found, at == pattern.size());
        if (found) {
            QCOMPARE(places.size(), pattern.size());
            for (qsizetype i = 0; i < places.size(); ++i) {
                QCOMPARE(text[places[i]].toCaseFolded(), pattern[i].toCaseFolded());
                QVERIFY(i == 0 || places[i] > places[i - 1]);
            }
        }
    }
}

void TestFuzzy::longTextsAreBounded() {
    const QString text(1'000'000, 'a');
    QVERIFY(fuzzyScore(QString("aaa"), text).has_value());
    QVERIFY(!fuzzyScore(QString("z"), text + "z").has_value());  // beyond what is looked at
}

QTEST_APPLESS_MAIN(TestFuzzy)
#include "tst_fuzzy.moc"
