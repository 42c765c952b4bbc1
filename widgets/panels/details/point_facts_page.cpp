// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/details/point_facts_page.h"

#include <QCoreApplication>

#include <cmath>

#include "core/trace/process_title.h"
#include "widgets/panels/details/args_tree.h"
#include "widgets/panels/details/fact_text.h"
#include "widgets/support/cell_text.h"

namespace warpline {

namespace {

using Kind = Selection::Kind;

QString tr(const char* text) {
    return QCoreApplication::translate("DetailsPanel", text);
}

class PointPage {
public:
    explicit PointPage(const Trace& trace) : m_trace(trace) {}

    std::shared_ptr<FactTree> build(const Selection& selection) {
        switch (selection.kind) {
            case Kind::AsyncSlice:
                addAsyncSlice(m_trace.asyncSlices()[selection.index]);
                break;
            case Kind::AsyncInstant: {
                const AsyncInstant& instant = m_trace.asyncInstants()[selection.index];
                head(instant.name, tr("Async instant"), facts::trackPath(m_trace, instant.track));
                addTime(tr("Time"), instant.time);
                addIdentity(instant.category, instant.track, instant.id);
                addArguments(instant.track, instant.source);
                break;
            }
            case Kind::Instant: {
                const Instant& instant = m_trace.instants()[selection.index];
                head(instant.name, tr("Instant"), facts::trackPath(m_trace, instant.track));
                addTime(tr("Time"), instant.time);
                Fact& identity = addIdentity(instant.category, instant.track, std::nullopt);
                identity.add(tr("Scope"),
                             instant.scope == 'g'   ? tr("global")
                             : instant.scope == 'p' ? tr("process")
                                                    : tr("thread"),
                             tr("What it is about, as it stands in the file"));
                addArguments(instant.track, instant.source);
                break;
            }
            case Kind::CounterSample:
                addCounter(selection);
                break;
            case Kind::None:
            case Kind::Slice:
                break;
        }
        return m_tree;
    }

private:
    void head(StringId name, const QString& kind, const QString& place) {
        const std::string_view text = m_trace.string(name);
        m_tree->title = text.empty() ? tr("(no name)") : fromUtf8(text);
        m_tree->rawName = fromUtf8(text);
        m_tree->subtitle = kind + QStringLiteral("  \u00b7  ") + place;
    }

    Fact& addTime(const QString& label, TimeNs time) {
        Fact& section = m_tree->root.addSection(tr("Time"));
        section
            .add(label, facts::sinceStart(m_trace, time),
                 tr("Since the trace's first event. On the trace's own clock: %1").arg(facts::exactNs(time)))
            .exactly(time, "ns");
        return section;
    }

    Fact& addIdentity(StringId category, TrackId track, std::optional<EventId> id) {
        Fact& section = m_tree->root.addSection(tr("Identity"));
        if (category.empty()) {
            section.addUnknown(tr("Category"), tr("the file gives none"));
        } else {
            section.add(tr("Category"), fromUtf8(m_trace.string(category)), tr("As it stands in the file"));
        }
        section.add(tr("Track"), facts::trackPath(m_trace, track));
        if (id) {
            section.add(tr("Id"), fromUtf8(m_trace.idText(*id)), tr("What pairs its begin, steps and end"));
        }
        addFileOf(section, m_trace.fileOf(track));
        return section;
    }

    void addFileOf(Fact& section, FileId file) {
        if (m_trace.files().size() > 1) {
            section.add(tr("File"), fromUtf8(m_trace.files()[file.value].path));
        }
    }

    void addAsyncSlice(const AsyncSlice& slice) {
        head(slice.name, tr("Async slice"), facts::trackPath(m_trace, slice.track));
        Fact& time = addTime(tr("Start"), slice.begin);
        if (slice.unfinished || slice.duration < 0) {
            time.addUnknown(tr("Duration"), tr("the file gives no end"));
        } else {
            time.add(tr("Duration"), facts::duration(slice.duration), facts::exactNs(slice.duration))
                .exactly(slice.duration, "ns");
        }
        addIdentity(slice.category, slice.track, slice.id);
        addArguments(slice.track, slice.source, slice.endSource);
    }

    static QString valueOf(const CounterSeries& series, uint64_t sample) {
        if (std::isnan(series.value[sample])) {
            return notAvailable() + QStringLiteral(" \u2013 ") + tr("the file gives no number");
        }
        return series.whole.empty() ? QString::number(series.value[sample], 'g', 15)
                                    : QString::number(series.whole[sample]);
    }

    void addCounter(const Selection& selection) {
        const Counter& counter = m_trace.counters()[selection.index];
        const CounterSeries& series = counter.series[selection.series];
        const uint64_t sample = selection.sample;
        head(counter.name, tr("Counter"), fromUtf8(processTitle(m_trace, counter.process)));
        Fact& value = m_tree->root.addSection(tr("Value"));
        const QString name = fromUtf8(m_trace.string(series.name));
        value.add(name.isEmpty() ? tr("Value") : name, valueOf(series, sample), tr("As it stands in the file"));
        if (sample > 0) {
            const double step = series.value[sample] - series.value[sample - 1];
            if (!std::isnan(step)) {
                value.add(tr("Change"), (step > 0 ? QStringLiteral("+") : QString()) + QString::number(step, 'g', 15),
                          tr("Against the value before"));
            }
        }
        for (size_t other = 0; other < counter.series.size(); ++other) {
            const CounterSeries& line = counter.series[other];
            if (other != selection.series && sample < line.time.size() && line.time[sample] == series.time[sample]) {
                value.add(fromUtf8(m_trace.string(line.name)), valueOf(line, sample), tr("At the same time"));
            }
        }
        Fact& time = addTime(tr("Since"), series.time[sample]);
        if (sample + 1 < series.time.size()) {
            const DurationNs holds = series.time[sample + 1] - series.time[sample];
            time.add(tr("Holds for"), facts::duration(holds), facts::exactNs(holds)).exactly(holds, "ns");
        } else {
            time.addUnknown(tr("Holds for"), tr("it is the last value in the file"));
        }
        Fact& identity = m_tree->root.addSection(tr("Identity"));
        if (counter.id) {
            identity.add(tr("Id"), fromUtf8(m_trace.idText(*counter.id)));
        }
        identity.add(tr("Process"), fromUtf8(processTitle(m_trace, counter.process)));
        identity.add(tr("Sample"), tr("%1 of %2").arg(facts::count(sample + 1), facts::count(series.time.size())));
        addFileOf(identity, m_trace.process(counter.process).file);
    }

    void addArguments(TrackId track, SourceRef source, SourceRef end = {}) {
        Fact& section = m_tree->root.addSection(tr("Arguments"));
        const Result<std::string> json = m_trace.argsJson(track, source, end);
        if (!json.ok()) {
            section.addUnknown(tr("Arguments"), facts::unreadable(json.error()));
            return;
        }
        m_tree->argsJson = json.value();
        const QString problem = json.value() == "null" ? QString() : appendJson(section, json.value());
        if (!problem.isEmpty()) {
            section.addUnknown(tr("Arguments"), problem);
        } else if (section.children.empty()) {
            section.add(tr("Arguments"), tr("none"), tr("The event has no arguments in the file")).muted = true;
        }
    }

    const Trace& m_trace;
    std::shared_ptr<FactTree> m_tree = std::make_shared<FactTree>();
};

}  // namespace

Result<std::shared_ptr<const FactTree>> pointFacts(const Trace& trace, const Selection& selection, JobControl& job) {
    std::shared_ptr<const FactTree> tree = PointPage(trace).build(selection);
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    return tree;
}

}  // namespace warpline
