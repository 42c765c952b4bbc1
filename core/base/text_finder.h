// SPDX-License-Identifier: MIT
#pragma once
// Looks for one text in many others, or in a very long one. Case is ignored for the letters of ASCII only, so that
// bytes stay bytes: any text is taken, valid UTF-8 or not.

#include <cstddef>
#include <string>
#include <string_view>

namespace warpline {

enum class Case { Matters, Ignored };

/// Const members may be called from any thread.
class TextFinder {
public:
    /// REQUIRES: not empty.
    TextFinder(std::string_view needle, Case letterCase);

    /// Place of the first one at `from` or later; npos if there is none. Some gigabytes a second where the text is long
    /// and its bytes are none of the needle's.
    size_t find(std::string_view text, size_t from = 0) const;
    bool isFoundIn(std::string_view text) const { return find(text) != std::string_view::npos; }
    /// Whether bytes [from, from + text.size()) of the needle are this text. REQUIRES: it has that many.
    bool equals(std::string_view text, size_t from = 0) const;

    /// In small letters if case is ignored.
    const std::string& needle() const { return m_needle; }
    bool ignoresCase() const { return m_case == Case::Ignored; }

private:
    char folded(char c) const {
        return m_case == Case::Ignored && c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    }

    std::string m_needle;
    Case m_case;
    size_t m_second = 0;  ///< place in the needle of the byte that is looked at besides the first
};

}  // namespace warpline
