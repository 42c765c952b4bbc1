// SPDX-License-Identifier: MIT
#include "core/exporters/byte_sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

namespace warpline {

namespace {

Error systemError(const std::string& name, int number) {
    return Error::failed(name + ": " + std::strerror(number));
}

Status writeAll(int descriptor, std::string_view bytes, const std::string& name) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return systemError(name, errno);
        }
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    return {};
}

class DescriptorSink : public ByteSink {
public:
    DescriptorSink(int descriptor, std::string name) : m_descriptor(descriptor), m_name(std::move(name)) {}
    Status write(std::string_view bytes) override {
        if (m_status.ok()) {
            m_status = writeAll(m_descriptor, bytes, m_name);
        }
        return m_status;
    }
    Status finish() override { return m_status; }

private:
    int m_descriptor;
    std::string m_name;
    Status m_status;
};

class StringSink : public ByteSink {
public:
    explicit StringSink(std::string& out) : m_out(out) {}
    Status write(std::string_view bytes) override {
        m_out += bytes;
        return {};
    }
    Status finish() override { return {}; }

private:
    std::string& m_out;
};

class GzipSink : public ByteSink {
public:
    explicit GzipSink(std::unique_ptr<ByteSink> below) : m_below(std::move(below)), m_buffer(size_t{1} << 16) {
        constexpr int kGzip = 15 + 16;  // the largest window, with gzip's header
        if (deflateInit2(&m_stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
            m_status = Error::failed("out of memory");
        } else {
            m_open = true;
        }
    }
    ~GzipSink() override {
        if (m_open) {
            deflateEnd(&m_stream);
        }
    }
    GzipSink(const GzipSink&) = delete;
    GzipSink& operator=(const GzipSink&) = delete;

    Status write(std::string_view bytes) override {
        constexpr size_t kLargestStep = size_t{1} << 30;  // zlib counts in 32 bits
        while (!bytes.empty() && m_status.ok()) {
            const std::string_view part = bytes.substr(0, kLargestStep);
            deflatePart(part, Z_NO_FLUSH);
            bytes.remove_prefix(part.size());
        }
        return m_status;
    }

    Status finish() override {
        if (m_status.ok()) {
            deflatePart({}, Z_FINISH);
        }
        if (m_status.ok()) {
            m_status = m_below->finish();
        }
        return m_status;
    }

private:
    void deflatePart(std::string_view part, int flush) {
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
        m_stream.avail_in = static_cast<uInt>(part.size());
        do {
            m_stream.next_out = reinterpret_cast<Bytef*>(m_buffer.data());
            m_stream.avail_out = static_cast<uInt>(m_buffer.size());
            deflate(&m_stream, flush);
            m_status = m_below->write({m_buffer.data(), m_buffer.size() - m_stream.avail_out});
        } while (m_stream.avail_out == 0 && m_status.ok());
    }

    std::unique_ptr<ByteSink> m_below;
    std::vector<char> m_buffer;
    z_stream m_stream{};
    bool m_open = false;
    Status m_status;
};

class AtomicFileSink : public ByteSink {
public:
    AtomicFileSink(int descriptor, std::string temporary, std::string path)
        : m_descriptor(descriptor), m_temporary(std::move(temporary)), m_path(std::move(path)) {}
    ~AtomicFileSink() override {
        if (m_descriptor >= 0) {
            ::close(m_descriptor);
            ::unlink(m_temporary.c_str());
        }
    }
    AtomicFileSink(const AtomicFileSink&) = delete;
    AtomicFileSink& operator=(const AtomicFileSink&) = delete;

    Status write(std::string_view bytes) override {
        if (m_status.ok()) {
            m_status = writeAll(m_descriptor, bytes, m_path);
        }
        return m_status;
    }

    Status finish() override {
        if (m_descriptor < 0) {
            return m_status;
        }
        // A full or remote disk may tell only now.
        if (m_status.ok() && ::fsync(m_descriptor) != 0 && errno != EINVAL && errno != EROFS) {
            m_status = systemError(m_path, errno);
        }
        if (::close(m_descriptor) != 0 && m_status.ok()) {
            m_status = systemError(m_path, errno);
        }
        m_descriptor = -1;
        if (m_status.ok() && ::rename(m_temporary.c_str(), m_path.c_str()) != 0) {
            m_status = systemError(m_path, errno);
        }
        if (!m_status.ok()) {
            ::unlink(m_temporary.c_str());
        }
        return m_status;
    }

private:
    int m_descriptor;
    std::string m_temporary;
    std::string m_path;
    Status m_status;
};

}  // namespace

std::unique_ptr<ByteSink> makeDescriptorSink(int descriptor, std::string name) {
    return std::make_unique<DescriptorSink>(descriptor, std::move(name));
}

std::unique_ptr<ByteSink> makeStringSink(std::string& out) {
    return std::make_unique<StringSink>(out);
}

std::unique_ptr<ByteSink> makeGzipSink(std::unique_ptr<ByteSink> below) {
    return std::make_unique<GzipSink>(std::move(below));
}

Result<std::unique_ptr<ByteSink>> makeAtomicFileSink(const std::string& path) {
    std::error_code error;
    std::string target = path;
    if (std::filesystem::is_symlink(path, error)) {
        const auto resolved = std::filesystem::weakly_canonical(path, error);
        if (error) {
            return Error::failed(path + ": " + error.message());
        }
        target = resolved.string();
    }
    const auto status = std::filesystem::status(target, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        return Error::failed(path + ": is no regular file, so it is not replaced");
    }
    std::string temporary = target + ".XXXXXX";
    const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0) {
        return systemError(path, errno);
    }
    // mkostemp makes the file private; the result has the rights of the file it replaces, or those of a new one.
    struct stat old {};
    mode_t mode = 0;
    if (::stat(target.c_str(), &old) == 0) {
        mode = old.st_mode & 07777;
    } else {
        const mode_t mask = ::umask(0);
        ::umask(mask);
        mode = 0666 & ~mask;
    }
    if (::fchmod(descriptor, mode) != 0) {
        const int number = errno;
        ::close(descriptor);
        ::unlink(temporary.c_str());
        return systemError(path, number);
    }
    return std::unique_ptr<ByteSink>(std::make_unique<AtomicFileSink>(descriptor, temporary, target));
}

}  // namespace warpline
