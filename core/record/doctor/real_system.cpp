// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/record/doctor/system_view.h"

namespace warpline::record {

namespace {

class RealSystem : public SystemView {
public:
    std::optional<std::string> readFile(const std::string& path) const override {
        // Files below /proc have no size, and an open one may yet refuse to be read.
        std::ifstream file(path, std::ios::binary);
        if (!file) {
            return std::nullopt;
        }
        std::string text(size_t{1} << 20, '\0');
        file.read(text.data(), static_cast<std::streamsize>(text.size()));
        if (file.bad()) {
            return std::nullopt;
        }
        text.resize(static_cast<size_t>(file.gcount()));
        return text;
    }

    std::vector<std::string> listFolder(const std::string& path) const override {
        std::vector<std::string> names;
        std::error_code error;
        for (std::filesystem::directory_iterator entry(path, error), end; !error && entry != end;
             entry.increment(error)) {
            names.push_back(entry->path().filename().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    bool exists(const std::string& path) const override {
        std::error_code error;
        return std::filesystem::exists(path, error);
    }

    std::optional<std::string> environment(const std::string& name) const override {
        const char* value = std::getenv(name.c_str());
        return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
    }

    LibraryProbe probeLibrary(const std::string& name, const char* versionFunction) const override {
        LibraryProbe probe;
        // What a library has set up for itself may not outlive its code.
        void* library = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
        if (library == nullptr) {
            const char* reason = dlerror();
            probe.why = reason != nullptr ? reason : name;
            return probe;
        }
        probe.isFound = true;
        probe.path = name;
        link_map* map = nullptr;
        if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr && map->l_name != nullptr && *map->l_name) {
            probe.path = map->l_name;
        }
        if (versionFunction != nullptr) {
            const auto function = reinterpret_cast<int (*)(uint32_t*)>(dlsym(library, versionFunction));
            uint32_t version = 0;
            if (function != nullptr && function(&version) == 0) {
                probe.version = version;
            }
        }
        dlclose(library);
        return probe;
    }

    uint32_t userId() const override { return geteuid(); }
    int64_t processId() const override { return getpid(); }
};

}  // namespace

const SystemView& realSystem() {
    static const RealSystem system;
    return system;
}

}  // namespace warpline::record
