// SPDX-License-Identifier: GPL-3.0-or-later
// The window's keys, its command palette, the sheet of keys and the dialog that changes them.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QTimer>

#include <functional>
#include <memory>

#include "app/ui/command_palette.h"
#include "app/ui/key_dialog.h"
#include "app/ui/key_edit.h"
#include "app/ui/main_window.h"
#include "app/ui/shortcut_sheet.h"
#include "app/ui/trace_opener.h"
#include "app/ui/workspace.h"
#include "widgets/panels/registry.h"
#include "widgets/support/action_words.h"
#include "widgets/support/chooser.h"
#include "widgets/support/job_runner.h"
#include "widgets/support/key_bindings.h"
#include "widgets/support/settings.h"

using namespace warpline;
using namespace warpline::ui;

Q_DECLARE_METATYPE(warpline::KeyScheme)

class TestKeys : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();

    void everyIdIsAnAction();
    void schemesHaveNoConflictsInTheWindow_data() { schemes(); }
    void schemesHaveNoConflictsInTheWindow();
    void windowKeysDoWhatTheySay_data();
    void windowKeysDoWhatTheySay();
    void keysReachTheTimelineFromTheWindow_data();
    void keysReachTheTimelineFromTheWindow();
    void heldKeysAreHeldInTheWindow();
    void keysOfFieldsStayTheirs();
    void tableKeysStayTheirs();
    void otherKeysOfTablesMoveTheTimeline_data();
    void otherKeysOfTablesMoveTheTimeline();
    void theDrawerComesBackAsItWas();

    void thePaletteListsEveryAction();
    void thePaletteTriggersWhatIsChosen();
    void thePaletteFindsByAFewLetters();
    void thePaletteFindsByOtherWords_data();
    void thePaletteFindsByOtherWords();
    void thePaletteSaysWhyNot();
    void thePaletteGoesAway();
    void thePaletteOpensRecentFiles();

    void theDialogRebinds();
    void theDialogSaysConflicts();
    void theDialogAddsAndTakesAway();
    void theDialogResets();
    void lettersInTheDialogSearch();
    void theDialogChangesTheScheme();
    void handMadeConflictsAreSaid();
    void aReboundKeySurvivesARestart();
    void theSheetFollows();

private:
    static void schemes() {
        QTest::addColumn<KeyScheme>("scheme");
        for (const KeyScheme scheme : kKeySchemes) {
            QTest::newRow(qPrintable(schemeId(scheme))) << scheme;
        }
    }
    void open(const char* name);
    void restart();
    QWidget* panel(const char* id) const { return m_window->workspace()->findDock(id)->panel; }
    bool isSeen(const char* id) const { return !panel(id)->visibleRegion().isEmpty(); }
    void press(const QKeySequence& key) {
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus != nullptr ? focus : m_window.get(), key[0].key(), key[0].keyboardModifiers());
    }
    void trigger(const char* id) const { keyBindings().action(id)->trigger(); }
    template <typename Dialog>
    Dialog* shown() const {
        for (Dialog* found : m_window->findChildren<Dialog*>()) {
            if (found->isVisible()) {
                return found;
            }
        }
        return nullptr;
    }
    KeyDialog* openKeys() {
        trigger("window.keys");
        return shown<KeyDialog>();
    }
    QStringList paletteLines() const {
        QStringList lines;
        const QAbstractItemModel* model = m_window->commandPalette()->list()->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            lines << model->index(row, 0).data(Qt::AccessibleTextRole).toString();
        }
        return lines;
    }
    static QString cell(const QTableWidget* table, const QString& what, int column) {
        for (int row = 0; row < table->rowCount(); ++row) {
            if (table->item(row, 1)->text() == what) {
                return table->item(row, column)->text();
            }
        }
        return QStringLiteral("(no such row)");
    }

    std::unique_ptr<MainWindow> m_window;
};

void TestKeys::initTestCase() {
    qputenv("WARPLINE_SHARE_DIR", WARPLINE_SAMPLES_DIR "/..");
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    applyTheme(ThemeChoice::Light);
}

void TestKeys::init() {
    settings::useTemporary();
    restart();
}

void TestKeys::restart() {
    m_window.reset();
    m_window = std::make_unique<MainWindow>();
    m_window->resize(1200, 760);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void TestKeys::cleanup() {
    m_window.reset();
    QCOMPARE(JobRunner::activeJobs(), 0);
}

void TestKeys::open(const char* name) {
    QSignalSpy finished(m_window.get(), &MainWindow::loadFinished);
    m_window->openFiles({QStringLiteral(WARPLINE_SAMPLES_DIR "/%1.trace.json.gz").arg(QLatin1String(name))});
    QVERIFY(finished.count() == 1 || finished.wait(20000));
    QCOMPARE(finished.first().first().toString(), "");
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
}

void TestKeys::everyIdIsAnAction() {
    for (const QString& id : idsWithKeys()) {
        const bool numbered = id.startsWith("panel.");
        QVERIFY2(numbered || keyBindings().action(id) != nullptr, qPrintable(id));
    }
    // And every action of the menus has an id, so that it can be given a key.
    for (const QAction* top : m_window->menuBar()->actions()) {
        const std::function<void(const QMenu*)> check = [&](const QMenu* menu) {
            for (const QAction* action : menu->actions()) {
                if (action->menu() != nullptr) {
                    if (action->menu()->title() != "Open &recent") {
                        check(action->menu());
                    }
                } else if (!action->isSeparator()) {
                    QVERIFY2(keyBindings().action(action->objectName()) == action, qPrintable(action->text()));
                }
            }
        };
        check(top->menu());
    }
}

void TestKeys::schemesHaveNoConflictsInTheWindow() {
    QFETCH(KeyScheme, scheme);
    keyBindings().setScheme(scheme);
    const QList<KeyBindings::Conflict> conflicts = keyBindings().conflicts();
    QVERIFY2(conflicts.isEmpty(), qPrintable(conflicts.isEmpty() ? "" : conflicts[0].ids.join(" and ")));
    // The keys of menus and of the bindings are the same ones.
    for (const QAction* action : keyBindings().actions()) {
        if (!givesWay(action->objectName())) {
            QVERIFY2(action->shortcuts() == keyBindings().keys(action->objectName()), qPrintable(action->text()));
        }
    }
}

void TestKeys::windowKeysDoWhatTheySay_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QKeySequence>("key");
    QTest::addColumn<KeyScheme>("scheme");
    const int panelCount = static_cast<int>(panels::all().size());
    for (const KeyScheme scheme : kKeySchemes) {
        QStringList ids = idsWithKeys();
        ids << "panel.timeline"
            << "panel.op_table"
            << "panel.kernel_table";
        for (const QString& id : ids) {
            // In Speedscope's scheme the first three are known by name.
            const int number = id.startsWith("panel.") ? id.mid(6).toInt() : 0;
            if (id.startsWith("timeline.") || number > panelCount ||
                (number > 0 && number <= 3 && scheme == KeyScheme::Speedscope)) {
                continue;
            }
            QList<QKeySequence> keys = defaultKeys(id, scheme);
            if (scheme != KeyScheme::Perfetto && keys == defaultKeys(id, KeyScheme::Perfetto)) {
                continue;
            }
            if (keys.isEmpty() && !id.startsWith("panel.")) {
                keys << QKeySequence(Qt::CTRL | Qt::Key_F12);  // one of the user's own
            }
            for (const QKeySequence& key : keys) {
                QTest::newRow(qPrintable(schemeId(scheme) + ' ' + id + ' ' + key.toString())) << id << key << scheme;
            }
        }
    }
}

void TestKeys::windowKeysDoWhatTheySay() {
    QFETCH(QString, id);
    QFETCH(QKeySequence, key);
    QFETCH(KeyScheme, scheme);
    open("quickstart");
    keyBindings().setScheme(scheme);
    const auto& docks = m_window->workspace()->docks();
    bool numbered = false;
    const int number = id.mid(6).toInt(&numbered);
    if (!id.startsWith("panel.") && !keyBindings().keys(id).contains(key)) {
        keyBindings().setKeys(id, {key});
    }
    panel("timeline")->setFocus();
    const auto theme0 = theme().dark;
    // Dialogs that are modal by themselves are answered from here.
    QString asked;
    QTimer answer;
    connect(&answer, &QTimer::timeout, this, [&] {
        if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) {
            asked = dialog->metaObject()->className();
            dialog->reject();
        }
    });
    answer.start(20);
    QHash<QString, std::function<bool()>> checks{
        {"window.open", [&] { return asked.endsWith("QFileDialog"); }},
        {"window.add_files", [&] { return asked.endsWith("QFileDialog"); }},
        {"window.save_session", [&] { return asked.endsWith("QFileDialog"); }},
        {"window.undo", [&] { return m_window->session().filter().empty(); }},
        {"window.redo", [&] { return !m_window->session().filter().empty(); }},
        {"window.filter_to_selection", [&] { return !m_window->session().filter().empty(); }},
        {"window.remove_filter", [&] { return m_window->session().filter().empty(); }},
        {"window.record", [&] { return asked.endsWith("RecordDialog"); }},
        {"window.recordings", [&] { return m_window->recordingsDock()->isVisible(); }},
        {"window.program_output", [&] { return m_window->outputDock()->isVisible(); }},
        {"window.settings", [&] { return asked.endsWith("SettingsDialog"); }},
        {"window.about", [&] { return asked.endsWith("AboutDialog"); }},
        {"window.shortcuts", [&] { return asked.endsWith("ShortcutSheet"); }},
        {"window.keys", [&] { return asked.endsWith("KeyDialog"); }},
        {"window.palette", [&] { return m_window->commandPalette()->isVisible(); }},
        {"window.reload", [&] { return m_window->opener()->busy(); }},
        {"window.follow", [&] { return m_window->following(); }},
        {"window.close_trace", [&] { return m_window->session().trace() == nullptr; }},
        {"window.keep_traces", [&] { return settings::store().contains(settings::kKeepTraces); }},
        {"window.drawer", [&] { return !isSeen("op_table"); }},
        {"window.theme_dark", [&] { return theme().dark && !theme0; }},
        {"window.theme_light", [&] { return settings::store().value(settings::kTheme) == "light"; }},
        {"window.theme_system", [&] { return settings::store().value(settings::kTheme) == "system"; }},
        {"window.full_screen", [&] { return m_window->windowState().testFlag(Qt::WindowFullScreen); }},
        {"window.reset_layout", [&] { return isSeen("op_table"); }},
        {"window.next_instance", [&] { return m_window->session().highlight().current == 0; }},
        {"window.previous_instance", [&] { return m_window->session().highlight().current == 1; }},
        {"window.filter_table", [&] { return qobject_cast<QLineEdit*>(QApplication::focusWidget()) != nullptr; }},
        {"window.quit", [&] { return !m_window->isVisible(); }},
    };
    if (id.startsWith("panel.")) {
        const QString wanted = numbered ? docks[static_cast<size_t>(number - 1)].factory->info().id : id.mid(6);
        panel(wanted == "timeline" ? "op_table" : "timeline")->setFocus();
        press(key);
        QWidget* found = panel(qPrintable(wanted));
        QTRY_VERIFY(found->hasFocus() || found->isAncestorOf(QApplication::focusWidget()));
        return;
    }
    if (id == "window.cancel") {
        m_window->reload();
        QVERIFY(m_window->opener()->busy());
        press(key);
        QVERIFY(!m_window->opener()->busy());
        QTRY_COMPARE(JobRunner::activeJobs(), 0);
        return;
    }
    if (id == "window.place_files") {
        QVERIFY(!keyBindings().action(id)->isEnabled());  // one file only
        return;
    }
    // With something to do for them they are tested with the recording.
    if (id.startsWith("window.record_")) {
        QVERIFY(!keyBindings().action(id)->isEnabled());
        QCOMPARE(keyBindings().action(id)->property(kDisabledReason).toString(), "Nothing is being recorded");
        return;
    }
    if (id.startsWith("details.copy_")) {
        QApplication::clipboard()->clear();
        press(key);
        const QString copied = QApplication::clipboard()->text();
        QVERIFY2(copied.startsWith(id.endsWith("json") ? "{\n" : "quickstart.trace.json"), qPrintable(copied.left(80)));
        return;
    }
    if (id == "search.focus") {
        press(key);
        QTRY_VERIFY(panel("search")->isAncestorOf(QApplication::focusWidget()));
        QVERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()) != nullptr);
        return;
    }
    // What they do with hits is tested with the panel.
    if (id == "window.clear_cache" || id.startsWith("search.")) {
        QSignalSpy triggered(keyBindings().action(id), &QAction::triggered);
        press(key);
        QCOMPARE(triggered.count(), 1);
        QTRY_COMPARE(JobRunner::activeJobs(), 0);
        return;
    }
    if (id == "window.reset_layout") {
        m_window->workspace()->findDock("op_table")->dock->hide();
    }
    if (id == "window.filter_to_selection") {
        m_window->session().selectEvent(EventRow(3U));
    }
    if (id == "window.undo" || id == "window.redo" || id == "window.remove_filter") {
        m_window->session().applyFilter({AreaSelection{{1, 2}, {}}});
    }
    if (id == "window.redo") {
        m_window->session().undoStack().undo();
    }
    if (id.endsWith("_instance")) {
        m_window->session().setHighlight({"x", {EventRow(3U), EventRow(4U)}, -1});
    }
    QVERIFY2(checks.contains(id), qPrintable("no test for " + id));
    QVERIFY2(id == "window.theme_system" || id == "window.theme_light" || !checks[id](), "there before the key");
    press(key);
    QTRY_VERIFY(checks[id]());
    QTRY_VERIFY(QApplication::activeModalWidget() == nullptr);
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    if (theme().dark != theme0) {
        applyTheme(ThemeChoice::Light);
    }
}

void TestKeys::keysReachTheTimelineFromTheWindow_data() {
    QTest::addColumn<QString>("id");
    for (const char* id : {"timeline.next_slice", "timeline.select_all", "timeline.area_from_selection",
                           "timeline.clear", "timeline.tool_pan", "timeline.next_track", "timeline.fold"}) {
        QTest::newRow(id) << id;
    }
}

/// In the window a press goes through its shortcuts; each action is to be done once.
void TestKeys::keysReachTheTimelineFromTheWindow() {
    QFETCH(QString, id);
    open("multi_stream");
    panel("timeline")->setFocus();
    m_window->session().selectEvent(EventRow(10U));
    QSignalSpy triggered(keyBindings().action(id), &QAction::triggered);
    press(keyBindings().keys(id).first());
    QCOMPARE(triggered.count(), 1);
}

/// The window's shortcut for the same key would zoom by one step and hear of no release.
void TestKeys::heldKeysAreHeldInTheWindow() {
    open("multi_stream");
    QWidget* timeline = panel("timeline");
    timeline->setFocus();
    QSignalSpy triggered(keyBindings().action("timeline.zoom_in"), &QAction::triggered);
    const auto length = [this] { return m_window->session().visibleRange().length(); };
    QTest::keyPress(timeline, Qt::Key_W);
    const DurationNs tapped = length();
    QTRY_VERIFY(length() < tapped);
    QTest::keyRelease(timeline, Qt::Key_W);
    const DurationNs released = length();
    QTest::qWait(60);
    QCOMPARE(length(), released);
    QCOMPARE(triggered.count(), 0);
}

void TestKeys::keysOfFieldsStayTheirs() {
    open("quickstart");
    trigger("window.filter_table");
    auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(field != nullptr);
    for (const char letter : {'q', 'w', '1', '0', '?', '>', '/', 'f'}) {
        QTest::keyClick(field, letter);
    }
    QCOMPARE(field->text(), "qw10?>/f");
    QVERIFY(isSeen("op_table"));
    QVERIFY(!m_window->commandPalette()->isVisible());
    press(QKeySequence(Qt::CTRL | Qt::Key_A));
    QCOMPARE(field->selectedText(), field->text());
    QVERIFY(!m_window->session().area());
}

void TestKeys::tableKeysStayTheirs() {
    open("quickstart");
    m_window->workspace()->raisePanel("op_table");
    auto* view = panel("op_table")->findChild<QTableView*>();
    QTRY_VERIFY(view->model()->rowCount() > 1);
    view->setFocus();
    view->selectRow(0);
    press(QKeySequence(Qt::Key_Return));
    QCOMPARE(m_window->session().highlight().current, 0);
    press(QKeySequence(Qt::CTRL | Qt::Key_A));
    QVERIFY(!m_window->session().area());
}

void TestKeys::otherKeysOfTablesMoveTheTimeline_data() {
    QTest::addColumn<QByteArray>("id");
    for (const char* id : {"op_table", "kernel_table", "area", "search"}) {
        QTest::newRow(id) << QByteArray(id);
    }
}

void TestKeys::otherKeysOfTablesMoveTheTimeline() {
    QFETCH(QByteArray, id);
    open("multi_stream");
    Session& session = m_window->session();
    m_window->workspace()->raisePanel(id);
    auto* view = panel(id)->findChild<QTableView*>();
    QLineEdit* text = nullptr;
    for (QLineEdit* line : panel(id)->findChildren<QLineEdit*>()) {
        text = line->isVisible() ? line : text;
    }
    QVERIFY(text != nullptr);
    if (id == "area") {
        session.setArea(AreaSelection{*session.trace()->range(), {}});
    } else if (id == "search") {
        text->setText("e");
    }
    QTRY_VERIFY(view->model()->rowCount() > 2);
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(view->model()->index(0, 0)).center());
    QVERIFY(view->hasFocus());
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    const int row = view->currentIndex().row();
    const TimeRange first = session.visibleRange();
    press(QKeySequence(Qt::Key_W));
    QVERIFY(session.visibleRange().length() < first.length());
    // A key that is held moves until it is let go, or until the focus goes.
    for (const bool isLetGo : {true, false}) {
        const TimeRange before = session.visibleRange();
        QTest::keyPress(view, Qt::Key_D);
        const TimeRange tapped = session.visibleRange();
        QVERIFY(tapped.begin > before.begin);
        QTRY_VERIFY(session.visibleRange().begin > tapped.begin);
        if (isLetGo) {
            QTest::keyRelease(view, Qt::Key_D);
        } else {
            text->setFocus();
        }
        const TimeRange rest = session.visibleRange();
        QTest::qWait(60);
        QCOMPARE(session.visibleRange(), rest);
    }
    // What is typed into a text stays there.
    const TimeRange rest = session.visibleRange();
    text->clear();
    QTest::keyClicks(text, "was");
    QCOMPARE(text->text(), QString("was"));
    QCOMPARE(session.visibleRange(), rest);
    text->setText(id == "search" ? "e" : "");
    QTRY_VERIFY(view->model()->rowCount() > 2);
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    view->setFocus();
    view->setCurrentIndex(view->model()->index(row, 0));
    session.selectEvent(EventRow(20U));
    session.setArea(std::nullopt);
    press(QKeySequence(Qt::Key_M));
    QCOMPARE(session.notes().marks.size(), 1U);
    press(QKeySequence(Qt::ALT | Qt::Key_Left));
    QVERIFY(session.visibleRange() != rest);
    // The table's own, and letters that nothing is bound to.
    if (id == "area") {
        return;  // without an area it is empty
    }
    const TimeRange last = session.visibleRange();
    press(QKeySequence(Qt::Key_Down));
    QCOMPARE(view->currentIndex().row(), row + 1);
    press(QKeySequence(Qt::Key_Home));
    press(QKeySequence(Qt::Key_E));
    QVERIFY(id == "search" || session.visibleRange() == last);
    QVERIFY(view->hasFocus());
}

void TestKeys::theDrawerComesBackAsItWas() {
    open("quickstart");
    const auto hidden = [this](const char* id) { return m_window->workspace()->findDock(id)->dock->isHidden(); };
    m_window->workspace()->raisePanel("kernel_table");
    m_window->workspace()->findDock("import_issues")->dock->hide();
    const bool issuesAreBelow =
        m_window->workspace()->findDock("import_issues")->factory->info().place == PanelPlace::Bottom;
    trigger("window.drawer");
    QVERIFY(hidden("op_table") && hidden("kernel_table"));
    QVERIFY(!hidden("timeline") && !hidden("details"));
    // The focus does not stay in what is hidden.
    QTRY_VERIFY(panel("timeline")->hasFocus());
    trigger("window.drawer");
    QVERIFY(!hidden("op_table") && !hidden("kernel_table"));
    QCOMPARE(hidden("import_issues"), issuesAreBelow);
    QTRY_VERIFY(isSeen("kernel_table"));
    // Hidden by hand, all come.
    for (const char* id : {"op_table", "kernel_table", "area", "search"}) {
        m_window->workspace()->findDock(id)->dock->hide();
    }
    trigger("window.drawer");
    QVERIFY(!hidden("op_table") && !hidden("kernel_table") && !hidden("import_issues"));
}

void TestKeys::thePaletteListsEveryAction() {
    open("quickstart");
    press(QKeySequence(">"));
    CommandPalette* palette = m_window->commandPalette();
    QVERIFY(palette->isVisible());
    QVERIFY(palette->line()->hasFocus());
    const QStringList lines = paletteLines();
    int listed = 0;
    for (const QAction* action : keyBindings().actions()) {
        if (action->objectName() == "window.palette") {
            continue;
        }
        const QString begin = keyBindings().groupOf(action->objectName()) + ": " + fullTitle(action);
        const QString keys = shownKeys(keyBindings().keys(action->objectName()));
        const QStringList found = lines.filter(begin);
        QVERIFY2(!found.isEmpty(), qPrintable(begin));
        QVERIFY2(keys.isEmpty() || found.join('|').contains(keys), qPrintable(begin));
        ++listed;
    }
    QVERIFY(listed > 60);
    QCOMPARE(lines.size(), listed + m_window->recentFiles().paths().size());
}

void TestKeys::thePaletteTriggersWhatIsChosen() {
    open("multi_stream");
    panel("timeline")->setFocus();
    // Every enabled one, but those that would end the test or wait for an answer.
    const QSet<QString> apart{"window.quit",
                              "window.open",
                              "window.add_files",
                              "window.settings",
                              "window.about",
                              "window.shortcuts",
                              "window.keys",
                              "window.palette",
                              "window.close_trace",
                              "window.reload",
                              "window.full_screen",
                              "window.clear_cache",
                              "window.follow",
                              "window.save_session",
                              "timeline.export_picture",
                              "timeline.least_duration",
                              "timeline.mark_note"};
    m_window->session().selectEvent(EventRow(20U));
    int chosen = 0;
    for (QAction* action : keyBindings().actions()) {
        if (apart.contains(action->objectName()) || !action->isEnabled()) {
            continue;
        }
        QSignalSpy triggered(action, &QAction::triggered);
        m_window->commandPalette()->toggle({});
        m_window->commandPalette()->line()->setText(keyBindings().groupOf(action->objectName()) + ": " +
                                                    fullTitle(action));
        press(QKeySequence(Qt::Key_Return));
        QVERIFY2(triggered.count() == 1, qPrintable(action->objectName()));
        QVERIFY(!m_window->commandPalette()->isVisible());
        ++chosen;
    }
    QVERIFY(chosen > 40);
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    applyTheme(ThemeChoice::Light);
}

void TestKeys::thePaletteFindsByOtherWords_data() {
    QTest::addColumn<QString>("line");
    QTest::newRow("overlap") << "View: Go to Area";
    QTest::newRow("wait") << "View: Go to Area";
    QTest::newRow("gap") << "View: Go to Area";
    QTest::newRow("jump") << "Timeline: Go to a time";
    QTest::newRow("screenshot") << "Timeline: Export a picture";
}

void TestKeys::thePaletteFindsByOtherWords() {
    open("quickstart");
    for (const QString& id : idsWithSearchWords()) {
        QVERIFY2(keyBindings().action(id) != nullptr, qPrintable(id));
    }
    press(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    CommandPalette* palette = m_window->commandPalette();
    QTest::keyClicks(palette->line(), QString::fromUtf8(QTest::currentDataTag()));
    QTEST(palette->list()->currentIndex().data().toString(), "line");
    press(QKeySequence(Qt::Key_Escape));
}

void TestKeys::thePaletteFindsByAFewLetters() {
    open("quickstart");
    panel("timeline")->setFocus();
    press(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    CommandPalette* palette = m_window->commandPalette();
    const int all = palette->list()->model()->rowCount();
    QTest::keyClicks(palette->line(), "fita");
    QVERIFY(palette->list()->model()->rowCount() < all / 2);
    QCOMPARE(palette->list()->currentIndex().data().toString(), "Timeline: Fit all");
    palette->line()->setText("> fita");
    QCOMPARE(palette->list()->currentIndex().data().toString(), "Timeline: Fit all");
    QSignalSpy triggered(keyBindings().action("timeline.fit_all"), &QAction::triggered);
    QTest::keyClick(palette->line(), Qt::Key_Return);
    QCOMPARE(triggered.count(), 1);
    QVERIFY(panel("timeline")->hasFocus());
    // The next time it begins anew; arrows go round.
    press(QKeySequence(">"));
    QCOMPARE(palette->line()->text(), "");
    QCOMPARE(palette->list()->currentIndex().row(), 0);
    QTest::keyClick(palette->line(), Qt::Key_Up);
    QCOMPARE(palette->list()->currentIndex().row(), palette->list()->model()->rowCount() - 1);
    QTest::keyClick(palette->line(), Qt::Key_Down);
    QCOMPARE(palette->list()->currentIndex().row(), 0);
    QTest::keyClick(palette->line(), Qt::Key_PageDown);
    QVERIFY(palette->list()->currentIndex().row() > 3);
    palette->line()->setText("no such command at all");
    QCOMPARE(palette->list()->model()->rowCount(), 0);
    QTest::keyClick(palette->line(), Qt::Key_Return);
    QTest::keyClick(palette->line(), Qt::Key_Down);
    QVERIFY(palette->isVisible());
}

void TestKeys::thePaletteSaysWhyNot() {
    trigger("window.palette");
    CommandPalette* palette = m_window->commandPalette();
    palette->line()->setText("Zoom in");
    QVERIFY2(paletteLines().first().contains("No trace is open"), qPrintable(paletteLines().first()));
    QTest::keyClick(palette->line(), Qt::Key_Return);
    QVERIFY(palette->isVisible());
    palette->line()->setText("Cancel loading");
    QVERIFY2(paletteLines().first().contains("Nothing is being loaded"), qPrintable(paletteLines().first()));
    palette->dismiss();
    open("quickstart");
    trigger("window.palette");
    palette->line()->setText("Place files in time");
    QVERIFY2(paletteLines().first().contains("Only one file is open"), qPrintable(paletteLines().first()));
    // What is disabled always has a reason.
    palette->line()->clear();
    for (const QAction* action : keyBindings().actions()) {
        QVERIFY2(action->isEnabled() || action->objectName() == "window.keep_traces" ||
                     !action->property(kDisabledReason).toString().isEmpty(),
                 qPrintable(action->objectName()));
    }
}

void TestKeys::thePaletteGoesAway() {
    open("quickstart");
    panel("timeline")->setFocus();
    CommandPalette* palette = m_window->commandPalette();
    trigger("window.palette");
    QTest::keyClick(palette->line(), Qt::Key_Escape);
    QVERIFY(!palette->isVisible());
    QVERIFY(panel("timeline")->hasFocus());
    trigger("window.palette");
    press(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    QVERIFY(!palette->isVisible());
    trigger("window.palette");
    QTest::mouseClick(panel("timeline"), Qt::LeftButton, {}, QPoint(400, 300));
    panel("timeline")->setFocus(Qt::MouseFocusReason);
    QVERIFY(!palette->isVisible());
    // In a small window it stays inside.
    m_window->resize(420, 300);
    trigger("window.palette");
    QVERIFY(m_window->rect().contains(palette->geometry()));
    m_window->resize(1200, 760);
    QTRY_VERIFY(palette->width() > 500);
}

void TestKeys::thePaletteOpensRecentFiles() {
    open("quickstart");
    m_window->closeTrace();
    trigger("window.palette");
    m_window->commandPalette()->line()->setText("Open recent quickstart");
    QSignalSpy finished(m_window.get(), &MainWindow::loadFinished);
    QTest::keyClick(m_window->commandPalette()->line(), Qt::Key_Return);
    QVERIFY(finished.count() == 1 || finished.wait(20000));
    QVERIFY(m_window->windowTitle().startsWith("quickstart"));
}

void TestKeys::theDialogRebinds() {
    open("multi_stream");
    KeyDialog* dialog = openKeys();
    QVERIFY(dialog != nullptr);
    dialog->choose("timeline.next_slice");
    QCOMPARE(dialog->chosenId(), "timeline.next_slice");
    QVERIFY(!dialog->setButton()->isEnabled());
    dialog->edit()->setFocus();
    QTest::keyClick(dialog->edit(), Qt::Key_N);
    QCOMPARE(dialog->edit()->key(), QKeySequence(Qt::Key_N));
    QCOMPARE(dialog->message(), "N is free.");
    QTest::mouseClick(dialog->setButton(), Qt::LeftButton);
    QCOMPARE(cell(dialog->table(), "Next slice", 2), "N");
    QCOMPARE(cell(dialog->table(), "Next slice", 3), "yours");
    QCOMPARE(dialog->chosenId(), "timeline.next_slice");
    dialog->close();
    // At once.
    panel("timeline")->setFocus();
    m_window->session().selectEvent(EventRow(10U));
    press(QKeySequence(Qt::Key_Period));
    QCOMPARE(m_window->session().selectedEvent(), EventRow(10U));
    press(QKeySequence(Qt::Key_N));
    QCOMPARE(m_window->session().selectedEvent(), EventRow(11U));
}

void TestKeys::theDialogSaysConflicts() {
    KeyDialog* dialog = openKeys();
    dialog->choose("window.reload");
    dialog->edit()->setFocus();
    QTest::keyClick(dialog->edit(), Qt::Key_F);
    QCOMPARE(dialog->message(),
             QString::fromUtf8("F belongs to “Fit selection, again for all”. It will be taken away from there."));
    QTest::mouseClick(dialog->setButton(), Qt::LeftButton);
    QCOMPARE(keysAsText(keyBindings().keys("window.reload")), "F");
    QVERIFY(keyBindings().keys("timeline.fit").isEmpty());
    QVERIFY(keyBindings().conflicts().isEmpty());
    // Its own key again.
    QTest::keyClick(dialog->edit(), Qt::Key_F);
    QCOMPARE(dialog->message(), "F is a key of it already.");
    QVERIFY(!dialog->addButton()->isEnabled());
    // Esc empties the field first, then closes.
    QTest::keyClick(dialog->edit(), Qt::Key_Escape);
    QVERIFY(dialog->isVisible() && dialog->edit()->key().isEmpty());
    QTest::keyClick(dialog->edit(), Qt::Key_Escape);
    QVERIFY(!dialog->isVisible());
}

void TestKeys::theDialogAddsAndTakesAway() {
    KeyDialog* dialog = openKeys();
    dialog->choose("timeline.fit");
    QTest::keyClick(dialog->edit(), Qt::Key_X, Qt::ControlModifier);
    QTest::mouseClick(dialog->addButton(), Qt::LeftButton);
    QCOMPARE(keysAsText(keyBindings().keys("timeline.fit")), "F Ctrl+X");
    // A sign that comes with Shift is the sign.
    QTest::keyClick(dialog->edit(), Qt::Key_Exclam, Qt::ShiftModifier);
    QCOMPARE(dialog->edit()->key(), QKeySequence("!"));
    QTest::mouseClick(dialog->addButton(), Qt::LeftButton);
    QCOMPARE(keysAsText(keyBindings().keys("timeline.fit")), "F Ctrl+X !");
    QTest::mouseClick(dialog->removeButton(), Qt::LeftButton);
    QVERIFY(keyBindings().keys("timeline.fit").isEmpty());
    QVERIFY(!dialog->removeButton()->isEnabled());
    // Keys of the window are taken as keys here.
    QTest::keyClick(dialog->edit(), Qt::Key_O, Qt::ControlModifier);
    QCOMPARE(dialog->edit()->key(), QKeySequence(Qt::CTRL | Qt::Key_O));
}

void TestKeys::theDialogResets() {
    keyBindings().setKeys("timeline.fit", {QKeySequence(Qt::Key_X)});
    keyBindings().setKeys("window.drawer", {});
    KeyDialog* dialog = openKeys();
    dialog->choose("timeline.fit");
    QVERIFY(dialog->resetButton()->isEnabled());
    QTest::mouseClick(dialog->resetButton(), Qt::LeftButton);
    QCOMPARE(keysAsText(keyBindings().keys("timeline.fit")), "F");
    QVERIFY(!dialog->resetButton()->isEnabled());
    QVERIFY(keyBindings().keys("window.drawer").isEmpty());
    QTest::mouseClick(dialog->resetAllButton(), Qt::LeftButton);
    QCOMPARE(keysAsText(keyBindings().keys("window.drawer")), "Q");
    QCOMPARE(cell(dialog->table(), "Show or hide the lower panels", 2), "Q");
}

void TestKeys::lettersInTheDialogSearch() {
    KeyDialog* dialog = openKeys();
    QTRY_VERIFY(QApplication::focusWidget() != nullptr && dialog->isAncestorOf(QApplication::focusWidget()));
    QVERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()) != nullptr);
    dialog->schemes()->setFocus();
    QTest::keyClicks(dialog->schemes(), "nsys");
    QCOMPARE(keyBindings().scheme(), KeyScheme::Perfetto);
    QCOMPARE(dialog->schemes()->currentText(), "Perfetto");
    auto* search = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(search != nullptr && search->text().startsWith("n"));
}

void TestKeys::theDialogChangesTheScheme() {
    KeyDialog* dialog = openKeys();
    QCOMPARE(dialog->schemes()->currentText(), "Perfetto");
    QCOMPARE(dialog->schemes()->count(), static_cast<int>(kKeySchemes.size()));
    const int row = dialog->schemes()->findText("nsys-ai");
    dialog->schemes()->setCurrentIndex(row);
    emit dialog->schemes()->activated(row);
    QCOMPARE(keyBindings().scheme(), KeyScheme::NsysAi);
    QCOMPARE(cell(dialog->table(), "Next kernel", 2), "Tab");
    QVERIFY(!keyBindings().isChanged("timeline.next_kernel"));
}

void TestKeys::handMadeConflictsAreSaid() {
    settings::store().setValue("keys/actions/window.reload", "F");
    restart();
    KeyDialog* dialog = openKeys();
    QVERIFY2(dialog->message().contains("F belongs to"), qPrintable(dialog->message()));
    QVERIFY(dialog->message().contains("Reload") && dialog->message().contains("Fit selection"));
    QVERIFY(dialog->message().contains("only one of them"));
}

void TestKeys::aReboundKeySurvivesARestart() {
    KeyDialog* dialog = openKeys();
    dialog->choose("timeline.pan_right");
    QTest::keyClick(dialog->edit(), Qt::Key_L);
    QTest::mouseClick(dialog->setButton(), Qt::LeftButton);
    settings::store().sync();
    restart();
    open("multi_stream");
    QCOMPARE(keyBindings().action("timeline.pan_right")->shortcuts(), QList<QKeySequence>{Qt::Key_L});
    panel("timeline")->setFocus();
    press(QKeySequence(Qt::Key_W));
    const TimeRange before = m_window->session().visibleRange();
    press(QKeySequence(Qt::Key_L));
    QVERIFY(m_window->session().visibleRange().begin > before.begin);
    trigger("window.shortcuts");
    auto* sheet = shown<ShortcutSheet>();
    QVERIFY(sheet != nullptr);
    QCOMPARE(cell(sheet->table(), "Move right", 2), "L");
}

void TestKeys::theSheetFollows() {
    trigger("window.shortcuts");
    auto* sheet = shown<ShortcutSheet>();
    QCOMPARE(cell(sheet->table(), "Fit selection, again for all", 2), "F");
    QCOMPARE(cell(sheet->table(), "Zoom in", 3), "Ctrl+wheel up, pinch");
    QPushButton* change = nullptr;
    for (QPushButton* button : sheet->findChildren<QPushButton*>()) {
        change = button->text().contains("keys") ? button : change;
    }
    QVERIFY(change != nullptr);
    QTest::mouseClick(change, Qt::LeftButton);
    auto* dialog = shown<KeyDialog>();
    QVERIFY(dialog != nullptr);
    dialog->choose("timeline.fit");
    QTest::keyClick(dialog->edit(), Qt::Key_X);
    QTest::mouseClick(dialog->setButton(), Qt::LeftButton);
    QCOMPARE(cell(sheet->table(), "Fit selection, again for all", 2), "X");
    QCOMPARE(sheet->windowTitle(), "Keyboard shortcuts, as in Perfetto");
    keyBindings().setScheme(KeyScheme::Tracy);
    QCOMPARE(sheet->windowTitle(), "Keyboard shortcuts, as in Tracy");
    QVERIFY(cell(sheet->table(), "Zoom in", 3).startsWith("Wheel up"));
    dialog->close();
    sheet->close();
}

QTEST_MAIN(TestKeys)
#include "tst_keys.moc"
