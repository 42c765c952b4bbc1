// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording costs the window while it is shown live: how long its thread is held up by one event, and how often
// the view is renewed. The agent is a stand-in that makes 2,000, 20,000 and 200,000 kernels a second up, each with its
// call. Times are those of the thread itself, so that other work on the machine does not count. With a file as its
// argument (tests/data/captures/live.paced) it plays what an agent on another machine wrote, at its own pace, and says
// how long it was from a kernel's end there to the screen here, had there been nothing between the machines.
#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "app/ui/main_window.h"
#include "app/ui/recorder.h"
#include "core/capture/frame_reader.h"
#include "core/capture/texts.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::ui;

namespace {

double threadMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

class Watched : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override {
        if (++m_depth > 1) {
            const bool handled = QApplication::notify(receiver, event);
            --m_depth;
            return handled;
        }
        const double begin = threadMs();
        const int type = event->type();
        const QByteArray name = receiver->metaObject()->className();
        const bool handled = QApplication::notify(receiver, event);
        --m_depth;
        const double ms = threadMs() - begin;
        m_times.push_back(ms);
        if (ms > m_longest) {
            m_longest = ms;
            m_what = name + " " + QByteArray::number(type);
        }
        return handled;
    }
    void reset() {
        m_times.clear();
        m_longest = 0;
    }
    double longest() const { return m_longest; }
    const QByteArray& what() const { return m_what; }
    size_t countOver(double ms) const {
        return static_cast<size_t>(std::ranges::count_if(m_times, [ms](double each) { return each > ms; }));
    }

private:
    int m_depth = 0;
    double m_longest = 0;
    QByteArray m_what;
    std::vector<double> m_times;
};

void print(const char* name, const char* metric, double value, const char* unit) {
    std::printf(R"({"bench": "live_view", "case": "%s", "metric": "%s", "value": %.3f, "unit": "%s"})"
                "\n",
                name, metric, value, unit);
    std::fflush(stdout);
}

void measure(Watched& app, const char* name, int perStep, QSize size) {
    settings::useTemporary();
    MainWindow window;
    window.resize(size);
    window.show();
    RecordRequest request;
    request.program = QStringLiteral("steady 1000000 %1").arg(perStep);
    Recorder& recorder = *window.recorder();
    recorder.start(request);
    if (!QTest::qWaitFor([&] { return window.page() == MainWindow::Page::Trace; }, 20000)) {
        std::fprintf(stderr, "live_view: nothing came\n");
        return;
    }
    constexpr int kWarmUpMs = 4000;
    constexpr int kMs = 15000;
    QTest::qWait(kWarmUpMs);
    app.reset();
    int renewals = 0;
    std::vector<double> ages;  // of the newest kernel that is shown, as it is
    double longestTake = 0;
    const auto counted = QObject::connect(&window.session(), &Session::traceChanged, [&] {
        ++renewals;
        const Trace& trace = *window.session().trace();
        timespec now{};
        clock_gettime(CLOCK_REALTIME, &now);
        constexpr int64_t kSecond = 1'000'000'000;
        const FileInfo& file = trace.files().front();
        if (file.baseTimeNs && trace.range()) {
            const int64_t end = *file.baseTimeNs + file.ownTime(trace.range()->end);
            ages.push_back(static_cast<double>(now.tv_sec * kSecond + now.tv_nsec - end) / 1e6);
        }
    });
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < kMs) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
        longestTake = std::max(longestTake, recorder.live()->lastTakeMs());
    }
    const double seconds = static_cast<double>(timer.elapsed()) / 1e3;
    QObject::disconnect(counted);
    print(name, "longest event", app.longest(), "ms");
    std::fprintf(stderr, "  by %s\n", app.what().constData());
    print(name, "events over 16 ms", static_cast<double>(app.countOver(16)), "1");
    print(name, "longest take-over", longestTake, "ms");
    print(name, "renewals", renewals / seconds, "1/s");
    std::ranges::sort(ages);
    if (!ages.empty()) {
        print(name, "newest end to screen, median", ages[ages.size() / 2], "ms");
        print(name, "newest end to screen, most", ages.back(), "ms");
    }
    print(name, "slices shown", static_cast<double>(window.session().trace()->counts().slices), "1");
    print(name, "newest bytes", static_cast<double>(recorder.live()->newestBytes()), "B");
    recorder.killProgram();
    (void)QTest::qWaitFor([&] { return !recorder.isUnderWay() && JobRunner::activeJobs() == 0; }, 60000);
}

int64_t realtimeNs() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    constexpr int64_t kSecond = 1'000'000'000;
    return now.tv_sec * kSecond + now.tv_nsec;
}

/// When the recording began there, by the times that its agent wrote and those at which they came.
int64_t beginOf(const char* path) {
    std::ifstream file(path, std::ios::binary);
    int64_t begin = 0;
    uint64_t due = 0;
    uint32_t bytes = 0;
    while (file.read(reinterpret_cast<char*>(&due), sizeof due) &&
           file.read(reinterpret_cast<char*>(&bytes), sizeof bytes)) {
        std::string piece(bytes, '\0');
        file.read(piece.data(), bytes);
        capture::FrameReader reader;
        reader.add(piece);
        const auto frame = reader.next();
        const auto facts = frame && frame->type() == capture::FrameType::Facts && frame->header.flags == 0
                               ? capture::factsOf(frame->payload)
                               : std::nullopt;
        if (!facts) {
            continue;
        }
        for (const auto& [key, value] : *facts) {
            if (key == "now_ns") {
                const int64_t at = std::stoll(std::string(value)) - static_cast<int64_t>(due);
                begin = begin == 0 ? at : std::min(begin, at);
            }
        }
    }
    return begin;
}

/// By the name of a kernel: how late each renewal had its newest one on the screen.
void play(Watched& app, const char* path) {
    settings::useTemporary();
    MainWindow window;
    window.resize(1280, 720);
    window.show();
    const int64_t thereNs = beginOf(path);
    RecordRequest request;
    request.program = QStringLiteral("paced '%1'").arg(QString::fromLocal8Bit(path));
    int64_t hereNs = 0;
    std::map<std::string, std::vector<double>> delays;
    std::map<std::string, int64_t> newest;
    QObject::connect(&window.session(), &Session::traceChanged, [&] {
        const Trace* trace = window.session().trace().get();
        if (trace == nullptr || !window.recorder()->isUnderWay() || !trace->files().front().baseTimeNs) {
            return;
        }
        const FileInfo& file = trace->files().front();
        std::map<std::string, int64_t> ends;
        const SliceColumns& slices = trace->slices();
        for (uint32_t row = 0; row < slices.size(); ++row) {
            if (slices.kind[row] == EventKind::Kernel) {
                int64_t& end = ends[std::string(trace->string(slices.name[row]))];
                end = std::max(end, slices.begin[row] + std::max<int64_t>(0, slices.knownDuration(row)));
            }
        }
        for (const auto& [name, end] : ends) {
            if (end > newest[name]) {
                newest[name] = end;
                const int64_t endThere = *file.baseTimeNs + file.ownTime(end);
                delays[name].push_back(static_cast<double>(realtimeNs() - hereNs - (endThere - thereNs)) / 1e6);
            }
        }
    });
    hereNs = realtimeNs();
    window.recorder()->start(request);
    QTest::qWait(500);
    app.reset();
    (void)QTest::qWaitFor([&] { return !window.recorder()->isUnderWay(); }, 60000);
    print("replay", "longest event", app.longest(), "ms");
    for (auto& [name, all] : delays) {
        std::ranges::sort(all);
        print(name.c_str(), "kernel end to screen, median", all[all.size() / 2], "ms");
        print(name.c_str(), "kernel end to screen, most", all.back(), "ms");
        print(name.c_str(), "renewals", static_cast<double>(all.size()), "1");
    }
}

}  // namespace

int main(int argc, char** argv) {
    qputenv("WARPLINE_AGENT", WARPLINE_STAND_IN_AGENT);
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    Watched app(argc, argv);
    applyTheme(ThemeChoice::Light);
    if (argc > 1) {
        play(app, argv[1]);
        return 0;
    }
    measure(app, "2,000 kernels/s, 1280x720", 100, {1280, 720});
    measure(app, "20,000 kernels/s, 1280x720", 1000, {1280, 720});
    measure(app, "200,000 kernels/s, 2560x1440", 10000, {2560, 1440});
    return 0;
}
