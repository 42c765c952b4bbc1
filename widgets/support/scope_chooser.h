// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which part of a trace counts: all of it, what the timeline shows, the selected area; and in any case no more than the
// session's own filter lets through. GUI thread.

#include <optional>

#include "core/analyses/analysis.h"
#include "widgets/support/chooser.h"

namespace warpline {

class Session;

class ScopeChooser : public Chooser {
    Q_OBJECT

public:
    enum class Scope { Trace, Visible, Area };
    enum class Lack { None, Area, Overlap, RowsAlone };  ///< RowsAlone: the area is of no track
    /// What a range takes; for its tooltips.
    enum class Takes { Beginning, Touching };

    /// `session` must outlive it.
    ScopeChooser(Session& session, Takes takes, Scope scope, QWidget* parent = nullptr);

    Scope scope() const { return static_cast<Scope>(currentIndex()); }
    void setScope(Scope scope) { setCurrentIndex(static_cast<int>(scope)); }
    /// `own` in that part. nullopt: nothing can pass, see lack().
    std::optional<TraceFilter> narrow(TraceFilter own) const;
    /// Why nothing can pass: the selected area is asked for and there is none, or the part of the trace that is asked
    /// for has nothing in common with the session's filter.
    Lack lack() const;

signals:
    void changed();
    /// The visible range or the area moves, and it counts: more may follow.
    void moved();

private:
    void onMoved(Scope what);

    Session& m_session;
};

}  // namespace warpline
