// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the timeline, offscreen at 1920x1080: a scripted pan, zoom, hover and select over a trace file, or
// over a made trace (--synthetic SLICES). Prints a JSON line a figure.

#include <QApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QImage>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
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

    void run() {
        QElapsedTimer timer;
        timer.start();
        m_session.setTrace(m_trace);
        QApplication::processEvents();
        frame();
        print(m_name + "/open", "first_frame", static_cast<double>(timer.nsecsElapsed()) / 1e6);

        // Everything in view: the dearest frames, each row as full as it can be.
        m_widget.fitAll();
        steps("pan_all", 60, [this](int i) { m_widget.setAxis(timeline::panned(m_widget.axis(), i < 30 ? 3 : -3)); });
        m_widget.fitAll();
        steps("zoom_in", 120, [this](int) { zoom(0.93); });
        steps("pan", 120, [this](int i) { m_widget.setAxis(timeline::panned(m_widget.axis(), i < 60 ? 17 : -17)); });
        steps("zoom_out", 120, [this](int) { zoom(1 / 0.93); });
        zoom(0.05);
        steps("pan_wide", 60, [this](int) { m_widget.setAxis(timeline::panned(m_widget.axis(), 23)); });
        steps("scroll", 60, [this](int i) { m_widget.setScrollY(i * 40); });
        m_widget.setScrollY(0);
        steps("hover", 120, [this](int i) {
            const QPointF at(300 + i * 13, 60 + i * 8);
            QMouseEvent move(QEvent::MouseMove, at, at, Qt::NoButton, Qt::NoButton, Qt::NoModifier);
            QApplication::sendEvent(&m_widget, &move);
        });
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
        report("all", m_all, m_allCpu);
    }

private:
    void zoom(double factor) {
        m_widget.setAxis(timeline::zoomed(m_widget.axis(), m_widget.lanesRect().width() * 0.4, factor));
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

    /// Wall time is what a user sees; processor time is what the frame costs where other programs run too.
    void report(const std::string& what, std::vector<double> wall, std::vector<double> cpu) const {
        std::sort(wall.begin(), wall.end());
        std::sort(cpu.begin(), cpu.end());
        print(m_name + "/" + what, "frame_median", wall[wall.size() / 2]);
        print(m_name + "/" + what, "frame_worst", wall.back());
        print(m_name + "/" + what, "frame_cpu_median", cpu[cpu.size() / 2]);
        print(m_name + "/" + what, "frame_cpu_worst", cpu.back());
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
    applyTheme(ThemeChoice::Light);
    std::vector<std::string> files;
    uint64_t synthetic = 0;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--synthetic" && i + 1 < argc) {
            synthetic = std::strtoull(argv[++i], nullptr, 10);
        } else {
            files.push_back(argument);
        }
    }
    if (synthetic > 0) {
        Bench(makeTrace(synthetic), "synthetic_" + std::to_string(synthetic)).run();
    } else if (files.empty()) {
        for (const char* name : {"decode_16_tokens.trace.json.gz", "multi_stream.trace.json.gz"}) {
            for (const char* folder : {WARPLINE_TEST_DATA_DIR, WARPLINE_SAMPLES_DIR}) {
                const QString path = QString::fromUtf8(folder) + QLatin1Char('/') + QString::fromUtf8(name);
                if (files.empty() && QFileInfo::exists(path)) {
                    files.push_back(path.toStdString());
                }
            }
        }
        if (files.empty()) {
            Bench(makeTrace(1'000'000), "synthetic_1000000").run();
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
        Bench(trace.value(), base.section(QLatin1Char('.'), 0, 0).toStdString()).run();
    }
    return 0;
}
