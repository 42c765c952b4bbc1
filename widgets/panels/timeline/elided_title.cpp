// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/elided_title.h"

#include <algorithm>

namespace warpline::timeline {

namespace {

constexpr QChar kEllipsis(0x2026);
/// A word that differs is shown whole if it is no longer.
constexpr qsizetype kLongestWord = 16;

qsizetype commonBegin(const QString& a, const QString& b) {
    const qsizetype most = std::min(a.size(), b.size());
    qsizetype n = 0;
    while (n < most && a[n] == b[n]) {
        ++n;
    }
    return n;
}
qsizetype commonEnd(const QString& a, const QString& b) {
    const qsizetype most = std::min(a.size(), b.size());
    qsizetype n = 0;
    while (n < most && a[a.size() - 1 - n] == b[b.size() - 1 - n]) {
        ++n;
    }
    return n;
}

/// Never between the two halves of a sign.
QString left(const QString& text, qsizetype n) {
    return text.left(n > 0 && n < text.size() && text[n - 1].isHighSurrogate() ? n - 1 : n);
}
QString from(const QString& text, qsizetype at) {
    return text.mid(at > 0 && at < text.size() && text[at].isLowSurrogate() ? at + 1 : at);
}

/// The largest n in [0, most] for which fits(n), which holds for all below it; -1 if none does.
template <class Fits>
qsizetype largest(qsizetype most, Fits fits) {
    qsizetype low = -1;
    qsizetype high = most + 1;
    while (high - low > 1) {
        const qsizetype middle = (low + high) / 2;
        (fits(middle) ? low : high) = middle;
    }
    return low;
}

bool isWordPart(QChar sign) {
    return sign.isLetterOrNumber() || sign == '_';
}

class Cutting {
public:
    Cutting(const QString& title, int width, const TextWidth& widthOf)
        : m_title(title), m_width(width), m_widthOf(widthOf) {}

    QString cut(std::span<const QString> neighbours) const {
        const qsizetype size = m_title.size();
        const qsizetype kept = largest(size - 1, [&](qsizetype n) { return fits(middle(n)); });
        if (kept < 0) {
            return QString(kEllipsis);
        }
        const qsizetype begin = (kept + 1) / 2;
        const qsizetype end = kept / 2;
        qsizetype first = size;
        qsizetype last = 0;
        for (const QString& other : neighbours) {
            const qsizetype same = commonBegin(m_title, other);
            if (other == m_title || same < begin || commonEnd(m_title, other) < end) {
                continue;
            }
            first = std::min(first, same);
            last = std::max(last, same + 1);
        }
        return first >= size ? middle(kept) : around(first, std::min(last, size));
    }

private:
    bool fits(const QString& text) const { return m_widthOf(text) <= m_width; }
    QString middle(qsizetype kept) const {
        return left(m_title, (kept + 1) / 2) + kEllipsis + from(m_title, m_title.size() - kept / 2);
    }

    /// What lies between is shown, and as much of the begin and of what follows as there is room for.
    QString around(qsizetype first, qsizetype last) const {
        const qsizetype word = std::max<qsizetype>(0, first - kLongestWord);
        while (first > word && isWordPart(m_title[first - 1])) {
            --first;
        }
        const qsizetype most = std::min(m_title.size(), last + kLongestWord);
        while (last < most && isWordPart(m_title[last])) {
            ++last;
        }
        const QString rest = from(m_title, first);
        const auto withBegin = [&](qsizetype n, const QString& tail) { return left(m_title, n) + kEllipsis + tail; };
        const qsizetype whole = largest(first, [&](qsizetype n) { return fits(withBegin(n, rest)); });
        if (whole > 0) {
            return withBegin(whole, rest);
        }
        // All up to the end does not fit: a third goes to the begin, the rest to what differs and what follows it.
        const auto cutRest = [&](qsizetype n) {
            return left(rest, n) + (n < rest.size() ? QString(kEllipsis) : QString());
        };
        const QString part = cutRest(last - first);
        const qsizetype head = largest(
            first, [&](qsizetype n) { return m_widthOf(left(m_title, n)) <= m_width / 3 && fits(withBegin(n, part)); });
        const qsizetype begin = std::max<qsizetype>(head, 0);
        const qsizetype tail = largest(rest.size(), [&](qsizetype n) { return fits(withBegin(begin, cutRest(n))); });
        return withBegin(begin, cutRest(std::max<qsizetype>(tail, 0)));
    }

    const QString& m_title;
    int m_width;
    const TextWidth& m_widthOf;
};

QString text(const std::string& utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

}  // namespace

QString elidedTitle(const QString& title, std::span<const QString> neighbours, int width, const TextWidth& widthOf) {
    return widthOf(title) <= width ? title : Cutting(title, width, widthOf).cut(neighbours);
}

std::vector<QString> titlesBeside(const LaneLayout& layout, size_t section) {
    constexpr size_t kReach = 2;
    const std::vector<Section>& all = layout.sections();
    std::vector<QString> titles;
    if (all[section].kind == SectionKind::Process) {
        const auto add = [&](size_t i) {
            const int header = all[i].kind == SectionKind::Process ? static_cast<int>(i) : all[i].header;
            titles.push_back(text(all[header >= 0 ? static_cast<size_t>(header) : i].title));
        };
        if (section > 0) {
            add(section - 1);
        }
        if (const size_t next = layout.firstSectionBelow(all[section].endY); next < all.size()) {
            add(next);
        }
        return titles;
    }
    const size_t first = section - std::min(section, kReach);
    for (size_t i = first; i < std::min(all.size(), section + kReach + 1); ++i) {
        if (i != section && all[i].kind != SectionKind::Process) {
            titles.push_back(text(all[i].title));
        }
    }
    return titles;
}

const QString& ElidedTitles::of(const LaneLayout& layout, size_t section, int width, const TextWidth& widthOf) {
    m_shown.resize(layout.sections().size());
    Shown& shown = m_shown[section];
    if (shown.width != width) {
        shown.width = width;
        shown.text = elidedTitle(text(layout.sections()[section].title), titlesBeside(layout, section), width, widthOf);
    }
    return shown.text;
}

}  // namespace warpline::timeline
