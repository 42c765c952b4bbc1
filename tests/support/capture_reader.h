// SPDX-License-Identifier: MIT
#pragma once
// All that stands in a capture, for tests to look at: no loader, no trace.

#include <QString>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/capture/frame_reader.h"
#include "core/capture/records.h"

namespace warpline::test {

struct CaptureContent {
    struct Frame {
        capture::FrameHeader header;
        std::string payload;  ///< unpacked

        capture::FrameType type() const { return static_cast<capture::FrameType>(header.type); }
    };
    std::vector<Frame> frames;
    capture::FrameReader::Damage damage;
    uint64_t pendingBytes = 0;                                     ///< of a frame that was cut
    uint64_t unreadable = 0;                                       ///< frames that are not as they say
    std::map<std::pair<uint32_t, uint32_t>, std::string> texts;    ///< by source and number
    std::map<uint32_t, std::map<std::string, std::string>> facts;  ///< by source; the last of a key
    std::set<uint32_t> ended;                                      ///< sources that have an end

    /// Of the processes: without 0, the recording side.
    std::set<uint32_t> sources() const;
    std::string text(uint32_t source, uint32_t number) const;
    std::string fact(uint32_t source, const std::string& key) const;
    size_t count(capture::FrameType type) const;

    /// Of one source; of all if that is -1.
    template <class Record>
    std::vector<Record> records(int64_t source = -1) const {
        std::vector<Record> all;
        for (const Frame& frame : frames) {
            if (frame.type() != capture::kFrameOf<Record> || (source >= 0 && frame.header.source != source)) {
                continue;
            }
            if (const auto view = capture::RecordView<Record>::of(frame.payload)) {
                for (size_t i = 0; i < view->size(); ++i) {
                    all.push_back((*view)[i]);
                }
            }
        }
        return all;
    }
    /// Records that are said to be lost for that reason.
    uint64_t lost(capture::LossKind kind) const;
};

CaptureContent readCapture(std::string_view bytes);
CaptureContent readCaptureFile(const QString& path);

}  // namespace warpline::test
