// SPDX-License-Identifier: MIT
#include "core/loaders/fast_inflater.h"

#include <algorithm>
#include <cassert>
#include <vector>

#ifdef WARPLINE_HAS_ISAL
#include <isa-l/igzip_lib.h>
#endif

namespace warpline {

#ifdef WARPLINE_HAS_ISAL

namespace {

constexpr size_t kInputBytes = size_t{256} << 10;
/// The decompressor takes bytes early and may give some back at a member's end, also those of the input before.
constexpr size_t kGivenBack = 16;

/// What a snapshot keeps beside the decompressor.
struct Place {
    uint64_t textOffset = 0;
    uint64_t storedOffset = 0;
    uint64_t memberText = 0;
    uint64_t memberStored = 0;
    bool isBetweenMembers = true;
};

}  // namespace

class FastInflater::Snapshot {
public:
    inflate_state stream;
    Place place;
};

struct FastInflater::Members {
    std::shared_ptr<const StoredBytes> bytes;
    inflate_state stream;
    Place place;  ///< its storedOffset is just behind what `input` holds
    std::vector<uint8_t> input = std::vector<uint8_t>(kGivenBack + kInputBytes);  ///< and the end of the input before
    State state = State::Running;

    uint64_t stored() const { return place.storedOffset - stream.avail_in; }
    /// False at the end of the input.
    Result<bool> refill() {
        if (stream.avail_in != 0) {
            return true;
        }
        uint8_t* fresh = input.data() + kGivenBack;
        std::copy(stream.next_in - kGivenBack, stream.next_in, input.data());
        const auto count = bytes->readAt(place.storedOffset, std::span(reinterpret_cast<char*>(fresh), kInputBytes));
        if (!count) {
            return count.error();
        }
        place.storedOffset += count.value();
        stream.next_in = fresh;
        stream.avail_in = static_cast<uint32_t>(count.value());
        return count.value() != 0;
    }
    Status beginMember();
};

/// Passes over zeros, which pad some files; starts the next member or ends.
Status FastInflater::Members::beginMember() {
    const uint64_t endBefore = stored();
    const bool isFirst = endBefore == 0;
    place.memberText = place.textOffset;
    place.memberStored = endBefore;
    for (;;) {
        const auto isMore = refill();
        if (!isMore) {
            return isMore.error();
        }
        if (!isMore.value()) {
            state = isFirst ? State::Stumbled : State::Ended;
            return Status::success();
        }
        if (*stream.next_in != 0 || isFirst) {
            break;
        }
        ++stream.next_in;
        --stream.avail_in;
    }
    if (*stream.next_in != 0x1f) {
        state = State::Stumbled;
        return Status::success();
    }
    // ISA-L passes over flags that no version of the format has given a meaning.
    constexpr unsigned kReservedFlags = 0xe0;
    char flags = 0;
    const auto count = bytes->readAt(stored() + 3, std::span(&flags, 1));
    if (!count) {
        return count.error();
    }
    if ((static_cast<unsigned char>(flags) & kReservedFlags) != 0) {
        state = State::Stumbled;
        return Status::success();
    }
    uint8_t* nextIn = stream.next_in;
    const uint32_t availableIn = stream.avail_in;
    isal_inflate_init(&stream);
    stream.crc_flag = ISAL_GZIP;
    stream.next_in = nextIn;
    stream.avail_in = availableIn;
    place.isBetweenMembers = false;
    return Status::success();
}

bool FastInflater::isAvailable() {
    return true;
}

FastInflater::FastInflater(std::shared_ptr<const StoredBytes> bytes, const Snapshot* from)
    : m(std::make_unique<Members>()) {
    m->bytes = std::move(bytes);
    if (from != nullptr) {
        m->stream = from->stream;
        m->place = from->place;
    } else {
        isal_inflate_init(&m->stream);
    }
    m->stream.next_in = m->input.data() + kGivenBack;
    m->stream.avail_in = 0;
}

FastInflater::~FastInflater() = default;

Result<size_t> FastInflater::next(std::span<char> out) {
    size_t got = 0;
    while (got < out.size() && m->state == State::Running) {
        if (m->place.isBetweenMembers) {
            if (const Status status = m->beginMember(); !status) {
                return status.error();
            }
            continue;
        }
        const auto isMore = m->refill();
        if (!isMore) {
            return isMore.error();
        }
        const auto room = static_cast<uint32_t>(std::min<size_t>(out.size() - got, 1U << 30));
        m->stream.next_out = reinterpret_cast<uint8_t*>(out.data() + got);
        m->stream.avail_out = room;
        const uint32_t availableIn = m->stream.avail_in;
        const int code = isal_inflate(&m->stream);
        const size_t made = room - m->stream.avail_out;
        got += made;
        m->place.textOffset += made;
        if (code != ISAL_DECOMP_OK) {
            m->state = State::Stumbled;
        } else if (m->stream.block_state == ISAL_BLOCK_FINISH) {
            m->place.isBetweenMembers = true;
        } else if (made == 0 && m->stream.avail_in == availableIn) {
            m->state = State::Stumbled;  // neither input nor progress
        }
    }
    return got;
}

std::shared_ptr<const FastInflater::Snapshot> FastInflater::snapshot() const {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->stream = m->stream;
    snapshot->place = m->place;
    snapshot->place.storedOffset = m->stored();
    return snapshot;
}

FastInflater::State FastInflater::state() const {
    return m->state;
}
uint64_t FastInflater::textOffset() const {
    return m->place.textOffset;
}
uint64_t FastInflater::storedOffset() const {
    return m->stored();
}
uint64_t FastInflater::memberText() const {
    return m->place.memberText;
}
uint64_t FastInflater::memberStored() const {
    return m->place.memberStored;
}

#else

class FastInflater::Snapshot {};
struct FastInflater::Members {};

bool FastInflater::isAvailable() {
    return false;
}
FastInflater::FastInflater(std::shared_ptr<const StoredBytes>, const Snapshot*) {}
FastInflater::~FastInflater() = default;
Result<size_t> FastInflater::next(std::span<char>) {
    return Error::failed("built without ISA-L");
}
std::shared_ptr<const FastInflater::Snapshot> FastInflater::snapshot() const {
    return nullptr;
}
FastInflater::State FastInflater::state() const {
    return State::Stumbled;
}
uint64_t FastInflater::textOffset() const {
    return 0;
}
uint64_t FastInflater::storedOffset() const {
    return 0;
}
uint64_t FastInflater::memberText() const {
    return 0;
}
uint64_t FastInflater::memberStored() const {
    return 0;
}

#endif

}  // namespace warpline
