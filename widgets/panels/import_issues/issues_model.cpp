// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/import_issues/issues_model.h"

#include <QFileInfo>

#include <utility>

#include "core/base/units.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/icons.h"
#include "widgets/support/issue_text.h"
#include "widgets/support/theme.h"

namespace warpline {

namespace {

Icon iconOf(Severity severity) {
    switch (severity) {
        case Severity::Info:
            return Icon::Info;
        case Severity::Warning:
            return Icon::Warning;
        case Severity::DataLoss:
            return Icon::DataLoss;
        case Severity::Error:
            return Icon::Error;
    }
    return Icon::Info;
}

}  // namespace

void IssuesModel::setTrace(std::shared_ptr<const Trace> trace) {
    beginResetModel();
    m_trace = std::move(trace);
    endResetModel();
}

int IssuesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_trace ? 0 : static_cast<int>(m_trace->report().issues().size());
}

int IssuesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString IssuesModel::text(const Issue& issue, int column) const {
    switch (column) {
        case SeverityColumn:
            return severityTitle(issue.severity);
        case CodeColumn:
            return fromUtf8(issue.code);
        case CountColumn:
            return fromUtf8(formatCount(issue.count));
        case PlaceColumn: {
            if (!issue.firstOffset.has_value()) {
                return QStringLiteral("\u2013");
            }
            const QString offset = fromUtf8(formatCount(*issue.firstOffset));
            return issue.space == OffsetSpace::File ? tr("byte %1").arg(offset) : tr("byte %1, unpacked").arg(offset);
        }
        case MessageColumn:
            return fromUtf8(issue.message);
        case FileColumn:
            return issue.file.valid() ? QFileInfo(fromUtf8(m_trace->files()[issue.file.value].path)).fileName()
                                      : QString();
        default:
            return {};
    }
}

QVariant IssuesModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Issue& issue = m_trace->report().issues()[static_cast<size_t>(index.row())];
    const bool isNumber = index.column() == CountColumn || index.column() == PlaceColumn;
    switch (role) {
        case Qt::DisplayRole:
            return text(issue, index.column());
        case Qt::DecorationRole:
            return index.column() == SeverityColumn ? QVariant(icon(iconOf(issue.severity))) : QVariant();
        case Qt::ToolTipRole:
            if (index.column() == FileColumn && issue.file.valid()) {
                return fromUtf8(m_trace->files()[issue.file.value].path);
            }
            if (index.column() == PlaceColumn) {
                return tr("Where the first one stands: byte of the file, or of its text after unpacking");
            }
            return text(issue, MessageColumn);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
        case Qt::FontRole:
            return isNumber ? QVariant(tabularFont()) : QVariant();
        case kSortRole:
            if (index.column() == SeverityColumn) {
                return static_cast<int>(issue.severity);
            }
            if (index.column() == CountColumn) {
                return QVariant::fromValue<qulonglong>(issue.count);
            }
            if (index.column() == PlaceColumn) {
                return issue.firstOffset.has_value() ? QVariant::fromValue<qulonglong>(*issue.firstOffset) : QVariant();
            }
            return text(issue, index.column());
        default:
            return {};
    }
}

QVariant IssuesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        const bool isNumber = section == CountColumn || section == PlaceColumn;
        return QVariant::fromValue(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
    }
    if (role == Qt::ToolTipRole) {
        switch (section) {
            case SeverityColumn:
                return tr(
                    "How much it matters: info harms nothing, a warning may make a result doubtful, with data "
                    "loss something of the file is not in the trace");
            case CodeColumn:
                return tr("A word that stays the same from version to version; the command line prints it too");
            case CountColumn:
                return tr("How often it happened");
            case PlaceColumn:
                return tr("Where the first one stands: byte of the file, or of its text after unpacking");
            case MessageColumn:
                return tr("In a sentence, with the first one as an example");
            case FileColumn:
                return tr("The file it happened in");
            default:
                return {};
        }
    }
    if (role == Qt::DisplayRole) {
        switch (section) {
            case SeverityColumn:
                return tr("Severity");
            case CodeColumn:
                return tr("Code");
            case CountColumn:
                return tr("Count");
            case PlaceColumn:
                return tr("First at");
            case MessageColumn:
                return tr("What happened");
            case FileColumn:
                return tr("File");
            default:
                return {};
        }
    }
    return {};
}

}  // namespace warpline
