// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/area/area_panel.h"

#include <QCoreApplication>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/analyses/area_table/area_table.h"
#include "widgets/panels/area/area_text.h"
#include "widgets/panels/area/rows_text.h"
#include "widgets/panels/area/wait_text.h"
#include "widgets/support/discard.h"
#include "widgets/support/session.h"
#include "widgets/support/table_filter_bar.h"
#include "widgets/support/table_panel.h"

namespace warpline::area {

namespace {

constexpr int kMostFactLines = 9;
/// The table keeps the rest of the panel.
constexpr double kMostFactShare = 0.45;

TablePanelSpec specOf(const QString& id) {
    TablePanelSpec spec;
    spec.id = id;
    spec.nameColumn = "name";
    spec.keyColumns = {"name", "kind", "track"};
    spec.defaultSort = "-inside_ns";
    spec.scope = TableFilterBar::Scope::Area;
    spec.noTraceSentence = QCoreApplication::translate(
        "AreaPanel", "Open a trace, then drag over the timeline: what is in the area is summed up here.");
    spec.noRowsSentence = QCoreApplication::translate("AreaPanel", "Nothing is in this area.");
    return spec;
}

}  // namespace

AreaPanel::AreaPanel(Session& session, const QString& id, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_table(new TablePanel(session, std::shared_ptr<const Analysis>(analyses::area_table::make()), specOf(id), this)),
      m_facts(new QLabel(this)),
      m_room(new QScrollArea(this)) {
    m_facts->setTextFormat(Qt::RichText);
    m_facts->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_facts->setWordWrap(true);
    m_facts->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_facts->setContentsMargins(10, 6, 10, 2);
    m_facts->setAccessibleName(tr("What the devices did in the area, and what the host waited for"));
    m_facts->setToolTip(tr(
        "Busy: the share of the area's time in which the device ran any kernel, copy or memset. Beside: the time in "
        "which both ran at once. Host waits: calls that return only when the device has done something, by what that "
        "was. Click a figure to see it in the timeline."));
    m_room->setWidget(m_facts);
    m_room->setWidgetResizable(true);
    m_room->setFrameShape(QFrame::NoFrame);
    m_room->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_room->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_room);
    layout->addWidget(m_table, 1);
    setFocusProxy(m_table);
    connect(m_facts, &QLabel::linkActivated, this, &AreaPanel::showPlace);
    connect(&session, &Session::traceChanged, this, &AreaPanel::recompute);
    connect(m_table->filterBar(), &TableFilterBar::changed, this, &AreaPanel::recompute);
    recompute();
}

QString AreaPanel::factsText() const {
    return m_facts->text();
}

void AreaPanel::recompute() {
    m_job.cancel();
    m_waitJob.cancel();
    const std::shared_ptr<const Trace> trace = m_session.trace();
    const auto options = trace ? m_table->filterBar()->options() : std::nullopt;
    m_waits.reset();
    m_rowsText.clear();
    sumRows();
    if (!options || !trace->range()) {
        m_devices.reset();
        m_tracks.clear();
        m_facts->clear();
        m_room->hide();
        return;
    }
    using Devices = std::shared_ptr<const std::vector<DeviceArea>>;
    using Waits = std::shared_ptr<const WaitSummary>;
    const TimeRange range = options->filter.range.value_or(*trace->range());
    m_job.start<Devices>(
        [trace, range, tracks = options->filter.tracks](JobControl& job) -> Result<Devices> {
            auto found = computeAreaSummary(*trace, range, tracks, job);
            if (!found.ok()) {
                return found.error();
            }
            return Devices(makeDiscarded(std::move(found).value()));
        },
        [this, tracks = options->filter.tracks](Result<Devices> found) {
            if (found.ok() && m_session.trace()) {
                m_devices = std::move(found).value();
                m_tracks = tracks;
                showFacts();
            }
        });
    m_waitJob.start<Waits>(
        [trace, range, tracks = options->filter.tracks](JobControl& job) -> Result<Waits> {
            auto found = computeWaitSummary(*trace, range, tracks, job);
            if (!found.ok()) {
                return found.error();
            }
            return Waits(makeDiscarded(std::move(found).value()));
        },
        [this](Result<Waits> found) {
            if (found.ok() && m_session.trace()) {
                m_waits = std::move(found).value();
                if (!m_job.busy()) {
                    showFacts();
                }
            }
        });
}

void AreaPanel::sumRows() {
    m_rowsJob.cancel();
    const std::shared_ptr<const Trace> trace = m_session.trace();
    const std::optional<AreaSelection>& area = m_session.area();
    if (!trace || m_table->filterBar()->scope() != TableFilterBar::Scope::Area || !area || area->rows.empty()) {
        return;
    }
    const std::optional<AreaSelection>& filtered = m_session.filter().area;
    const TimeRange range = filtered ? area->range.intersected(filtered->range) : area->range;
    m_rowsJob.start<QString>(
        [trace, range, rows = rowTitlesOf(area->rows)](JobControl& job) -> Result<QString> {
            const auto found = computeRowsArea(*trace, range, rows, job);
            return found.ok() ? Result<QString>(rowsText(*trace, rows, found.value())) : found.error();
        },
        [this](Result<QString> text) {
            if (text.ok() && m_session.trace()) {
                m_rowsText = std::move(text).value();
                showFacts();
            }
        });
}

void AreaPanel::showFacts() {
    const Trace& trace = *m_session.trace();
    QString text = m_rowsText;
    text += m_devices ? areaText(trace, *m_devices, m_tracks) : QString();
    if (m_waits) {
        text += waitText(trace, *m_waits, m_devices && !m_devices->empty());
    }
    m_facts->setText(text);
    fitFacts();
}

/// As high as the text is, up to a few lines and a share of the panel: the rest is scrolled.
void AreaPanel::fitFacts() {
    const int lines = kMostFactLines * (m_facts->fontMetrics().height() + 2);
    const int most = std::min(lines, static_cast<int>(height() * kMostFactShare));
    m_room->setFixedHeight(std::clamp(m_facts->heightForWidth(width()), 0, most));
    m_room->setVisible(!m_facts->text().isEmpty());
}

void AreaPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitFacts();
}

void AreaPanel::showPlace(const QString& link) {
    if (!m_devices || !m_session.trace() || showWait(link)) {
        return;
    }
    const Place place = placeOf(link, *m_devices);
    if (place.gap) {
        const DurationNs beside = std::max<DurationNs>(place.gap->length() / 2, 1);
        m_session.setVisibleRange({addSaturated(place.gap->begin, -beside), addSaturated(place.gap->end, beside)});
    } else if (place.pair) {
        // Both in view, both marked; F3 goes from one to the other.
        const SliceColumns& slices = m_session.trace()->slices();
        const uint32_t first = place.pair->first.value, second = place.pair->second.value;
        const TimeNs end = std::max(slices.end(first), slices.end(second));
        const DurationNs beside = std::max<DurationNs>(distanceSaturated(slices.begin[first], end) / 4, 1);
        m_session.setVisibleRange({addSaturated(slices.begin[first], -beside), addSaturated(end, beside)});
        m_session.setHighlight({tr("At the same time"), SharedRows({place.pair->first, place.pair->second})});
        m_session.revealEvent(place.pair->second);
    } else if (!place.pairs.empty()) {
        std::vector<EventRow> rows;
        for (const WorkPair& pair : place.pairs) {
            rows.push_back(pair.first);
            rows.push_back(pair.second);
        }
        const SliceColumns& slices = m_session.trace()->slices();
        std::ranges::sort(rows, {}, [&](EventRow row) { return std::pair(slices.begin[row.value], row.value); });
        rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        m_session.setHighlight({tr("At the same time"), SharedRows(std::move(rows))});
    } else {
        return;
    }
    // What was shown is looked at with the timeline's keys.
    m_session.goToTimeline();
}

/// All of the group are marked, so F3 goes on from the one that is shown.
bool AreaPanel::showWait(const QString& link) {
    const WaitPlace place = m_waits ? waitPlaceOf(link, *m_waits) : WaitPlace();
    if (place.group == nullptr) {
        return false;
    }
    const Highlight group{waitTitle(*m_session.trace(), *place.group), SharedRows(m_waits, place.group->calls)};
    if (!m_session.highlight().hasSameEvents(group)) {
        m_session.setHighlight(group);
    }
    if (place.isLongest) {
        const auto index = indexOf(*m_session.trace(), group, Selection::slice(place.group->longest));
        m_session.stepHighlightTo(index.value_or(0));
    } else {
        m_session.stepHighlight(+1);
    }
    m_session.goToTimeline();
    return true;
}

}  // namespace warpline::area

namespace warpline::panels::area {

namespace {

class Factory : public PanelFactory {
public:
    const PanelInfo& info() const override { return m_info; }
    QWidget* create(Session& session, QWidget* parent) const override {
        return new warpline::area::AreaPanel(session, m_info.id, parent);
    }

private:
    PanelInfo m_info{"area", QCoreApplication::translate("AreaPanel", "Area"), PanelPlace::Bottom, 30,
                     QCoreApplication::translate(
                         "AreaPanel", "What is in the selected area: busy time, gaps, overlaps, and sums by name")};
};

}  // namespace

std::unique_ptr<PanelFactory> make() {
    return std::make_unique<Factory>();
}

}  // namespace warpline::panels::area
