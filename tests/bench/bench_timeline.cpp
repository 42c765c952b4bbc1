// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the timeline, offscreen at 1920x1080, driven as a user drives it: the wheel, drags, the pointer, keys.
// Without arguments, over made traces of 10 k, 1 M and 10 M slices on 300 tracks; or over the traces that are named.
// --only 10k|1M|10M runs one of them, --only 10M/flows_all its arrows alone; --all adds cases that look closer at
// single things. Prints a JSON line a figure: wall time is what a user sees, processor time what the frame costs where
// other programs run too.

#include <QApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QImage>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "core/loaders/load_trace.h"
#include "core/trace/trace_builder.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/job_runner.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using timeline::TimelineWidget;

namespace {

/// `slices` on 300 tracks of 20 processes: nested host work in bursts, and streams of small kernels.
std::shared_ptr<const Trace> makeTrace(uint64_t slices) {
    constexpr int kProcesses = 20;
    constexpr int kTracks = 15;
    TraceBuilder builder;
    const FileId file = builder.addFile({});
    std::mt19937_64 random(1);
    std::vector<StringId> names;
    for (int i = 0; i < 500; ++i) {
        names.push_back(builder.intern("aten::operation_with_a_name_" + std::to_string(i)));
    }
    const StringId category = builder.intern("cpu_op");
    const uint64_t perTrack = slices / (kProcesses * kTracks);
    for (int p = 0; p < kProcesses; ++p) {
        const ProcessId process = builder.process(file, std::to_string(100 + p));
        builder.nameProcess(process, builder.intern("python3"));
        for (int t = 0; t < kTracks; ++t) {
            const TrackId track = builder.track(process, std::to_string(t));
            TimeNs now = 0;
            for (uint64_t i = 0; i < perTrack;) {
                // A parent with two levels of children below it.
                const TimeNs begin = now;
                TimeNs child = begin + 200;
                const auto children = static_cast<int>(1 + random() % 6);
                for (int c = 0; c < children && i < perTrack; ++c) {
                    const auto length = static_cast<DurationNs>(500 + random() % 4000);
                    SliceRecord slice;
                    slice.begin = child;
                    slice.duration = length;
                    slice.name = names[random() % names.size()];
                    slice.category = category;
                    slice.kind = t % 5 == 0 ? EventKind::Kernel : EventKind::CpuOp;
                    slice.track = track;
                    builder.addSlice(slice);
                    slice.begin = child + length / 4;
                    slice.duration = length / 2;
                    slice.name = names[random() % names.size()];
                    builder.addSlice(slice);
                    i += 2;
                    child += length + static_cast<DurationNs>(random() % 1000);
                }
                SliceRecord parent;
                parent.begin = begin;
                parent.duration = child + 200 - begin;
                parent.name = names[random() % names.size()];
                parent.category = category;
                parent.kind = EventKind::Annotation;
                parent.track = track;
                builder.addSlice(parent);
                ++i;
                now = begin + parent.duration + static_cast<DurationNs>(random() % 50 == 0 ? 200'000 : random() % 2000);
            }
        }
    }
    JobControl job;
    return std::move(builder.seal(job)).value();
}

/// As many on as many tracks: calls on 160 threads, each of which puts a kernel on one of 140 streams, soon or late.
std::shared_ptr<const Trace> makeLaunches(uint64_t slices) {
    constexpr int kProcesses = 20;
    constexpr int kThreads = 8;
    constexpr int kStreams = 7;
    TraceBuilder builder;
    const FileId file = builder.addFile({});
    std::mt19937_64 random(1);
    const StringId call = builder.intern("cudaLaunchKernel");
    const StringId kernel = builder.intern("kernel");
    const uint64_t perThread = slices / (2 * kProcesses * kThreads);
    uint64_t correlation = 0;
    for (int p = 0; p < kProcesses; ++p) {
        const ProcessId host = builder.process(file, std::to_string(100 + p));
        const ProcessId device = builder.process(file, std::to_string(p));
        std::array<TimeNs, kStreams> freeFrom{};
        for (uint64_t i = 0; i < perThread; ++i) {
            for (int t = 0; t < kThreads; ++t) {
                SliceRecord slice;
                slice.track = builder.track(host, std::to_string(t));
                slice.kind = EventKind::Runtime;
                slice.name = call;
                slice.begin = static_cast<TimeNs>(i * 8000 + random() % 3000);
                slice.duration = static_cast<DurationNs>(2000 + random() % 3000);
                slice.correlation = ++correlation;
                builder.addSlice(slice);
                const size_t stream = random() % kStreams;
                slice.track = builder.track(device, std::to_string(stream));
                slice.kind = EventKind::Kernel;
                slice.name = kernel;
                slice.begin = std::max(freeFrom[stream], slice.begin + slice.duration + 3000);
                slice.duration = static_cast<DurationNs>(1000 + random() % 11'000);
                freeFrom[stream] = slice.begin + slice.duration;
                builder.addSlice(slice);
            }
        }
    }
    JobControl job;
    return std::move(builder.seal(job)).value();
}

double threadCpuMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

class Bench {
public:
    Bench(std::shared_ptr<const Trace> trace, std::string name)
        : m_trace(std::move(trace)), m_name(std::move(name)), m_widget(m_session) {
        m_widget.resize(1920, 1080);
        m_widget.show();
        QApplication::processEvents();
        m_target = QImage(m_widget.size(), QImage::Format_RGB32);
    }

    void run(bool withAll) {
        open();

        // Everything in view: the dearest frames, each row as full as it can be.
        m_widget.fitAll();
        const QPoint middle = m_widget.lanesRect().center();
        pan("pan");
        m_widget.fitAll();
        // From the whole trace to single nanoseconds, and back.
        steps("zoom_in", kFrames, [&](int) { wheel(middle, 120); });
        steps("zoom_out", kFrames, [&](int) { wheel(middle, -120); });
        m_widget.fitAll();
        steps("hover", kFrames, [this](int i) {
            const QRect lanes = m_widget.lanesRect();
            const QPointF at(lanes.left() + i * 7 % lanes.width(), lanes.top() + i * 5 % lanes.height());
            QMouseEvent move(QEvent::MouseMove, at, m_widget.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                             Qt::NoModifier);
            QApplication::sendEvent(&m_widget, &move);
        });
        // Ctrl+A and Esc, over and over: the frame that shows what was chosen.
        steps("select_all", kFrames, [this](int i) {
            i % 2 == 0 ? key(Qt::Key_A, Qt::ControlModifier) : key(Qt::Key_Escape, Qt::NoModifier);
        });
        if (withAll) {
            runMore();
        }
        report("all", m_all, m_allCpu);
    }

    /// Drags and the wheel without arrows, and with those of all that is in view.
    void runFlows() {
        open();
        for (const auto mode : {timeline::FlowMode::None, timeline::FlowMode::All}) {
            const std::string what = mode == timeline::FlowMode::All ? "flows_all" : "flows_none";
            QElapsedTimer timer;
            timer.start();
            m_widget.setFlowMode(mode);
            waitForJobs();
            if (mode == timeline::FlowMode::All) {
                print(m_name + "/flows_all", "sorted_ms", static_cast<double>(timer.nsecsElapsed()) / 1e6);
            }
            m_widget.fitAll();
            pan(what);
            zoom(0.01);
            pan(what + "_close");
            m_widget.fitAll();
            const QPoint middle = m_widget.lanesRect().center();
            steps((what + "_zoom").c_str(), kFrames, [&](int) { wheel(middle, 120); });
        }
    }

private:
    static constexpr int kFrames = 240;

    void open() {
        QElapsedTimer timer;
        timer.start();
        m_session.setTrace(m_trace);
        QApplication::processEvents();
        frame();
        print(m_name + "/open", "first_frame_ms", static_cast<double>(timer.nsecsElapsed()) / 1e6);
        // What is found out on threads belongs to opening.
        waitForJobs();
    }
    static void waitForJobs() {
        while (JobRunner::activeJobs() > 0) {
            QApplication::processEvents(QEventLoop::AllEvents, 10);
        }
    }
    void pan(const std::string& what) {
        const QPoint middle = m_widget.lanesRect().center();
        drag(QEvent::MouseButtonPress, middle);
        steps(what.c_str(), kFrames,
              [&](int i) { drag(QEvent::MouseMove, middle + QPoint(i < kFrames / 2 ? 7 * i : 7 * (kFrames - i), 0)); });
        drag(QEvent::MouseButtonRelease, middle);
    }

    void runMore() {
        m_widget.fitAll();
        zoom(0.05);
        steps("pan_wide", 60, [this](int) { m_widget.setAxis(timeline::panned(m_widget.axis(), 23)); });
        steps("scroll", 60, [this](int i) { m_widget.setScrollY(i * 40); });
        m_widget.setScrollY(0);
        std::mt19937 random(2);
        steps("select", 60, [&](int) { m_session.revealEvent(EventRow(random() % m_trace->sliceCount())); });
        m_widget.fitAll();
        std::vector<EventRow> instances;
        const StringId name = m_trace->slices().name[m_trace->sliceCount() / 2];
        for (uint32_t row = 0; row < m_trace->sliceCount(); ++row) {
            if (m_trace->slices().name[row] == name) {
                instances.push_back(EventRow(row));
            }
        }
        const SharedRows rows(std::move(instances));
        const QString title = QStringLiteral("instances");
        // On and off: what a click on a row of a table costs until its frame is there.
        steps("highlight", 20, [&](int i) {
            m_session.setHighlight(i % 2 == 0 ? Highlight{title, rows, -1} : Highlight());
        });
        m_session.setHighlight({title, rows, -1});
        steps("step", 60, [this](int) { m_session.stepHighlight(+1); });
        m_widget.fitAll();
        steps("highlighted_zoom", 60, [this](int) { zoom(0.9); });
    }
    void zoom(double factor) {
        m_widget.setAxis(timeline::zoomed(m_widget.axis(), m_widget.lanesRect().width() * 0.4, factor));
    }
    void wheel(QPoint at, int angle) {
        QWheelEvent event(at, m_widget.mapToGlobal(at), {}, {0, angle}, Qt::NoButton, Qt::ControlModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&m_widget, &event);
    }
    void drag(QEvent::Type type, QPoint at) {
        const bool isMove = type == QEvent::MouseMove;
        QMouseEvent event(type, at, m_widget.mapToGlobal(at), isMove ? Qt::NoButton : Qt::LeftButton,
                          type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, Qt::ShiftModifier);
        QApplication::sendEvent(&m_widget, &event);
    }
    void key(int code, Qt::KeyboardModifiers modifiers) {
        QKeyEvent press(QEvent::KeyPress, code, modifiers);
        QApplication::sendEvent(&m_widget, &press);
    }
    void frame() { m_widget.render(&m_target); }

    void steps(const char* what, int count, const std::function<void(int)>& step) {
        std::vector<double> times;
        std::vector<double> cpuTimes;
        for (int i = 0; i < count; ++i) {
            QElapsedTimer timer;
            timer.start();
            const double cpuStart = threadCpuMs();
            step(i);
            frame();
            times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
            cpuTimes.push_back(threadCpuMs() - cpuStart);
            // What update() has asked for is drawn already.
            QApplication::processEvents(QEventLoop::ExcludeUserInputEvents);
        }
        m_all.insert(m_all.end(), times.begin(), times.end());
        m_allCpu.insert(m_allCpu.end(), cpuTimes.begin(), cpuTimes.end());
        report(what, times, cpuTimes);
    }

    void report(const std::string& what, std::vector<double> wall, std::vector<double> cpu) const {
        std::sort(wall.begin(), wall.end());
        std::sort(cpu.begin(), cpu.end());
        print(m_name + "/" + what, "frame_ms_median", wall[wall.size() / 2]);
        print(m_name + "/" + what, "frame_ms_worst", wall.back());
        print(m_name + "/" + what, "frame_cpu_ms_median", cpu[cpu.size() / 2]);
        print(m_name + "/" + what, "frame_cpu_ms_worst", cpu.back());
    }

    static void print(const std::string& what, const char* metric, double value) {
        std::printf("{\"bench\":\"timeline\",\"case\":\"%s\",\"metric\":\"%s\",\"value\":%.3f,\"unit\":\"ms\"}\n",
                    what.c_str(), metric, value);
        std::fflush(stdout);
    }

    std::shared_ptr<const Trace> m_trace;
    std::string m_name;
    Session m_session;
    TimelineWidget m_widget;
    QImage m_target;
    std::vector<double> m_all;
    std::vector<double> m_allCpu;
};

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    settings::useTemporary();
    settings::store().setValue(settings::kTimelineSmooth, false);  // a frame is a whole notch
    applyTheme(ThemeChoice::Light);
    std::vector<std::string> files;
    QString only;
    bool withAll = false;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--only" && i + 1 < argc) {
            only = QString::fromUtf8(argv[++i]);
        } else if (argument == "--all") {
            withAll = true;
        } else {
            files.push_back(argument);
        }
    }
    struct Size {
        const char* name;
        uint64_t slices;
    };
    for (const Size& size : {Size{"10k", 10'000}, Size{"1M", 1'000'000}, Size{"10M", 10'000'000}}) {
        if (files.empty() && (only.isEmpty() || only == QLatin1String(size.name))) {
            Bench(makeTrace(size.slices), size.name).run(withAll);
        }
        if (files.empty() && (only.isEmpty() || only == QLatin1String(size.name) ||
                              only == QString::fromUtf8(size.name) + "/flows_all")) {
            Bench(makeLaunches(size.slices), size.name).runFlows();
        }
    }
    for (const std::string& file : files) {
        JobControl job;
        Result<std::shared_ptr<const Trace>> trace = loadTrace({file}, {}, job);
        if (!trace.ok()) {
            std::fprintf(stderr, "%s\n", trace.error().message.c_str());
            return 1;
        }
        const QString base = QFileInfo(QString::fromStdString(file)).fileName();
        Bench(trace.value(), base.section(QLatin1Char('.'), 0, 0).toStdString()).run(withAll);
    }
    return 0;
}
