// SPDX-License-Identifier: MIT
#include "core/cache/trace_image.h"

#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/base/parallel.h"
#include "core/cache/code_id.h"
#include "core/cache/image_check.h"
#include "core/cache/trace_fields.h"

namespace warpline {

using namespace cache;

namespace {

static_assert(std::endian::native == std::endian::little, "images are little endian");

constexpr std::array<char, 8> kMagic = {'W', 'L', 'I', 'M', 'A', 'G', 'E', '\n'};
constexpr uint32_t kFormat = 1;
constexpr uint64_t kAlignment = 64;
constexpr uint64_t kPieceBytes = uint64_t{4} << 20;

struct Header {
    std::array<char, 8> magic = kMagic;
    uint32_t format = kFormat;
    uint32_t sections = 0;
    uint64_t codeId = kCodeId;  ///< of the sources that make and read traces
    Hash128 key;
    uint64_t fileBytes = 0;
    uint64_t tableHash = 0;   ///< of the table of contents and the checksums
    uint64_t headerHash = 0;  ///< of what stands before
};
static_assert(sizeof(Header) == 64 && std::is_trivially_copyable_v<Header>);

struct Section {
    uint64_t offset = 0;
    uint64_t count = 0;  ///< of items
    uint64_t itemBytes = 0;
    uint64_t bytes() const { return count * itemBytes; }
    uint64_t pieces() const { return (bytes() + kPieceBytes - 1) / kPieceBytes; }
};
static_assert(sizeof(Section) == 24);

uint64_t aligned(uint64_t offset) {
    return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

uint64_t headerHashOf(const Header& header) {
    return XXH3_64bits(&header, offsetof(Header, headerHash));
}

Error systemError(const char* what, int error) {
    return Error::failed(std::string(what) + ": " + std::generic_category().message(error));
}

/// A stretch of memory that is a section, or becomes one.
struct Stretch {
    std::byte* data = nullptr;
    uint64_t count = 0;
    uint64_t itemBytes = 1;
};

template <class Column>
Stretch stretchOf(const Column& column) {
    const auto bytes = std::as_bytes(std::span(column));
    return {const_cast<std::byte*>(bytes.data()), column.size(), sizeof(typename Column::value_type)};
}
Stretch stretchOf(const IdColumn& column) {
    const auto bytes = column.stored();
    return {const_cast<std::byte*>(bytes.data()), column.size(), column.isWide() ? sizeof(uint64_t) : sizeof(uint32_t)};
}
Stretch stretchOf(std::span<const std::byte> bytes) {
    return {const_cast<std::byte*>(bytes.data()), bytes.size(), 1};
}

/// Where a section's bytes go; nullopt if its items are none of the column.
template <class Column>
std::optional<Stretch> makeRoom(Column& column, const Section& section) {
    if (section.itemBytes != sizeof(typename Column::value_type)) {
        return std::nullopt;
    }
    column.resize(section.count);
    return stretchOf(column);
}
std::optional<Stretch> makeRoom(IdColumn& column, const Section& section) {
    if (section.itemBytes != sizeof(uint32_t) && section.itemBytes != sizeof(uint64_t)) {
        return std::nullopt;
    }
    column.makeRoom(section.count, section.itemBytes == sizeof(uint64_t));
    return stretchOf(column);
}

/// What is no column, in sections of its own; written and read by the same lines.
enum Archive : size_t { kFacts, kAsync, kCounters, kPoints, kArchives };

/// One value at a time of what the report and the files hold.
struct Facts {
    std::vector<std::optional<SourceRecipe>> recipes;  ///< by file
    std::vector<Issue> issues;
    bool isComplete = true;
};

void archive(Archive which, auto& all, auto& data, auto& facts) {
    switch (which) {
        case kFacts:
            all(data.files)(facts.recipes)(facts.issues)(facts.isComplete)(data.devices)(data.counts)(data.range)(
                data.initialView)(data.processes)(data.tracks);
            break;
        case kAsync:
            all(data.asyncSlices)(data.asyncInstants);
            break;
        case kCounters:
            all(data.counters);
            break;
        case kPoints:
            all(data.memoryEvents)(data.danglingFlows);
            break;
        case kArchives:
            break;
    }
}

/// The texts in order, without "", and how long each is.
struct Texts {
    std::vector<char> characters;
    std::vector<uint32_t> lengths;
};

/// All of what a stretch of a file should hold.
Status readWhole(int descriptor, uint64_t offset, std::span<std::byte> to) {
    size_t got = 0;
    while (got < to.size()) {
        const ssize_t count = ::pread(descriptor, to.data() + got, to.size() - got, static_cast<off_t>(offset + got));
        if (count < 0 && errno != EINTR) {
            return systemError("cannot be read", errno);
        }
        if (count == 0) {
            return Error::failed("is cut off");
        }
        got += count > 0 ? static_cast<size_t>(count) : 0;
    }
    return Status::success();
}

Status writeWhole(int descriptor, uint64_t offset, std::span<const std::byte> from) {
    size_t put = 0;
    while (put < from.size()) {
        const ssize_t count =
            ::pwrite(descriptor, from.data() + put, from.size() - put, static_cast<off_t>(offset + put));
        if (count < 0 && errno != EINTR) {
            return systemError("cannot be written", errno);
        }
        put += count > 0 ? static_cast<size_t>(count) : 0;
    }
    return Status::success();
}

struct Piece {
    uint64_t fileOffset = 0;
    std::span<std::byte> memory;
};

std::vector<Piece> piecesOf(const std::vector<Section>& sections, const std::vector<Stretch>& stretches) {
    std::vector<Piece> pieces;
    for (size_t i = 0; i < sections.size(); ++i) {
        for (uint64_t at = 0; at < sections[i].bytes(); at += kPieceBytes) {
            const uint64_t length = std::min(kPieceBytes, sections[i].bytes() - at);
            pieces.push_back({sections[i].offset + at, {stretches[i].data + at, static_cast<size_t>(length)}});
        }
    }
    return pieces;
}

/// The table of contents, then the checksums.
uint64_t tableHashOf(const std::vector<Section>& sections, const std::vector<uint64_t>& sums) {
    const std::array<uint64_t, 2> hashes = {XXH3_64bits(sections.data(), sections.size() * sizeof(Section)),
                                            XXH3_64bits(sums.data(), sums.size() * sizeof(uint64_t))};
    return XXH3_64bits(hashes.data(), sizeof hashes);
}

/// Fills a TraceData from a file. One use.
class ImageReader {
public:
    ImageReader(int descriptor, unsigned threads, JobControl& job)
        : m_descriptor(descriptor), m_threads(threads), m_job(job) {}

    /// Everything but paths, sources and what is made anew.
    Status read(const Hash128& key) {
        if (Status status = readTable(key); !status) {
            return status;
        }
        if (Status status = readSections(); !status) {
            return status;
        }
        if (Status status = decode(); !status) {
            return status;
        }
        if (const std::string fault = firstFault(*data, m_threads); !fault.empty()) {
            return Error::failed("is not sound: " + fault);
        }
        buildLods();
        return m_job.stopRequested() ? Status(Error::cancelled()) : Status::success();
    }

    std::unique_ptr<TraceData> data = std::make_unique<TraceData>();
    Facts facts;

private:
    Status readTable(const Hash128& key) {
        struct stat status {};
        if (::fstat(m_descriptor, &status) != 0) {
            return systemError("cannot be read", errno);
        }
        const auto fileBytes = static_cast<uint64_t>(status.st_size);
        Header header;
        if (Status read = readWhole(m_descriptor, 0, std::as_writable_bytes(std::span(&header, 1))); !read) {
            return read;
        }
        if (header.magic != kMagic || header.headerHash != headerHashOf(header)) {
            return Error::failed("is no image of a trace");
        }
        if (header.format != kFormat || header.codeId != kCodeId) {
            return Error::failed("was written by another version of Warpline");
        }
        if (header.key != key) {
            return Error::failed("is the image of another trace");
        }
        if (header.fileBytes != fileBytes || header.sections > fileBytes / sizeof(Section)) {
            return Error::failed("is cut off");
        }
        m_sections.resize(header.sections);
        if (Status read = readWhole(m_descriptor, sizeof header, std::as_writable_bytes(std::span(m_sections)));
            !read) {
            return read;
        }
        uint64_t pieces = 0;
        for (const Section& section : m_sections) {
            if (section.itemBytes == 0 || section.offset > fileBytes ||
                section.count > (fileBytes - section.offset) / section.itemBytes) {
                return Error::failed("has a damaged table of contents");
            }
            pieces += section.pieces();
        }
        if (pieces > fileBytes / sizeof(uint64_t)) {
            return Error::failed("has a damaged table of contents");
        }
        m_sums.resize(pieces);
        const uint64_t sumsOffset = sizeof header + m_sections.size() * sizeof(Section);
        if (Status read = readWhole(m_descriptor, sumsOffset, std::as_writable_bytes(std::span(m_sums))); !read) {
            return read;
        }
        return header.tableHash == tableHashOf(m_sections, m_sums) ? Status::success()
                                                                   : Error::failed("has a damaged table of contents");
    }

    Status readSections() {
        std::vector<Stretch> stretches;
        size_t next = 0;
        bool fits = true;
        const auto add = [&](auto& column) {
            const auto room = next < m_sections.size() ? makeRoom(column, m_sections[next]) : std::nullopt;
            fits = fits && room.has_value();
            stretches.push_back(room.value_or(Stretch()));
            ++next;
        };
        columns(*data, add);
        for (auto& bytes : m_archives) {
            add(bytes);
        }
        add(m_texts.characters), add(m_texts.lengths);
        if (!fits || next != m_sections.size()) {
            return Error::failed("holds other columns than this version of Warpline");
        }
        const std::vector<Piece> pieces = piecesOf(m_sections, stretches);
        std::atomic<bool> isCut{false};
        std::atomic<bool> isDamaged{false};
        std::atomic<uint64_t> done{0};
        parallelFor(pieces.size(), m_threads, [&](size_t i) {
            if (m_job.stopRequested() || isCut || isDamaged) {
                return;
            }
            const Piece& piece = pieces[i];
            if (!readWhole(m_descriptor, piece.fileOffset, piece.memory).ok()) {
                isCut = true;
            } else if (XXH3_64bits(piece.memory.data(), piece.memory.size()) != m_sums[i]) {
                isDamaged = true;
            }
            m_job.setProgress(done += piece.memory.size(), m_job.total());
        });
        return m_job.stopRequested() ? Error::cancelled()
               : isCut               ? Error::failed("cannot be read to its end")
               : isDamaged           ? Error::failed("is damaged: a checksum does not fit")
                                     : Status::success();
    }

    Status decode() {
        std::atomic<bool> isGood{true};
        parallelFor(kArchives + 1, m_threads, [&](size_t i) {
            if (i == kArchives) {
                isGood = addTexts() && isGood;
                return;
            }
            ArchiveReader reader(std::as_bytes(std::span(m_archives[i])));
            archive(static_cast<Archive>(i), reader, *data, facts);
            isGood = reader.ok() && isGood;
        });
        if (!isGood || facts.recipes.size() != data->files.size()) {
            return Error::failed("cannot be decoded");
        }
        for (const Issue& issue : facts.issues) {
            data->report.add(issue.file, issue.code, issue.severity, issue.firstOffset, issue.space, issue.detail,
                             issue.count);
        }
        if (!facts.isComplete) {
            data->report.setIncomplete();
        }
        data->report.finish();
        return Status::success();
    }

    /// False if they are not all there, or not all different.
    bool addTexts() {
        const std::string_view characters(m_texts.characters.data(), m_texts.characters.size());
        size_t at = 0;
        for (size_t i = 0; i < m_texts.lengths.size(); ++i) {
            const size_t length = m_texts.lengths[i];
            if (length > characters.size() - at || data->strings.intern(characters.substr(at, length)).value != i + 1) {
                return false;
            }
            at += length;
        }
        return at == characters.size();
    }

    void buildLods() {
        data->lods.resize(data->lanes.size());
        parallelFor(data->lanes.size(), m_threads, [&](size_t i) {
            const Lane& lane = data->lanes[i];
            data->lods[i] = LodPyramid::build(std::span(data->slices.begin).subspan(lane.firstRow, lane.count),
                                              std::span(data->slices.duration).subspan(lane.firstRow, lane.count));
        });
    }

    int m_descriptor;
    unsigned m_threads;
    JobControl& m_job;
    std::vector<Section> m_sections;
    std::vector<uint64_t> m_sums;
    std::array<std::vector<char>, kArchives> m_archives;
    Texts m_texts;
};

}  // namespace

bool hasTraceImage(const Trace& trace) {
    return std::ranges::all_of(trace.files(), [](const FileInfo& file) {
        return file.source == nullptr || file.source->recipe().has_value();
    });
}

Status writeTraceImage(const Trace& trace, const Hash128& key, int descriptor, const JobControl& job) {
    const TraceData& data = dataOf(trace);
    Facts facts{{}, data.report.issues(), data.report.complete()};
    for (const FileInfo& file : data.files) {
        facts.recipes.push_back(file.source == nullptr ? std::nullopt : file.source->recipe());
    }
    std::array<ArchiveWriter, kArchives> archives;
    Texts texts;
    for (uint32_t id = 1; id < data.strings.size(); ++id) {
        const std::string_view text = data.strings.view(StringId(id));
        if (text.size() > std::numeric_limits<uint32_t>::max()) {
            return Error::failed("a text is too long to be kept");
        }
        texts.characters.insert(texts.characters.end(), text.begin(), text.end());
        texts.lengths.push_back(static_cast<uint32_t>(text.size()));
    }

    std::vector<Stretch> stretches;
    columns(data, [&](const auto& column) { stretches.push_back(stretchOf(column)); });
    for (size_t i = 0; i < kArchives; ++i) {
        archive(static_cast<Archive>(i), archives[i], data, facts);
        stretches.push_back(stretchOf(archives[i].bytes()));
    }
    stretches.push_back(stretchOf(texts.characters));
    stretches.push_back(stretchOf(texts.lengths));

    std::vector<Section> sections;
    uint64_t pieceCount = 0;
    for (const Stretch& stretch : stretches) {
        sections.push_back({0, stretch.count, stretch.itemBytes});
        pieceCount += sections.back().pieces();
    }
    uint64_t end = sizeof(Header) + sections.size() * sizeof(Section) + pieceCount * sizeof(uint64_t);
    for (Section& section : sections) {
        section.offset = aligned(end);
        end = section.offset + section.bytes();
    }
    std::vector<uint64_t> sums;
    for (const Piece& piece : piecesOf(sections, stretches)) {
        if (job.stopRequested()) {
            return Error::cancelled();
        }
        sums.push_back(XXH3_64bits(piece.memory.data(), piece.memory.size()));
        if (Status status = writeWhole(descriptor, piece.fileOffset, piece.memory); !status) {
            return status;
        }
    }
    // An empty last section would leave the file a little short of what the header says.
    if (::ftruncate(descriptor, static_cast<off_t>(end)) != 0) {
        return systemError("cannot be written", errno);
    }
    Header header;
    header.sections = static_cast<uint32_t>(sections.size());
    header.key = key;
    header.fileBytes = end;
    header.tableHash = tableHashOf(sections, sums);
    header.headerHash = headerHashOf(header);
    uint64_t offset = 0;
    for (const auto part :
         {std::as_bytes(std::span(&header, 1)), std::as_bytes(std::span(sections)), std::as_bytes(std::span(sums))}) {
        if (Status status = writeWhole(descriptor, offset, part); !status) {
            return status;
        }
        offset += part.size();
    }
    return Status::success();
}

Result<std::shared_ptr<const Trace>> readTraceImage(int descriptor, const Hash128& key,
                                                    const std::vector<std::string>& paths, const ReopenSource& reopen,
                                                    unsigned threads, JobControl& job) {
    ImageReader reader(descriptor, threads, job);
    if (const Status status = reader.read(key); !status) {
        return status.error();
    }
    std::vector<FileInfo>& files = reader.data->files;
    if (files.size() != paths.size()) {
        return Error::failed("is the image of another number of files");
    }
    for (size_t i = 0; i < files.size(); ++i) {
        files[i].path = paths[i];
        if (const auto& recipe = reader.facts.recipes[i]) {
            auto source = reopen(i, *recipe);
            if (!source) {
                return source.error();
            }
            files[i].source = std::move(source.value());
        }
    }
    return std::shared_ptr<const Trace>(std::make_shared<const Trace>(std::move(reader.data)));
}

}  // namespace warpline
