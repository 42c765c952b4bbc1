// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the details panel shows, as plain data: sections of facts, made off the GUI thread and then only read.

#include <QString>

#include <memory>
#include <optional>
#include <vector>

#include "core/base/ids.h"
#include "core/trace/event_kind.h"

namespace warpline {

struct Fact {
    QString label;
    QString value;
    QString tooltip;         ///< definition, or the exact value
    bool muted = false;      ///< `value` is "n/a" and the reason, or sums up the children
    bool isSection = false;  ///< a heading over its children
    EventRow link;           ///< the slice that a click goes to; none for plain facts
    const Fact* parent = nullptr;
    int row = 0;  ///< among its siblings
    std::vector<std::unique_ptr<Fact>> children;

    /// The returned reference stays valid as long as the tree.
    Fact& add(QString childLabel, QString childValue, QString childTooltip = {});
    Fact& addUnknown(QString childLabel, const QString& reason);
    Fact& addLink(QString childLabel, QString childValue, EventRow target, QString childTooltip = {});
    Fact& addSection(QString title);
};

/// One page of the panel.
struct FactTree {
    QString title;                  ///< heading: the name, demangled
    QString rawName;                ///< as it stands in the file, where that differs
    QString subtitle;               ///< a line below: "kernel · stream 7"
    std::optional<EventKind> kind;  ///< colours the mark beside the heading
    Fact root;
};

}  // namespace warpline
