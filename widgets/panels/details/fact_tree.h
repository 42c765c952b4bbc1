// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the details panel shows, as plain data: sections of facts, made off the GUI thread and then only read.

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/ids.h"
#include "core/trace/event_kind.h"

namespace warpline {

/// What a rounded text stands for.
struct ExactNumber {
    std::variant<int64_t, double> value;
    const char* unit = "";  ///< a literal: "ns", "B", "ratio", "%"; "" for a count
};

struct Fact {
    QString label;
    QString value;
    QString tooltip;         ///< definition, or the exact value
    bool muted = false;      ///< `value` is "n/a" and the reason, or sums up the children
    bool isSection = false;  ///< a heading over its children
    bool isUnknown = false;  ///< `value` is "n/a" and the reason
    bool isPending = false;  ///< still being collected; `value` is an ellipsis
    std::optional<ExactNumber> exact;
    EventRow link;  ///< the slice that a click goes to; none for plain facts
    const Fact* parent = nullptr;
    int row = 0;  ///< among its siblings
    std::vector<std::unique_ptr<Fact>> children;

    /// The returned reference stays valid as long as the tree.
    Fact& add(QString childLabel, QString childValue, QString childTooltip = {});
    Fact& addUnknown(QString childLabel, const QString& reason);
    Fact& addLink(QString childLabel, QString childValue, EventRow target, QString childTooltip = {});
    Fact& addSection(QString title);
    /// What takes long to collect, and is not there yet.
    Fact& addPending(QString childLabel);
    /// Returns this fact.
    Fact& exactly(int64_t number, const char* unit);
    Fact& exactly(double number, const char* unit);
};

/// One page of the panel.
struct FactTree {
    QString title;                  ///< heading: the name, demangled
    QString rawName;                ///< as it stands in the file, where that differs
    QString subtitle;               ///< a line below: "kernel · stream 7"
    std::optional<EventKind> kind;  ///< colours the mark beside the heading
    Fact root;
    std::string argsJson;    ///< what the last section tells of, as strict JSON; "" where there are no arguments
    bool isPending = false;  ///< some fact is
};

}  // namespace warpline
