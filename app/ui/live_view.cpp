// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/live_view.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>

#include "core/loaders/load_trace.h"
#include "widgets/support/load_settings.h"
#include "widgets/support/session.h"

namespace warpline::ui {

namespace {

constexpr int kIntervalMs = 400;  ///< from the begin of a load to that of the next, or later if it takes longer
constexpr int kTickMs = 50;
/// Of what has a value at a time: so much the timeline takes over at once, without a moment in which it is empty.
constexpr uint64_t kMostValues = 18'000;
constexpr uint64_t kMostSlices = 150'000;
constexpr uint64_t kFewSlices = 50'000;
constexpr double kMostTakeMs = 10;
constexpr double kMostLoadMs = 400;
constexpr uint64_t kLeastBytes = uint64_t{128} << 10;
constexpr uint64_t kFirstBytes = uint64_t{1} << 20;
constexpr uint64_t kMostBytes = uint64_t{64} << 20;
constexpr DurationNs kFirstWidth = 10'000'000'000;

/// The timeline rounds a view to its pixels, later where it has something to compute first; that is no move of the
/// user's.
bool isAbout(TimeRange a, TimeRange b) {
    constexpr DurationNs kPart = 50;
    const DurationNs slack = b.length() / kPart;
    return std::abs(a.begin - b.begin) <= slack && std::abs(a.end - b.end) <= slack;
}

/// What this thread has worked: that others held it up is no reason to show less.
double threadMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    constexpr double kSecondMs = 1e3, kNsMs = 1e-6;
    return static_cast<double>(now.tv_sec) * kSecondMs + static_cast<double>(now.tv_nsec) * kNsMs;
}

struct Loaded {
    std::shared_ptr<const Trace> trace;
    uint64_t fileBytes = 0;
    double ms = 0;  ///< that it took
};

}  // namespace

TimeRange viewAtEnd(TimeRange all, DurationNs width) {
    return width <= 0 || width >= all.length() ? all : TimeRange{all.end - width, all.end};
}

LiveView::LiveView(Session& session, QObject* parent) : QObject(parent), m_session(session) {
    m_timer.setInterval(kTickMs);
    connect(&m_timer, &QTimer::timeout, this, &LiveView::tick);
    connect(&m_session, &Session::visibleRangeChanged, this, [this](TimeRange range) {
        if (isRunning() && !m_isTaking && m_session.trace() && !m_shown.empty() && !isAbout(range, m_shown)) {
            setFollows(false);
        }
    });
}

void LiveView::start(const QString& path) {
    m_path = path;
    m_loadedBytes = 0;
    m_sinceBegin.invalidate();
    m_newestBytes = kFirstBytes;
    m_shown = {};
    m_width = kFirstWidth;
    m_timer.start();
    setFollows(true);
    tick();
}

void LiveView::stop() {
    m_timer.stop();
    m_job.cancel();
}

void LiveView::setFollows(bool follows) {
    if (follows != m_follows) {
        m_follows = follows;
        emit followChanged();
    }
}

void LiveView::tick() {
    if (m_job.busy() || (m_sinceBegin.isValid() && m_sinceBegin.elapsed() < kIntervalMs)) {
        return;
    }
    const auto bytes = static_cast<uint64_t>(std::max<qint64>(0, QFileInfo(m_path).size()));
    if (bytes == m_loadedBytes || bytes == 0) {
        return;
    }
    m_sinceBegin.start();
    LoadOptions options = settings::loadOptions();
    options.threads = 1;
    options.growing = {true, m_newestBytes};
    m_job.start<Loaded>(
        [path = QFile::encodeName(m_path).toStdString(), options, bytes](JobControl& job) -> Result<Loaded> {
            QElapsedTimer timer;
            timer.start();
            auto trace = loadTrace({path}, options, job);
            return trace.ok() ? Result<Loaded>(Loaded{trace.value(), bytes, static_cast<double>(timer.elapsed())})
                              : trace.error();
        },
        [this](Result<Loaded> result) {
            // Nothing readable yet is no error: the next turn sees more.
            if (result.ok() && isRunning()) {
                const Loaded& got = result.value();
                m_loadedBytes = got.fileBytes;
                adapt(*got.trace, got.fileBytes, got.ms);
                // Threads and devices are known before anything is launched: that is nothing to see yet.
                if (got.trace->counts().slices != 0) {
                    emit loaded(got.trace);
                }
            }
        });
}

void LiveView::adapt(const Trace& trace, uint64_t fileBytes, double loadMs) {
    const auto factorOf = [](double allowed, double is) { return allowed / std::max(1.0, is); };
    const EventCounts counts = trace.counts();
    const uint64_t read = std::min(m_newestBytes, fileBytes);
    constexpr double kLess = 1.0, kMore = 1.5, kStep = 2.0;
    const double factor =
        std::min({factorOf(kMostValues, static_cast<double>(counts.counters + counts.async + counts.instants)),
                  factorOf(kMostSlices, static_cast<double>(counts.slices)), factorOf(kMostTakeMs, m_lastTakeMs),
                  // A long file takes its time however little of it is wanted.
                  counts.slices > kFewSlices ? factorOf(kMostLoadMs, loadMs) : kStep});
    // Steps that are not worth it would only make the beginning of the view jump.
    if (factor < kLess || (factor > kMore && read == m_newestBytes)) {
        const double wanted = static_cast<double>(read) * std::min(factor, kStep);
        m_newestBytes = std::clamp(static_cast<uint64_t>(wanted), kLeastBytes, kMostBytes);
    }
}

void LiveView::take(const std::function<void()>& show) {
    const double begin = threadMs();
    m_isTaking = true;
    show();
    if (m_follows) {
        showEnd();
    }
    m_isTaking = false;
    m_lastTakeMs = threadMs() - begin;
}

void LiveView::follow() {
    const TimeRange seen = m_session.visibleRange();
    const std::optional<TimeRange> all = m_session.trace() ? m_session.trace()->range() : std::nullopt;
    const bool seesAll = !all || (seen.begin <= all->begin && all->end <= seen.end);
    m_width = seesAll || seen.empty() ? kFirstWidth : seen.length();
    m_isTaking = true;
    showEnd();
    m_isTaking = false;
    setFollows(true);
}

void LiveView::showEnd() {
    const std::shared_ptr<const Trace>& trace = m_session.trace();
    const std::optional<TimeRange> all = trace ? trace->range() : std::nullopt;
    if (!all || all->empty()) {
        return;
    }
    m_session.setVisibleRange(viewAtEnd(*all, m_width));
    m_shown = m_session.visibleRange();
}

}  // namespace warpline::ui
