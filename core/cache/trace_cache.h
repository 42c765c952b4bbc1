// SPDX-License-Identifier: MIT
#pragma once
// The folder with images of traces that took long to load. Several processes may use it at a time: an image appears
// whole or not at all, and one that is deleted while it is read is read to its end. Any thread; all of it may block on
// disk.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/cache/content_hash.h"

namespace warpline {

struct CacheSettings {
    std::string folder;       ///< "": there is no cache
    uint64_t limitBytes = 0;  ///< of all images together; 0: there is no cache
    std::string problem;      ///< why there is none, if that is not by wish
    // What takes less is loaded again as quickly as an image is read.
    uint64_t longLoadMs = 300;                 ///< a trace is worth keeping if it took longer …
    uint64_t largeBytes = uint64_t{32} << 20;  ///< … or its files are larger

    bool isOn() const { return !folder.empty() && limitBytes != 0; }
};

/// $XDG_CACHE_HOME/warpline/traces, else ~/.cache/warpline/traces; $WARPLINE_CACHE_LIMIT, "0" or "off" for none, else
/// 2 GiB. A limit that cannot be understood switches the cache off.
CacheSettings cacheSettings();
/// "512M", "2G", "2 GiB", "1000000"; units are powers of 1024. nullopt if it is no such text or does not fit.
std::optional<uint64_t> parseCacheLimit(std::string_view text);

/// What an image is found by.
struct CacheKey {
    uint64_t bytes = 0;  ///< of all files; known without reading them
    Hash128 hash;        ///< of their contents, in order, and of all else that the trace depends on
};

/// An open image; closed at the end.
class CachedImage {
public:
    CachedImage(int descriptor, std::string path) : m_descriptor(descriptor), m_path(std::move(path)) {}
    ~CachedImage();
    CachedImage(CachedImage&& other) noexcept;
    CachedImage& operator=(CachedImage&&) = delete;

    int descriptor() const { return m_descriptor; }
    const std::string& path() const { return m_path; }

private:
    int m_descriptor;
    std::string m_path;
};

class TraceCache {
public:
    explicit TraceCache(CacheSettings settings) : m_settings(std::move(settings)) {}

    /// Whether any image is of files of that size, so that it is worth hashing them.
    bool mayHave(uint64_t bytes) const;
    /// The image, marked as used now.
    std::optional<CachedImage> find(const CacheKey& key) const;
    /// `write` gets a new file and fills it; then it takes its place, and the images that were not used for longest are
    /// deleted until all fit the limit. Nothing is left behind if something fails.
    Status add(const CacheKey& key, const std::function<Status(int descriptor)>& write) const;
    /// An image that turned out to be of no use.
    void drop(const CachedImage& image) const;

    uint64_t bytes() const;  ///< of all images
    Status clear() const;

private:
    std::string pathOf(const CacheKey& key) const;
    void keepToLimit() const;

    CacheSettings m_settings;
};

}  // namespace warpline
