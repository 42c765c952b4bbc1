// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "app/ui/recording/shell_words.h"

using namespace warpline;
using namespace warpline::ui;

class TestShellWords : public QObject {
    Q_OBJECT

private slots:
    void splitsAsAShell_data();
    void splitsAsAShell();
    void settingsComeFirst();
    void refusesWhatNeedsAShell_data();
    void refusesWhatNeedsAShell();
    void quotesSoThatItIsReadBack_data();
    void quotesSoThatItIsReadBack();
};

void TestShellWords::splitsAsAShell_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("nothing") << "  \t " << QStringList();
    QTest::newRow("plain") << "python  train.py\t--steps 20" << QStringList{"python", "train.py", "--steps", "20"};
    QTest::newRow("single quotes") << "a 'b c' 'd\"e$f'" << QStringList{"a", "b c", "d\"e$f"};
    QTest::newRow("double quotes") << R"(a "b c" "d\"e\\f\$g\h")" << QStringList{"a", "b c", R"(d"e\f$g\h)"};
    QTest::newRow("backslash") << R"(a\ b \'c \\)" << QStringList{"a b", "'c", "\\"};
    QTest::newRow("joined") << R"(--name='x y'"z" a#b)" << QStringList{"--name=x yz", "a#b"};
    QTest::newRow("empty words") << R"(a '' "")" << QStringList{"a", "", ""};
    QTest::newRow("later settings") << "run A=1" << QStringList{"run", "A=1"};
    QTest::newRow("not ASCII") << QString::fromUtf8("läuft 'ö ü'")
                               << QStringList{QString::fromUtf8("läuft"), QString::fromUtf8("ö ü")};
}

void TestShellWords::splitsAsAShell() {
    QFETCH(QString, text);
    QFETCH(QStringList, words);
    const auto got = splitShellWords(text);
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().message.c_str());
    QCOMPARE(got.value().words, words);
}

void TestShellWords::settingsComeFirst() {
    const auto got = splitShellWords("A=1 B_2='x y' C= python B=3");
    QVERIFY(got.ok());
    using Pair = QPair<QString, QString>;
    QCOMPARE(got.value().environment, (QList<Pair>{{"A", "1"}, {"B_2", "x y"}, {"C", ""}}));
    QCOMPARE(got.value().words, (QStringList{"python", "B=3"}));
}

void TestShellWords::refusesWhatNeedsAShell_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("pipe") << "a | b"
                          << "| at column 3 needs a shell";
    QTest::newRow("and") << "a && b"
                         << "& at column 3";
    QTest::newRow("redirection") << "a>b"
                                 << "> at column 2";
    QTest::newRow("variable") << "a $HOME"
                              << "$ at column 3: variables and commands are not expanded";
    QTest::newRow("variable in quotes") << "a \"$HOME\""
                                        << "write \\$";
    QTest::newRow("command") << "a `b`"
                             << "` at column 3";
    QTest::newRow("comment") << "a #b"
                             << "# at column 3";
    QTest::newRow("open single") << "a 'b"
                                 << "The ' at column 3 is not closed";
    QTest::newRow("open double") << "a b\"c"
                                 << "The \" at column 4 is not closed";
    QTest::newRow("backslash") << "a \\"
                               << "Nothing follows the \\";
}

void TestShellWords::refusesWhatNeedsAShell() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto got = splitShellWords(text);
    QVERIFY(!got.ok());
    QVERIFY2(QString::fromStdString(got.error().message).contains(says), got.error().message.c_str());
}

void TestShellWords::quotesSoThatItIsReadBack_data() {
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("quoted");
    QTest::newRow("plain") << "a/b-c_1.2=x"
                           << "a/b-c_1.2=x";
    QTest::newRow("empty") << ""
                           << "''";
    QTest::newRow("blank") << "a b"
                           << "'a b'";
    QTest::newRow("quote") << "it's"
                           << R"('it'\''s')";
    QTest::newRow("all") << R"($`"\|;&<>()*?#~!{}[])"
                         << R"('$`"\|;&<>()*?#~!{}[]')";
    QTest::newRow("line") << "a\nb"
                          << "'a\nb'";
}

void TestShellWords::quotesSoThatItIsReadBack() {
    QFETCH(QString, word);
    QFETCH(QString, quoted);
    QCOMPARE(quotedForShell(word), quoted);
    QCOMPARE(splitShellWords("x " + quoted).value().words, (QStringList{"x", word}));
}

QTEST_GUILESS_MAIN(TestShellWords)
#include "tst_shell_words.moc"
