// SPDX-License-Identifier: MIT
#include "core/capture/texts.h"

#include <cstring>

namespace warpline::capture {

namespace {

void appendNumber(std::string& out, uint32_t number) {
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// Takes the next number, or text of that many bytes, off the front of what is left.
struct Cursor {
    std::string_view left;
    bool isGood = true;

    uint32_t number() {
        uint32_t value = 0;
        if (left.size() < sizeof value) {
            isGood = false;
            return 0;
        }
        std::memcpy(&value, left.data(), sizeof value);
        left.remove_prefix(sizeof value);
        return value;
    }
    std::string_view text(uint32_t bytes) {
        isGood = isGood && bytes <= left.size();
        const std::string_view taken = isGood ? left.substr(0, bytes) : std::string_view();
        left.remove_prefix(taken.size());
        return taken;
    }
};

}  // namespace

void appendText(std::string& payload, uint32_t number, std::string_view text) {
    appendNumber(payload, number);
    appendNumber(payload, static_cast<uint32_t>(text.size()));
    payload += text;
}

void appendFact(std::string& payload, std::string_view key, std::string_view value) {
    appendNumber(payload, static_cast<uint32_t>(key.size()));
    appendNumber(payload, static_cast<uint32_t>(value.size()));
    payload += key;
    payload += value;
}

std::optional<std::vector<std::pair<uint32_t, std::string_view>>> textsOf(std::string_view payload) {
    std::vector<std::pair<uint32_t, std::string_view>> texts;
    Cursor cursor{payload};
    while (!cursor.left.empty() && cursor.isGood) {
        const uint32_t number = cursor.number();
        const uint32_t bytes = cursor.number();
        texts.emplace_back(number, cursor.text(bytes));
    }
    return cursor.isGood ? std::optional(std::move(texts)) : std::nullopt;
}

std::optional<std::vector<std::pair<std::string_view, std::string_view>>> factsOf(std::string_view payload) {
    std::vector<std::pair<std::string_view, std::string_view>> facts;
    Cursor cursor{payload};
    while (!cursor.left.empty() && cursor.isGood) {
        const uint32_t keyBytes = cursor.number();
        const uint32_t valueBytes = cursor.number();
        const std::string_view key = cursor.text(keyBytes);
        facts.emplace_back(key, cursor.text(valueBytes));
    }
    return cursor.isGood ? std::optional(std::move(facts)) : std::nullopt;
}

}  // namespace warpline::capture
