// SPDX-License-Identifier: MIT
#include "core/cache/trace_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace warpline {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t kDefaultLimit = uint64_t{2} << 30;
constexpr std::string_view kEnding = ".image";
constexpr std::string_view kUnfinished = ".part";

Error failed(const std::string& what, int error) {
    return Error::failed(what + ": " + std::generic_category().message(error));
}

struct Entry {
    std::string path;
    uint64_t bytes = 0;
    timespec used{};
};

/// The files of the folder that end so; none if it is not there.
std::vector<Entry> entries(const std::string& folder, std::string_view ending) {
    std::vector<Entry> found;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const std::string path = it->path().string();
        struct stat status {};
        if (path.ends_with(ending) && ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
            found.push_back({path, static_cast<uint64_t>(status.st_size), status.st_mtim});
        }
    }
    return found;
}

/// All folders on the way, for the user alone where they are new.
Status makeFolder(const std::string& folder) {
    const fs::path parent = fs::path(folder).parent_path();
    std::error_code error;
    if (fs::is_directory(folder, error)) {
        return Status::success();
    }
    if (!parent.empty() && parent != fs::path(folder)) {
        if (Status status = makeFolder(parent.string()); !status) {
            return status;
        }
    }
    return ::mkdir(folder.c_str(), S_IRWXU) == 0 || errno == EEXIST ? Status::success() : failed(folder, errno);
}

std::string prefixOf(uint64_t bytes) {
    std::array<char, 18> text{};
    std::snprintf(text.data(), text.size(), "%016llx-", static_cast<unsigned long long>(bytes));
    return text.data();
}

std::string homeCache() {
    // Only absolute ones count, says the XDG Base Directory Specification.
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && cache[0] == '/') {
        return cache;
    }
    const char* home = std::getenv("HOME");
    return home != nullptr && home[0] == '/' ? std::string(home) + "/.cache" : std::string();
}

}  // namespace

std::optional<uint64_t> parseCacheLimit(std::string_view text) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) {
        return std::nullopt;
    }
    std::string unit;
    for (const char c : text.substr(static_cast<size_t>(end - text.data()))) {
        if (c != ' ') {
            unit += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
        }
    }
    if (unit.ends_with('B')) {
        unit.pop_back();
        if (unit.ends_with('I')) {
            unit.pop_back();
        }
    }
    constexpr std::string_view kUnits = "KMGT";
    if (unit.empty()) {
        return number;
    }
    const size_t power = unit.size() == 1 ? kUnits.find(unit.front()) : std::string_view::npos;
    if (power == std::string_view::npos) {
        return std::nullopt;
    }
    uint64_t bytes = 0;
    return __builtin_mul_overflow(number, uint64_t{1} << (10 * (power + 1)), &bytes) ? std::nullopt
                                                                                     : std::optional(bytes);
}

CacheSettings cacheSettings() {
    CacheSettings settings;
    settings.limitBytes = kDefaultLimit;
    const char* limit = std::getenv("WARPLINE_CACHE_LIMIT");
    if (limit != nullptr && *limit != '\0') {
        const bool isOff = std::string_view(limit) == "off";
        const auto bytes = isOff ? std::optional<uint64_t>(0) : parseCacheLimit(limit);
        settings.limitBytes = bytes.value_or(0);
        if (!bytes) {
            settings.problem = "WARPLINE_CACHE_LIMIT is no size: " + std::string(limit);
        }
    }
    const std::string home = homeCache();
    if (home.empty()) {
        settings.problem = "neither XDG_CACHE_HOME nor HOME is an absolute path";
    } else {
        settings.folder = home + "/warpline/traces";
    }
    return settings;
}

CachedImage::~CachedImage() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

CachedImage::CachedImage(CachedImage&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)), m_path(std::move(other.m_path)) {}

std::string TraceCache::pathOf(const CacheKey& key) const {
    return m_settings.folder + "/" + prefixOf(key.bytes) + key.hash.text() + std::string(kEnding);
}

bool TraceCache::mayHave(uint64_t bytes) const {
    if (!m_settings.isOn()) {
        return false;
    }
    const std::string prefix = prefixOf(bytes);
    return std::ranges::any_of(entries(m_settings.folder, kEnding), [&](const Entry& entry) {
        return std::string_view(entry.path).substr(m_settings.folder.size() + 1).starts_with(prefix);
    });
}

std::optional<CachedImage> TraceCache::find(const CacheKey& key) const {
    if (!m_settings.isOn()) {
        return std::nullopt;
    }
    std::string path = pathOf(key);
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) {
        return std::nullopt;
    }
    // Its time of change says when it was used. Where that cannot be set, it will be deleted earlier than others.
    ::futimens(descriptor, nullptr);
    return std::optional<CachedImage>(std::in_place, descriptor, std::move(path));
}

Status TraceCache::add(const CacheKey& key, const std::function<Status(int descriptor)>& write) const {
    if (!m_settings.isOn()) {
        return Error::failed("the cache is off");
    }
    if (Status status = makeFolder(m_settings.folder); !status) {
        return status;
    }
    const std::string path = pathOf(key);
    const std::string part = path + "." + std::to_string(::getpid()) + "." + std::to_string(std::random_device{}()) +
                             std::string(kUnfinished);
    const int descriptor = ::open(part.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor < 0) {
        return failed(part, errno);
    }
    const auto giveUp = [&](Error error) {
        ::unlink(part.c_str());
        return error;
    };
    Status status = Status::success();
    struct stat written {};
    try {
        status = write(descriptor);
        // Else a name could stand for bytes that a crash of the system has lost; sums would tell, but later.
        if (status.ok() && (::fstat(descriptor, &written) != 0 || ::fsync(descriptor) != 0)) {
            status = failed(part, errno);
        }
    } catch (...) {
        ::close(descriptor);
        ::unlink(part.c_str());
        throw;
    }
    ::close(descriptor);
    if (!status) {
        return giveUp(status.error());
    }
    if (static_cast<uint64_t>(written.st_size) > m_settings.limitBytes) {
        return giveUp(Error::failed("the trace alone is larger than the cache may be"));
    }
    if (::rename(part.c_str(), path.c_str()) != 0) {
        return giveUp(failed(path, errno));
    }
    keepToLimit();
    return Status::success();
}

void TraceCache::drop(const CachedImage& image) const {
    // Not one that another process has put there since.
    struct stat ours {};
    struct stat there {};
    if (::fstat(image.descriptor(), &ours) == 0 && ::lstat(image.path().c_str(), &there) == 0 &&
        ours.st_ino == there.st_ino && ours.st_dev == there.st_dev) {
        ::unlink(image.path().c_str());
    }
}

void TraceCache::keepToLimit() const {
    // What a process that has died was writing; what is being written is younger.
    constexpr auto kLongAgo = std::chrono::hours(24);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    for (const Entry& entry : entries(m_settings.folder, kUnfinished)) {
        if (now - std::chrono::seconds(entry.used.tv_sec) > kLongAgo) {
            ::unlink(entry.path.c_str());
        }
    }
    std::vector<Entry> images = entries(m_settings.folder, kEnding);
    uint64_t sum = 0;
    for (const Entry& entry : images) {
        sum += entry.bytes;
    }
    std::ranges::sort(images, {}, [](const Entry& e) { return std::pair(e.used.tv_sec, e.used.tv_nsec); });
    for (const Entry& entry : images) {
        if (sum <= m_settings.limitBytes) {
            break;
        }
        ::unlink(entry.path.c_str());
        sum -= entry.bytes;
    }
}

uint64_t TraceCache::bytes() const {
    uint64_t sum = 0;
    for (const Entry& entry : entries(m_settings.folder, kEnding)) {
        sum += entry.bytes;
    }
    return sum;
}

Status TraceCache::clear() const {
    std::string problem;
    for (const std::string_view ending : {kEnding, kUnfinished}) {
        for (const Entry& entry : entries(m_settings.folder, ending)) {
            if (::unlink(entry.path.c_str()) != 0 && errno != ENOENT) {
                problem = entry.path + ": " + std::generic_category().message(errno);
            }
        }
    }
    return problem.empty() ? Status::success() : Status(Error::failed(problem));
}

}  // namespace warpline
