// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/details/fact_tree.h"

#include <utility>

#include "widgets/support/cell_text.h"

namespace warpline {

Fact& Fact::add(QString childLabel, QString childValue, QString childTooltip) {
    auto child = std::make_unique<Fact>();
    child->label = std::move(childLabel);
    child->value = std::move(childValue);
    child->tooltip = std::move(childTooltip);
    child->parent = this;
    child->row = static_cast<int>(children.size());
    children.push_back(std::move(child));
    return *children.back();
}

Fact& Fact::addUnknown(QString childLabel, const QString& reason) {
    Fact& child = add(std::move(childLabel), notAvailable() + QStringLiteral(" \u2013 ") + reason);
    child.muted = true;
    child.isUnknown = true;
    return child;
}

Fact& Fact::addPending(QString childLabel) {
    Fact& child = add(std::move(childLabel), QStringLiteral("\u2026"), QStringLiteral("Being counted"));
    child.muted = true;
    child.isPending = true;
    return child;
}

Fact& Fact::exactly(int64_t number, const char* unit) {
    exact = ExactNumber{number, unit};
    return *this;
}

Fact& Fact::exactly(double number, const char* unit) {
    exact = ExactNumber{number, unit};
    return *this;
}

Fact& Fact::addLink(QString childLabel, QString childValue, EventRow target, QString childTooltip) {
    Fact& child = add(std::move(childLabel), std::move(childValue), std::move(childTooltip));
    child.link = target;
    return child;
}

Fact& Fact::addSection(QString title) {
    Fact& child = add(std::move(title), {});
    child.isSection = true;
    return child;
}

}  // namespace warpline
