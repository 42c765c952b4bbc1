// SPDX-License-Identifier: MIT
#include "core/record/agent/capture_merger.h"

#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/capture/texts.h"

namespace warpline::record {

using namespace capture;

namespace {

constexpr size_t kPiece = size_t{1} << 20;

template <class Record>
uint64_t recordsIn(std::string_view payload) {
    const auto view = RecordView<Record>::of(payload);
    return view ? view->size() : 0;
}

}  // namespace

struct CaptureMerger::Source {
    std::string path;
    std::string pid = "?";
    uint32_t number = 0;
    int file = -1;
    uint64_t offset = 0, givenBack = 0;
    FrameReader reader;
    uint64_t damage = 0;
    bool hasEnded = false;
    bool isDone = false;  ///< it has ended, and all of it was read
    bool isUnreadable = false;

    ~Source() { closeFile(); }
    void closeFile() {
        if (file >= 0) {
            close(std::exchange(file, -1));
        }
    }
};

struct CaptureMerger::Packer {
    ZSTD_CCtx* context = ZSTD_createCCtx();
    std::string packed;
    std::string frame;
    std::string piece;

    ~Packer() { ZSTD_freeCCtx(context); }
};

CaptureMerger::CaptureMerger(Sink sink)
    : m_sink(std::move(sink)),
      m_packer(std::make_unique<Packer>()),
      m_own([this](std::span<const char> header, std::span<const char> payload) {
          FrameHeader own;
          std::memcpy(&own, header.data(), sizeof own);
          return passOn(static_cast<FrameType>(own.type), 0, own.sequence, {payload.data(), payload.size()});
      }) {}

CaptureMerger::~CaptureMerger() = default;

CaptureMerger::Source* CaptureMerger::sourceOf(const std::string& path) {
    const auto known = std::ranges::find(m_sources, path, [](const auto& source) { return source->path; });
    if (known != m_sources.end()) {
        return known->get();
    }
    auto source = std::make_unique<Source>();
    source->path = path;
    source->number = static_cast<uint32_t>(m_sources.size() + 1);
    ++m_counts.sources;
    return m_sources.emplace_back(std::move(source)).get();
}

bool CaptureMerger::readOn(const std::string& path) {
    Source* source = sourceOf(path);
    if (source->isDone) {
        return !m_isBroken;
    }
    // No descriptor is kept from one look to the next: there may be more processes than there may be descriptors.
    source->file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (source->isUnreadable != (source->file < 0)) {
        source->isUnreadable = source->file < 0;
        m_counts.unreadable += source->isUnreadable ? 1 : -1;
    }
    std::string& piece = m_packer->piece;
    const uint64_t before = m_counts.bytesRead;
    while (source->file >= 0 && !m_isBroken && m_counts.bytesRead - before < kMostAtOnce) {
        piece.resize(kPiece);
        const ssize_t got = pread(source->file, piece.data(), piece.size(), static_cast<off_t>(source->offset));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            source->isDone = source->hasEnded;
            break;
        }
        source->offset += static_cast<uint64_t>(got);
        m_counts.bytesRead += static_cast<uint64_t>(got);
        source->reader.add(std::string_view(piece).substr(0, static_cast<size_t>(got)));
        while (const auto frame = source->reader.next()) {
            take(*source, *frame);  // once the stream is broken, as lost
        }
        const uint64_t damage = source->reader.damage().bytes;
        m_counts.damagedBytes += damage - source->damage;
        source->damage = damage;
        // A long recording would else lie on the disk twice. Where the file system cannot do that, it does.
        constexpr uint64_t kWorthIt = uint64_t{16} << 20;
        if (source->offset - source->givenBack >= kWorthIt) {
            fallocate(source->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(source->givenBack),
                      static_cast<off_t>(source->offset - source->givenBack));
            source->givenBack = source->offset;
        }
    }
    source->closeFile();
    return !m_isBroken;
}

bool CaptureMerger::hasEnded(const std::string& path) const {
    const auto known = std::ranges::find(m_sources, path, [](const auto& source) { return source->path; });
    return known != m_sources.end() && (*known)->hasEnded;
}

bool CaptureMerger::take(Source& source, const Frame& frame) {
    if (!passOn(frame.type(), source.number, frame.header.sequence, frame.payload)) {
        MergeCounts unwritten;
        count(source, frame, unwritten);
        m_counts.lost += unwritten.events;
        return false;
    }
    count(source, frame, m_counts);
    return true;
}

void CaptureMerger::count(Source& source, const Frame& frame, MergeCounts& counts) {
    const std::string_view payload = frame.payload;
    const auto also = [&](uint64_t& of, uint64_t records) {
        of += records;
        counts.events += records;
    };
    switch (frame.type()) {
        case FrameType::Begin:
            if (const auto facts = factsOf(payload)) {
                for (const auto& [key, value] : *facts) {
                    source.pid = key == fact::kPid ? std::string(value) : source.pid;
                }
            }
            break;
        case FrameType::End: {
            counts.ended += source.hasEnded ? 0 : 1;
            source.hasEnded = true;
            const auto facts = factsOf(payload);
            for (const auto& [key, value] :
                 facts.value_or(std::vector<std::pair<std::string_view, std::string_view>>{})) {
                if (key == fact::kError) {
                    counts.refusals.push_back("process " + source.pid + ": " + std::string(value));
                }
            }
            break;
        }
        case FrameType::Kernels:
            if (const auto kernels = RecordView<KernelRecord>::of(payload)) {
                also(counts.kernels, kernels->size());
                for (size_t i = 0; i < kernels->size(); ++i) {
                    counts.completeToNs = std::max(counts.completeToNs, (*kernels)[i].end);
                }
            }
            break;
        case FrameType::Calls:
            also(counts.launches, recordsIn<CallRecord>(payload));
            break;
        case FrameType::Launches:
            counts.notedLaunches += recordsIn<LaunchRecord>(payload);
            break;
        case FrameType::Copies:
            also(counts.copies, recordsIn<CopyRecord>(payload));
            break;
        case FrameType::Sets:
            also(counts.copies, recordsIn<SetRecord>(payload));
            break;
        case FrameType::Memory:
            also(counts.allocations, recordsIn<MemoryRecord>(payload));
            break;
        case FrameType::Ranges:
            also(counts.ranges, recordsIn<RangeRecord>(payload));
            break;
        case FrameType::Losses:
            if (const auto losses = RecordView<LossRecord>::of(payload)) {
                for (size_t i = 0; i < losses->size(); ++i) {
                    const LossRecord loss = (*losses)[i];
                    counts.lost += loss.kind == LossKind::Filtered ? 0 : loss.count;
                    counts.takeOvers += loss.kind == LossKind::TakenOver && loss.end == 0 ? 1 : 0;
                }
            }
            break;
        default:
            break;
    }
}

bool CaptureMerger::passOn(FrameType type, uint32_t source, uint64_t sequence, std::string_view payload) {
    if (m_isBroken) {
        return false;
    }
    constexpr size_t kWorthPacking = 256;
    constexpr int kLevel = 1;
    uint16_t flags = 0;
    if (payload.size() >= kWorthPacking) {
        std::string& packed = m_packer->packed;
        packed.resize(ZSTD_compressBound(payload.size()));
        const size_t size =
            ZSTD_compressCCtx(m_packer->context, packed.data(), packed.size(), payload.data(), payload.size(), kLevel);
        if (ZSTD_isError(size) == 0 && size < payload.size()) {
            packed.resize(size);
            payload = packed;
            flags = kPackedByZstd;
        }
    }
    const FrameHeader header = makeHeader(type, source, sequence, payload, flags);
    std::string& frame = m_packer->frame;
    frame.assign(reinterpret_cast<const char*>(&header), sizeof header);
    frame += payload;
    m_isBroken = m_isBroken || !m_sink(frame);
    m_counts.bytes += m_isBroken ? 0 : frame.size();
    return !m_isBroken;
}

}  // namespace warpline::record
