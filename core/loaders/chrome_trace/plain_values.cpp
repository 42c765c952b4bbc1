// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/plain_values.h"

#include <optional>

namespace warpline::loaders::chrome_trace {

namespace {

/// With its quotes; nullopt if it stays as it is.
std::optional<std::string> withoutEscapes(std::string_view value) {
    if (!isQuoted(value) || value.find('\\') == std::string_view::npos) {
        return std::nullopt;
    }
    std::string text(1, '"');
    const uint32_t oddities = appendDecoded(value.substr(1, value.size() - 2), text);
    const std::string_view inner = std::string_view(text).substr(1);
    if (oddities != 0 || !isPlainString(inner) || inner.find('"') != std::string_view::npos) {
        return std::nullopt;
    }
    text += '"';
    return text;
}

}  // namespace

std::span<const Member> PlainValues::of(std::span<const Member> members) {
    bool isCopied = false;
    for (size_t i = 0; i < members.size(); ++i) {
        std::optional<std::string> text = withoutEscapes(members[i].value);
        if (!text) {
            continue;
        }
        if (!isCopied) {
            isCopied = true;
            m_members.assign(members.begin(), members.end());
        }
        m_members[i].value = m_texts.emplace_back(std::move(*text));
    }
    return isCopied ? std::span<const Member>(m_members) : members;
}

}  // namespace warpline::loaders::chrome_trace
