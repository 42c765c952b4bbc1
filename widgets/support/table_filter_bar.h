// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The strip above a table: what of the trace counts. Text or regular expression, categories, grouping, time range.
// Knows the session for the ranges; says by one signal that the table has to be computed anew.

#include <QFrame>
#include <QStringList>
#include <QTimer>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analyses/analysis.h"
#include "core/trace/category_counts.h"
#include "widgets/support/scope_chooser.h"

class QAction;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QToolButton;

namespace warpline {

class Session;

class TableFilterBar : public QFrame {
    Q_OBJECT

public:
    using Scope = ScopeChooser::Scope;
    using Lack = ScopeChooser::Lack;

    TableFilterBar(Session& session, const QString& settingsId, const std::vector<std::string>& groupings,
                   bool withCategories, Scope scope = Scope::Trace, QWidget* parent = nullptr);

    /// What to compute, with the session's own filter in it. nullopt: nothing can pass, see lack().
    std::optional<AnalysisOptions> options() const;
    Lack lack() const { return m_scope->lack(); }
    bool restricts() const;
    void clear();
    /// Offers them, largest first; keeps what of the choice is still there.
    void setCategories(std::vector<CategoryCount> categories);
    /// Why the text is no regular expression; "" if it is fine.
    void setTextError(const QString& reason);
    void focusText();
    /// As if the user had typed it.
    void setText(const QString& text, bool isRegex);
    /// The text and the grouping, as a JSON text; empty without a text where there is but one grouping.
    QByteArray state() const;
    /// Without a text none is left. A grouping that is not named, or that there is none of, stays as it is; for other
    /// traces the user's last choice goes on to hold.
    void setState(const QByteArray& json);
    /// The grouping becomes the one that the user chose last. Says nothing.
    void resetGrouping();
    Scope scope() const { return m_scope->scope(); }
    /// Where the owner adds its buttons, at the right end.
    QHBoxLayout* trailing() const { return m_trailing; }

    QSize minimumSizeHint() const override;

signals:
    void changed();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void changedSoon();
    void showCategories();

    QString m_settingsId;
    QLineEdit* m_text;
    QAction* m_regex;
    QToolButton* m_categories;
    QComboBox* m_groupBy;
    QLabel* m_groupLabel = nullptr;
    ScopeChooser* m_scope;
    Scope m_usualScope;  ///< to begin with, and after clear()
    QHBoxLayout* m_trailing;
    QStringList m_chosenCategories;  ///< empty: all
    QTimer m_soon;                   ///< while typing or panning
};

}  // namespace warpline
