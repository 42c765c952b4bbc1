// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/track_filter.h"

#include <QString>
#include <QStringList>

#include <algorithm>

namespace warpline::timeline {

namespace {

std::string folded(std::string_view utf8) {
    std::string out(utf8);
    if (std::all_of(utf8.begin(), utf8.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
        std::transform(out.begin(), out.end(), out.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
        return out;
    }
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())).toCaseFolded().toStdString();
}

}  // namespace

TrackFilter::TrackFilter(std::string_view text) {
    const QString typed = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).simplified();
    for (const QString& word : typed.split(' ', Qt::SkipEmptyParts)) {
        m_words.push_back(folded(word.toStdString()));
    }
}

TrackFilter TrackFilter::within(std::string_view process) const {
    TrackFilter rest = *this;
    if (!rest.m_words.empty()) {
        const std::string title = folded(process);
        std::erase_if(rest.m_words, [&](const std::string& word) { return title.find(word) != std::string::npos; });
    }
    return rest;
}

bool TrackFilter::passes(std::string_view process, std::string_view own) const {
    if (m_words.empty()) {
        return true;
    }
    const std::string title = folded(own);
    const std::string above = folded(process);
    return std::all_of(m_words.begin(), m_words.end(), [&](const std::string& word) {
        return title.find(word) != std::string::npos || above.find(word) != std::string::npos;
    });
}

}  // namespace warpline::timeline
