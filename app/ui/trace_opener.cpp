// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/trace_opener.h"

#include <QFile>

#include <utility>

#include "core/loaders/load_trace.h"

namespace warpline::ui {

namespace {
using TracePtr = std::shared_ptr<const Trace>;
constexpr int kPollMs = 60;
}  // namespace

TraceOpener::TraceOpener(QObject* parent) : QObject(parent) {
    m_poll.setInterval(kPollMs);
    connect(&m_poll, &QTimer::timeout, this, [this] {
        if (const JobControl* control = m_job.control()) {
            emit progress(QString::fromUtf8(control->phase()), control->done(), control->total());
        }
    });
}

void TraceOpener::open(const QStringList& paths) {
    m_paths = paths;
    std::vector<std::string> names;
    for (const QString& path : paths) {
        names.push_back(QFile::encodeName(path).toStdString());
    }
    m_job.start<TracePtr>([names = std::move(names)](JobControl& job) { return loadTrace(names, LoadOptions(), job); },
                          [this](Result<TracePtr> result) {
                              m_poll.stop();
                              if (result.ok()) {
                                  emit opened(std::move(result).value());
                              } else {
                                  emit failed(result.error());
                              }
                          });
    m_poll.start();
    emit started();
}

void TraceOpener::cancel() {
    if (busy()) {
        m_poll.stop();
        m_job.cancel();
        emit cancelled();
    }
}

}  // namespace warpline::ui
