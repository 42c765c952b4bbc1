// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/table_filter_bar.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QStyle>
#include <QToolButton>
#include <algorithm>
#include <functional>

#include "core/base/units.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/chooser.h"
#include "widgets/support/icons.h"
#include "widgets/support/settings.h"

namespace warpline {

namespace {

constexpr int kTypingPauseMs = 160;
constexpr int kRoomForLabel = 720;
constexpr int kRoomForButtons = 560;
constexpr int kLeastWidth = 360;

QString groupingTitle(const std::string& id) {
    if (id == "name") {
        return TableFilterBar::tr("Name");
    }
    if (id == "shape") {
        return TableFilterBar::tr("Name and shapes");
    }
    if (id == "stack") {
        return TableFilterBar::tr("Name and stack");
    }
    if (id == "annotation") {
        return TableFilterBar::tr("Name and annotation");
    }
    QString title = fromUtf8(id).replace('_', ' ');
    title[0] = title[0].toUpper();
    return title;
}

}  // namespace

TableFilterBar::TableFilterBar(Session& session, const QString& settingsId, const std::vector<std::string>& groupings,
                               bool withCategories, Scope scope, QWidget* parent)
    : QFrame(parent),
      m_settingsId(settingsId),
      m_text(new QLineEdit(this)),
      m_regex(new QAction(icon(Icon::Regex), tr("Regular expression"), this)),
      m_categories(new MenuButton(this)),
      m_groupBy(new Chooser(this)),
      m_scope(new ScopeChooser(session, ScopeChooser::Takes::Beginning, scope, this)),
      m_usualScope(scope),
      m_trailing(new QHBoxLayout) {
    setProperty("role", "bar");
    m_soon.setSingleShot(true);
    m_soon.setInterval(kTypingPauseMs);
    connect(&m_soon, &QTimer::timeout, this, &TableFilterBar::changed);

    m_text->setPlaceholderText(tr("Filter by name"));
    m_text->setAccessibleName(tr("Filter by name"));
    m_text->setClearButtonEnabled(true);
    m_text->addAction(icon(Icon::Search), QLineEdit::LeadingPosition);
    m_text->setMinimumWidth(90);
    m_text->setMaximumWidth(340);
    m_regex->setCheckable(true);
    m_regex->setToolTip(tr("Treat the text as a regular expression (Perl's syntax)"));
    auto* regexButton = new QToolButton(this);
    regexButton->setObjectName("regex");
    regexButton->setDefaultAction(m_regex);
    regexButton->setAccessibleName(tr("Regular expression"));
    connect(m_text, &QLineEdit::textChanged, this, &TableFilterBar::changedSoon);
    connect(m_text, &QLineEdit::returnPressed, this, [this] {
        m_soon.stop();
        emit changed();
    });
    connect(m_regex, &QAction::toggled, this, [this] {
        if (!m_text->text().isEmpty()) {
            emit changed();
        }
    });

    m_categories->setObjectName("categories");
    m_categories->setMenu(new QMenu(m_categories));
    m_categories->setToolTip(tr("Categories that count, as they stand in the file"));
    m_categories->setVisible(withCategories);
    m_categories->setText(tr("All categories"));
    m_categories->setAccessibleName(tr("Categories"));

    m_groupBy->setToolTip(tr("What makes a row of its own"));
    m_groupBy->setAccessibleName(tr("Group by"));
    for (const std::string& grouping : groupings) {
        m_groupBy->addItem(groupingTitle(grouping), fromUtf8(grouping));
    }
    m_groupBy->setVisible(groupings.size() > 1);
    resetGrouping();
    connect(m_groupBy, &QComboBox::currentIndexChanged, this, [this] {
        settings::store().setValue(settings::tableKey(m_settingsId, settings::kGroupBy), m_groupBy->currentData());
        emit changed();
    });

    connect(m_scope, &ScopeChooser::changed, this, &TableFilterBar::changed);
    connect(m_scope, &ScopeChooser::moved, this, &TableFilterBar::changedSoon);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(6);
    layout->addWidget(m_text, 1);
    layout->addWidget(regexButton);
    layout->addWidget(m_categories);
    if (groupings.size() > 1) {
        m_groupLabel = new QLabel(tr("Group by"), this);
        m_groupLabel->setProperty("role", "muted");
        layout->addWidget(m_groupLabel);
    }
    layout->addWidget(m_groupBy);
    layout->addWidget(m_scope);
    layout->addStretch(1);
    m_trailing->setSpacing(2);
    layout->addLayout(m_trailing);
    for (QWidget* chooser :
         {static_cast<QWidget*>(m_categories), static_cast<QWidget*>(m_groupBy), static_cast<QWidget*>(m_scope)}) {
        chooser->setMinimumWidth(64);
        chooser->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    }
    setFocusProxy(m_text);
}

std::optional<AnalysisOptions> TableFilterBar::options() const {
    AnalysisOptions options;
    options.filter.text = m_text->text().toStdString();
    options.filter.textIsRegex = m_regex->isChecked();
    for (const QString& category : m_chosenCategories) {
        options.filter.categories.push_back(category.toStdString());
    }
    if (m_groupBy->count() > 0) {
        options.groupBy = m_groupBy->currentData().toString().toStdString();
    }
    std::optional<TraceFilter> passing = m_scope->narrow(std::move(options.filter));
    if (!passing) {
        return std::nullopt;
    }
    options.filter = std::move(*passing);
    return options;
}

bool TableFilterBar::restricts() const {
    return !m_text->text().isEmpty() || !m_chosenCategories.isEmpty() || scope() != m_usualScope;
}

void TableFilterBar::clear() {
    const QSignalBlocker text(m_text);
    const QSignalBlocker range(m_scope);
    m_text->clear();
    m_scope->setScope(m_usualScope);
    m_chosenCategories.clear();
    showCategories();
    emit changed();
}

void TableFilterBar::setCategories(std::vector<CategoryCount> categories) {
    std::ranges::stable_sort(categories, std::ranges::greater(), &CategoryCount::count);
    QMenu* menu = m_categories->menu();
    menu->clear();
    QStringList present;
    for (const auto& [name, count] : categories) {
        present.append(fromUtf8(name));
    }
    const auto gone = [&present](const QString& name) { return !present.contains(name); };
    m_chosenCategories.removeIf(gone);
    QAction* all = menu->addAction(tr("All categories"));
    connect(all, &QAction::triggered, this, [this] {
        m_chosenCategories.clear();
        showCategories();
        emit changed();
    });
    menu->addSeparator();
    for (const auto& [name, count] : categories) {
        const QString id = fromUtf8(name);
        QAction* action = menu->addAction(id.isEmpty() ? tr("(no category)") : id);
        action->setText(action->text() + "\t" + fromUtf8(formatCount(count)));
        action->setData(id);
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, id](bool checked) {
            m_chosenCategories.removeAll(id);
            if (checked) {
                m_chosenCategories.append(id);
            }
            showCategories();
            emit changed();
        });
    }
    m_categories->setEnabled(!categories.empty());
    showCategories();
}

void TableFilterBar::showCategories() {
    for (QAction* action : m_categories->menu()->actions()) {
        if (action->isCheckable()) {
            action->setChecked(m_chosenCategories.contains(action->data().toString()));
        }
    }
    QString text = tr("All categories");
    if (m_chosenCategories.size() == 1) {
        text = m_chosenCategories.first().isEmpty() ? tr("(no category)") : m_chosenCategories.first();
    } else if (m_chosenCategories.size() > 1) {
        text = tr("%1 categories").arg(m_chosenCategories.size());
    }
    m_categories->setText(text);
}

void TableFilterBar::setTextError(const QString& reason) {
    m_text->setProperty("invalid", !reason.isEmpty());
    m_text->setToolTip(reason);
    m_text->style()->unpolish(m_text);
    m_text->style()->polish(m_text);
}

void TableFilterBar::focusText() {
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void TableFilterBar::setText(const QString& text, bool isRegex) {
    m_text->setText(text);
    m_regex->setChecked(isRegex);
    m_soon.stop();
    emit changed();
}

QByteArray TableFilterBar::state() const {
    QJsonObject state;
    if (!m_text->text().isEmpty()) {
        state["text"] = m_text->text();
        state["regex"] = m_regex->isChecked();
    }
    if (m_groupBy->count() > 1) {
        state["group_by"] = m_groupBy->currentData().toString();
    }
    return state.isEmpty() ? QByteArray() : QJsonDocument(state).toJson(QJsonDocument::Compact);
}

void TableFilterBar::setState(const QByteArray& json) {
    const QJsonObject state = QJsonDocument::fromJson(json).object();
    if (const int grouping = m_groupBy->findData(state["group_by"].toString()); grouping >= 0) {
        const QSignalBlocker noChoice(m_groupBy);
        m_groupBy->setCurrentIndex(grouping);
    }
    setText(state["text"].toString(), state["regex"].toBool());
}

void TableFilterBar::resetGrouping() {
    const QSignalBlocker noChoice(m_groupBy);
    const QString key = settings::tableKey(m_settingsId, settings::kGroupBy);
    m_groupBy->setCurrentIndex(qMax(0, m_groupBy->findData(settings::store().value(key))));
}

void TableFilterBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    // What goes first where room is short: the label, then buttons that the table's menu has too.
    if (m_groupLabel != nullptr) {
        m_groupLabel->setVisible(width() >= kRoomForLabel);
    }
    for (int i = 0; i < m_trailing->count(); ++i) {
        m_trailing->itemAt(i)->widget()->setVisible(width() >= kRoomForButtons);
    }
}

QSize TableFilterBar::minimumSizeHint() const {
    return {kLeastWidth, QFrame::minimumSizeHint().height()};
}

void TableFilterBar::changedSoon() {
    m_soon.start();
}

}  // namespace warpline
