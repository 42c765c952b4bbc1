// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline takes over from the session: the trace with its model, the highlight, the selection, and the view
// that a trace is opened with or that a reload keeps.

#include <QScrollBar>

#include <utility>

#include "widgets/panels/timeline/event_place.h"
#include "widgets/panels/timeline/layout_carry.h"
#include "widgets/panels/timeline/minimap.h"
#include "widgets/panels/timeline/time_prompt.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/panels/timeline/track_filter_bar.h"
#include "widgets/support/discard.h"

namespace warpline::timeline {

namespace {

/// Up to so many things to look at the model is built at once; beyond, on a thread.
constexpr uint64_t kSmallModel = 20'000;
/// The same for the instances of a highlight.
constexpr size_t kSmallHighlight = 4'096;

}  // namespace

void TimelineWidget::onTraceChanged() {
    m_modelJob->cancel();
    if (!m_session.keepsView()) {
        m_kept.reset();
        m_trackFilter->setText({});
    } else if (m_trace && m_model) {
        const TimeRange all = firstView();
        const TimeRange shown = visibleRange(m_axis, lanesRect().width());
        const bool showsAll = m_fitPending || (shown.begin <= all.begin && all.end <= shown.end);
        settleView();
        m_kept = Kept{m_trace, m_model, m_state, m_layoutTouched, m_axis, scrollY(), showsAll, m_history};
    }
    m_trace = m_session.trace();
    m_model.reset();
    m_looks.clear();
    m_layout = {};
    m_titles.clear();
    m_laneBars.clear();
    m_state = {};
    m_layoutTouched = false;
    m_highlightJob->cancel();
    m_highlight = std::make_shared<const HighlightIndex>();
    m_highlighted = {};
    m_arrows = {};
    resetFlows();
    m_pendingReveal = {};
    m_pendingView = {};
    m_pendingTop.reset();
    m_markGoneTo.reset();
    m_history.clear();
    m_motion.stop();
    m_wholePixels.reset();
    m_prompt->dismiss();
    delete m_choices;  // its tracks are the old trace's
    m_stepJob->cancel();
    m_derived->want(0);
    m_derived->setTrace(m_trace);
    m_minimap->setTrace(m_trace, m_trace ? firstView() : TimeRange{});
    m_settle.stop();
    m_selectedPlace.reset();
    m_focus.reset();
    m_heightShown.reset();
    cancelHeadDrag();
    updateHiddenNote();
    clearHover();
    m_nameColors.reset(m_trace.get());
    m_labels.reset(m_labelFont, devicePixelRatioF());
    invalidate();
    m_fitPending = m_trace != nullptr;
    if (m_trace) {
        if (timelineModelCost(*m_trace) <= kSmallModel) {
            onModelReady(buildTimelineModel(*m_trace));
        } else {
            using Model = std::shared_ptr<const TimelineModel>;
            m_modelJob->start<Model>(
                [trace = m_trace](JobControl& job) -> Result<Model> {
                    Model model = buildTimelineModel(*trace, &job);
                    return model ? Result<Model>(std::move(model)) : Error::cancelled();
                },
                [this](Result<Model> model) {
                    // Without it the tracks are still there; counters and async work are not.
                    onModelReady(model.ok() ? model.value() : std::make_shared<const TimelineModel>());
                });
        }
    }
    updateEmptyState();
    onHighlightChanged();
}

void TimelineWidget::onHighlightChanged() {
    // Stepping changes the current instance alone.
    if (!m_trace || m_session.highlight().hasSameEvents(m_highlighted)) {
        update();
        return;
    }
    m_highlighted = m_session.highlight();
    m_minimap->setHighlight(m_highlighted);
    const auto show = [this](std::shared_ptr<const HighlightIndex> index) {
        m_highlight = std::move(index);
        invalidate();
    };
    if (m_highlighted.size() <= kSmallHighlight) {
        m_highlightJob->cancel();
        show(makeDiscarded(HighlightIndex::build(*m_trace, m_model.get(), m_highlighted)));
        return;
    }
    // What was highlighted before stays until the new is there.
    using Index = std::shared_ptr<const HighlightIndex>;
    m_highlightJob->start<Index>(
        [trace = m_trace, model = m_model, highlight = m_highlighted](JobControl& job) -> Result<Index> {
            return makeDiscarded(HighlightIndex::build(*trace, model.get(), highlight, &job));
        },
        [this, show](Result<Index> index) {
            if (index.ok()) {
                show(std::move(index).value());
            } else {
                show(std::make_shared<const HighlightIndex>());
            }
        });
}

void TimelineWidget::onSelectionChanged() {
    m_arrows = {};
    m_arrowsStale = m_session.selectedEvent().valid();
    updateSelectedPlace();
    if (!m_highlight->empty()) {
        // The selected slice does not fade.
        invalidate();
    }
    update();
}

void TimelineWidget::updateSelectedPlace() {
    m_selectedPlace = m_trace && m_model ? placeOf(*m_trace, *m_model, m_layout, m_session.selection()) : std::nullopt;
}

void TimelineWidget::onModelReady(std::shared_ptr<const TimelineModel> model) {
    m_model = std::move(model);
    if (m_highlighted.points) {
        // Async work could not be found before.
        m_highlighted = {};
        onHighlightChanged();
    }
    readLooks();
    wantDerived();
    m_state = initialLayoutState(*m_trace, *m_model, lanesRect().height() - derivedHeight());
    m_state.filter = m_trackFilter->text().toStdString();
    m_scrollBar->setValue(0);
    m_minimap->setRange(firstView());
    if (m_kept) {
        restoreView();
        return;
    }
    if (m_session.folding()) {
        takeFolding();
    }
    rebuildLayout();
    fitFirstView();
}

void TimelineWidget::restoreView() {
    Kept kept = *std::exchange(m_kept, std::nullopt);
    if (kept.layoutTouched) {
        m_state = carriedLayout({*kept.trace, *kept.model, kept.state}, *m_trace, *m_model, std::move(m_state));
        m_layoutTouched = true;
    }
    rebuildLayout();
    m_scrollBar->setValue(kept.scrollY);
    m_pendingTop = m_session.scrollPlace();  // what was at the top may be further down now
    // A view of everything goes on to show everything.
    if (kept.showsAll) {
        fitFirstView();
    } else {
        setAxis(kept.axis);
    }
    showPendingTop();
    carryHistory(kept);
    discard(std::move(kept.trace));
    discard(std::move(kept.model));
}

void TimelineWidget::fitFirstView() {
    // Where the work ends is known with the model only.
    if (!m_fitPending || !m_trace || !m_model || lanesRect().width() <= 0 || !isVisible()) {
        return;
    }
    m_fitPending = false;
    setAxis(axisFitting(firstView(), lanesRect().width(), kFitMargin));
    if (const TimeRange pending = std::exchange(m_pendingView, TimeRange{}); !pending.empty()) {
        setAxis(axisFitting(pending, lanesRect().width()));
    }
    showPendingTop();
    settleView();
    if (m_pendingReveal != Selection()) {
        onRevealRequested(std::exchange(m_pendingReveal, Selection()));
    }
}

TimeRange TimelineWidget::firstView() const {
    const TimeRange view = m_trace->initialView().value_or(traceRange());
    // Marks such as "window ends" may lie long after all work; they do not squeeze it.
    const TimeRange slices = m_model ? m_model->slices.intersected(view) : TimeRange{};
    return slices.empty() ? view : slices;
}

}  // namespace warpline::timeline
