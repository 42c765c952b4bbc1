// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/loaders/load_trace.h"
#include "core/trace/trace_builder.h"
#include "tests/support/trace_text.h"
#include "widgets/panels/details/details_panel.h"
#include "widgets/panels/details/fact_model.h"
#include "widgets/panels/details/tree_view_state.h"
#include "widgets/support/key_bindings.h"
#include "widgets/support/session.h"
#include "widgets/support/theme.h"

using namespace warpline;

class TestDetailsPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void followsTheSelection();
    void rowsStayWhereTheyAre();
    void aLinkSelects();
    void theNameIsCopied();
    void factsAreCopied();
    void theMenuCopiesOneFact();
    void aPageThatIsCompletedStaysAsItWasLeft();
    void whatTakesLongComesLater();
    void whatIsNotSelectedAnyMoreIsDropped();
    void argumentsComeFromTheFile();
    void aFileThatIsGoneIsSaid();
};

namespace {

constexpr auto kTrace = R"(
cpu main: "aten::mm" 100..400 (ext=2) { cudaLaunchKernel 120..150 (corr=7) }
gpu 0 stream 7: _Z5sgemmPf 200..800 (corr=7 ext=2)
)";

QModelIndex find(const QAbstractItemModel& model, const QString& label, const QModelIndex& in = {}) {
    for (int row = 0; row < model.rowCount(in); ++row) {
        const QModelIndex index = model.index(row, 0, in);
        if (index.data().toString() == label) {
            return index.siblingAtColumn(1);
        }
        if (const QModelIndex deeper = find(model, label, index); deeper.isValid()) {
            return deeper;
        }
    }
    return {};
}

EventRow rowOf(const Trace& trace, std::string_view name) {
    for (uint32_t i = 0; i < trace.sliceCount(); ++i) {
        if (trace.sliceName(EventRow(i)) == name) {
            return EventRow(i);
        }
    }
    return EventRow::none();
}

QString write(const QTemporaryDir& folder, const QByteArray& text) {
    QFile file(folder.filePath("t.json"));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) {
        qFatal("cannot write");
    }
    return file.fileName();
}

/// Arguments that nobody can read until the gate is open.
class GatedSource final : public EventSource {
public:
    Result<std::string> argsJson(SourceRef /*event*/, SourceRef /*end*/) const override {
        while (!isOpen) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return std::string(R"({"a": 1})");
    }
    std::atomic<bool> isOpen{false};
};

/// A test that fails lets the jobs end that wait at the gate.
struct OpensAtEnd {
    GatedSource& source;
    ~OpensAtEnd() { source.isOpen = true; }
};

std::shared_ptr<const Trace> gatedTrace(std::shared_ptr<GatedSource> source) {
    TraceBuilder builder;
    FileInfo info;
    info.source = std::move(source);
    const FileId file = builder.addFile(std::move(info));
    SliceRecord slice;
    slice.track = builder.track(builder.process(file, "1"), "1");
    slice.duration = 5;
    slice.kind = EventKind::CpuOp;
    for (const char* name : {"first", "second"}) {
        slice.name = builder.intern(name);
        slice.source = {static_cast<uint64_t>(slice.begin), 1};
        builder.addSlice(slice);
        slice.begin += 10;
    }
    JobControl job;
    return builder.seal(job).value();
}

std::shared_ptr<const Trace> load(const QString& path) {
    JobControl job;
    return loadTrace({path.toStdString()}, {}, job).value();
}

constexpr auto kFile = R"({"traceEvents":[{"ph":"X","name":"a","cat":"cpu_op","pid":1,"tid":1,"ts":1,"dur":2,)"
                       R"("args":{"big":9007199254740993,"Input Dims":[[4,4]],"Ev Idx":0}}]})";

}  // namespace

void TestDetailsPanel::followsTheSelection() {
    Session session;
    DetailsPanel panel(session);
    panel.show();
    session.setTrace(test::traceFromText(kTrace));
    QTRY_VERIFY(find(*panel.model(), "Span").isValid());
    session.selectEvent(rowOf(*session.trace(), "aten::mm"));
    QTRY_COMPARE(panel.title(), "aten::mm");
    session.setArea(AreaSelection{{100, 200}, {}});
    // What was chosen last is told of, also when it had been chosen before.
    QTRY_COMPARE(panel.title(), "Selected area");
    session.selectEvent(rowOf(*session.trace(), "aten::mm"));
    QTRY_COMPARE(panel.title(), "aten::mm");
    session.setArea(AreaSelection{{100, 200}, {}});
    QTRY_COMPARE(panel.title(), "Selected area");
    session.setArea(std::nullopt);
    QTRY_COMPARE(panel.title(), "aten::mm");
    session.setArea(AreaSelection{{50, 200}, {}});
    session.selectEvent(rowOf(*session.trace(), "cudaLaunchKernel"));
    QTRY_COMPARE(panel.title(), "cudaLaunchKernel");
    session.selectEvent(EventRow::none());
    QTRY_COMPARE(panel.title(), "Selected area");
    session.setArea(std::nullopt);
    QTRY_VERIFY(find(*panel.model(), "Span").isValid());
}

/// Whether a row is chosen or under the pointer, its text stands at the same place.
void TestDetailsPanel::rowsStayWhereTheyAre() {
    Session session;
    DetailsPanel panel(session, nullptr);
    panel.resize(420, 600);
    panel.show();
    session.setTrace(test::traceFromText(kTrace));
    session.selectEvent(rowOf(*session.trace(), "aten::mm"));
    auto& tree = *panel.findChild<QTreeView*>();
    QTRY_VERIFY(find(*tree.model(), "Duration").isValid());
    const QModelIndex value = find(*tree.model(), "Duration");
    tree.scrollTo(value);
    const auto firstInk = [&] {
        const QRect cell = tree.visualRect(value);
        const QImage image = tree.viewport()->grab(cell).toImage();
        for (int x = 1; x < image.width(); ++x) {
            for (int y = 3; y < image.height() - 3; ++y) {
                const QColor at = image.pixelColor(x, y), ground = image.pixelColor(image.width() - 2, y);
                if (std::abs(at.lightness() - ground.lightness()) > 60) {
                    return x;
                }
            }
        }
        return -1;
    };
    tree.setCurrentIndex({});
    tree.clearSelection();
    const int plain = firstInk();
    QVERIFY(plain >= 0);
    tree.setCurrentIndex(value);
    QCOMPARE(firstInk(), plain);
    tree.setCurrentIndex({});
    tree.clearSelection();
    QTest::mouseMove(tree.viewport(), tree.visualRect(value).center());
    QTest::qWait(20);
    QCOMPARE(firstInk(), plain);
}

void TestDetailsPanel::aLinkSelects() {
    Session session;
    DetailsPanel panel(session);
    panel.resize(420, 600);
    panel.show();
    session.setTrace(test::traceFromText(kTrace));
    session.selectEvent(rowOf(*session.trace(), "_Z5sgemmPf"));
    QTRY_COMPARE(panel.title(), "sgemm(float*)");
    QTreeView* tree = panel.tree();
    const QModelIndex launch = find(*panel.model(), "Launched by");
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(launch).center());
    QCOMPARE(session.selectedEvent(), rowOf(*session.trace(), "cudaLaunchKernel"));
    QTRY_COMPARE(panel.title(), "cudaLaunchKernel");
    // And by the keyboard.
    tree->setCurrentIndex(find(*panel.model(), "Inside of"));
    QTest::keyClick(tree, Qt::Key_Return);
    QCOMPARE(session.selectedEvent(), rowOf(*session.trace(), "aten::mm"));
    // A plain fact goes nowhere.
    QTRY_COMPARE(panel.title(), "aten::mm");
    const QModelIndex duration = find(*panel.model(), "Duration");
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(duration).center());
    QCOMPARE(session.selectedEvent(), rowOf(*session.trace(), "aten::mm"));
}

void TestDetailsPanel::theNameIsCopied() {
    Session session;
    DetailsPanel panel(session);
    panel.show();
    session.setTrace(test::traceFromText(kTrace));
    session.selectEvent(rowOf(*session.trace(), "_Z5sgemmPf"));
    QTRY_COMPARE(panel.title(), "sgemm(float*)");
    QTest::mouseClick(panel.findChild<QToolButton*>(), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), "_Z5sgemmPf");
}

void TestDetailsPanel::factsAreCopied() {
    Session session;
    DetailsPanel panel(session);
    panel.show();
    QAction* asText = keyBindings().action("details.copy_text");
    QAction* asJson = keyBindings().action("details.copy_json");
    QVERIFY(asText != nullptr && asJson != nullptr);
    QVERIFY(!asText->isEnabled() && !asJson->isEnabled());
    session.setTrace(test::traceFromText(kTrace));
    session.selectEvent(rowOf(*session.trace(), "_Z5sgemmPf"));
    QTRY_COMPARE(panel.title(), "sgemm(float*)");
    asText->trigger();
    const QString text = QApplication::clipboard()->text();
    QVERIFY2(text.startsWith("sgemm(float*)\n_Z5sgemmPf\nKernel"), qPrintable(text));
    QVERIFY(text.contains("\n  Duration: 600 ns\n"));
    asJson->trigger();
    const QString json = QApplication::clipboard()->text();
    QVERIFY2(json.contains(R"({"label": "Duration", "text": "600 ns", "value": 600, "unit": "ns"})"), qPrintable(json));
}

void TestDetailsPanel::theMenuCopiesOneFact() {
    Session session;
    DetailsPanel panel(session);
    panel.resize(420, 700);
    panel.show();
    session.setTrace(test::traceFromText(kTrace));
    session.selectEvent(rowOf(*session.trace(), "_Z5sgemmPf"));
    QTRY_COMPARE(panel.title(), "sgemm(float*)");
    const auto choose = [&](const QModelIndex& on, const QString& entry) {
        QTimer::singleShot(0, &panel, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            for (QAction* action : menu->actions()) {
                if (action->text() == entry) {
                    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
                    return;
                }
            }
            menu->close();
        });
        QApplication::clipboard()->clear();
        emit panel.tree()->customContextMenuRequested(panel.tree()->visualRect(on).center());
        return QApplication::clipboard()->text();
    };
    QCOMPARE(choose(find(*panel.model(), "Duration"), "Copy value"), "600 ns");
    QCOMPARE(choose(find(*panel.model(), "Duration"), "Copy name and value"), "Duration: 600 ns");
    QVERIFY(choose(find(*panel.model(), "Time"), "Copy section").startsWith("Time\n  Start: "));
    QVERIFY(choose(find(*panel.model(), "Duration"), "Copy details as &JSON").startsWith("{\n"));
    QVERIFY(choose(find(*panel.model(), "Duration"), "Copy details as &text").startsWith("sgemm"));
}

void TestDetailsPanel::aPageThatIsCompletedStaysAsItWasLeft() {
    const auto tree = [](bool full) {
        auto made = std::make_shared<FactTree>();
        Fact& time = made->root.addSection("Time");
        time.add("Start", "0 ns");
        Fact& list = time.add("Children", "2");
        list.add("a", "1");
        list.add("b", "2");
        if (full) {
            made->root.addSection("Wait").add("Waits for", "k");
        }
        Fact& rest = made->root.addSection("Rest");
        for (int i = 0; i < 60; ++i) {
            rest.add(QString::number(i), "x");
        }
        return made;
    };
    FactModel model;
    QTreeView view;
    view.resize(200, 200);
    view.setModel(&model);
    view.show();
    model.setTree(tree(false));
    view.expandAll();
    view.collapse(model.index(0, 0));
    view.setCurrentIndex(find(model, "7"));
    view.verticalScrollBar()->setValue(12);
    const TreeViewState state = TreeViewState::of(view);
    model.setTree(tree(true));
    view.expand(model.index(0, 0));
    view.expand(model.index(1, 0));
    state.applyTo(view);
    QVERIFY(!view.isExpanded(model.index(0, 0)));
    QVERIFY(view.isExpanded(model.index(1, 0)));  // new
    QVERIFY(view.isExpanded(model.index(2, 0)));
    QVERIFY(view.isExpanded(model.index(1, 0, model.index(0, 0))));
    QCOMPARE(view.currentIndex(), find(model, "7"));
    QCOMPARE(view.verticalScrollBar()->value(), 12);
}

void TestDetailsPanel::whatTakesLongComesLater() {
    const auto source = std::make_shared<GatedSource>();
    Session session;
    DetailsPanel panel(session);
    const OpensAtEnd opens{*source};
    panel.show();
    session.setTrace(gatedTrace(source));
    session.selectEvent(rowOf(*session.trace(), "first"));
    QTRY_COMPARE(panel.title(), "first");
    QVERIFY(panel.model()->tree()->isPending);
    QCOMPARE(find(*panel.model(), "Duration").data().toString(), "5 ns");
    const QModelIndex section = find(*panel.model(), "Arguments").siblingAtColumn(0);
    QCOMPARE(panel.model()->index(0, 1, section).data().toString(), QString::fromUtf8("…"));
    source->isOpen = true;
    QTRY_VERIFY(!panel.model()->tree()->isPending);
    QCOMPARE(find(*panel.model(), "a").data().toString(), "1");
}

void TestDetailsPanel::whatIsNotSelectedAnyMoreIsDropped() {
    const auto source = std::make_shared<GatedSource>();
    Session session;
    DetailsPanel panel(session);
    const OpensAtEnd opens{*source};
    panel.show();
    session.setTrace(gatedTrace(source));
    session.selectEvent(rowOf(*session.trace(), "first"));
    QTRY_COMPARE(panel.title(), "first");
    QStringList shown;
    connect(panel.model(), &QAbstractItemModel::modelReset, this, [&] { shown << panel.title(); });
    session.selectEvent(rowOf(*session.trace(), "second"));
    QTRY_COMPARE(panel.title(), "second");
    source->isOpen = true;
    QTRY_VERIFY(!panel.model()->tree()->isPending);
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QCOMPARE(shown, QStringList({"second", "second"}));
}

void TestDetailsPanel::argumentsComeFromTheFile() {
    const QTemporaryDir folder;
    Session session;
    DetailsPanel panel(session);
    session.setTrace(load(write(folder, kFile)));
    session.selectEvent(EventRow(0U));
    QTRY_VERIFY(find(*panel.model(), "big").isValid());
    QCOMPARE(find(*panel.model(), "big").data().toString(), "9007199254740993");
    QCOMPARE(find(*panel.model(), "Input Dims").data().toString(), "[[4, 4]]");
    QCOMPARE(find(*panel.model(), "Ev Idx").data().toString(), "0");
}

void TestDetailsPanel::aFileThatIsGoneIsSaid() {
    const QTemporaryDir folder;
    Session session;
    DetailsPanel panel(session);
    const QString path = write(folder, kFile);
    session.setTrace(load(path));
    // The open file may still be read after it was removed; one that was cut can not.
    QVERIFY(QFile::resize(path, 10));
    session.selectEvent(EventRow(0U));
    QTRY_COMPARE(panel.title(), "a");
    const QModelIndex section = find(*panel.model(), "Arguments").siblingAtColumn(0);
    const QModelIndex said = panel.model()->index(0, 1, section);
    QVERIFY2(said.data().toString().startsWith("n/a"), qPrintable(said.data().toString()));
}

QTEST_MAIN(TestDetailsPanel)
#include "tst_details_panel.moc"
