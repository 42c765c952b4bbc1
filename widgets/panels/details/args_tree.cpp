// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/details/args_tree.h"

#include <nlohmann/json.hpp>

#include <utility>

#include "widgets/support/cell_text.h"

namespace warpline {

namespace {

using Json = nlohmann::json;

constexpr int kInlineListLength = 72;  ///< characters

/// Builds the tree while the text is read: no document in between that would round numbers or sort keys.
class TreeBuilder : public nlohmann::json_sax<Json> {
public:
    explicit TreeBuilder(Fact& parent) : m_root(parent) {}

    bool null() override { return leaf("null"); }
    bool boolean(bool value) override { return leaf(value ? "true" : "false"); }
    bool number_integer(number_integer_t value) override { return leaf(QString::number(value)); }
    bool number_unsigned(number_unsigned_t value) override { return leaf(QString::number(value)); }
    bool number_float(number_float_t /*value*/, const string_t& digits) override { return leaf(fromUtf8(digits)); }
    bool string(string_t& value) override { return leaf(fromUtf8(value)); }
    bool binary(binary_t& /*value*/) override { return false; }
    bool key(string_t& name) override {
        m_key = fromUtf8(name);
        return true;
    }
    bool start_object(std::size_t /*elements*/) override { return open(false); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t /*elements*/) override { return open(true); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::detail::exception& error) override {
        m_error = fromUtf8(error.what());
        return false;
    }

    const QString& error() const { return m_error; }

private:
    struct Open {
        Fact* fact;
        bool isList;
    };

    QString nextLabel() {
        if (m_open.empty()) {
            return QString("value");
        }
        if (m_open.back().isList) {
            return QStringLiteral("[%1]").arg(m_open.back().fact->children.size());
        }
        return std::exchange(m_key, QString());
    }
    Fact& above() { return m_open.empty() ? m_root : *m_open.back().fact; }
    bool leaf(QString text) {
        above().add(nextLabel(), std::move(text));
        return true;
    }
    bool open(bool isList) {
        // The members of the outermost object stand right below the parent.
        if (m_open.empty() && !isList) {
            m_open.push_back({&m_root, false});
            return true;
        }
        QString label = nextLabel();
        m_open.push_back({&above().add(std::move(label), {}), isList});
        return true;
    }
    bool close() {
        const Open done = m_open.back();
        m_open.pop_back();
        if (done.fact != &m_root) {
            summarize(*done.fact, done.isList);
        }
        return true;
    }
    static void summarize(Fact& fact, bool isList) {
        const size_t count = fact.children.size();
        QString line;
        bool fits = isList;
        for (size_t i = 0; fits && i < count; ++i) {
            const Fact& child = *fact.children[i];
            line += (i > 0 ? ", " : "") + (child.value.isEmpty() ? QString("\"\"") : child.value);
            fits = child.children.empty() && line.size() <= kInlineListLength;
        }
        if (fits) {
            fact.value = "[" + line + "]";
            fact.children.clear();
        } else {
            fact.value = isList ? QStringLiteral("%1 items").arg(count) : QStringLiteral("%1 entries").arg(count);
            fact.muted = true;
        }
    }

    Fact& m_root;
    std::vector<Open> m_open;
    QString m_key;
    QString m_error;
};

}  // namespace

QString appendJson(Fact& parent, const std::string& json) {
    TreeBuilder builder(parent);
    if (!Json::sax_parse(json, &builder)) {
        return builder.error().isEmpty() ? QString("the text is no JSON") : builder.error();
    }
    return {};
}

}  // namespace warpline
