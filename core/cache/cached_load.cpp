// SPDX-License-Identifier: MIT
#include "core/cache/cached_load.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "core/cache/code_id.h"
#include "core/cache/trace_image.h"
#include "core/loaders/registry.h"
#include "core/loaders/stored_bytes.h"

namespace warpline {

namespace {

std::optional<LoadedFiles::Stamp> stampOf(const std::string& path) {
    struct stat status {};
    // Files of the system's own (/proc) say that they are empty and are not.
    if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) {
        return std::nullopt;
    }
    return LoadedFiles::Stamp{status.st_dev,         status.st_ino,          static_cast<uint64_t>(status.st_size),
                              status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                              status.st_ctim.tv_nsec};
}

/// nullopt if one of them is no regular file.
std::optional<LoadedFiles> filesOf(const std::vector<std::string>& paths, const LoadOptions& options,
                                   const FileOffsets& offsets) {
    LoadedFiles files{paths, {}, options, offsets, std::nullopt};
    for (const std::string& path : paths) {
        const auto stamp = stampOf(path);
        if (!stamp) {
            return std::nullopt;
        }
        files.stamps.push_back(*stamp);
    }
    return files.stamps.empty() ? std::nullopt : std::optional(std::move(files));
}

bool areUnchanged(const LoadedFiles& files) {
    for (size_t i = 0; i < files.paths.size(); ++i) {
        if (stampOf(files.paths[i]) != files.stamps[i]) {
            return false;
        }
    }
    return true;
}

uint64_t bytesOf(const LoadedFiles& files) {
    uint64_t sum = 0;
    for (const LoadedFiles::Stamp& stamp : files.stamps) {
        sum += stamp.bytes;
    }
    return sum;
}

using OpenFiles = std::vector<std::shared_ptr<const StoredBytes>>;

Result<OpenFiles> openAll(const LoadedFiles& files, JobControl& job) {
    OpenFiles open;
    for (const std::string& path : files.paths) {
        auto bytes = openStoredBytes(path, files.options.maxPipedBytes, job);
        if (!bytes) {
            return bytes.error();
        }
        open.push_back(std::move(bytes.value()));
    }
    return open;
}

/// Of contents, of the options that a trace depends on, and of the code that makes it, so that two versions do not
/// throw away each other's images. Not of paths: the same file elsewhere is the same trace.
Result<CacheKey> keyOf(const OpenFiles& open, const LoadOptions& options, const FileOffsets& offsets,
                       const JobControl& job) {
    // A new option does not compile here, and so is thought about: it either counts or is named as one that does not.
    const auto& [maxArgsDepth, maxEventBytes, maxPipedBytes, maxTraceBytes, threads, growing] = options;
    std::vector<Hash128> parts{{maxArgsDepth, maxEventBytes}, {maxPipedBytes, kCodeId}};
    parts.push_back({offsets.size(), growing.isGrowing ? uint64_t{1} : 0});
    parts.push_back({growing.newestBytes, 0});
    for (const auto& [file, offset] : offsets) {
        parts.push_back({file, static_cast<uint64_t>(offset)});
    }
    CacheKey key;
    for (const auto& bytes : open) {
        const auto hash = contentHash(*bytes, options.threadCount(), job);
        if (!hash) {
            return hash.error();
        }
        parts.push_back(hash.value());
        key.bytes += bytes->size();
    }
    static_cast<void>(threads);        // how many are used changes nothing
    static_cast<void>(maxTraceBytes);  // the same trace comes of it, or none
    key.hash = hashOf({reinterpret_cast<const char*>(parts.data()), parts.size() * sizeof(Hash128)});
    return key;
}

Result<std::shared_ptr<const EventSource>> reopen(const std::shared_ptr<const StoredBytes>& bytes,
                                                  const SourceRecipe& recipe, const LoadOptions& options) {
    auto text = reopenTextSource(bytes);
    if (!text) {
        return text.error();
    }
    for (const auto& loader : loaders::all()) {
        if (loader->info().id == recipe.loader) {
            return loader->reopen(text.value(), recipe.facts, options);
        }
    }
    return Error::failed("names a loader that there is not: " + recipe.loader);
}

/// The trace, or nullptr if the cache does not have it. Fails if something is wrong, and when stopped.
Result<std::shared_ptr<const Trace>> lookUp(const TraceCache& cache, LoadedFiles& files, JobControl& job) {
    const std::shared_ptr<const Trace> none;
    if (!cache.mayHave(bytesOf(files))) {
        return none;
    }
    job.setPhase("Looking into the cache");
    auto open = openAll(files, job);
    if (!open) {
        return open.error();
    }
    const auto key = keyOf(open.value(), files.options, files.offsets, job);
    if (!key) {
        return key.error();
    }
    files.key = key.value();
    const auto image = cache.find(key.value());
    if (!image) {
        return none;
    }
    job.setPhase("Reading the cache");
    const auto makeSource = [&](size_t i, const SourceRecipe& recipe) {
        return reopen(open.value()[i], recipe, files.options);
    };
    const auto drop = [&](const std::string& why) {
        cache.drop(*image);
        return Error::failed(image->path() + ": " + why);
    };
    try {
        auto trace = readTraceImage(image->descriptor(), key.value().hash, files.paths, makeSource,
                                    files.options.threadCount(), job);
        if (!trace && !trace.error().isCancelled()) {
            return drop(trace.error().message);
        }
        return trace;
    } catch (const std::bad_alloc&) {
        // Maybe by what a damaged image says; else loading will run out of memory as well, and say so.
        return drop("there is not enough memory for what it says it holds");
    }
}

}  // namespace

Result<CachedLoad> loadTraceCached(const std::vector<std::string>& paths, const LoadOptions& options,
                                   const CacheSettings& settings, JobControl& job, const FileOffsets& offsets) {
    CachedLoad result;
    result.note = settings.problem;
    std::optional<LoadedFiles> files = settings.isOn() ? filesOf(paths, options, offsets) : std::nullopt;
    if (files) {
        auto cached = lookUp(TraceCache(settings), *files, job);
        if (!cached && cached.error().isCancelled()) {
            return cached.error();
        }
        if (cached && cached.value() != nullptr) {
            result.trace = std::move(cached.value());
            result.isFromCache = true;
            return result;
        }
        result.note = cached ? result.note : cached.error().message;
    }
    const auto start = std::chrono::steady_clock::now();
    auto trace = loadTrace(paths, options, job, offsets);
    if (!trace) {
        return trace.error();
    }
    result.trace = std::move(trace.value());
    const auto took = std::chrono::steady_clock::now() - start;
    const bool isWorthIt =
        files && (bytesOf(*files) > settings.largeBytes || took >= std::chrono::milliseconds(settings.longLoadMs));
    if (isWorthIt && hasTraceImage(*result.trace) && areUnchanged(*files)) {
        result.toStore = std::move(files);
    }
    return result;
}

Status storeTrace(const Trace& trace, const LoadedFiles& files, const CacheSettings& settings, JobControl& job) {
    if (!hasTraceImage(trace)) {
        return Error::failed("args of this format can only be read after loading");
    }
    std::optional<CacheKey> key = files.key;
    if (!key) {
        const auto open = openAll(files, job);
        if (!open) {
            return open.error();
        }
        const auto found = keyOf(open.value(), files.options, files.offsets, job);
        if (!found) {
            return found.error();
        }
        key = found.value();
    }
    if (!areUnchanged(files)) {
        return Error::failed("a file has changed since it was loaded");
    }
    return TraceCache(settings).add(*key,
                                    [&](int descriptor) { return writeTraceImage(trace, key->hash, descriptor, job); });
}

}  // namespace warpline
