// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/shell_words.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace warpline::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ShellWords", text);
}

class Splitter {
public:
    explicit Splitter(const QString& text) : m_text(text) {}

    Result<ShellWords> run() {
        for (m_at = 0; m_at < m_text.size() && m_problem.isEmpty(); ++m_at) {
            const QChar c = m_text[m_at];
            if (c.isSpace()) {
                endWord();
            } else {
                take(c);
            }
        }
        endWord();
        if (!m_problem.isEmpty()) {
            return Error::failed(m_problem.toStdString());
        }
        return std::move(m_out);
    }

private:
    void fail(const QString& problem) {
        if (m_problem.isEmpty()) {
            m_problem = problem;
        }
    }
    QString place(qsizetype at) const { return tr("column %1").arg(at + 1); }

    void take(QChar c) {
        const bool isFirst = !m_isInWord;
        m_isInWord = true;
        switch (c.unicode()) {
            case '\'':
                return takeQuoted();
            case '"':
                return takeDoubleQuoted();
            case '\\':
                if (m_at + 1 == m_text.size()) {
                    return fail(tr("Nothing follows the \\ at the end"));
                }
                m_word += m_text[++m_at];
                return;
            case '|':
            case '&':
            case ';':
            case '<':
            case '>':
            case '(':
            case ')':
                return fail(tr("%1 at %2 needs a shell: quote it, or write sh -c '…'").arg(c).arg(place(m_at)));
            case '$':
            case '`':
                return fail(
                    tr("%1 at %2: variables and commands are not expanded; write the value, quote it by '…', or "
                       "write sh -c '…'")
                        .arg(c)
                        .arg(place(m_at)));
            case '#':
                if (isFirst) {
                    return fail(tr("# at %1 would begin a comment: quote it").arg(place(m_at)));
                }
                break;
            default:
                break;
        }
        m_word += c;
    }

    void takeQuoted() {
        const qsizetype end = m_text.indexOf('\'', m_at + 1);
        if (end < 0) {
            return fail(tr("The ' at %1 is not closed").arg(place(m_at)));
        }
        m_word += QStringView(m_text).mid(m_at + 1, end - m_at - 1);
        m_at = end;
    }

    void takeDoubleQuoted() {
        const qsizetype begin = m_at;
        for (++m_at; m_at < m_text.size(); ++m_at) {
            const QChar c = m_text[m_at];
            if (c == '"') {
                return;
            }
            if (c == '$' || c == '`') {
                return fail(tr("%1 at %2: variables and commands are not expanded; write \\%1 for the sign itself")
                                .arg(c)
                                .arg(place(m_at)));
            }
            const bool escapes =
                c == '\\' && m_at + 1 < m_text.size() && QStringLiteral("\"\\$`").contains(m_text[m_at + 1]);
            m_word += escapes ? m_text[++m_at] : c;
        }
        fail(tr("The \" at %1 is not closed").arg(place(begin)));
    }

    void endWord() {
        if (!m_isInWord) {
            return;
        }
        static const QRegularExpression kSetting(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*="));
        const qsizetype equals = m_word.indexOf('=');
        if (m_out.words.isEmpty() && kSetting.match(m_word).hasMatch()) {
            m_out.environment.append({m_word.left(equals), m_word.mid(equals + 1)});
        } else {
            m_out.words << m_word;
        }
        m_word.clear();
        m_isInWord = false;
    }

    const QString& m_text;
    qsizetype m_at = 0;
    ShellWords m_out;
    QString m_word, m_problem;
    bool m_isInWord = false;
};

}  // namespace

Result<ShellWords> splitShellWords(const QString& text) {
    return Splitter(text).run();
}

QString quotedForShell(const QString& word) {
    static const QRegularExpression kPlain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    if (kPlain.match(word).hasMatch()) {
        return word;
    }
    return '\'' + QString(word).replace('\'', QStringLiteral("'\\''")) + '\'';
}

QString joinedForShell(const QStringList& words) {
    QStringList quoted;
    for (const QString& word : words) {
        quoted << quotedForShell(word);
    }
    return quoted.join(' ');
}

}  // namespace warpline::ui
