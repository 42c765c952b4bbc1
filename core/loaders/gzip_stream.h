// SPDX-License-Identifier: MIT
#pragma once
// The members of a gzip file, decompressed one after the other by zlib. A member that is damaged costs what it holds
// from there on, and no more: the next one is looked for and read.

#include <zlib.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/job_control.h"
#include "core/loaders/gzip_member.h"
#include "core/loaders/part_search.h"
#include "core/loaders/stored_bytes.h"
#include "core/loaders/text_source.h"

namespace warpline {

/// Decompresses from a checkpoint on. The same text and damage come from the same begin, in any pieces. One thread.
class GzipStream {
public:
    enum class State { Running, Ended, Cut };

    /// A place at which decompressing can begin.
    struct Checkpoint {
        uint64_t textOffset = 0;
        uint64_t storedOffset = 0;  ///< the next whole byte
        uint64_t memberStored = 0;  ///< where its member begins
        int bits = 0;               ///< how many bits of the byte before it still count
        bool atMember = false;      ///< the member before it, if there is one, has ended here; no window needed
        std::string window;         ///< the text before it, 32 KiB at most
    };
    /// Where next() has stopped early.
    enum class Stop {
        None,
        BlockEnd,   ///< checkpoint() can be taken
        BehindGap,  ///< it should be: whoever begins before it looks for the member here once more
    };

    explicit GzipStream(std::shared_ptr<const StoredBytes> bytes);
    ~GzipStream();
    GzipStream(const GzipStream&) = delete;
    GzipStream& operator=(const GzipStream&) = delete;

    /// Called once, before all else.
    Status start(const Checkpoint& from);
    /// The search for a member, which gives no text for long, fails once `job` is stopped; null: it goes on.
    void stopWith(const JobControl* job) { m_search.stopWith(job); }

    /// Fills `out`; fewer bytes only at the end, or where stop() tells why.
    Result<size_t> next(std::span<char> out);

    Stop stop() const { return m_stop; }
    /// REQUIRES: stop() is not None.
    Checkpoint checkpoint();
    /// Behind a gap: what follows stands so much further on, as that many bytes were given in its place.
    void passText(uint64_t bytes) { m_textOffset += bytes; }
    State state() const { return m_state; }
    uint64_t textOffset() const { return m_textOffset; }
    uint64_t storedOffset() const { return m_inputOffset - m_stream.avail_in; }
    /// One entry for things of a kind, with the first's place.
    const std::vector<TextSource::Damage>& damage() const { return m_damage; }

private:
    Result<size_t> refill();
    Result<int> peek();
    void drop();
    void moveTo(uint64_t storedOffset);
    Result<bool> passPadding();
    Status nextMember();
    Status takeCode(int code, bool hasText);
    Status endCut();
    Status endInTrailer();
    uint64_t searchedAgainFrom(uint64_t at) const;
    Status goOnBehindDamage(uint64_t at, const std::string& reason, uint64_t searchFrom);
    Status goOnAt(uint64_t member, uint64_t damagedAt, const std::string& reason);
    Result<bool> looksDamaged(uint64_t at) const;

    std::shared_ptr<const StoredBytes> m_bytes;
    std::vector<char> m_input;
    z_stream m_stream{};
    bool m_isOpen = false;
    bool m_isRaw = false;  ///< begun inside a member, so its trailer is passed over
    bool m_isBetweenMembers = false;
    bool m_isBehindSound = false;    ///< the member before this place was whole
    bool m_isSumWrong = false;       ///< of the member before
    bool m_isLastBlockRead = false;  ///< of the member; its trailer follows
    Stop m_stop = Stop::None;
    size_t m_skip = 0;           ///< what is left of a trailer
    uint64_t m_inputOffset = 0;  ///< just behind what m_input holds
    uint64_t m_textOffset = 0;
    uint64_t m_memberStored = 0;
    uint64_t m_memberText = 0;
    uint64_t m_trailerStored = 0;  ///< of the member before what is none
    State m_state = State::Running;
    GzipMember m_kind;
    PartSearch m_search;
    std::vector<TextSource::Damage> m_damage;
};

}  // namespace warpline
