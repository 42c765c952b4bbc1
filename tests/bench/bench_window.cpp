// SPDX-License-Identifier: GPL-3.0-or-later
// What the whole window costs the GUI thread, offscreen at 1920x1080, over a trace file (or a bundled sample):
// switching between light and dark until the new look is drawn, and saving the layout. Prints a JSON line a figure.

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "app/ui/main_window.h"
#include "app/ui/workspace.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;

namespace {

constexpr int kRepeats = 20;

double threadCpuMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void print(const char* what, const char* metric, double value) {
    std::printf("{\"bench\":\"window\",\"case\":\"%s\",\"metric\":\"%s\",\"value\":%.3f,\"unit\":\"ms\"}\n", what,
                metric, value);
}

void report(const char* what, std::vector<double> cpu) {
    std::sort(cpu.begin(), cpu.end());
    print(what, "cpu_median", cpu[cpu.size() / 2]);
    print(what, "cpu_worst", cpu.back());
}

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication app(argc, argv);
    settings::useTemporary();
    applyTheme(ThemeChoice::Light);
    ui::MainWindow window;
    window.resize(1920, 1080);
    window.show();
    QEventLoop loop;
    QString failure;
    QObject::connect(&window, &ui::MainWindow::loadFinished, &loop, [&](const QString& error) {
        failure = error;
        loop.quit();
    });
    window.openFiles({argc > 1 ? QString::fromLocal8Bit(argv[1])
                               : QStringLiteral(WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz")});
    loop.exec();
    if (!failure.isEmpty()) {
        std::fprintf(stderr, "%s\n", qPrintable(failure));
        return 1;
    }
    QElapsedTimer settle;
    settle.start();
    while (settle.elapsed() < 500) {
        QApplication::processEvents();
    }
    std::vector<double> all;
    std::vector<double> applied;
    for (int i = 0; i < kRepeats; ++i) {
        const double start = threadCpuMs();
        applyTheme(i % 2 == 0 ? ThemeChoice::Dark : ThemeChoice::Light);
        applied.push_back(threadCpuMs() - start);
        QApplication::processEvents();
        all.push_back(threadCpuMs() - start);
    }
    std::vector<double> saved;
    for (int i = 0; i < kRepeats; ++i) {
        window.resize(1900 + i, 1000);
        QApplication::processEvents();
        const double start = threadCpuMs();
        settings::store().setValue(settings::kGeometry, window.saveGeometry());
        window.workspace()->saveLayout();
        settings::store().sync();
        saved.push_back(threadCpuMs() - start);
    }
    report("save_layout", saved);
    report("switch_theme", applied);
    report("switch_theme_and_draw", all);
    return 0;
}
