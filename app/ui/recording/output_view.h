// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a recorded program prints, the latest of it. GUI thread.

#include <QByteArray>
#include <QStringDecoder>
#include <QWidget>

class QLabel;
class QPlainTextEdit;

namespace warpline::ui {

class OutputView : public QWidget {
    Q_OBJECT

public:
    static constexpr int kMostLines = 20000;
    static constexpr qsizetype kLongestLine = 4000;

    explicit OutputView(QWidget* parent = nullptr);

    void clear();
    /// `stream` 1: standard output, 2: standard error. `cut` bytes before it did not come.
    void append(int stream, const QByteArray& text, quint64 cut);
    QString text() const;
    QString note() const;

private:
    void refreshNote();

    QPlainTextEdit* m_text;
    QLabel* m_note;
    QStringDecoder m_decoders[2];
    quint64 m_cut = 0;    ///< bytes
    quint64 m_lines = 0;  ///< that came
};

}  // namespace warpline::ui
