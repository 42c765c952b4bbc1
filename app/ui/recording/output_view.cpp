// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/output_view.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextCharFormat>
#include <QTextCursor>
#include <QVBoxLayout>

#include "core/base/units.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/theme.h"

namespace warpline::ui {

OutputView::OutputView(QWidget* parent) : QWidget(parent), m_text(new QPlainTextEdit(this)), m_note(new QLabel(this)) {
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setFont(monospaceFont());
    m_text->setMaximumBlockCount(kMostLines);
    m_text->setUndoRedoEnabled(false);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setPlaceholderText(tr("What the recorded program prints appears here."));
    m_text->setAccessibleName(tr("What the recorded program prints"));
    m_note->setProperty("role", "muted");
    m_note->setContentsMargins(8, 2, 8, 2);
    m_note->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_note);
    layout->addWidget(m_text, 1);
    setFocusProxy(m_text);
    clear();
}

void OutputView::clear() {
    m_text->clear();
    m_cut = m_lines = 0;
    for (QStringDecoder& decoder : m_decoders) {
        decoder = QStringDecoder(QStringDecoder::Utf8);
    }
    refreshNote();
}

void OutputView::append(int stream, const QByteArray& bytes, quint64 cut) {
    m_cut += cut;
    QString text = m_decoders[stream == 2 ? 1 : 0](bytes);
    // Progress bars go back to the line's begin; here each state is a line.
    text.replace("\r\n", "\n").replace('\r', '\n').remove(QChar(u'\0'));
    QString shown;
    for (const QStringView line : QStringView(text).split('\n')) {
        shown += line.left(kLongestLine);
        shown += '\n';
        m_cut += static_cast<quint64>(std::max<qsizetype>(0, line.size() - kLongestLine));
    }
    shown.chop(1);
    m_lines += static_cast<quint64>(shown.count('\n'));
    QScrollBar* bar = m_text->verticalScrollBar();
    const bool wasAtEnd = bar->value() >= bar->maximum();
    QTextCharFormat format;
    format.setForeground(stream == 2 ? theme().warning : theme().text);
    QTextCursor end(m_text->document());
    end.movePosition(QTextCursor::End);
    end.insertText(shown, format);
    if (wasAtEnd) {
        bar->setValue(bar->maximum());
    }
    refreshNote();
}

void OutputView::refreshNote() {
    QStringList notes;
    if (m_lines >= kMostLines) {
        notes << tr("The last %1 lines of %2").arg(kMostLines).arg(fromUtf8(formatCount(m_lines)));
    }
    if (m_cut != 0) {
        notes << tr("%1 were left out").arg(fromUtf8(formatBytes(static_cast<double>(m_cut))));
    }
    m_note->setText(notes.join("; "));
    m_note->setVisible(!notes.isEmpty());
}

QString OutputView::text() const {
    return m_text->toPlainText();
}

QString OutputView::note() const {
    return m_note->text();
}

}  // namespace warpline::ui
