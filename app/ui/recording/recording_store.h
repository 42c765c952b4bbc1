// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The folder of recordings: each a capture and, beside it, a small file of what the list says of it and of how it was
// asked for. The folder itself is what is remembered: what is put into it is listed, what is taken away is not. GUI
// thread; files are small but for the captures, which are not read.

#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

#include "app/ui/recording/record_request.h"
#include "core/base/result.h"

namespace warpline::ui {

struct RecordingEntry {
    QString path;  ///< of the capture
    QString name;
    QString host;  ///< "": this machine
    QDateTime begun;
    std::optional<quint64> kernels, lost;  ///< nullopt: not known
    qint64 bytes = 0;
    QString state;                         ///< how it ended, in words; "" if that is not known
    std::optional<RecordRequest> request;  ///< by which it can be recorded again
};

class RecordingStore {
public:
    /// "": the user's, in settings::dataFolder().
    explicit RecordingStore(const QString& folder = {});

    const QString& folder() const { return m_folder; }
    /// A path that is not taken, named after what is recorded and when: "train_2026-11-30_13-05-09.wcap".
    QString newPath(const QString& name, const QDateTime& when) const;
    /// Latest first.
    QList<RecordingEntry> list() const;
    /// Of one; what is not known of it stays empty.
    RecordingEntry read(const QString& capturePath) const;
    Status write(const RecordingEntry& entry) const;
    /// Another name in the list and on disk; returns the new path. Fails if it is taken or cannot be.
    Result<QString> rename(const RecordingEntry& entry, const QString& name) const;
    /// Both files.
    Status remove(const RecordingEntry& entry) const;

private:
    QString m_folder;
};

}  // namespace warpline::ui
