// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a capture stream has to say beside its records: the frames of source 0, which is the recording side itself.
// Others are passed over unopened. One thread.

#include <QByteArray>
#include <QMultiMap>
#include <QString>

#include <functional>

#include "core/capture/frame_reader.h"

namespace warpline::ui {

/// Facts of a frame; some keys come several times ("refusal").
using AgentFacts = QMultiMap<QString, QString>;

class StreamReader {
public:
    std::function<void(const AgentFacts&)> onFacts;                    ///< that name a "state"
    std::function<void(int stream, const QByteArray& text)> onOutput;  ///< 1 standard output, 2 standard error

    /// Some bytes as they come; calls back for each frame that is whole now.
    void add(const QByteArray& bytes);
    /// Whether a recording has begun in the stream.
    bool hasBegun() const { return m_hasBegun; }

private:
    void take(const capture::Frame& frame);

    capture::FrameReader m_frames;
    bool m_hasBegun = false;
};

}  // namespace warpline::ui
