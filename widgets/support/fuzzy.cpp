// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/fuzzy.h"

#include <algorithm>
#include <vector>

namespace warpline {

namespace {

constexpr int kLetter = 10;
constexpr int kWordBegin = 18;
constexpr int kFollows = 20;
constexpr int kTextBegin = 6;
constexpr int kGap = 1;       ///< a letter that is passed over between two that were found
constexpr int kMostGap = 12;  ///< no gap costs more
constexpr int kNever = -1'000'000;
/// Longer names are looked at so far only: the cost of a key press stays bounded.
constexpr qsizetype kMostText = 512;

/// Where the letter before was found, and what that is worth.
struct Reach {
    int score = kNever;
    int at = -1;
};

bool beginsWord(QStringView text, qsizetype i) {
    if (i == 0) {
        return true;
    }
    const QChar before = text[i - 1];
    const QChar here = text[i];
    return (!before.isLetterOrNumber() && here.isLetterOrNumber()) || (before.isLower() && here.isUpper()) ||
           (!before.isDigit() && here.isDigit());
}

/// Most texts do not hold the letters at all, which is soon known.
bool holds(QStringView word, QStringView text) {
    qsizetype found = 0;
    for (qsizetype i = 0; i < text.size() && found < word.size(); ++i) {
        found += text[i].toCaseFolded() == word[found].toCaseFolded() ? 1 : 0;
    }
    return found == word.size();
}

/// The best place for each letter of one word, by how far the word got at each letter of the text.
std::optional<int> wordScore(QStringView word, QStringView text, QList<int>* places) {
    const auto letters = static_cast<size_t>(word.size());
    const auto length = static_cast<size_t>(text.size());
    if (!holds(word, text)) {
        return std::nullopt;
    }
    // best[i * length + j]: of the first i + 1 letters with the last of them at j; from: where the one before it is.
    thread_local std::vector<int> best;
    thread_local std::vector<int> from;
    best.assign(letters * length, kNever);
    from.assign(letters * length, -1);
    for (size_t i = 0; i < letters; ++i) {
        const QChar wanted = word[static_cast<qsizetype>(i)].toCaseFolded();
        // Of the letter before, the best place left of j: by its score less the gap to it, and less what a gap can
        // cost.
        Reach near;
        Reach far;
        for (size_t j = i; j < length; ++j) {
            int before = i == 0 ? 0 : kNever;
            int previous = -1;
            const int adjacent = i > 0 && j > 0 ? best[(i - 1) * length + j - 1] : kNever;
            if (i > 0) {
                near.score -= kGap;
                for (Reach* reach : {&near, &far}) {
                    if (adjacent >= reach->score) {
                        *reach = {adjacent, static_cast<int>(j) - 1};
                    }
                }
                const Reach& reached = near.score >= far.score - kMostGap ? near : far;
                before = &reached == &near ? near.score : far.score - kMostGap;
                previous = reached.at;
                if (adjacent + kFollows >= before) {
                    before = adjacent + kFollows;
                    previous = static_cast<int>(j) - 1;
                }
            }
            if (text[static_cast<qsizetype>(j)].toCaseFolded() == wanted && before > kNever / 2) {
                const bool begins = beginsWord(text, static_cast<qsizetype>(j));
                best[i * length + j] = before + kLetter + (begins ? kWordBegin : 0) + (j == 0 ? kTextBegin : 0);
                from[i * length + j] = previous;
            }
        }
    }
    const auto last = best.begin() + static_cast<std::ptrdiff_t>((letters - 1) * length);
    const auto most = std::max_element(last, best.end());
    if (*most <= kNever / 2) {
        return std::nullopt;
    }
    if (places != nullptr) {
        int at = static_cast<int>(most - last);
        for (size_t i = letters; i-- > 0;) {
            places->append(at);
            at = from[i * length + static_cast<size_t>(at)];
        }
    }
    return *most;
}

}  // namespace

std::optional<int> fuzzyScore(QStringView pattern, QStringView text, QList<int>* places) {
    if (places != nullptr) {
        places->clear();
    }
    const QStringView seen = text.left(kMostText);
    int total = 0;
    for (const QStringView word : pattern.split(u' ', Qt::SkipEmptyParts)) {
        const std::optional<int> score = wordScore(word, seen, places);
        if (!score) {
            if (places != nullptr) {
                places->clear();
            }
            return std::nullopt;
        }
        total += *score;
    }
    if (places != nullptr) {
        std::sort(places->begin(), places->end());
        places->erase(std::unique(places->begin(), places->end()), places->end());
    }
    // Less than any letter counts: it only orders equal fits.
    return total * 8 - static_cast<int>(std::min<qsizetype>(seen.size() / 8, 7));
}

}  // namespace warpline
