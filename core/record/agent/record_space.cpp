// SPDX-License-Identifier: MIT
#include "core/record/agent/record_space.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/record/agent/python_text.h"

namespace warpline::record {

namespace fs = std::filesystem;

Result<RecordSpace> RecordSpace::create(const std::string& prefix, const RecordOptions& options) {
    std::string path = prefix + "XXXXXX";
    if (mkdtemp(path.data()) == nullptr) {
        return Error::failed("no folder can be made beside " + prefix + ": " + std::strerror(errno));
    }
    // The processes may have another working directory.
    std::error_code ignored;
    if (const fs::path absolute = fs::absolute(path, ignored); !ignored) {
        path = absolute.string();
    }
    const auto fail = [&](const std::string& why) {
        fs::remove_all(path, ignored);
        return Error::failed(why);
    };
    std::ofstream file(path + "/" + kOptionsFile, std::ios::binary);
    file << toText(options);
    file.close();
    if (!file) {
        return fail(path + ": the options cannot be written (is the disk full?)");
    }
    std::string error;
    ControlBlock* control = mapControl(path, true, error);
    if (control == nullptr) {
        return fail(error);
    }
    const std::string lockPath = path + "/" + kAgentLockFile;
    const int lock = open(lockPath.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) != 0) {
        return fail(lockPath + ": " + std::strerror(errno));
    }
    return RecordSpace(path, control, lock);
}

RecordSpace::RecordSpace(RecordSpace&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_control(other.m_control),
      m_lock(std::exchange(other.m_lock, -1)),
      m_isKept(std::exchange(other.m_isKept, true)) {}

RecordSpace::~RecordSpace() {
    if (m_lock >= 0) {
        close(m_lock);
    }
    if (!m_isKept) {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
}

Result<std::string> RecordSpace::writePython() const {
    const std::string folder = m_path + "/python";
    std::error_code error;
    fs::create_directory(folder, error);
    std::ofstream file(folder + "/sitecustomize.py", std::ios::binary);
    file << pythonText();
    file.close();
    return file ? Result<std::string>(folder) : Error::failed(folder + ": the Python side cannot be written");
}

std::vector<std::string> RecordSpace::captures() const {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(m_path, ignored)) {
        if (entry.path().extension() == kCaptureEnding) {
            names.push_back(entry.path().filename().string());
        }
    }
    std::ranges::sort(names);
    return names;
}

Result<std::string> findInjectionLibrary(const std::string& wanted) {
    std::error_code ignored;
    const char* variable = std::getenv("WARPLINE_INJECT");
    if (!wanted.empty() || (variable != nullptr && *variable != '\0')) {
        const std::string path = fs::absolute(wanted.empty() ? variable : wanted, ignored).string();
        return fs::exists(path, ignored) ? Result<std::string>(path) : Error::failed(path + " is not there");
    }
    constexpr const char* kName = "libwarpline_inject.so";
    const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    std::string tried;
    for (const fs::path& candidate : {folder / ".." / "lib" / "warpline" / kName, folder / kName}) {
        const fs::path path = candidate.lexically_normal();
        if (fs::exists(path, ignored)) {
            return path.string();
        }
        tried += (tried.empty() ? "" : ", ") + path.string();
    }
    return Error::failed("the library that records (" + std::string(kName) + ") is not there (" + tried +
                         "): it is built where CUPTI's headers are; WARPLINE_INJECT can name it");
}

}  // namespace warpline::record
