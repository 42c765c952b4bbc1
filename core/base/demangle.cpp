// SPDX-License-Identifier: MIT
#include "core/base/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace warpline {

namespace {

bool isWordChar(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           c == '~' || static_cast<unsigned char>(c) >= 0x80;
}

/// Length of the run of characters before `end` that is bracketed by `open` and `close`, which stands at end - 1;
/// npos if it is not balanced.
size_t openingOf(std::string_view text, size_t closing) {
    int depth = 0;
    for (size_t i = closing + 1; i-- > 0;) {
        const char c = text[i];
        // "->" and "operator>" are no brackets; the arrow is the only one that occurs inside of arguments.
        if (c == ')' || c == '}' || c == ']' || (c == '>' && !(i > 0 && text[i - 1] == '-'))) {
            ++depth;
        } else if (c == '(' || c == '{' || c == '[' || c == '<') {
            if (--depth == 0) {
                return i;
            }
        }
    }
    return std::string_view::npos;
}

std::string_view withoutTrailing(std::string_view text, std::string_view suffix) {
    return text.ends_with(suffix) ? text.substr(0, text.size() - suffix.size()) : text;
}

}  // namespace

std::string demangledName(std::string_view name) {
    if (!name.starts_with("_Z")) {
        return std::string(name);
    }
    int status = 0;
    const std::string terminated(name);
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(terminated.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text != nullptr && *text != '\0' ? std::string(text.get()) : terminated;
}

std::string shortName(std::string_view name) {
    const std::string full = demangledName(name);
    std::string_view text = full;
    // "[clone .cold]", then what qualifies a member function, then the parameters, then the template arguments.
    while (text.ends_with(']')) {
        const size_t open = openingOf(text, text.size() - 1);
        if (open == std::string_view::npos || open == 0 || text[open - 1] != ' ') {
            break;
        }
        text = text.substr(0, open - 1);
    }
    text = withoutTrailing(text, " const");
    bool isSignature = false;
    if (text.ends_with(')')) {
        const size_t open = openingOf(text, text.size() - 1);
        // A call is written without a blank before its parameters.
        if (open == std::string_view::npos || open == 0 || text[open - 1] == ' ') {
            return full;
        }
        text = text.substr(0, open);
        isSignature = true;
    }
    if (text.ends_with('>')) {
        const size_t open = openingOf(text, text.size() - 1);
        if (open == std::string_view::npos || open == 0) {
            return full;
        }
        text = text.substr(0, open);
        isSignature = true;
    }
    size_t begin = text.size();
    while (begin > 0 && isWordChar(text[begin - 1])) {
        --begin;
    }
    const bool qualified = begin >= 2 && text.substr(begin - 2, 2) == "::";
    if (begin == text.size() || (!isSignature && !qualified)) {
        return full;
    }
    // Without a signature around it, a text with blanks is a label ("forward pass").
    if (!isSignature && full.find(' ') != std::string::npos) {
        return full;
    }
    return std::string(text.substr(begin));
}

}  // namespace warpline
