// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/details/details_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QShortcut>
#include <QStackedWidget>
#include <QStyle>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "widgets/panels/details/area_facts_page.h"
#include "widgets/panels/details/event_facts_page.h"
#include "widgets/panels/details/fact_copy.h"
#include "widgets/panels/details/fact_model.h"
#include "widgets/panels/details/file_facts_page.h"
#include "widgets/panels/details/point_facts_page.h"
#include "widgets/panels/details/tree_view_state.h"
#include "widgets/support/empty_state.h"
#include "widgets/support/icons.h"
#include "widgets/support/key_bindings.h"
#include "widgets/support/session.h"
#include "widgets/support/theme.h"

namespace warpline {

namespace {

using Tree = std::shared_ptr<const FactTree>;

constexpr int kQuickPageMs = 80;
constexpr int kMarkSize = 12;
constexpr int kMaxOpenChildren = 60;
constexpr int kWordTitle = 44;
constexpr int kLongTitle = 200;  ///< characters; the whole stands in the tooltip and is copied

/// Names have no blanks to break lines at: invisible places to do so after what ends a word of C++.
QString breakable(const QString& name) {
    QString out;
    for (const QChar c : name) {
        const bool endsScope = c == ':' && out.endsWith(':');
        out += c;
        if (endsScope || c == '_' || c == '<' || c == ',' || c == '.' || c == '/' || c == '(') {
            out += QChar(0x200B);
        }
    }
    return out;
}

}  // namespace

DetailsPanel::DetailsPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_model(new FactModel(this)),
      m_stack(new QStackedWidget(this)),
      m_empty(new EmptyState(this)),
      m_mark(new QLabel(this)),
      m_title(new QLabel(this)),
      m_subtitle(new QLabel(this)),
      m_copy(new QToolButton(this)),
      m_tree(new QTreeView(this)),
      m_copyText(nullptr),
      m_copyJson(nullptr) {
    m_empty->setContent(Icon::Cursor, tr("No trace is open"),
                        tr("Open a trace and click on a slice: everything known of it stands here."));
    m_quickDelay.setSingleShot(true);
    m_quickDelay.setInterval(kQuickPageMs);
    makeTree();
    makeActions();
    layOut();
    setFocusProxy(m_tree);

    connect(&m_session, &Session::traceChanged, this, &DetailsPanel::refresh);
    connect(&m_session, &Session::selectionChanged, this, &DetailsPanel::refresh);
    connect(&m_session, &Session::areaChanged, this, &DetailsPanel::refresh);
    connect(&m_session, &Session::choiceRepeated, this, &DetailsPanel::refresh);
    connect(&m_session, &Session::filterChanged, this, [this] {
        if (m_session.areaChosenLast()) {
            refresh();
        }
    });
    refresh();
}

void DetailsPanel::makeTree() {
    m_tree->setModel(m_model);
    m_tree->setAccessibleName(tr("Details"));
    m_tree->setHeaderHidden(true);
    m_tree->setUniformRowHeights(true);
    m_tree->setIndentation(14);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->setAllColumnsShowFocus(true);
    m_tree->setMouseTracking(true);
    m_tree->header()->setStretchLastSection(true);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Interactive);
    connect(m_tree, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == 1) {
            follow(index);
        }
    });
    connect(m_tree, &QTreeView::activated, this, &DetailsPanel::follow);
    connect(m_tree, &QWidget::customContextMenuRequested, this, &DetailsPanel::showMenu);
    connect(m_tree, &QAbstractItemView::entered, this, [this](const QModelIndex& index) {
        const Fact* fact = m_model->factAt(index);
        const bool isLink = fact != nullptr && fact->link.valid() && index.column() == 1;
        m_tree->viewport()->setCursor(isLink ? Qt::PointingHandCursor : Qt::ArrowCursor);
    });
    auto* copyValue = new QShortcut(QKeySequence::Copy, m_tree);
    copyValue->setContext(Qt::WidgetShortcut);
    connect(copyValue, &QShortcut::activated, this, [this] {
        if (const Fact* fact = m_model->factAt(m_tree->currentIndex())) {
            QApplication::clipboard()->setText(fact->value);
        }
    });
}

void DetailsPanel::makeActions() {
    const auto add = [this](const char* id, const QString& text, const QString& tip, bool asJson) {
        auto* action = new QAction(text, this);
        action->setToolTip(tip);
        connect(action, &QAction::triggered, this, [this, asJson] { copyAll(asJson); });
        keyBindings().add(action, QLatin1String(id), tr("Details"));
        addAction(action);
        return action;
    };
    m_copyText =
        add("details.copy_text", tr("Copy details as &text"), tr("All facts that are shown, a line each"), false);
    m_copyJson = add("details.copy_json", tr("Copy details as &JSON"),
                     tr("All facts that are shown, with exact numbers, and the event's own arguments"), true);
}

void DetailsPanel::layOut() {
    m_title->setProperty("role", "heading");
    m_title->setWordWrap(true);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_subtitle->setProperty("role", "muted");
    m_subtitle->setWordWrap(true);
    m_subtitle->setTextFormat(Qt::PlainText);
    m_mark->setFixedSize(kMarkSize, kMarkSize + 4);
    m_copy->setIcon(icon(Icon::Copy));
    m_copy->setToolTip(tr("Copy the name as it stands in the file"));
    m_copy->setAccessibleName(tr("Copy name"));
    m_copy->setProperty("flat", true);
    connect(m_copy, &QToolButton::clicked, this, [this] {
        if (m_model->tree()) {
            QApplication::clipboard()->setText(m_model->tree()->rawName);
        }
    });
    auto* head = new QFrame(this);
    head->setProperty("role", "bar");
    auto* headLayout = new QHBoxLayout(head);
    headLayout->setContentsMargins(12, 9, 6, 9);
    headLayout->setSpacing(8);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(m_title);
    texts->addWidget(m_subtitle);
    headLayout->addWidget(m_mark, 0, Qt::AlignTop);
    headLayout->addLayout(texts, 1);
    headLayout->addWidget(m_copy, 0, Qt::AlignTop);
    auto* page = new QWidget(this);
    auto* pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(0, 0, 0, 0);
    pageLayout->setSpacing(0);
    pageLayout->addWidget(head);
    pageLayout->addWidget(m_tree, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
}

QString DetailsPanel::title() const {
    return m_model->tree() ? m_model->tree()->title : QString();
}

void DetailsPanel::refresh() {
    const std::shared_ptr<const Trace> trace = m_session.trace();
    m_quickJob.cancel();
    m_quickDelay.stop();
    setEnabledOr(m_copyText, trace != nullptr, tr("No trace is open"));
    setEnabledOr(m_copyJson, trace != nullptr, tr("No trace is open"));
    if (!trace) {
        m_job.cancel();
        m_model->setTree(nullptr);
        m_stack->setCurrentIndex(0);
        return;
    }
    const Selection selection = m_session.selection();
    const std::optional<AreaSelection> area = m_session.area();
    const bool tellOfArea = m_session.areaChosenLast() && area.has_value();
    m_job.start<Tree>(
        [trace, selection, area, filter = m_session.filter(), tellOfArea](JobControl& job) -> Result<Tree> {
            if (tellOfArea) {
                return areaFacts(*trace, *area, filter, job);
            }
            if (selection.kind == Selection::Kind::Slice) {
                return eventFacts(*trace, EventRow(selection.index), job);
            }
            if (selection.kind != Selection::Kind::None) {
                return pointFacts(*trace, selection, job);
            }
            return fileFacts(*trace);
        },
        [this](Result<Tree> tree) {
            m_quickDelay.stop();
            m_quickJob.cancel();
            if (tree.ok()) {
                showTree(std::move(tree).value());
            } else if (!tree.error().isCancelled()) {
                auto failed = std::make_shared<FactTree>();
                failed->title = tr("The details could not be collected");
                failed->subtitle = QString::fromStdString(tree.error().message);
                showTree(std::move(failed));
            }
        });
    if (!tellOfArea && selection.kind == Selection::Kind::Slice) {
        m_quickDelay.disconnect(this);
        connect(&m_quickDelay, &QTimer::timeout, this, [this, row = EventRow(selection.index)] { showQuickPage(row); });
        m_quickDelay.start();
    }
}

void DetailsPanel::showQuickPage(EventRow row) {
    m_quickJob.start<Tree>(
        [trace = m_session.trace(), row](JobControl& job) -> Result<Tree> {
            return eventFacts(*trace, row, job, FactsDepth::Quick);
        },
        [this](Result<Tree> tree) {
            if (tree.ok()) {
                showTree(std::move(tree).value());
            }
        });
}

void DetailsPanel::showTree(Tree tree) {
    const bool first = m_stack->currentIndex() == 0;
    // The rest of a page that is shown in part: what the user has done to it meanwhile stays.
    const bool completes = m_model->tree() && m_model->tree()->isPending;
    const TreeViewState state = completes ? TreeViewState::of(*m_tree) : TreeViewState();
    showHead(*tree);
    m_model->setTree(std::move(tree));
    paintMark();
    expandSome();
    if (completes) {
        state.applyTo(*m_tree);
    }
    m_stack->setCurrentIndex(1);
    if (first) {
        m_tree->setColumnWidth(0, m_tree->fontMetrics().horizontalAdvance(tr("Theoretical occupancy")) + 44);
    }
}

void DetailsPanel::showHead(const FactTree& tree) {
    const QString& title = tree.title;
    m_title->setText(breakable(title.size() > kLongTitle ? title.left(kLongTitle) + QStringLiteral("\u2026") : title));
    // A signature set as large as a word would push the facts out of sight.
    m_title->setProperty("role", title.size() > kWordTitle ? "signature" : "heading");
    m_title->style()->unpolish(m_title);
    m_title->style()->polish(m_title);
    m_title->setToolTip(title);
    m_subtitle->setText(tree.subtitle);
    m_copy->setVisible(!tree.rawName.isEmpty());
    m_mark->setVisible(tree.kind.has_value());
}

void DetailsPanel::expandSome() {
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex section = m_model->index(row, 0);
        m_tree->setFirstColumnSpanned(row, {}, true);
        if (m_model->rowCount(section) <= kMaxOpenChildren) {
            m_tree->expand(section);
        }
    }
}

void DetailsPanel::follow(const QModelIndex& index) {
    const Fact* fact = m_model->factAt(index);
    if (fact != nullptr && fact->link.valid()) {
        m_session.revealEvent(fact->link);
    }
}

void DetailsPanel::fillMenu(QMenu& menu, const Fact* fact) {
    if (fact != nullptr && !fact->isSection) {
        const QString value = fact->value;
        connect(menu.addAction(tr("Copy value")), &QAction::triggered, this,
                [value] { QApplication::clipboard()->setText(value); });
    }
    if (fact != nullptr) {
        // The tree may be another one by the time that something is chosen.
        connect(menu.addAction(fact->isSection ? tr("Copy section") : tr("Copy name and value")), &QAction::triggered,
                this, [tree = m_model->tree(), fact] { QApplication::clipboard()->setText(factAsText(*fact)); });
        menu.addSeparator();
    }
    menu.addActions({m_copyText, m_copyJson});
}

void DetailsPanel::showMenu(const QPoint& at) {
    QMenu menu;
    fillMenu(menu, m_model->factAt(m_tree->indexAt(at)));
    menu.exec(m_tree->viewport()->mapToGlobal(at));
}

void DetailsPanel::copyAll(bool asJson) {
    if (const Tree& tree = m_model->tree()) {
        QApplication::clipboard()->setText(asJson ? QString::fromUtf8(factsAsJson(*tree)) : factsAsText(*tree));
    }
}

void DetailsPanel::paintMark() {
    if (!m_model->tree() || !m_model->tree()->kind.has_value()) {
        return;
    }
    const qreal scale = devicePixelRatioF();
    QPixmap pixmap(m_mark->size() * scale);
    pixmap.setDevicePixelRatio(scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().kind(*m_model->tree()->kind));
    painter.drawRoundedRect(QRectF(0, 4, kMarkSize, kMarkSize), 3, 3);
    painter.end();
    m_mark->setPixmap(pixmap);
}

void DetailsPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        paintMark();
    }
    QWidget::changeEvent(event);
}

namespace panels::details {

namespace {

class Factory : public PanelFactory {
public:
    const PanelInfo& info() const override { return m_info; }
    QWidget* create(Session& session, QWidget* parent) const override { return new DetailsPanel(session, parent); }

private:
    PanelInfo m_info{"details", QCoreApplication::translate("DetailsPanel", "Details"), PanelPlace::Right, 10,
                     QCoreApplication::translate("DetailsPanel", "Everything known of what is selected")};
};

}  // namespace

std::unique_ptr<PanelFactory> make() {
    return std::make_unique<Factory>();
}

}  // namespace panels::details

}  // namespace warpline
