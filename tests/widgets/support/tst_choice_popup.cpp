// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QSignalSpy>
#include <QTest>

#include <memory>

#include "widgets/support/choice_list.h"
#include "widgets/support/choice_popup.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;

class TestChoicePopup : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void listsInOrderUntilSomethingIsTyped();
    void theBestIsFirst();
    void itsOwnTextComesBeforeItsGroups();
    void wordsThatAreNotShownAreFound();
    void aClickChooses();
    void enterChooses();
    void whatIsDisabledIsNotChosen();
    void givesTheFocusBack();
    void goesWhenAnotherOpens();
    void manyChoices();
    void isDrawn();

private:
    QString first() const { return m_popup->list()->model()->index(0, 0).data().toString(); }
    int rows() const { return m_popup->list()->model()->rowCount(); }

    std::unique_ptr<QWidget> m_window;
    QLineEdit* m_other = nullptr;
    ChoicePopup* m_popup = nullptr;
};

void TestChoicePopup::initTestCase() {
    settings::useTemporary();
    applyTheme(ThemeChoice::Light);
}

void TestChoicePopup::init() {
    m_window = std::make_unique<QWidget>();
    m_window->resize(800, 600);
    m_other = new QLineEdit(m_window.get());
    m_popup = new ChoicePopup("Things", "Which?", m_window.get());
    new QAbstractItemModelTester(m_popup->list()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest,
                                 m_popup);
    m_popup->setChoices({{"stream 7", "GPU 0", "", true, ""},
                         {"stream 13", "GPU 0", "Ctrl+S", true, ""},
                         {"main", "python", "", false, "it is hidden"},
                         {"GPU", "counters", "", true, ""}});
    m_window->show();
    m_other->setFocus();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    m_popup->open();
}

void TestChoicePopup::listsInOrderUntilSomethingIsTyped() {
    QVERIFY(m_popup->isVisible() && m_popup->line()->hasFocus());
    QCOMPARE(rows(), 4);
    QCOMPARE(first(), "GPU 0: stream 7");
    QCOMPARE(m_popup->list()->currentIndex().row(), 0);
    m_popup->line()->setText("   ");
    QCOMPARE(first(), "GPU 0: stream 7");
    // Without a group it is its text alone.
    QCOMPARE(ChoiceModel::lineOf({"x", "", "", true, ""}), "x");
}

void TestChoicePopup::theBestIsFirst() {
    QTest::keyClicks(m_popup->line(), "13");
    QCOMPARE(rows(), 1);
    QCOMPARE(first(), "GPU 0: stream 13");
    m_popup->line()->setText("str");
    QCOMPARE(rows(), 2);
    m_popup->line()->setText("nothing of that");
    QCOMPARE(rows(), 0);
    QVERIFY(m_popup->noneLabel()->isVisible() && !m_popup->list()->isVisible());
    m_popup->line()->clear();
    QCOMPARE(rows(), 4);
    QVERIFY(!m_popup->noneLabel()->isVisible() && m_popup->list()->isVisible());
}

void TestChoicePopup::itsOwnTextComesBeforeItsGroups() {
    m_popup->line()->setText("gpu");
    QCOMPARE(rows(), 3);
    QCOMPARE(first(), "counters: GPU");
}

void TestChoicePopup::wordsThatAreNotShownAreFound() {
    m_popup->setChoices({{"Go to Area", "View", "", true, "", "overlap gap"},
                         {"Mark overlaps", "View", "", true, "", ""},
                         {"Other", "View", "", true, "", ""}});
    QTest::keyClicks(m_popup->line(), "overlap");
    QCOMPARE(rows(), 2);
    QCOMPARE(first(), QString("View: Mark overlaps"));
    QTest::keyClicks(m_popup->line(), " gap");
    QCOMPARE(rows(), 1);
    QCOMPARE(first(), QString("View: Go to Area"));
    QVERIFY(static_cast<ChoiceModel*>(m_popup->list()->model())->placesAt(0).isEmpty());
}

void TestChoicePopup::aClickChooses() {
    QSignalSpy chosen(m_popup, &ChoicePopup::chosen);
    m_popup->line()->setText("stream");
    QListView* list = m_popup->list();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(1, 0)).center());
    QCOMPARE(chosen.count(), 1);
    // Into what was set, not into what is listed.
    QCOMPARE(chosen[0][0].toInt(), 1);
    QVERIFY(!m_popup->isVisible());
}

void TestChoicePopup::enterChooses() {
    QSignalSpy chosen(m_popup, &ChoicePopup::chosen);
    m_popup->line()->setText("cou");
    QTest::keyClick(m_popup->line(), Qt::Key_Enter, Qt::KeypadModifier);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].toInt(), 3);
}

void TestChoicePopup::whatIsDisabledIsNotChosen() {
    QSignalSpy chosen(m_popup, &ChoicePopup::chosen);
    m_popup->line()->setText("main");
    const QModelIndex index = m_popup->list()->model()->index(0, 0);
    QCOMPARE(index.data(Qt::AccessibleTextRole).toString(), "python: main, it is hidden");
    QTest::keyClick(m_popup->line(), Qt::Key_Return);
    QCOMPARE(chosen.count(), 0);
    QVERIFY(m_popup->isVisible());
}

void TestChoicePopup::givesTheFocusBack() {
    QTest::keyClick(m_popup->line(), Qt::Key_Escape);
    QVERIFY(!m_popup->isVisible());
    QVERIFY(m_other->hasFocus());
    // Nor does it come back to what is gone.
    m_popup->open();
    delete m_other;
    m_popup->dismiss();
    QVERIFY(!m_popup->isVisible());
    // A click elsewhere takes the focus, and is not robbed of it.
    auto* another = new QLineEdit(m_window.get());
    another->move(0, 500);
    another->show();
    m_popup->open();
    QTest::mouseClick(another, Qt::LeftButton);
    QVERIFY(!m_popup->isVisible());
    QVERIFY(another->hasFocus());
}

void TestChoicePopup::manyChoices() {
    std::vector<Choice> many;
    for (int i = 0; i < 10'000; ++i) {
        many.push_back({QStringLiteral("stream %1").arg(i), "GPU", "", true, ""});
    }
    m_popup->setChoices(std::move(many));
    m_popup->line()->setText("stream 9876");
    QCOMPARE(first(), "GPU: stream 9876");
    QSignalSpy chosen(m_popup, &ChoicePopup::chosen);
    QTest::keyClick(m_popup->line(), Qt::Key_Return);
    QCOMPARE(chosen[0][0].toInt(), 9876);
}

void TestChoicePopup::isDrawn() {
    const QImage all = m_popup->grab().toImage();
    const QRect place = m_popup->geometry();
    QVERIFY(m_window->rect().contains(place));
    m_popup->line()->setText("stream");
    QVERIFY(m_popup->height() < place.height());
    QVERIFY(m_popup->grab().toImage() != all);
}

void TestChoicePopup::goesWhenAnotherOpens() {
    ChoicePopup second("Others", "Which?", m_window.get());
    second.setChoices({{"one", "", "", true, ""}});
    second.open();
    QVERIFY(second.line()->hasFocus());
    QVERIFY(!m_popup->isVisible());
    second.dismiss();
    QVERIFY(m_other->hasFocus());
}

QTEST_MAIN(TestChoicePopup)
#include "tst_choice_popup.moc"
