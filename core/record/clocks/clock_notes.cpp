// SPDX-License-Identifier: MIT
#include "core/record/clocks/clock_notes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

namespace warpline::record {

namespace {

Error writeError(const std::string& path) {
    const int code = errno;
    return Error::failed(path + ": " + std::strerror(code),
                         code == EACCES || code == EPERM || code == EROFS ? kNeedsRoot : "");
}

std::string lineOf(const std::string& text, const std::string& key) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.compare(0, key.size() + 1, key + "=") == 0) {
            return line.substr(key.size() + 1);
        }
    }
    return {};
}

}  // namespace

ClockNotes::ClockNotes() {
    const char* folder = std::getenv("WARPLINE_STATE");
    m_folder = folder != nullptr && *folder != 0 ? folder : "/run/warpline";
    std::ifstream boot("/proc/sys/kernel/random/boot_id");
    std::getline(boot, m_boot);
}

std::string ClockNotes::pathOf(const std::string& uuid) const {
    std::string name = uuid;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '-'; }, '_');
    return m_folder + "/clocks-" + name;
}

std::optional<ClockNote> ClockNotes::find(const std::string& uuid) const {
    std::ifstream file(pathOf(uuid));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto number = [&](const char* key) { return std::strtoll(lineOf(text, key).c_str(), nullptr, 10); };
    const int64_t sm = number("sm_mhz");
    if (sm <= 0 || lineOf(text, "boot") != m_boot) {
        return std::nullopt;
    }
    ClockNote note;
    note.smMhz = static_cast<uint32_t>(sm);
    if (const int64_t memory = number("memory_mhz"); memory > 0) {
        note.memoryMhz = static_cast<uint32_t>(memory);
    }
    note.sinceSeconds = number("since");
    return note;
}

Status ClockNotes::write(const std::string& uuid, const ClockNote& note) const {
    if (mkdir(m_folder.c_str(), 0755) != 0 && errno != EEXIST) {
        return writeError(m_folder);
    }
    std::string text = "sm_mhz=" + std::to_string(note.smMhz) + "\n";
    if (note.memoryMhz) {
        text += "memory_mhz=" + std::to_string(*note.memoryMhz) + "\n";
    }
    text += "since=" + std::to_string(note.sinceSeconds) + "\nboot=" + m_boot + "\n";
    const std::string path = pathOf(uuid);
    const std::string fresh = path + ".new";
    const int file = open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (file < 0) {
        return writeError(fresh);
    }
    const bool isWritten =
        ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && fchmod(file, 0644) == 0;
    if (!isWritten || rename(fresh.c_str(), path.c_str()) != 0) {
        Error error = writeError(fresh);
        close(file);
        unlink(fresh.c_str());
        return error;
    }
    close(file);
    return {};
}

Status ClockNotes::remove(const std::string& uuid) const {
    const std::string path = pathOf(uuid);
    if (unlink(path.c_str()) != 0 && errno != ENOENT) {
        return writeError(path);
    }
    return {};
}

}  // namespace warpline::record
