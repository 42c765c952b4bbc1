// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QClipboard>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include "core/loaders/load_trace.h"
#include "tests/support/trace_text.h"
#include "widgets/panels/details/details_panel.h"
#include "widgets/panels/details/fact_model.h"
#include "widgets/support/session.h"
#include "widgets/support/theme.h"

using namespace warpline;

class TestDetailsPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void followsTheSelection();
    void aLinkSelects();
    void theNameIsCopied();
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
