// SPDX-License-Identifier: MIT
#pragma once
// The frames of a zstd file, decompressed one after the other. A frame that is damaged costs what it holds from there
// on, and no more: the next one is looked for and read.

#include <zstd.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/job_control.h"
#include "core/loaders/part_search.h"
#include "core/loaders/stored_bytes.h"
#include "core/loaders/text_source.h"
#include "core/loaders/zstd_frame.h"

namespace warpline {

/// Decompresses from the begin of a frame on. The same text and damage come from the same begin, in any pieces. One
/// thread.
class ZstdStream {
public:
    enum class State { Running, Ended, Cut };
    /// A place at which a frame begins.
    struct Frame {
        uint64_t textOffset = 0;
        uint64_t storedOffset = 0;
    };

    ZstdStream(std::shared_ptr<const StoredBytes> bytes, Frame from);

    /// The search for a frame, which gives no text for long, fails once `job` is stopped; null: it goes on.
    void stopWith(const JobControl* job) { m_search.stopWith(job); }
    /// Fills `out`; fewer bytes only at the end.
    Result<size_t> next(std::span<char> out);

    State state() const { return m_state; }
    uint64_t textOffset() const { return m_textOffset; }
    uint64_t storedOffset() const { return m_inputOffset - (m_pending.size - m_pending.pos); }
    /// The last place at which a frame ended, and so another may begin.
    Frame lastFrame() const { return m_lastFrame; }
    /// One entry for things of a kind, with the first's place.
    const std::vector<TextSource::Damage>& damage() const { return m_damage; }

private:
    Status refillAt(uint64_t storedOffset);
    Status beginFrame();
    Status decompressPiece(ZSTD_outBuffer& target);
    Status frameFailed(size_t code);
    Status goOnBehindDamage(uint64_t at, const std::string& reason, uint64_t searchFrom);

    std::shared_ptr<const StoredBytes> m_bytes;
    ZstdContext m_context;
    ZstdFrame m_kind;
    PartSearch m_search;
    std::vector<char> m_input;
    ZSTD_inBuffer m_pending{nullptr, 0, 0};
    uint64_t m_inputOffset;
    uint64_t m_textOffset;
    size_t m_wanted = 1;  ///< bytes that the decompressor asks for
    bool m_isBetweenFrames = true;
    bool m_isBehindSound;        ///< the frame before this place, if there is one, was whole and right
    uint64_t m_frameStored = 0;  ///< begin of the frame that is being read
    uint64_t m_blockStored = 0;  ///< and of its block
    Frame m_lastFrame;
    State m_state = State::Running;
    std::vector<TextSource::Damage> m_damage;
};

}  // namespace warpline
