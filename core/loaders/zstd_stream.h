// SPDX-License-Identifier: MIT
#pragma once
// The frames of a zstd file, decompressed one after the other. A frame that is damaged costs what it holds from there
// on, and no more: the next one is looked for and read.

#include <zstd.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/job_control.h"
#include "core/loaders/stored_bytes.h"
#include "core/loaders/text_source.h"

namespace warpline {

/// The magic numbers of a frame with text, and of one to be skipped (which pzstd begins each of its own with).
inline constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
inline constexpr size_t kZstdMagicBytes = 4;
/// REQUIRES: `head` has kZstdMagicBytes.
bool isZstdSkippable(std::string_view head);

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
    void stopWith(const JobControl* job) { m_job = job; }
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
    struct Free {
        void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
    };
    using Context = std::unique_ptr<ZSTD_DCtx, Free>;

    static Context makeContext();
    Status refillAt(uint64_t storedOffset);
    Status beginFrame();
    Status decompressPiece(ZSTD_outBuffer& target);
    Status frameFailed(size_t code);
    Status goOnBehindDamage(uint64_t at, const std::string& reason, uint64_t searchFrom);
    Result<std::optional<uint64_t>> findFrame(uint64_t from);
    Result<bool> isFrame(uint64_t at);
    void note(TextSource::Damage damage);

    std::shared_ptr<const StoredBytes> m_bytes;
    const JobControl* m_job = nullptr;
    Context m_context;
    Context m_trial;  ///< for what may be a frame; null until one is looked for
    int m_trials = 0;
    std::string m_search, m_head, m_text;  ///< buffers of the search for a frame
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
