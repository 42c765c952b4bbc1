// SPDX-License-Identifier: MIT
#include "core/loaders/nsys_sqlite/source_vfs.h"

#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cstring>

namespace warpline::loaders::nsys_sqlite {

namespace {

/// What SQLite allocates for an open file; the base has to stand first.
struct OpenFile {
    sqlite3_file base;
    SourceBytes* bytes;
};

SourceBytes& bytesOf(sqlite3_file* file) {
    return *reinterpret_cast<OpenFile*>(file)->bytes;
}

int closeFile(sqlite3_file* /*file*/) {
    return SQLITE_OK;
}

int readFile(sqlite3_file* file, void* buffer, int count, sqlite3_int64 offset) {
    SourceBytes& bytes = bytesOf(file);
    const auto begin = static_cast<uint64_t>(offset);
    const auto wanted = static_cast<size_t>(count);
    const uint64_t there = begin < bytes.size() ? bytes.size() - begin : 0;
    const size_t part = static_cast<size_t>(std::min<uint64_t>(wanted, there));
    auto* out = static_cast<char*>(buffer);
    if (!bytes.read(begin, std::span(out, part)) && part > 0) {
        return SQLITE_IOERR_READ;
    }
    std::memset(out + part, 0, wanted - part);  // as SQLite asks for
    return part == wanted ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

int refuseWrite(sqlite3_file* /*file*/, const void* /*data*/, int /*count*/, sqlite3_int64 /*offset*/) {
    return SQLITE_READONLY;
}

int refuseTruncate(sqlite3_file* /*file*/, sqlite3_int64 /*size*/) {
    return SQLITE_READONLY;
}

int syncNothing(sqlite3_file* /*file*/, int /*flags*/) {
    return SQLITE_OK;
}

int fileSize(sqlite3_file* file, sqlite3_int64* size) {
    *size = static_cast<sqlite3_int64>(bytesOf(file).size());
    return SQLITE_OK;
}

int lockNothing(sqlite3_file* /*file*/, int /*level*/) {
    return SQLITE_OK;
}

int isReserved(sqlite3_file* /*file*/, int* result) {
    *result = 0;
    return SQLITE_OK;
}

int controlNothing(sqlite3_file* /*file*/, int /*operation*/, void* /*argument*/) {
    return SQLITE_NOTFOUND;
}

int sectorSize(sqlite3_file* /*file*/) {
    return 4096;
}

int characteristics(sqlite3_file* /*file*/) {
    return SQLITE_IOCAP_IMMUTABLE;
}

constexpr sqlite3_io_methods kMethods = {
    1,           closeFile,   readFile,   refuseWrite,    refuseTruncate, syncNothing,     fileSize,
    lockNothing, lockNothing, isReserved, controlNothing, sectorSize,     characteristics, nullptr,
    nullptr,     nullptr,     nullptr,    nullptr,        nullptr,
};

int openFile(sqlite3_vfs* vfs, const char* /*name*/, sqlite3_file* file, int flags, int* outFlags) {
    file->pMethods = nullptr;
    if ((flags & SQLITE_OPEN_MAIN_DB) == 0) {
        return SQLITE_CANTOPEN;
    }
    file->pMethods = &kMethods;
    reinterpret_cast<OpenFile*>(file)->bytes = static_cast<SourceBytes*>(vfs->pAppData);
    if (outFlags != nullptr) {
        *outFlags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
    }
    return SQLITE_OK;
}

int refuseDelete(sqlite3_vfs* /*vfs*/, const char* /*name*/, int /*sync*/) {
    return SQLITE_READONLY;
}

int isThere(sqlite3_vfs* /*vfs*/, const char* /*name*/, int /*flags*/, int* result) {
    *result = 0;
    return SQLITE_OK;
}

int fullName(sqlite3_vfs* /*vfs*/, const char* name, int size, char* out) {
    sqlite3_snprintf(size, out, "%s", name);
    return SQLITE_OK;
}

int randomness(sqlite3_vfs* /*vfs*/, int size, char* out) {
    std::memset(out, 0, static_cast<size_t>(size));  // names files that are never made
    return size;
}

int sleepNot(sqlite3_vfs* /*vfs*/, int /*microseconds*/) {
    return 0;
}

int noTime(sqlite3_vfs* /*vfs*/, double* julianDay) {
    *julianDay = 0;
    return SQLITE_OK;
}

int noError(sqlite3_vfs* /*vfs*/, int /*size*/, char* /*out*/) {
    return 0;
}

}  // namespace

SourceVfs::SourceVfs(SourceBytes& bytes) : m_vfs(std::make_unique<sqlite3_vfs>()) {
    static std::atomic<uint64_t> number{0};
    m_name = "warpline-source-" + std::to_string(number.fetch_add(1, std::memory_order_relaxed));
    m_vfs->iVersion = 1;
    m_vfs->szOsFile = sizeof(OpenFile);
    m_vfs->mxPathname = 64;
    m_vfs->zName = m_name.c_str();
    m_vfs->pAppData = &bytes;
    m_vfs->xOpen = openFile;
    m_vfs->xDelete = refuseDelete;
    m_vfs->xAccess = isThere;
    m_vfs->xFullPathname = fullName;
    m_vfs->xRandomness = randomness;
    m_vfs->xSleep = sleepNot;
    m_vfs->xCurrentTime = noTime;
    m_vfs->xGetLastError = noError;
    sqlite3_initialize();
    sqlite3_vfs_register(m_vfs.get(), 0);
}

SourceVfs::~SourceVfs() {
    sqlite3_vfs_unregister(m_vfs.get());
}

}  // namespace warpline::loaders::nsys_sqlite
