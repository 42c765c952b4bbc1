// SPDX-License-Identifier: GPL-3.0-or-later
// Schemes, the user's own keys, and which press is which key.
#include <QAction>
#include <QKeyEvent>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

#include <memory>

#include "widgets/support/key_bindings.h"
#include "widgets/support/key_match.h"
#include "widgets/support/settings.h"

using namespace warpline;

Q_DECLARE_METATYPE(warpline::KeyScheme)

class TestKeyBindings : public QObject {
    Q_OBJECT

private slots:
    void init() { settings::useTemporary(); }

    void everyKeyOfTheTableIsRead();
    void schemesHaveNoConflicts_data() { schemes(); }
    void schemesHaveNoConflicts();
    void schemesDifferWhereTheirToolsDo_data();
    void schemesDifferWhereTheirToolsDo();
    void schemeIdsAreReadBack();
    void keysAsTextAreReadBack();

    void actionsGetTheirKeys();
    void aSchemeCountsAtOnce();
    void ownKeysComeBeforeTheScheme();
    void ownKeysAreKept();
    void noKeyIsKeptToo();
    void brokenSettingsAreLeftOut();
    void conflictsAreFound();
    void escIsShared();
    void whatGivesWayHasNoShortcut();
    void destroyedActionsAreForgotten();
    void allOfOneIdGetTheKeys();
    void titles();

    void presses_data();
    void presses();
    void pressedKeys_data();
    void pressedKeys();

private:
    static void schemes() {
        QTest::addColumn<KeyScheme>("scheme");
        for (const KeyScheme scheme : kKeySchemes) {
            QTest::newRow(qPrintable(schemeId(scheme))) << scheme;
        }
    }
    static QList<QKeySequence> keys(const char* text) { return keysFromText(QString::fromLatin1(text)); }
};

void TestKeyBindings::everyKeyOfTheTableIsRead() {
    QSet<QString> seen;
    for (const QString& id : idsWithKeys()) {
        QVERIFY2(!seen.contains(id), qPrintable(id));
        seen << id;
    }
    QVERIFY(seen.size() > 50);
    // By the table's own text, so that a typing mistake is not just no key.
    QCOMPARE(defaultKeys("timeline.zoom_in", KeyScheme::Perfetto),
             (QList<QKeySequence>{Qt::Key_W, Qt::Key_Plus, Qt::Key_Equal}));
    QCOMPARE(defaultKeys("timeline.previous_slice", KeyScheme::Perfetto), QList<QKeySequence>{Qt::Key_Comma});
    QCOMPARE(defaultKeys("timeline.page_down", KeyScheme::Perfetto), QList<QKeySequence>{Qt::Key_PageDown});
    QCOMPARE(defaultKeys("timeline.compact", KeyScheme::Perfetto), QList<QKeySequence>{Qt::SHIFT | Qt::Key_Space});
    QCOMPARE(defaultKeys("window.settings", KeyScheme::Perfetto), QList<QKeySequence>{Qt::CTRL | Qt::Key_Comma});
    QCOMPARE(defaultKeys("window.palette", KeyScheme::Perfetto),
             (QList<QKeySequence>{Qt::CTRL | Qt::SHIFT | Qt::Key_P, Qt::Key_Greater}));
    QVERIFY(defaultKeys("timeline.nothing", KeyScheme::Perfetto).isEmpty());
    // Enter belongs to the hits of a search.
    for (const QString& id : idsWithKeys()) {
        for (const KeyScheme scheme : kKeySchemes) {
            for (const QKeySequence& key : defaultKeys(id, scheme)) {
                QVERIFY2(key[0].key() != Qt::Key_Return && key[0].key() != Qt::Key_Enter, qPrintable(id));
            }
        }
    }
}

void TestKeyBindings::schemesHaveNoConflicts() {
    QFETCH(KeyScheme, scheme);
    QHash<QString, QString> owners;
    for (const QString& id : idsWithKeys()) {
        for (const QKeySequence& key : defaultKeys(id, scheme)) {
            const QString text = key.toString();
            const QString owner = owners.value(text);
            QVERIFY2(owner.isEmpty() || mayShareKeys(owner, id), qPrintable(text + ": " + owner + " and " + id));
            owners.insert(text, id);
        }
    }
    // The panels that a scheme knows by name are not among the numbers.
    for (const char* id : {"panel.timeline", "panel.op_table", "panel.kernel_table"}) {
        for (const QKeySequence& key : defaultKeys(id, scheme)) {
            QVERIFY2(!owners.contains(key.toString()), id);
            owners.insert(key.toString(), id);
        }
    }
    QVERIFY(owners.size() > 40);
}

void TestKeyBindings::schemesDifferWhereTheirToolsDo_data() {
    QTest::addColumn<KeyScheme>("scheme");
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("expected");
    QTest::newRow("pf 1") << KeyScheme::Perfetto << "timeline.tool_select"
                          << "1";
    QTest::newRow("pf panel") << KeyScheme::Perfetto << "panel.2"
                              << "Ctrl+2";
    QTest::newRow("ct 4") << KeyScheme::ChromeTracing << "timeline.tool_time"
                          << "4";
    QTest::newRow("ct w") << KeyScheme::ChromeTracing << "timeline.zoom_in"
                          << "W + =";
    QTest::newRow("ct f") << KeyScheme::ChromeTracing << "timeline.fit"
                          << "F";
    QTest::newRow("tr find") << KeyScheme::Tracy << "search.focus"
                             << "/ Ctrl+F";
    QTest::newRow("oq arrows") << KeyScheme::Optiq << "timeline.pan_left"
                               << "A Left";
    QTest::newRow("oq digits are free") << KeyScheme::Optiq << "panel.2"
                                        << "Alt+2";
    QTest::newRow("sp view") << KeyScheme::Speedscope << "panel.op_table"
                             << "2";
    QTest::newRow("sp no tool") << KeyScheme::Speedscope << "timeline.tool_pan"
                                << "";
    QTest::newRow("sp fit") << KeyScheme::Speedscope << "timeline.fit_all"
                            << "Shift+F 0";
    QTest::newRow("na kernel") << KeyScheme::NsysAi << "timeline.next_kernel"
                               << "Tab";
    QTest::newRow("tab is nobody's else") << KeyScheme::Perfetto << "timeline.next_kernel"
                                          << "";
}

void TestKeyBindings::schemesDifferWhereTheirToolsDo() {
    QFETCH(KeyScheme, scheme);
    QFETCH(QString, id);
    QFETCH(QString, expected);
    QCOMPARE(keysAsText(defaultKeys(id, scheme)), expected);
}

void TestKeyBindings::schemeIdsAreReadBack() {
    QSet<QString> ids;
    QSet<QString> titles;
    for (const KeyScheme scheme : kKeySchemes) {
        QCOMPARE(schemeOf(schemeId(scheme)), scheme);
        ids << schemeId(scheme);
        titles << schemeTitle(scheme);
    }
    QCOMPARE(ids.size(), static_cast<qsizetype>(kKeySchemes.size()));
    QCOMPARE(titles.size(), static_cast<qsizetype>(kKeySchemes.size()));
    QCOMPARE(schemeOf("?"), KeyScheme::Perfetto);
    QCOMPARE(schemeOf(""), KeyScheme::Perfetto);
}

void TestKeyBindings::keysAsTextAreReadBack() {
    const QList<QKeySequence> all{Qt::Key_Comma,           Qt::CTRL | Qt::Key_Comma,
                                  Qt::Key_Semicolon,       Qt::Key_Plus,
                                  Qt::CTRL | Qt::Key_Plus, Qt::Key_Space,
                                  Qt::SHIFT | Qt::Key_Tab, Qt::ALT | Qt::META | Qt::Key_F12,
                                  Qt::Key_PageUp,          Qt::Key_Percent,
                                  Qt::Key_QuoteDbl,        QKeySequence(Qt::Key_Odiaeresis)};
    QCOMPARE(keysFromText(keysAsText(all)), all);
    QVERIFY(keysFromText("").isEmpty());
    QVERIFY(keysFromText("   ").isEmpty());
    QCOMPARE(keysFromText("W W"), QList<QKeySequence>{Qt::Key_W});
}

void TestKeyBindings::actionsGetTheirKeys() {
    QAction action("Zoom &in");
    QSignalSpy triggered(&action, &QAction::triggered);
    keyBindings().add(&action, "timeline.zoom_in", "Timeline");
    QCOMPARE(action.objectName(), "timeline.zoom_in");
    QCOMPARE(action.shortcuts(), keys("W + ="));
    QCOMPARE(keyBindings().action("timeline.zoom_in"), &action);
    QCOMPARE(keyBindings().groupOf("timeline.zoom_in"), "Timeline");
    // What the table does not know has none, or those of the id it is said to go by.
    QAction other("Other");
    keyBindings().add(&other, "panel.other", "View");
    QVERIFY(other.shortcuts().isEmpty());
    keyBindings().add(&other, "panel.other", "View", "panel.3");
    QCOMPARE(other.shortcuts(), keys("Ctrl+3"));
}

void TestKeyBindings::aSchemeCountsAtOnce() {
    QAction kernel("Next kernel");
    QAction panel("Ops");
    QSignalSpy changed(&keyBindings(), &KeyBindings::changed);
    keyBindings().add(&kernel, "timeline.next_kernel", "Timeline");
    keyBindings().add(&panel, "panel.op_table", "View", "panel.2");
    QCOMPARE(keyBindings().scheme(), KeyScheme::Perfetto);
    keyBindings().setScheme(KeyScheme::Perfetto);
    QCOMPARE(changed.count(), 0);
    keyBindings().setScheme(KeyScheme::NsysAi);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(kernel.shortcuts(), keys("Tab"));
    QCOMPARE(panel.shortcuts(), keys("Ctrl+2"));
    keyBindings().setScheme(KeyScheme::Speedscope);
    QVERIFY(kernel.shortcuts().isEmpty());
    QCOMPARE(panel.shortcuts(), keys("2"));
    QCOMPARE(settings::store().value(settings::kKeyScheme).toString(), "speedscope");
}

void TestKeyBindings::ownKeysComeBeforeTheScheme() {
    QAction action("Fit");
    QSignalSpy changed(&keyBindings(), &KeyBindings::changed);
    keyBindings().add(&action, "timeline.fit", "Timeline");
    QVERIFY(!keyBindings().isChanged("timeline.fit"));
    keyBindings().setKeys("timeline.fit", keys("F"));
    QCOMPARE(changed.count(), 0);
    keyBindings().setKeys("timeline.fit", keys("X Ctrl+,"));
    QCOMPARE(changed.count(), 1);
    QVERIFY(keyBindings().isChanged("timeline.fit"));
    QCOMPARE(action.shortcuts(), keys("X Ctrl+,"));
    keyBindings().setScheme(KeyScheme::Tracy);
    QCOMPARE(action.shortcuts(), keys("X Ctrl+,"));
    QCOMPARE(keyBindings().schemeKeys("timeline.fit"), keys("F"));
    keyBindings().reset("timeline.fit");
    QCOMPARE(action.shortcuts(), keys("F"));
    // The scheme's own keys are no change.
    keyBindings().setKeys("timeline.fit", keys("X"));
    keyBindings().setKeys("timeline.fit", keys("F"));
    QVERIFY(!keyBindings().isChanged("timeline.fit"));
    QVERIFY(settings::store().allKeys().filter("timeline.fit").isEmpty());
}

void TestKeyBindings::ownKeysAreKept() {
    keyBindings().setKeys("timeline.fit", keys("X ; Ctrl+,"));
    keyBindings().setKeys("timeline.fit_all", keys("Y"));
    settings::store().sync();
    // As another run of the program reads them.
    const QSettings again(settings::store().fileName(), QSettings::IniFormat);
    QCOMPARE(again.value("keys/actions/timeline.fit").toString(), "X ; Ctrl+,");
    QAction action("Fit");
    keyBindings().add(&action, "timeline.fit", "Timeline");
    QCOMPARE(action.shortcuts(), keys("X ; Ctrl+,"));
    keyBindings().resetAll();
    QCOMPARE(action.shortcuts(), keys("F"));
    QCOMPARE(keysAsText(keyBindings().keys("timeline.fit_all")), "Shift+F 0");
}

void TestKeyBindings::noKeyIsKeptToo() {
    QAction action("Fit");
    keyBindings().add(&action, "timeline.fit", "Timeline");
    keyBindings().setKeys("timeline.fit", {});
    settings::store().sync();
    const QSettings again(settings::store().fileName(), QSettings::IniFormat);
    QVERIFY(again.contains("keys/actions/timeline.fit"));
    QCOMPARE(again.value("keys/actions/timeline.fit").toString(), "");
    QVERIFY(action.shortcuts().isEmpty());
    QVERIFY(keyBindings().keys("timeline.fit").isEmpty());
}

void TestKeyBindings::brokenSettingsAreLeftOut() {
    settings::store().setValue("keys/actions/timeline.fit", "Nonsense+Q X Ctrl+ \u0001 F99");
    settings::store().setValue("keys/actions/timeline.start", QVariantMap{{"a", 1}});
    settings::store().setValue("keys/scheme", QByteArray("\xff\xfe"));
    QAction fit("Fit");
    QAction start("Start");
    keyBindings().add(&fit, "timeline.fit", "Timeline");
    keyBindings().add(&start, "timeline.start", "Timeline");
    QVERIFY(fit.shortcuts().contains(QKeySequence(Qt::Key_X)));
    QVERIFY(start.shortcuts().isEmpty());
    QCOMPARE(keyBindings().scheme(), KeyScheme::Perfetto);
}

void TestKeyBindings::conflictsAreFound() {
    QAction fit("Fit");
    QAction all("All");
    QAction area("Area");
    keyBindings().add(&fit, "timeline.fit", "Timeline");
    keyBindings().add(&all, "timeline.fit_all", "Timeline");
    keyBindings().add(&area, "timeline.select_all", "Timeline");
    QVERIFY(keyBindings().conflicts().isEmpty());
    QCOMPARE(keyBindings().usersOf(Qt::Key_F, "timeline.fit_all"), QStringList{"timeline.fit"});
    QVERIFY(keyBindings().usersOf(Qt::Key_F, "timeline.fit").isEmpty());
    QVERIFY(keyBindings().usersOf(Qt::Key_X, {}).isEmpty());
    keyBindings().setKeys("timeline.select_all", keys("F 0"));
    const QList<KeyBindings::Conflict> found = keyBindings().conflicts();
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].key, QKeySequence(Qt::Key_F));
    QCOMPARE(found[0].ids, (QStringList{"timeline.fit", "timeline.select_all"}));
    QCOMPARE(found[1].key, QKeySequence(Qt::Key_0));
    QCOMPARE(found[1].ids, (QStringList{"timeline.fit_all", "timeline.select_all"}));
}

void TestKeyBindings::escIsShared() {
    QAction cancel("Cancel");
    QAction clear("Clear");
    keyBindings().add(&cancel, "window.cancel", "File");
    keyBindings().add(&clear, "timeline.clear", "Timeline");
    QVERIFY(keyBindings().conflicts().isEmpty());
    QVERIFY(keyBindings().usersOf(Qt::Key_Escape, "timeline.clear").isEmpty());
    QVERIFY(mayShareKeys("window.cancel", "timeline.clear") && mayShareKeys("timeline.clear", "window.cancel"));
    QVERIFY(!mayShareKeys("window.cancel", "timeline.fit"));
}

void TestKeyBindings::whatGivesWayHasNoShortcut() {
    QAction clear("Clear");
    keyBindings().add(&clear, "timeline.clear", "Timeline");
    QVERIFY(clear.shortcuts().isEmpty());
    QCOMPARE(keyBindings().keys("timeline.clear"), keys("Esc"));
    QKeyEvent esc(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
    QCOMPARE(actionFor({&clear}, esc), &clear);
}

void TestKeyBindings::destroyedActionsAreForgotten() {
    auto action = std::make_unique<QAction>("Fit");
    keyBindings().add(action.get(), "timeline.fit", "Timeline");
    QVERIFY(keyBindings().actions().contains(action.get()));
    action.reset();
    QCOMPARE(keyBindings().action("timeline.fit"), nullptr);
    for (const QAction* left : keyBindings().actions()) {
        QVERIFY(left->objectName() != "timeline.fit");
    }
    keyBindings().setKeys("timeline.fit", keys("X"));
    QVERIFY(keyBindings().usersOf(Qt::Key_X, {}).isEmpty());
}

void TestKeyBindings::allOfOneIdGetTheKeys() {
    QAction one("Fit");
    QAction two("Fit");
    keyBindings().add(&one, "timeline.fit", "Timeline");
    keyBindings().add(&two, "timeline.fit", "Timeline");
    QCOMPARE(keyBindings().action("timeline.fit"), &two);
    QCOMPARE(keyBindings().actions().count(&one), 0);
    keyBindings().setKeys("timeline.fit", keys("X"));
    QCOMPARE(one.shortcuts(), keys("X"));
    QCOMPARE(two.shortcuts(), keys("X"));
    QVERIFY(keyBindings().conflicts().isEmpty());
}

void TestKeyBindings::titles() {
    QAction action("&Save && close…");
    QCOMPARE(actionTitle(&action), "Save & close");
    QCOMPARE(fullTitle(&action), "Save & close");
    action.setProperty(kFullTitle, "File: save");
    QCOMPARE(fullTitle(&action), "File: save");
    QCOMPARE(shownKeys(keys("W Ctrl+F")), "W  or  Ctrl+F");
    QCOMPARE(shownKeys({}), "");
    setEnabledOr(&action, false, "No trace is open");
    QVERIFY(!action.isEnabled());
    QCOMPARE(action.property(kDisabledReason).toString(), "No trace is open");
    setEnabledOr(&action, true, "No trace is open");
    QVERIFY(action.isEnabled());
    QCOMPARE(action.property(kDisabledReason).toString(), "");
}

void TestKeyBindings::presses_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
    QTest::addColumn<QString>("bound");
    QTest::addColumn<bool>("expected");
    const Qt::KeyboardModifiers none = Qt::NoModifier;
    const Qt::KeyboardModifiers shift = Qt::ShiftModifier;
    const Qt::KeyboardModifiers control = Qt::ControlModifier;
    QTest::newRow("letter") << int(Qt::Key_F) << none << "F" << true;
    QTest::newRow("letter, one of two") << int(Qt::Key_F) << none << "X F" << true;
    QTest::newRow("another letter") << int(Qt::Key_G) << none << "F" << false;
    QTest::newRow("Shift and a letter") << int(Qt::Key_F) << shift << "Shift+F" << true;
    QTest::newRow("Shift is too much") << int(Qt::Key_F) << shift << "F" << false;
    QTest::newRow("Shift is missing") << int(Qt::Key_F) << none << "Shift+F" << false;
    QTest::newRow("Ctrl is too much") << int(Qt::Key_F) << control << "F" << false;
    QTest::newRow("? with Shift") << int(Qt::Key_Question) << shift << "?" << true;
    QTest::newRow("? without") << int(Qt::Key_Question) << none << "?" << true;
    QTest::newRow("[ with AltGr") << int(Qt::Key_BracketLeft) << Qt::KeyboardModifiers(Qt::GroupSwitchModifier) << "["
                                  << true;
    QTest::newRow("[ with Ctrl+Alt, as some systems call AltGr")
        << int(Qt::Key_BracketLeft) << Qt::KeyboardModifiers(Qt::ControlModifier | Qt::AltModifier) << "[" << true;
    QTest::newRow("letter with Ctrl+Alt")
        << int(Qt::Key_F) << Qt::KeyboardModifiers(Qt::ControlModifier | Qt::AltModifier) << "F" << false;
    QTest::newRow("keypad +") << int(Qt::Key_Plus) << Qt::KeyboardModifiers(Qt::KeypadModifier) << "+" << true;
    QTest::newRow("keypad Enter") << int(Qt::Key_Enter) << Qt::KeyboardModifiers(Qt::KeypadModifier) << "Return"
                                  << true;
    QTest::newRow("digit with Shift, as in France") << int(Qt::Key_1) << shift << "1" << true;
    QTest::newRow("Shift+digit of its own") << int(Qt::Key_1) << shift << "Shift+1" << true;
    QTest::newRow("Space with Shift") << int(Qt::Key_Space) << shift << "Space" << false;
    QTest::newRow("Shift+Space") << int(Qt::Key_Space) << shift << "Shift+Space" << true;
    QTest::newRow("Shift+Tab") << int(Qt::Key_Backtab) << shift << "Shift+Tab" << true;
    QTest::newRow("Shift+Tab is not Tab") << int(Qt::Key_Backtab) << shift << "Tab" << false;
    QTest::newRow("letter beyond Latin") << int(Qt::Key_Odiaeresis) << shift << QString::fromUtf8("Ö") << false;
    QTest::newRow("nothing bound") << int(Qt::Key_F) << none << "" << false;
}

void TestKeyBindings::presses() {
    QFETCH(int, key);
    QFETCH(Qt::KeyboardModifiers, modifiers);
    QFETCH(QString, bound);
    QFETCH(bool, expected);
    const QKeyEvent event(QEvent::KeyPress, key, modifiers, key < 0x100 ? QString(QChar(key)) : QString());
    QCOMPARE(matches(event, keysFromText(bound)), expected);
}

void TestKeyBindings::pressedKeys_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
    QTest::addColumn<QString>("expected");
    const Qt::KeyboardModifiers shift = Qt::ShiftModifier;
    QTest::newRow("letter") << int(Qt::Key_K) << Qt::KeyboardModifiers() << "K";
    QTest::newRow("with Shift") << int(Qt::Key_K) << shift << "Shift+K";
    QTest::newRow("sign") << int(Qt::Key_Greater) << shift << ">";
    QTest::newRow("Ctrl and a sign") << int(Qt::Key_Question) << (shift | Qt::ControlModifier) << "Ctrl+?";
    QTest::newRow("digit keeps Shift") << int(Qt::Key_2) << shift << "Shift+2";
    QTest::newRow("Shift alone") << int(Qt::Key_Shift) << shift << "";
    QTest::newRow("Ctrl alone") << int(Qt::Key_Control) << Qt::KeyboardModifiers(Qt::ControlModifier) << "";
    QTest::newRow("keypad") << int(Qt::Key_Enter) << Qt::KeyboardModifiers(Qt::KeypadModifier) << "Return";
    QTest::newRow("nameless") << int(Qt::Key_unknown) << Qt::KeyboardModifiers() << "";
}

void TestKeyBindings::pressedKeys() {
    QFETCH(int, key);
    QFETCH(Qt::KeyboardModifiers, modifiers);
    const QKeyEvent event(QEvent::KeyPress, key, modifiers);
    QTEST(pressedKey(event).toString(QKeySequence::PortableText), "expected");
    // What is taken is found again.
    const QKeySequence taken = pressedKey(event);
    QVERIFY(taken.isEmpty() || matches(event, {taken}));
}

QTEST_MAIN(TestKeyBindings)
#include "tst_key_bindings.moc"
