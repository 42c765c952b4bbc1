// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/details/fact_copy.h"

#include <algorithm>
#include <string>

#include "core/base/json_writer.h"
#include "widgets/panels/details/fact_text.h"

namespace warpline {

namespace {

/// Deeper ones stand below one another, or the blanks would be more than all the rest.
constexpr int kMostIndent = 40;

/// Calls enter(fact, depth) and leave(fact, depth) in order, without recursion: arguments nest as deep as a file likes.
template <class Enter, class Leave>
void walk(const Fact& top, Enter enter, Leave leave) {
    const Fact* fact = &top;
    int depth = 0;
    enter(*fact, depth);
    while (true) {
        if (!fact->children.empty()) {
            fact = fact->children.front().get();
            enter(*fact, ++depth);
            continue;
        }
        leave(*fact, depth);
        while (fact != &top && static_cast<size_t>(fact->row) + 1 == fact->parent->children.size()) {
            fact = fact->parent;
            leave(*fact, --depth);
        }
        if (fact == &top) {
            return;
        }
        fact = fact->parent->children[static_cast<size_t>(fact->row) + 1].get();
        enter(*fact, depth);
    }
}

QString exactText(const Fact& fact) {
    const auto* whole = fact.exact ? std::get_if<int64_t>(&fact.exact->value) : nullptr;
    if (whole == nullptr) {
        return {};
    }
    const std::string_view unit = fact.exact->unit;
    return unit == "ns" ? facts::exactNs(*whole) : unit == "B" ? facts::exactBytes(*whole) : QString();
}

QString lineOf(const Fact& fact) {
    QString line = fact.label.trimmed();
    if (!fact.value.isEmpty()) {
        line += (line.isEmpty() ? QString() : QStringLiteral(": ")) + fact.value;
    }
    const QString exact = exactText(fact);
    return exact.isEmpty() || exact == fact.value ? line : line + QStringLiteral(" (%1)").arg(exact);
}

void appendLines(QString& out, const Fact& top) {
    walk(
        top,
        [&](const Fact& fact, int depth) {
            out += QString(2 * std::min(depth, kMostIndent), QLatin1Char(' ')) + lineOf(fact) + QLatin1Char('\n');
        },
        [](const Fact&, int) {});
}

void addText(JsonWriter& json, const char* key, const QString& text) {
    json.key(key).text(text.toStdString());
}

void addValue(JsonWriter& json, const Fact& fact) {
    if (fact.isUnknown || fact.isPending) {
        json.key("value").null();
    } else if (fact.exact) {
        if (const auto* whole = std::get_if<int64_t>(&fact.exact->value)) {
            json.key("value").integer(*whole);
        } else {
            json.key("value").real(std::get<double>(fact.exact->value));
        }
        json.key("unit").text(fact.exact->unit);
    }
}

void appendJsonOf(JsonWriter& json, const Fact& top) {
    walk(
        top,
        [&](const Fact& fact, int) {
            json.beginObject();
            addText(json, fact.isSection ? "title" : "label", fact.label.trimmed());
            if (!fact.isSection) {
                addText(json, "text", fact.value);
                addValue(json, fact);
            }
            if (!fact.children.empty()) {
                json.key("facts").beginArray();
            }
        },
        [&](const Fact& fact, int) {
            if (!fact.children.empty()) {
                json.endArray();
            }
            json.endObject();
        });
}

}  // namespace

QString factsAsText(const FactTree& tree) {
    QString out = tree.title + QLatin1Char('\n');
    if (!tree.rawName.isEmpty() && tree.rawName != tree.title) {
        out += tree.rawName + QLatin1Char('\n');
    }
    out += tree.subtitle + QLatin1Char('\n');
    for (const auto& section : tree.root.children) {
        out += QLatin1Char('\n');
        appendLines(out, *section);
    }
    return out;
}

QString factAsText(const Fact& fact) {
    QString out;
    appendLines(out, fact);
    return out.trimmed();
}

QByteArray factsAsJson(const FactTree& tree) {
    constexpr size_t kMultilineDepth = 4;
    std::string out;
    JsonWriter json(out, kMultilineDepth);
    json.beginObject();
    addText(json, "title", tree.title);
    addText(json, "name", tree.rawName);
    addText(json, "subtitle", tree.subtitle);
    json.key("sections").beginArray();
    const auto& sections = tree.root.children;
    // The arguments stand below as they are in the file, where there are any; they come last.
    const size_t shown = sections.size() - (tree.argsJson.empty() || sections.empty() ? 0 : 1);
    for (size_t i = 0; i < shown; ++i) {
        appendJsonOf(json, *sections[i]);
    }
    json.endArray();
    if (!tree.argsJson.empty()) {
        json.key("args").raw(tree.argsJson);
    }
    json.endObject();
    return QByteArray::fromStdString(out + '\n');
}

}  // namespace warpline
