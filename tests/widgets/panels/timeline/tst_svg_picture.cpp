// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QDialog>
#include <QFileInfo>
#include <QImage>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QXmlStreamReader>

#include <memory>

#include "core/loaders/load_trace.h"
#include "tests/support/trace_text.h"
#include "widgets/panels/timeline/minimap.h"
#include "widgets/panels/timeline/svg_picture.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::timeline;

class TestSvgPicture : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void textIsSafe_data();
    void textIsSafe();
    void hasEveryBar();
    void hasAllThatIsPainted();
    void hostileNamesStayXml();
    void savesBothKinds();
    void saysWhereItWent();
    void saysWhyNot();

private:
    struct Drawing {
        int boxes = 0;
        QStringList texts;
        bool isXml = false;
    };
    Drawing read(const QByteArray& svg) const;

    std::unique_ptr<Session> m_session;
    std::unique_ptr<TimelineWidget> m_widget;
};

void TestSvgPicture::init() {
    settings::useTemporary();
    applyTheme(ThemeChoice::Light);
    m_session = std::make_unique<Session>();
    m_widget = std::make_unique<TimelineWidget>(*m_session);
    m_widget->resize(900, 400);
    m_widget->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_widget.get()));
}

void TestSvgPicture::cleanup() {
    m_widget.reset();
    m_session.reset();
}

/// Boxes inside of the lanes' group that have the colour of a bar.
TestSvgPicture::Drawing TestSvgPicture::read(const QByteArray& svg) const {
    Drawing drawing;
    QXmlStreamReader xml(svg);
    const BarColors colors = barColors(theme());
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement() && xml.name() == QLatin1String("path")) {
            const QColor fill(xml.attributes().value("fill").toString());
            if (std::find(colors.fill.begin(), colors.fill.end(), fill.rgb()) != colors.fill.end()) {
                drawing.boxes += static_cast<int>(xml.attributes().value("d").count('M'));
            }
        } else if (xml.isStartElement() && xml.name() == QLatin1String("text")) {
            drawing.texts << xml.readElementText();
        }
    }
    drawing.isXml = !xml.hasError();
    return drawing;
}

void TestSvgPicture::textIsSafe_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("plain") << "aten::mm"
                           << "aten::mm";
    QTest::newRow("signs") << "a<b>&\"c'"
                           << "a&lt;b&gt;&amp;&quot;c&apos;";
    QTest::newRow("control") << QString("a") + QChar(1) + "b\tc" << QString("a") + QChar(0xfffd) + "b\tc";
    QTest::newRow("half a pair") << QString("a") + QChar(0xd800) + "b" << QString("a") + QChar(0xfffd) + "b";
    QTest::newRow("a pair") << QString::fromUtf8("🙂") << QString::fromUtf8("🙂");
    QTest::newRow("no character") << QString(QChar(0xffff)) << QString(QChar(0xfffd));
}

void TestSvgPicture::textIsSafe() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QCOMPARE(xmlText(text), expected);
}

void TestSvgPicture::hasEveryBar() {
    JobControl job;
    auto trace = loadTrace({WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz"}, {}, job);
    QVERIFY(trace.ok());
    m_session->setTrace(trace.value());
    int expected = 0;
    const Geometry& geometry = m_widget->geometry();
    QCOMPARE(geometry.view.scale, 1.0);
    for (const RowGeometry& row : geometry.rows) {
        for (const Bar& bar : geometry.barsOf(row)) {
            expected += row.kind != RowKind::Instants && bar.x1 > 0 && bar.x0 < geometry.view.width ? 1 : 0;
        }
    }
    QVERIFY(expected > 200);
    const Drawing drawing = read(m_widget->svg());
    QVERIFY(drawing.isXml);
    QCOMPARE(drawing.boxes, expected);
    QVERIFY(drawing.texts.contains("iteration_0"));
    QVERIFY(drawing.texts.contains("stream 7"));
    QVERIFY(drawing.texts.contains("0 ms"));
}

/// Marks, the selected slice's outline, what heads say and their strips of colour, lines between tracks, the minimap.
void TestSvgPicture::hasAllThatIsPainted() {
    m_session->setTrace(
        test::traceFromText("cpu main: a 0..100000 b 200000..300000\ngpu 0 stream 7: k 20000..60000\n"
                            "gpu 0 stream 8: k 30000..50000\ninstant main: here 150000"));
    QTRY_VERIFY(!m_widget->findChild<Minimap*>()->rows().empty());
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    m_session->applyNotes({{}, {{{{20'000, 60'000}, {}}, "slow copy", true}}}, "mark");
    m_session->selectEvent(EventRow(1U));
    m_session->setArea(AreaSelection{{200'000, 250'000}, {}});
    const QByteArray svg = m_widget->svg();
    const Drawing drawing = read(svg);
    QVERIFY(drawing.isXml);
    for (const char* text : {"slow copy", "2 slices", "GPU busy", "stream 8", "50.000 \u00b5s"}) {
        QVERIFY2(drawing.texts.contains(QString::fromUtf8(text)), text);
    }
    QVERIFY(std::any_of(drawing.texts.begin(), drawing.texts.end(),
                        [](const QString& text) { return text.endsWith(" in view"); }));
    const QString all = QString::fromUtf8(svg);
    const auto isFilled = [&](const QColor& color) { return all.contains("fill=\"" + color.name() + "\""); };
    for (const QColor& color : {theme().selectedOutline, theme().good, theme().areaEdge, theme().counterLine,
                                mixed(theme().surface, theme().border, 0.55), theme().accent}) {
        QVERIFY2(isFilled(color), qPrintable(color.name()));
    }
    // Where the pointer is does not matter.
    QTest::mouseMove(m_widget.get(), m_widget->lanesRect().center());
    QCOMPARE(m_widget->svg(), svg);
    // Nothing of a mark that is gone.
    m_session->applyNotes({}, "none");
    QVERIFY(!read(m_widget->svg()).texts.contains("slow copy"));
}

void TestSvgPicture::hostileNamesStayXml() {
    m_session->setTrace(test::traceFromText("cpu main: \"</text><script>&\" 0..100 \"]]>\" 120..200"));
    const Drawing drawing = read(m_widget->svg());
    QVERIFY(drawing.isXml);
    QVERIFY(drawing.texts.contains("</text><script>&"));
    QVERIFY(drawing.texts.contains("]]>"));
}

void TestSvgPicture::savesBothKinds() {
    m_session->setTrace(test::traceFromText("cpu main: a 0..100\ngpu 0 stream 7: k 20..60"));
    QTemporaryDir folder;
    QCOMPARE(m_widget->savePicture(folder.filePath("t.svg")), QString());
    QFile file(folder.filePath("t.svg"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), m_widget->svg());
    QCOMPARE(m_widget->savePicture(folder.filePath("t.png")), QString());
    const QImage image(folder.filePath("t.png"));
    QCOMPARE(image.height(), 400);
    QCOMPARE(image.width(), m_widget->lanesRect().right() + 1);
}

void TestSvgPicture::saysWhereItWent() {
    m_session->setTrace(test::traceFromText("cpu main: a 0..100"));
    QTemporaryDir folder;
    settings::store().setValue(settings::kExportFolder, folder.path());
    QSignalSpy told(m_session.get(), &Session::told);
    QTimer::singleShot(50, m_widget.get(), [] {
        if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) {
            dialog->accept();
        }
    });
    m_widget->exportPicture();
    QVERIFY(QFileInfo::exists(folder.filePath("timeline.png")));
    QCOMPARE(told.count(), 1);
    QCOMPARE(told.first().first().toString(), "Picture saved as " + folder.filePath("timeline.png"));
}

void TestSvgPicture::saysWhyNot() {
    QCOMPARE(m_widget->savePicture("/t.png"), QString("No trace is open"));
    m_session->setTrace(test::traceFromText("cpu main: a 0..100"));
    QVERIFY(!m_widget->savePicture("/no/such/folder/t.png").isEmpty());
    QVERIFY(!m_widget->savePicture("/no/such/folder/t.svg").isEmpty());
}

QTEST_MAIN(TestSvgPicture)
#include "tst_svg_picture.moc"
