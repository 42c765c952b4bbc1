// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Shown when a file could not be opened: which, where, why, and what to try.

#include <QStringList>
#include <QWidget>

#include "core/base/result.h"

class QLabel;
class QPushButton;

namespace warpline::ui {

/// Code of an Error: the files that a session names are not where they were.
inline constexpr auto kMissingFiles = "missing_files";

class ErrorPage : public QWidget {
    Q_OBJECT

public:
    explicit ErrorPage(QWidget* parent = nullptr);

    /// `stillOpen`: name of the trace that is open behind this page; "" if there is none.
    void setError(const QStringList& paths, const Error& error, const QString& stillOpen);
    QString reason() const;
    QString advice() const;
    QPushButton* backButton() const { return m_back; }
    QPushButton* retryButton() const { return m_retry; }
    QPushButton* placeButton() const { return m_place; }
    QPushButton* locateButton() const { return m_locate; }

signals:
    void retryRequested();
    void openRequested();
    void backRequested();
    void placeRequested();
    void locateRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void paintIcon();

    QLabel* m_icon;
    QLabel* m_title;
    QLabel* m_path;
    QLabel* m_reason;
    QLabel* m_advice;
    QPushButton* m_retry;
    QPushButton* m_open;
    QPushButton* m_place;
    QPushButton* m_locate;
    QPushButton* m_back;
};

/// What a user can do about a failure of this kind.
QString adviceFor(const QStringList& paths, const Error& error);

}  // namespace warpline::ui
