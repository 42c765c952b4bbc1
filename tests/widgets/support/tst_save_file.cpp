// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <functional>

#include "core/loaders/load_trace.h"
#include "tests/support/trace_text.h"
#include "widgets/support/save_file.h"

using namespace warpline;

namespace {

const std::vector<SaveKind> kPictures = {{"PNG", ".png"}, {"SVG", ".svg"}};

/// Does each step once a dialog of its kind is in front; gives up, and closes what is open, after five seconds.
class Script : public QObject {
public:
    using Step = std::function<bool(QWidget*)>;
    explicit Script(QList<Step> steps) : m_steps(std::move(steps)) {
        m_timer.setInterval(20);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            QWidget* front = QApplication::activeModalWidget();
            if (front != nullptr && !m_steps.isEmpty() && m_steps.first()(front)) {
                m_steps.removeFirst();
            } else if (++m_tries > 250 && front != nullptr) {
                front->close();
            }
        });
        m_timer.start();
    }
    bool isDone() const { return m_steps.isEmpty(); }

private:
    QList<Step> m_steps;
    QTimer m_timer;
    int m_tries = 0;
};

Script::Step typed(const QString& name) {
    return [name](QWidget* front) {
        auto* edit = front->findChild<QLineEdit*>("fileNameEdit");
        if (qobject_cast<QFileDialog*>(front) == nullptr || edit == nullptr) {
            return false;
        }
        edit->selectAll();
        QTest::keyClicks(edit, name);
        // The list of completions takes an Enter of its own.
        QMetaObject::invokeMethod(front, "accept", Qt::QueuedConnection);
        return true;
    };
}

Script::Step answered(const QString& button) {
    return [button](QWidget* front) {
        auto* box = qobject_cast<QMessageBox*>(front);
        if (box == nullptr) {
            return false;
        }
        for (QAbstractButton* each : box->buttons()) {
            if (each->text().remove('&') == button) {
                QTest::mouseClick(each, Qt::LeftButton);
                return true;
            }
        }
        return false;
    };
}

Script::Step cancelled() {
    return [](QWidget* front) {
        if (qobject_cast<QFileDialog*>(front) == nullptr) {
            return false;
        }
        QTest::keyClick(front, Qt::Key_Escape);
        return true;
    };
}

bool touch(const QString& path) {
    return QFile(path).open(QIODevice::WriteOnly);
}

}  // namespace

class TestSaveFile : public QObject {
    Q_OBJECT
private slots:
    void endings_data();
    void endings();
    void suggests();
    void asksBeforeAFileIsReplaced();
    void aNewNameIsNotAskedAbout();
    void theKindChosenGivesTheEnding();
};

void TestSaveFile::endings_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("chosen");
    QTest::addColumn<QString>("expected");
    QTest::newRow("none") << "a" << 0 << "a.png";
    QTest::newRow("none, second kind") << "a" << 1 << "a.svg";
    QTest::newRow("its own") << "a.png" << 0 << "a.png";
    QTest::newRow("the other's") << "a.svg" << 0 << "a.svg";
    QTest::newRow("upper case") << "a.PNG" << 1 << "a.PNG";
    QTest::newRow("a number behind a dot") << "run-1.5" << 0 << "run-1.5.png";
    QTest::newRow("nothing but an ending") << ".png" << 0 << ".png.png";
}

void TestSaveFile::endings() {
    QFETCH(QString, name);
    QFETCH(int, chosen);
    QFETCH(QString, expected);
    QCOMPARE(withEnding("/x.d/" + name, kPictures, static_cast<size_t>(chosen)), "/x.d/" + expected);
}

void TestSaveFile::suggests() {
    QCOMPARE(withoutFormat("step.trace.json.gz"), QString("step"));
    // The text's trace has no file: nothing of it is known.
    const auto trace = test::traceFromText("cpu main: a 0..10");
    QCOMPARE(suggestedPath(trace.get(), {}, "kernels", ".csv"), QDir::home().filePath("kernels.csv"));
    QCOMPARE(suggestedPath(nullptr, "/pictures", {}, ".png"), QString("/pictures/timeline.png"));
    QTemporaryDir folder;
    const QString file = folder.filePath("step.trace.json.gz");
    QVERIFY(QFile::copy(WARPLINE_SAMPLES_DIR "/quickstart.trace.json.gz", file));
    JobControl job;
    const auto loaded = loadTrace({file.toStdString()}, {}, job);
    QVERIFY(loaded.ok());
    QCOMPARE(suggestedPath(loaded.value().get(), {}, "kernels", ".csv"), folder.filePath("step.kernels.csv"));
    QCOMPARE(suggestedPath(loaded.value().get(), {}, {}, ".png"), folder.filePath("step.png"));
    QCOMPARE(suggestedPath(loaded.value().get(), "/pictures", {}, ".png"), QString("/pictures/step.png"));
}

/// A name without its ending is the one of the file that is there with it.
void TestSaveFile::asksBeforeAFileIsReplaced() {
    QTemporaryDir folder;
    QVERIFY(touch(folder.filePath("a.png")));
    Script no({typed("a"), answered("Cancel"), cancelled()});
    QCOMPARE(askSavePath(nullptr, "Save", folder.filePath("t.png"), kPictures), QString());
    QVERIFY(no.isDone());
    Script yes({typed("a"), answered("Replace")});
    QCOMPARE(askSavePath(nullptr, "Save", folder.filePath("t.png"), kPictures), folder.filePath("a.png"));
    QVERIFY(yes.isDone());
    Script another({typed("a.png"), answered("Cancel"), typed("b")});
    QCOMPARE(askSavePath(nullptr, "Save", folder.filePath("t.png"), kPictures), folder.filePath("b.png"));
    QVERIFY(another.isDone());
}

void TestSaveFile::aNewNameIsNotAskedAbout() {
    QTemporaryDir folder;
    Script script({typed("new.v2")});
    QCOMPARE(askSavePath(nullptr, "Save", folder.filePath("t.png"), kPictures), folder.filePath("new.v2.png"));
    QVERIFY(script.isDone());
}

void TestSaveFile::theKindChosenGivesTheEnding() {
    QTemporaryDir folder;
    Script script({[](QWidget* front) {
        auto* dialog = qobject_cast<QFileDialog*>(front);
        if (dialog == nullptr) {
            return false;
        }
        dialog->selectNameFilter("SVG (*.svg)");
        emit dialog->filterSelected("SVG (*.svg)");
        QMetaObject::invokeMethod(dialog, "accept", Qt::QueuedConnection);
        return true;
    }});
    QCOMPARE(askSavePath(nullptr, "Save", folder.filePath("t.png"), kPictures), folder.filePath("t.svg"));
    QVERIFY(script.isDone());
}

QTEST_MAIN(TestSaveFile)
#include "tst_save_file.moc"
