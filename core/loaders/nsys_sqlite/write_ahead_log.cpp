// SPDX-License-Identifier: MIT
#include "core/loaders/nsys_sqlite/write_ahead_log.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpline::loaders::nsys_sqlite {

namespace {

constexpr size_t kHeaderBytes = 32;
constexpr size_t kFrameHeaderBytes = 24;
constexpr uint32_t kMagic = 0x377f0682;  // its lowest bit: checksums are of big-endian words

uint32_t wordAt(std::span<const char> bytes, size_t at, bool isBigEndian = true) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) {
        value = value << 8 | static_cast<unsigned char>(bytes[at + (isBigEndian ? i : 3 - i)]);
    }
    return value;
}

struct Checksum {
    uint32_t first = 0, second = 0;
    bool isBigEndian = true;

    void add(std::span<const char> bytes) {
        for (size_t at = 0; at + 8 <= bytes.size(); at += 8) {
            first += wordAt(bytes, at, isBigEndian) + second;
            second += wordAt(bytes, at + 4, isBigEndian) + first;
        }
    }
    bool isAt(std::span<const char> bytes, size_t at) const {
        return wordAt(bytes, at) == first && wordAt(bytes, at + 4) == second;
    }
};

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

Result<uint64_t> pagesOnlyInLog(const std::string& path, SourceBytes& database, const JobControl& job) {
    const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rbe"));
    if (file == nullptr) {
        return errno == ENOENT || errno == ENOTDIR ? Result<uint64_t>(uint64_t{0})
                                                   : Error::failed(path + ": " + std::strerror(errno));
    }
    const auto readAll = [&](std::span<char> bytes) {
        return std::fread(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
    };
    std::array<char, kHeaderBytes> header{};
    if (!readAll(header)) {
        return std::ferror(file.get()) != 0 ? Error::failed(path + ": cannot be read") : Result<uint64_t>(uint64_t{0});
    }
    const uint32_t pageBytes = wordAt(header, 8);
    const bool isPageSize = pageBytes >= 512 && pageBytes <= 65536 && (pageBytes & (pageBytes - 1)) == 0;
    Checksum checksum;
    checksum.isBigEndian = (wordAt(header, 0) & 1) != 0;
    checksum.add(std::span(header).first(kHeaderBytes - 8));
    if ((wordAt(header, 0) & ~1U) != kMagic || !isPageSize || !checksum.isAt(header, kHeaderBytes - 8)) {
        return uint64_t{0};
    }
    std::vector<char> frame(kFrameHeaderBytes + pageBytes);
    const auto page = std::span<const char>(frame).subspan(kFrameHeaderBytes);
    std::vector<char> stored(pageBytes);
    std::unordered_map<uint32_t, bool> differs;  // by page, as the last commit has it
    std::vector<std::pair<uint32_t, bool>> pending;
    while (readAll(frame)) {
        if (job.stopRequested()) {
            return Error::cancelled();
        }
        checksum.add(std::span<const char>(frame).first(8));
        checksum.add(page);
        const bool isOfThisTurn = std::memcmp(frame.data() + 8, header.data() + 16, 8) == 0;
        const uint32_t number = wordAt(frame, 0);
        if (!isOfThisTurn || !checksum.isAt(frame, 16) || number == 0) {
            break;
        }
        const bool isStored = database.read(uint64_t{number - 1} * pageBytes, stored) &&
                              std::memcmp(stored.data(), page.data(), pageBytes) == 0;
        pending.emplace_back(number, !isStored);
        if (wordAt(frame, 4) != 0) {
            for (const auto& [changed, isNew] : pending) {
                differs[changed] = isNew;
            }
            pending.clear();
        }
    }
    if (std::ferror(file.get()) != 0) {
        return Error::failed(path + ": cannot be read");
    }
    uint64_t count = 0;
    for (const auto& [number, isNew] : differs) {
        count += isNew ? 1 : 0;
    }
    return count;
}

}  // namespace warpline::loaders::nsys_sqlite
