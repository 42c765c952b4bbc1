// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/search/search_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStyle>
#include <QToolButton>

#include <utility>

#include "widgets/support/icons.h"
#include "widgets/support/session.h"

namespace warpline::search {

namespace {

constexpr int kTypingPauseMs = 120;
constexpr int kLeastWidth = 360;
constexpr int kRoomForChoosers = 640;
constexpr int kShortChooser = 92;

/// As a session file names them, by their place in the choosers.
constexpr const char* kIn[] = {"names", "names_and_args", "args"};
constexpr const char* kScopes[] = {"trace", "visible", "area"};

}  // namespace

SearchBar::SearchBar(Session& session, QWidget* parent)
    : QFrame(parent),
      m_text(new QLineEdit(this)),
      m_regex(new QAction(icon(Icon::Regex), tr("Regular expression"), this)),
      m_case(new QAction(tr("Aa"), this)),
      m_in(new Chooser(this)),
      m_scope(new ScopeChooser(session, ScopeChooser::Takes::Touching, ScopeChooser::Scope::Trace, this)),
      m_filter(new QToolButton(this)) {
    setProperty("role", "bar");
    m_soon.setSingleShot(true);
    m_soon.setInterval(kTypingPauseMs);
    connect(&m_soon, &QTimer::timeout, this, &SearchBar::flush);

    m_text->setAccessibleName(tr("Search"));
    m_text->setToolTip(tr("Enter goes to the next hit, Shift+Enter to the one before, Esc back to the timeline"));
    m_text->setClearButtonEnabled(true);
    m_text->addAction(icon(Icon::Search), QLineEdit::LeadingPosition);
    m_text->setMinimumWidth(90);
    m_text->setMaximumWidth(460);
    m_text->installEventFilter(this);
    connect(m_text, &QLineEdit::textChanged, this, [this] {
        refreshButtons();
        changedSoon(true);
    });
    const auto toggle = [this](QAction* action, const QString& name, const QString& tip) {
        action->setCheckable(true);
        action->setToolTip(tip);
        auto* button = new QToolButton(this);
        button->setObjectName(name);
        button->setDefaultAction(action);
        button->setAccessibleName(tip);
        connect(action, &QAction::toggled, this, [this] {
            m_byUser = true;
            flush();
        });
        return button;
    };
    QToolButton* regex = toggle(m_regex, "regex", tr("Treat the text as a regular expression (Perl's syntax)"));
    QToolButton* matchCase = toggle(m_case, "case", tr("Tell capital letters from small ones"));

    m_in->addItem(tr("Names"));
    m_in->addItem(tr("Names and args"));
    m_in->addItem(tr("Args"));
    m_in->setObjectName("in");
    m_in->setAccessibleName(tr("What is searched"));
    m_in->setToolTip(tr("What is searched. Args are read from the file, which takes longer"));
    connect(m_in, &QComboBox::currentIndexChanged, this, [this] {
        refreshButtons();
        m_byUser = true;
        flush();
    });
    connect(m_scope, &ScopeChooser::changed, this, &SearchBar::flush);
    connect(m_scope, &ScopeChooser::moved, this, [this] { changedSoon(false); });

    m_filter->setIcon(icon(Icon::Filter));
    m_filter->setObjectName("use_as_filter");
    m_filter->setProperty("flat", true);
    m_filter->setAccessibleName(tr("Use as the table's filter"));
    m_filter->setToolTip(tr("Use as the filter of the table that was used last. Tables look at names and ignore case"));
    connect(m_filter, &QToolButton::clicked, this, &SearchBar::tableFilterRequested);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(6);
    layout->addWidget(m_text, 1);
    layout->addWidget(regex);
    layout->addWidget(matchCase);
    layout->addWidget(m_in);
    layout->addWidget(m_scope);
    layout->addStretch(1);
    layout->addWidget(m_filter);
    for (QWidget* chooser : {static_cast<QWidget*>(m_in), static_cast<QWidget*>(m_scope)}) {
        chooser->setMinimumWidth(64);
        chooser->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    }
    setFocusProxy(m_text);
    refreshButtons();
}

QString SearchBar::text() const {
    return m_text->text();
}

bool SearchBar::isRegex() const {
    return m_regex->isChecked();
}

SearchBar::In SearchBar::in() const {
    return static_cast<In>(m_in->currentIndex());
}

std::optional<SearchQuery> SearchBar::query() const {
    std::optional<TraceFilter> scope = m_scope->narrow({});
    if (m_text->text().isEmpty() || !scope) {
        return std::nullopt;
    }
    SearchQuery query;
    query.text = m_text->text().toStdString();
    query.isRegex = m_regex->isChecked();
    query.matchCase = m_case->isChecked();
    query.inNames = in() != In::Args;
    query.inArgs = in() != In::Names;
    query.scope = std::move(*scope);
    return query;
}

void SearchBar::flush() {
    m_soon.stop();
    emit changed(std::exchange(m_byUser, false));
}

void SearchBar::clear() {
    const QSignalBlocker quiet(this);
    m_text->clear();
    m_scope->setScope(ScopeChooser::Scope::Trace);
    m_soon.stop();
    m_byUser = false;
}

QByteArray SearchBar::state() const {
    const bool isPlain = !m_regex->isChecked() && !m_case->isChecked() && in() == In::Names &&
                         m_scope->scope() == ScopeChooser::Scope::Trace;
    if (m_text->text().isEmpty() && isPlain) {
        return {};
    }
    return QJsonDocument(QJsonObject{{"text", m_text->text()},
                                     {"regex", m_regex->isChecked()},
                                     {"case", m_case->isChecked()},
                                     {"in", QLatin1String(kIn[m_in->currentIndex()])},
                                     {"scope", QLatin1String(kScopes[m_scope->currentIndex()])}})
        .toJson(QJsonDocument::Compact);
}

void SearchBar::setState(const QByteArray& json) {
    const QSignalBlocker quiet(this);
    const QJsonObject state = QJsonDocument::fromJson(json).object();
    const auto placeIn = [&state](const auto& names, const char* key) {
        const auto* const found = std::find_if(
            std::begin(names), std::end(names),
            [text = state[QLatin1String(key)].toString()](const char* name) { return text == QLatin1String(name); });
        return found == std::end(names) ? 0 : static_cast<int>(found - std::begin(names));
    };
    m_text->setText(state["text"].toString());
    m_regex->setChecked(state["regex"].toBool());
    m_case->setChecked(state["case"].toBool());
    m_in->setCurrentIndex(placeIn(kIn, "in"));
    m_scope->setCurrentIndex(placeIn(kScopes, "scope"));
    m_soon.stop();
    m_byUser = false;
}

void SearchBar::setTextError(bool isBad) {
    if (m_text->property("invalid").toBool() != isBad) {
        m_text->setProperty("invalid", isBad);
        m_text->style()->unpolish(m_text);
        m_text->style()->polish(m_text);
    }
}

void SearchBar::focusText() {
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void SearchBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    // The text needs the room more than the choosers.
    const int most = width() >= kRoomForChoosers ? QWIDGETSIZE_MAX : kShortChooser;
    m_in->setMaximumWidth(most);
    m_scope->setMaximumWidth(most);
}

QSize SearchBar::minimumSizeHint() const {
    return {kLeastWidth, QFrame::minimumSizeHint().height()};
}

bool SearchBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_text || event->type() != QEvent::KeyPress) {
        return QFrame::eventFilter(watched, event);
    }
    const auto& key = static_cast<const QKeyEvent&>(*event);
    switch (key.key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            emit stepRequested((key.modifiers() & Qt::ShiftModifier) != 0 ? -1 : +1);
            return true;
        case Qt::Key_Escape:
            emit leaveRequested();
            return true;
        case Qt::Key_Down:
            emit listRequested();
            return true;
        default:
            return false;
    }
}

void SearchBar::changedSoon(bool byUser) {
    m_byUser = m_byUser || byUser;
    m_soon.start();
}

void SearchBar::refreshButtons() {
    m_text->setPlaceholderText(tr("Search %1").arg(m_in->currentText().toLower()));
    m_filter->setEnabled(!m_text->text().isEmpty() && in() != In::Args);
}

}  // namespace warpline::search
