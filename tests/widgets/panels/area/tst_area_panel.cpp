// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <set>

#include "core/loaders/load_trace.h"
#include "tests/core/loaders/loader_testing.h"
#include "tests/support/trace_text.h"
#include "widgets/panels/area/area_panel.h"
#include "widgets/panels/area/area_text.h"
#include "widgets/panels/area/wait_text.h"
#include "widgets/support/session.h"
#include "widgets/support/settings.h"
#include "widgets/support/table_filter_bar.h"
#include "widgets/support/table_model.h"
#include "widgets/support/table_panel.h"
#include "widgets/support/table_view.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::area;

class TestAreaPanel : public QObject {
    Q_OBJECT

private slots:
    void tellsOfAsyncWorkAndCounters();
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init();
    void cleanup();

    void asksForAnArea();
    void sumsUpWhatTouchesTheArea();
    void theFilterOfAllPanelsCounts();
    void saysWhichCopiesOverlapCompute();
    void linksLeadToGapsAndWork();
    void badLinksLeadNowhere();
    void aCpuTraceHasNoDeviceFacts();
    void saysWhatTheHostWaitsFor();
    void linksLeadFromWaitToWait();
    void waitsThatAreNotRecordedAreUnknown();

private:
    QString plain() const {
        QString text = m_panel->factsText();
        return text.replace("<br>", "\n").remove(QRegularExpression("<[^>]*>"));
    }
    QString cell(int row, const char* column) const {
        const TableModel* model = m_panel->table()->model();
        return model->index(row, model->columnOf(column)).data().toString();
    }

    std::unique_ptr<Session> m_session;
    std::unique_ptr<AreaPanel> m_panel;
};

void TestAreaPanel::init() {
    settings::useTemporary();
    m_session = std::make_unique<Session>();
    m_panel = std::make_unique<AreaPanel>(*m_session, "area", nullptr);
    m_panel->resize(1000, 400);
    m_panel->show();
}

void TestAreaPanel::cleanup() {
    m_panel.reset();
    m_session.reset();
}

void TestAreaPanel::asksForAnArea() {
    m_session->setTrace(test::traceFromText("gpu 0 stream 7: k 0..10"));
    QTRY_COMPARE(m_panel->table()->view()->message(),
                 QString("No area is selected. Drag over the timeline to select one."));
    QVERIFY(m_panel->factsText().isEmpty());
    QVERIFY(!m_panel->table()->filterBar()->restricts());
}

void TestAreaPanel::sumsUpWhatTouchesTheArea() {
    m_session->setTrace(test::traceFromText("cpu main: a 0..100 b 150..250\ngpu 0 stream 7: k 0..40 k 60..120"));
    m_session->setArea(AreaSelection{{20, 110}, {}});
    QTRY_COMPARE(m_panel->table()->model()->rowCount(), 2);
    QCOMPARE(cell(0, "name"), QString("a"));
    QCOMPARE(cell(0, "inside_ns"), QString("80 ns"));
    QCOMPARE(cell(1, "name"), QString("k"));
    QCOMPARE(cell(1, "count"), QString("2"));
    QCOMPARE(cell(1, "inside_ns"), QString("70 ns"));
    QCOMPARE(cell(1, "total_ns"), QString("100 ns"));
    QTRY_VERIFY(plain().contains("busy 77.8 % (70 ns of 90 ns), idle 20 ns in 1 gap, the longest 20 ns"));
}

void TestAreaPanel::theFilterOfAllPanelsCounts() {
    m_session->setTrace(test::traceFromText("gpu 0 stream 7: k 0..40 k 60..120"));
    m_session->setArea(AreaSelection{{20, 160}, {}});
    QTRY_VERIFY(plain().contains("80 ns of 100 ns"));
    m_session->applyFilter({AreaSelection{{60, 300}, {}}});
    QTRY_VERIFY(plain().contains("60 ns of 60 ns"));
    QTRY_COMPARE(cell(0, "count"), QString("1"));
}

void TestAreaPanel::saysWhichCopiesOverlapCompute() {
    JobControl job;
    auto trace = loadTrace({WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz"}, {}, job);
    QVERIFY(trace.ok());
    m_session->setTrace(trace.value());
    const TimeRange all = *m_session->trace()->range();
    m_session->setArea(AreaSelection{all, {}});
    QTRY_VERIFY(plain().contains("Copies beside compute: none (0.0 % of"));
    QVERIFY2(plain().contains("copies beside copies: 1.523 ms in 11 pairs: "), qPrintable(plain()));
    QVERIFY2(plain().contains("kernels beside kernels: 9.920 µs in 4 pairs: "), qPrintable(plain()));
    QVERIFY2(plain().contains("Streams at once: stream 29 ∥ stream 25 1.227 ms"), qPrintable(plain()));
    QVERIFY2(plain().contains("(8.371 ms of 20.749 ms)"), qPrintable(plain()));
    QVERIFY2(plain().contains("mark all"), qPrintable(plain()));
    m_panel->showPlace("copy_copy/0/all");
    // Eleven pairs of copies; those that are in several count once.
    std::set<uint32_t> rows;
    for (const EventRow row : m_session->highlight().events.rows()) {
        QVERIFY(m_session->trace()->slices().kind[row.value] == EventKind::Memcpy);
        rows.insert(row.value);
    }
    QCOMPARE(rows.size(), m_session->highlight().size());
    QVERIFY(rows.size() > 11 && rows.size() <= 22);
    // Of some streams alone, the heading says so.
    const TrackId some = m_session->trace()->slices().track[*rows.begin()];
    m_session->setArea(AreaSelection{all, {some}});
    QTRY_VERIFY2(plain().contains("(1 of "), qPrintable(plain()));
}

void TestAreaPanel::linksLeadToGapsAndWork() {
    m_session->setTrace(test::traceFromText("gpu 0 stream 7: k 100..200 k 300..400\ngpu 0 stream 8: m 350..450"));
    m_session->setArea(AreaSelection{{0, 500}, {}});
    QTRY_VERIFY(plain().contains(QString::fromUtf8("kernels beside kernels: 50 ns in 1 pair: 50\u00a0ns (k ∥ m)")));
    QSignalSpy revealed(m_session.get(), &Session::revealRequested);
    m_panel->showPlace("compute_compute/0/0");
    QCOMPARE(revealed.count(), 1);
    QCOMPARE(m_session->trace()->sliceName(m_session->selectedEvent()), std::string_view("m"));
    QCOMPARE(m_session->highlight().size(), size_t{2});  // its partner is marked too, and both are in view
    QCOMPARE(m_session->visibleRange(), (TimeRange{300 - 37, 450 + 37}));
    m_panel->showPlace("gap/0/0");
    QCOMPARE(m_session->visibleRange(), (TimeRange{150, 350}));
}

void TestAreaPanel::badLinksLeadNowhere() {
    const std::vector<DeviceArea> devices(1);
    for (const char* link : {"", "gap", "gap/0/0", "gap/1/0", "gap/-1/0", "copy_copy/0/0", "x/0/0", "gap/0/0/0"}) {
        const Place place = placeOf(link, devices);
        QVERIFY2(!place.gap && !place.pair, link);
    }
}

void TestAreaPanel::aCpuTraceHasNoDeviceFacts() {
    m_session->setTrace(test::traceFromText("cpu main: a 0..100"));
    m_session->setArea(AreaSelection{{0, 50}, {}});
    QTRY_COMPARE(m_panel->table()->model()->rowCount(), 1);
    QVERIFY(m_panel->factsText().isEmpty());
}

void TestAreaPanel::saysWhatTheHostWaitsFor() {
    JobControl job;
    m_session->setTrace(loadTrace({WARPLINE_TEST_DATA_DIR "/sync_heavy.trace.json.gz"}, {}, job).value());
    m_session->setArea(AreaSelection{*m_session->trace()->range(), {}});
    QTRY_VERIFY(plain().contains("Host waits"));
    const QString text = plain().replace(QChar(QChar::Nbsp), ' ');
    // The figures are those of tst_wait_summary.
    for (const char* line :
         {"(3.795 ms of ", "a thread waited for the device, in 312 calls",
          "2.195 ms cudaMemcpyAsync for Memcpy DtoH (Device -&gt; Pageable): 20 calls, longest 136.336 µs · next",
          "1.420 ms cudaStreamSynchronize for Memcpy DtoH (Device -&gt; Pinned): 220 calls, longest 20.484 µs · next",
          "135.226 µs cudaDeviceSynchronize for nothing: all had ended: 52 calls, longest 8.007 µs · next"}) {
        QVERIFY2(text.contains(QString::fromUtf8(line)), qPrintable(text));
    }
}

void TestAreaPanel::linksLeadFromWaitToWait() {
    m_session->setTrace(test::traceFromText(R"(
        cpu main: cudaStreamSynchronize 20..120 cudaStreamSynchronize 240..540 cudaStreamSynchronize 640..700
        gpu 0 stream 7: k 10..90 k 230..500 k 630..690)"));
    m_session->setArea(AreaSelection{{0, 1000}, {}});
    QTRY_VERIFY(plain().contains("Host waits"));
    const auto begin = [&] { return m_session->trace()->slices().begin[m_session->selectedEvent().value]; };
    m_panel->showPlace("wait/0/longest");
    QCOMPARE(begin(), TimeNs{240});
    QCOMPARE(m_session->highlight().size(), size_t{3});
    QCOMPARE(m_session->highlight().title, QString("cudaStreamSynchronize for k"));
    m_panel->showPlace("wait/0/next");
    QCOMPARE(begin(), TimeNs{640});
    m_panel->showPlace("wait/0/next");
    QCOMPARE(begin(), TimeNs{20});
    for (const char* link : {"wait/1/next", "wait/0", "wait/0/last", "wait/x/next", "wait/0/next/0"}) {
        m_panel->showPlace(link);
        QCOMPARE(begin(), TimeNs{20});
    }
}

void TestAreaPanel::waitsThatAreNotRecordedAreUnknown() {
    m_session->setTrace(test::traceFromText("gpu 0 stream 7: k 0..40"));
    m_session->setArea(AreaSelection{{0, 40}, {}});
    QTRY_VERIFY(plain().contains("Host waits: n/a: the trace has no calls of the CUDA or HIP runtime or driver"));
    m_session->setTrace(test::traceFromText("cpu main: cudaLaunchKernel 0..5\ngpu 0 stream 7: k 0..40"));
    m_session->setArea(AreaSelection{{0, 40}, {}});
    QTRY_VERIFY(plain().contains("Host waits: none: no call here waits for the device"));
    m_session->setArea(AreaSelection{{0, 40}, {m_session->trace()->slices().track[1]}});
    QTRY_VERIFY(plain().contains("Host waits: n/a: no track of the area has calls of the CUDA or HIP"));
}

void TestAreaPanel::tellsOfAsyncWorkAndCounters() {
    m_session->setTrace(test::loadText(R"([{"ph":"X","pid":1,"tid":1,"ts":0,"dur":100,"name":"op"},
{"ph":"b","cat":"c","name":"read","id":1,"pid":1,"tid":1,"ts":10},{"ph":"e","cat":"c","name":"read","id":1,"pid":1,"tid":1,"ts":30},
{"ph":"b","cat":"c","name":"read","id":2,"pid":1,"tid":1,"ts":20},{"ph":"e","cat":"c","name":"read","id":2,"pid":1,"tid":1,"ts":60},
{"ph":"C","pid":1,"name":"mem","ts":10,"args":{"v":2}},{"ph":"C","pid":1,"name":"mem","ts":20,"args":{"v":6}},
{"ph":"C","pid":1,"name":"mem","ts":40,"args":{"v":1}}])")
                            .value());
    const ProcessId process = m_session->trace()->counters()[0].process;
    const SectionRef read{SectionRef::Kind::Async, process, TrackId::none(), "read"};
    const SectionRef memory{SectionRef::Kind::Counter, process, TrackId::none(), "mem"};
    m_session->setArea(AreaSelection{{15'000, 45'000}, {}, {read, memory}});
    QTRY_VERIFY(plain().contains("min"));
    // Inside 15 + 25 us; (2 * 5 + 6 * 20 + 1 * 5) / 30.
    QVERIFY2(plain().contains("read: 2 slices, 40.000 µs inside, each 20.000 µs to 40.000 µs long"),
             qPrintable(plain()));
    QVERIFY2(plain().contains(": min 1, mean 4.5 over the time, max 6, last 1; 2 samples"), qPrintable(plain()));
    QCOMPARE(m_panel->table()->view()->message(),
             QString("The selected area is of async work or counters alone: it has no slices of threads or streams."));
    // With a track beside it the table is of that track.
    m_session->setArea(AreaSelection{{15'000, 45'000}, {m_session->trace()->slices().track[0]}, {memory}});
    QTRY_COMPARE(m_panel->table()->model()->rowCount(), 1);
    QTRY_VERIFY(plain().contains("mean 4.5") && !plain().contains("read"));
    m_session->setArea(AreaSelection{{15'000, 45'000}, {}});
    QTRY_VERIFY(!plain().contains("mean"));
}

QTEST_MAIN(TestAreaPanel)
#include "tst_area_panel.moc"
