// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/choice_list.h"

#include <QPainter>

#include <algorithm>
#include <utility>

#include "widgets/support/fuzzy.h"
#include "widgets/support/theme.h"

namespace warpline {

namespace {
constexpr int kPadding = 10;
constexpr int kBetween = 14;
/// What fits by words that are not shown comes after what fits as well by its text.
constexpr int kByWords = 64;
}  // namespace

void ChoiceModel::setChoices(std::vector<Choice> choices) {
    m_choices = std::move(choices);
    refresh();
}

void ChoiceModel::setPattern(const QString& pattern) {
    if (pattern != m_pattern) {
        m_pattern = pattern;
        refresh();
    }
}

QString ChoiceModel::lineOf(const Choice& choice) {
    return choice.group.isEmpty() ? choice.text : choice.group + QStringLiteral(": ") + choice.text;
}

void ChoiceModel::refresh() {
    beginResetModel();
    m_rows.clear();
    for (size_t i = 0; i < m_choices.size(); ++i) {
        const Choice& choice = m_choices[i];
        std::optional<int> score = fuzzyScore(m_pattern, lineOf(choice));
        if (score && !choice.group.isEmpty()) {
            // What fits by its own text comes before what fits by that of its group.
            const std::optional<int> own = fuzzyScore(m_pattern, choice.text);
            score = std::max(*score, own ? *own + 1 : *score);
        }
        if (!choice.words.isEmpty()) {
            const QString line = lineOf(choice) + u' ';
            QList<int> places;
            if (std::optional<int> all = fuzzyScore(m_pattern, line + choice.words, &places)) {
                const auto inWords = std::ranges::find_if(places, [&](int at) { return at >= line.size(); });
                const int before = inWords != places.end() ? *inWords - static_cast<int>(line.size()) : 0;
                *all -= kByWords + 2 * std::min(before, kByWords);
                score = std::max(score.value_or(*all), *all);
            }
        }
        if (score) {
            m_rows.push_back({i, *score});
        }
    }
    if (!m_pattern.trimmed().isEmpty()) {
        std::ranges::stable_sort(m_rows, [this](const Row& a, const Row& b) {
            const bool enabledA = m_choices[a.index].enabled;
            const bool enabledB = m_choices[b.index].enabled;
            return a.score != b.score ? a.score > b.score : enabledA && !enabledB;
        });
    }
    endResetModel();
}

QList<int> ChoiceModel::placesAt(int row) const {
    QList<int> places;
    fuzzyScore(m_pattern, lineOf(choiceAt(row)), &places);
    return places;
}

int ChoiceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ChoiceModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Choice& choice = choiceAt(index.row());
    switch (role) {
        case Qt::DisplayRole:
            return lineOf(choice);
        case Qt::ToolTipRole:
            return choice.note;
        case Qt::AccessibleTextRole: {
            QStringList parts{lineOf(choice), choice.keys, choice.note};
            parts.removeAll(QString());
            return parts.join(QStringLiteral(", "));
        }
        default:
            return {};
    }
}

Qt::ItemFlags ChoiceModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) {
        return Qt::NoItemFlags;
    }
    // What is disabled can be reached all the same, to read why.
    return Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
}

void ChoiceDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& look = theme();
    const auto& model = static_cast<const ChoiceModel&>(*index.model());
    const Choice& choice = model.choiceAt(index.row());
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    const bool hovered = (option.state & QStyle::State_MouseOver) != 0;
    painter->save();
    if (selected || hovered) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(selected ? look.selection : look.hovered);
        painter->drawRoundedRect(option.rect, 4, 4);
    }
    QRect room = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    const QFontMetrics metrics(option.font);
    constexpr int kHow = Qt::AlignVCenter | Qt::TextSingleLine;
    if (!choice.keys.isEmpty()) {
        painter->setPen(choice.enabled ? look.mutedText : look.disabledText);
        painter->drawText(room, Qt::AlignRight | kHow, choice.keys);
        room.setRight(room.right() - metrics.horizontalAdvance(choice.keys) - kBetween);
    }
    // Letter by letter where some were found, so that these can be told from the others.
    const QString line = metrics.elidedText(ChoiceModel::lineOf(choice), Qt::ElideRight, room.width());
    const qsizetype groupLength = choice.group.isEmpty() ? 0 : choice.group.size() + 2;
    const QList<int> places = model.placesAt(index.row());
    const QColor plain = choice.enabled ? look.text : look.disabledText;
    const QColor muted = choice.enabled ? look.mutedText : look.disabledText;
    QFont bold = option.font;
    bold.setWeight(QFont::DemiBold);
    qreal x = room.left();
    for (qsizetype begin = 0; begin < line.size();) {
        const bool found = places.contains(static_cast<int>(begin));
        const bool inGroup = begin < groupLength;
        qsizetype end = begin + 1;
        while (end < line.size() && places.contains(static_cast<int>(end)) == found && (end < groupLength) == inGroup) {
            ++end;
        }
        const QString part = line.mid(begin, end - begin);
        painter->setFont(found ? bold : option.font);
        painter->setPen(found && choice.enabled ? look.link : inGroup ? muted : plain);
        painter->drawText(QRectF(x, room.top(), room.right() - x + 2, room.height()), Qt::AlignLeft | kHow, part);
        x += QFontMetricsF(painter->font()).horizontalAdvance(part);
        begin = end;
    }
    if (!choice.note.isEmpty() && x + kBetween < room.right()) {
        const QRectF rest(x + kBetween, room.top(), room.right() - x - kBetween, room.height());
        painter->setFont(option.font);
        painter->setPen(look.mutedText);
        painter->drawText(rest, Qt::AlignLeft | kHow,
                          metrics.elidedText(choice.note, Qt::ElideRight, static_cast<int>(rest.width())));
    }
    painter->restore();
}

QSize ChoiceDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& /*index*/) const {
    return {0, QFontMetrics(option.font).height() + 12};
}

}  // namespace warpline
