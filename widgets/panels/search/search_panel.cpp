// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/search/search_panel.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QStringList>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

#include "core/base/units.h"
#include "widgets/panels/search/hits_model.h"
#include "widgets/panels/search/hits_view.h"
#include "widgets/panels/search/search_bar.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/empty_state.h"
#include "widgets/support/highlight_stepper.h"
#include "widgets/support/key_bindings.h"
#include "widgets/support/passed_keys.h"
#include "widgets/support/session.h"
#include "widgets/support/theme.h"

namespace warpline::search {

namespace {

const auto kPanel = QStringLiteral("search");
constexpr int kTickMs = 120;  ///< a shorter search shows no progress

}  // namespace

SearchPanel::SearchPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_bar(new SearchBar(session, this)),
      m_model(new HitsModel(this)),
      m_view(new HitsView(m_model, this)),
      m_stack(new QStackedWidget(this)),
      m_empty(new EmptyState(this)),
      m_notice(new QLabel(this)),
      m_count(new QLabel(this)),
      m_progress(new QLabel(this)),
      m_stop(new QToolButton(this)),
      m_stepper(new HighlightStepper(session, this)) {
    m_notice->setProperty("role", "error");
    m_notice->setContentsMargins(10, 5, 10, 5);
    m_notice->setWordWrap(true);
    m_notice->hide();
    m_count->setFont(tabularFont());
    m_progress->setFont(tabularFont());
    m_progress->setProperty("role", "muted");
    m_progress->hide();
    m_stop->setText(tr("Stop"));
    m_stop->setObjectName("stop");
    m_stop->setToolTip(tr("End the search; what was found stays"));
    m_stop->hide();
    m_empty->setContent(Icon::Search, tr("No trace is open"),
                        tr("Open a trace: names and args of all its events can be searched here."));

    auto* footer = new QFrame(this);
    footer->setProperty("role", "footer");
    auto* footerLayout = new QHBoxLayout(footer);
    footerLayout->setContentsMargins(10, 3, 6, 3);
    footerLayout->addWidget(m_count);
    footerLayout->addStretch(1);
    footerLayout->addWidget(m_progress);
    footerLayout->addWidget(m_stop);
    footerLayout->addWidget(m_stepper);
    // The same with and without the stepper.
    footer->setMinimumHeight(m_stepper->sizeHint().height() + 7);

    auto* page = new QWidget(this);
    auto* pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(0, 0, 0, 0);
    pageLayout->setSpacing(0);
    pageLayout->addWidget(m_bar);
    pageLayout->addWidget(m_notice);
    pageLayout->addWidget(m_view, 1);
    pageLayout->addWidget(footer);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    setFocusProxy(m_bar);
    new PassedKeys(m_view, session);

    m_ticker.setInterval(kTickMs);
    connect(&m_ticker, &QTimer::timeout, this, [this] {
        m_run.dropOlder();
        showProgress();
    });
    connect(m_bar, &SearchBar::changed, this, &SearchPanel::search);
    connect(m_bar, &SearchBar::stepRequested, this, &SearchPanel::step);
    connect(m_bar, &SearchBar::leaveRequested, &m_session, &Session::goToTimeline);
    connect(m_bar, &SearchBar::listRequested, this, [this] { m_view->setFocus(Qt::OtherFocusReason); });
    connect(m_bar, &SearchBar::tableFilterRequested, this, &SearchPanel::useAsTableFilter);
    connect(m_view, &HitsView::rowRequested, this, &SearchPanel::goTo);
    connect(m_view, &HitsView::sorted, this, &SearchPanel::onHighlightChanged);
    connect(m_view, &HitsView::stepRequested, this, &SearchPanel::step);
    connect(m_view, &HitsView::leaveRequested, &m_session, &Session::goToTimeline);
    connect(m_stop, &QToolButton::clicked, this, [this] {
        m_run.stop();
        showState();
    });
    connect(&m_run, &SearchRun::foundChanged, this, &SearchPanel::onFound);
    connect(&m_run, &SearchRun::stepChanged, this, [this] {
        if (m_run.busy()) {
            m_ticker.start();
        } else {
            m_ticker.stop();
            showProgress();
        }
    });
    connect(&m_session, &Session::traceChanged, this, &SearchPanel::onTraceChanged);
    connect(&m_session, &Session::highlightChanged, this, &SearchPanel::onHighlightChanged);
    connect(&m_session, &Session::panelStatesRestored, this, [this] {
        m_bar->setState(m_session.panelStates().value(kPanel));
        m_wantsClaim = false;
        search(false);
    });
    makeActions();
    onTraceChanged();
}

void SearchPanel::makeActions() {
    const auto add = [this](const char* id, const QString& name, const QString& tip, const QString& gesture,
                            auto slot) {
        auto* action = new QAction(name, this);
        action->setToolTip(tip);
        action->setProperty("gesture", gesture);
        connect(action, &QAction::triggered, this, slot);
        keyBindings().add(action, QLatin1String(id), tr("Search"));
        addAction(action);
    };
    add("search.focus", tr("&Search"), tr("From anywhere in the window"), {}, &SearchPanel::focusText);
    add("search.next", tr("&Next hit"), tr("From the search's text or list"), tr("Enter"), [this] { step(+1); });
    add("search.previous", tr("&Previous hit"), tr("From the search's text or list"), tr("Shift+Enter"),
        [this] { step(-1); });
    add("search.use_as_filter", tr("Use as the table's &filter"), tr("Of the table that was used last"), {},
        &SearchPanel::useAsTableFilter);
}

QString SearchPanel::countText() const {
    return m_count->text();
}

QString SearchPanel::noticeText() const {
    return m_notice->text();
}

void SearchPanel::focusText() {
    for (QWidget* around = parentWidget(); around != nullptr; around = around->parentWidget()) {
        if (auto* dock = qobject_cast<QDockWidget*>(around)) {
            dock->show();
            dock->raise();
        }
    }
    m_bar->focusText();
}

void SearchPanel::onTraceChanged() {
    const bool again = m_session.keepsView() && m_session.trace();
    const bool wasOurs = m_isOurs && !m_model->hits().empty();
    m_stepWhenFound = 0;
    m_wantsClaim = false;
    if (!again) {
        m_isOurs = false;
        m_bar->clear();
    }
    m_run.clear();
    m_stack->setCurrentIndex(m_session.trace() ? 1 : 0);
    if (again) {
        search(wasOurs);
    }
}

void SearchPanel::search(bool byUser) {
    m_wantsClaim = m_wantsClaim || byUser;
    m_session.setPanelState(kPanel, m_session.trace() ? m_bar->state() : QByteArray());
    if (const std::optional<SearchQuery> query = m_session.trace() ? m_bar->query() : std::nullopt) {
        m_run.start(m_session.trace(), *query, m_session.visibleRange());
    } else {
        m_run.clear();
    }
}

void SearchPanel::onFound() {
    const std::shared_ptr<const FoundEvents>& found = m_run.found();
    m_model->setHits(found ? m_session.trace() : nullptr, highlightOf(found, m_bar->text()));
    m_view->sortAnew();
    // Who has chosen a table's row since keeps it.
    if (std::exchange(m_wantsClaim, false) || m_isOurs) {
        claimHighlight();
    }
    showState();
    if (m_stepWhenFound != 0 && !m_model->hits().empty()) {
        step(std::exchange(m_stepWhenFound, 0));
    } else if (!m_run.busy()) {
        m_stepWhenFound = 0;
    }
}

void SearchPanel::claimHighlight() {
    Highlight hits = m_model->hits();
    if (m_session.trace() && !hits.empty()) {
        const std::optional<size_t> selected = indexOf(*m_session.trace(), hits, m_session.selection());
        hits.current = selected ? static_cast<int>(*selected) : -1;
    }
    m_isOurs = true;
    m_session.setHighlight(std::move(hits));
    onHighlightChanged();
}

void SearchPanel::onHighlightChanged() {
    const Highlight& now = m_session.highlight();
    // Nothing is nobody's: after a reload, or before anything was found.
    if (!now.empty() || !m_model->hits().empty()) {
        m_isOurs = now.hasSameEvents(m_model->hits());
    }
    m_view->showRow(m_isOurs ? m_model->rowOf(now.current) : -1);
}

void SearchPanel::step(int direction) {
    if (m_bar->isPending()) {
        m_bar->flush();
    }
    if (m_run.busy() && m_run.done() == SearchRun::Step::None) {
        m_stepWhenFound = direction;  // what is listed was found by the search before
        return;
    }
    if (m_model->hits().empty()) {
        return;  // what a table highlights stays
    }
    if (!m_isOurs) {
        claimHighlight();
    }
    if (m_model->order()) {
        // From row to row, as they are seen; F3 goes by time.
        const int rows = m_model->rowCount();
        const int row = m_model->rowOf(m_session.highlight().current);
        const int from = row < 0 && direction < 0 ? 0 : row;
        m_session.stepHighlightTo(m_model->hitOf((from + direction + rows) % rows));
        return;
    }
    m_session.stepHighlight(direction);
}

void SearchPanel::goTo(int row) {
    if (!m_isOurs) {
        claimHighlight();
    }
    m_session.stepHighlightTo(m_model->hitOf(row));
}

void SearchPanel::useAsTableFilter() {
    if (!m_bar->text().isEmpty() && m_bar->in() != SearchBar::In::Args) {
        m_session.filterTable(m_bar->text(), m_bar->isRegex());
    }
}

// --- what is said

void SearchPanel::showState() {
    const SearchRun::Step done = m_run.done();
    const bool isArgsFailure = done != SearchRun::Step::None;
    m_bar->setTextError(!m_run.error().isEmpty() && !isArgsFailure);
    QStringList notices;
    if (!m_run.error().isEmpty()) {
        notices << (isArgsFailure ? tr("Args could not be searched: %1").arg(m_run.error()) : m_run.error());
    }
    if (m_run.found() && !m_run.found()->hits.note.empty()) {
        notices << fromUtf8(m_run.found()->hits.note);
    }
    if (m_run.wasStopped()) {
        notices << (done == SearchRun::Step::Names ? tr("Stopped: args were not searched to the end")
                                                   : tr("Stopped: not all was searched"));
    }
    m_notice->setText(notices.join(QStringLiteral("\n")));
    m_notice->setVisible(!notices.isEmpty());

    const size_t hits = m_model->hits().size();
    QStringList parts;
    if (m_run.found()) {
        const QString count = hits == 0   ? tr("No hits")
                              : hits == 1 ? tr("1 hit")
                                          : tr("%1 hits").arg(fromUtf8(formatCount(hits)));
        const bool isSeenAlone = done == SearchRun::Step::Visible;
        const bool isByName = done == SearchRun::Step::Names && m_bar->in() == SearchBar::In::NamesAndArgs;
        parts << (isSeenAlone ? tr("%1 in view").arg(count) : isByName ? tr("%1 by name").arg(count) : count);
        if (hits > HitsModel::kMostRows) {
            parts << tr("the first %1 are listed").arg(fromUtf8(formatCount(HitsModel::kMostRows)));
        }
    }
    m_count->setText(parts.join(QStringLiteral("   \u00b7   ")));
    m_view->setMessage(messageText());
}

QString SearchPanel::messageText() const {
    if (m_bar->lack() == ScopeChooser::Lack::Area) {
        return tr("No area is selected. Drag over the timeline to select one.");
    }
    if (m_bar->lack() == ScopeChooser::Lack::RowsAlone) {
        return tr("The selected area is of async work or counters alone; the search of an area is one of its tracks.");
    }
    if (m_bar->lack() == ScopeChooser::Lack::Overlap) {
        return tr("The filter of all panels leaves nothing of this part of the trace.");
    }
    if (m_bar->text().isEmpty()) {
        return tr(
            "Write a part of a name, such as \u201cgemm\u201d. All that has it is highlighted in the timeline and "
            "listed here; Enter goes from one to the next.");
    }
    if (!m_run.found() || !m_model->hits().empty() || m_run.busy()) {
        return {};
    }
    switch (m_bar->in()) {
        case SearchBar::In::Names:
            return tr("No name has this text. Args can be searched too.");
        case SearchBar::In::NamesAndArgs:
            return tr("Nothing has this text in its name or in its args.");
        case SearchBar::In::Args:
            return tr("Nothing has this text in its args.");
    }
    return {};
}

void SearchPanel::showProgress() {
    const std::optional<double> part = m_run.progress();
    const QString what = m_run.step() == SearchRun::Step::Args ? tr("Searching args\u2026") : tr("Searching\u2026");
    m_progress->setText(part ? what + " " + QString::number(static_cast<int>(*part * 100)) + QStringLiteral(" %")
                             : what);
    m_progress->setVisible(m_run.busy());
    m_stop->setVisible(m_run.busy());
}

}  // namespace warpline::search

namespace warpline::panels::search {

namespace {

class Factory : public PanelFactory {
public:
    const PanelInfo& info() const override { return m_info; }
    QWidget* create(Session& session, QWidget* parent) const override {
        return new warpline::search::SearchPanel(session, parent);
    }
    QList<QAction*> actions(QWidget* panel) const override { return panel->actions(); }

private:
    PanelInfo m_info{"search", QCoreApplication::translate("SearchPanel", "Search"), PanelPlace::Bottom, 40,
                     QCoreApplication::translate("SearchPanel", "Events by a text in their names or args")};
};

}  // namespace

std::unique_ptr<PanelFactory> make() {
    return std::make_unique<Factory>();
}

}  // namespace warpline::panels::search
