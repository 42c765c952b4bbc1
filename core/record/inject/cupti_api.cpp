// SPDX-License-Identifier: MIT
#include "core/record/inject/cupti_api.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

namespace warpline::record {

namespace {

/// The first version whose records are decoded: 11.8.
constexpr uint32_t kOldestVersion = 18;

std::string_view nameOf(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

std::string_view folderOf(std::string_view path) {
    return path.substr(0, std::min(path.rfind('/'), path.size()));
}

/// The paths of libraries of that name that the process has mapped.
std::vector<std::string> mappedLibraries(std::string_view name) {
    struct Search {
        std::string_view name;
        std::vector<std::string> found;
    } search{name, {}};
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* data) {
            auto& into = *static_cast<Search*>(data);
            if (info->dlpi_name != nullptr && nameOf(info->dlpi_name).starts_with(into.name)) {
                into.found.emplace_back(info->dlpi_name);
            }
            return 0;
        },
        &search);
    return search.found;
}

int driverVersion() {
    void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    int version = 0;
    if (driver != nullptr) {
        if (auto* get = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDriverGetVersion"))) {
            get(&version);
        }
        dlclose(driver);
    }
    return version;
}

/// Where a copy may be, best first; those without a folder are for the dynamic linker to find.
std::vector<std::string> candidates(int driver) {
    std::vector<std::string> paths;
    std::vector<std::string> names;
    constexpr int kPerMajor = 1000;
    if (driver >= kPerMajor) {
        names.push_back("libcupti.so." + std::to_string(driver / kPerMajor));
    }
    for (const std::string& runtime : mappedLibraries("libcudart.so")) {
        const std::string folder(folderOf(runtime));
        // The runtime's own generation counts, and that is in its name.
        const std::string_view ending = nameOf(runtime).substr(std::strlen("libcudart.so"));
        const std::string name = "libcupti.so" + std::string(ending.substr(0, ending.find('.', 1)));
        paths.push_back(folder + "/" + name);
        paths.push_back(folder + "/../../cuda_cupti/lib/" + name);
        paths.push_back(folder + "/../extras/CUPTI/lib64/" + name);
    }
    paths.insert(paths.end(), names.begin(), names.end());
    for (const char* folder : {"/usr/local/cuda/extras/CUPTI/lib64/", "/usr/local/cuda/lib64/", "/opt/cuda/lib64/"}) {
        for (const std::string& name : names) {
            paths.push_back(folder + name);
        }
    }
    for (const char* path :
         {"/usr/local/cuda/extras/CUPTI/lib64/libcupti.so", "/usr/local/cuda/lib64/libcupti.so", "libcupti.so"}) {
        paths.emplace_back(path);
    }
    return paths;
}

std::string pathOf(void* symbol, const std::string& otherwise) {
    Dl_info info{};
    return dladdr(symbol, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : otherwise;
}

template <class Function>
bool bind(void* library, Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

Result<CuptiApi> bindFunctions(void* library, const std::string& path) {
    CuptiApi api;
    const char* missing = nullptr;
    const auto need = [&](auto& function, const char* name) {
        if (!bind(library, function, name) && missing == nullptr) {
            missing = name;
        }
    };
    need(api.getVersion, "cuptiGetVersion");
    need(api.getResultString, "cuptiGetResultString");
    need(api.subscribe, "cuptiSubscribe");
    need(api.unsubscribe, "cuptiUnsubscribe");
    need(api.enableCallback, "cuptiEnableCallback");
    need(api.enableDomain, "cuptiEnableDomain");
    need(api.getCallbackName, "cuptiGetCallbackName");
    need(api.activityEnable, "cuptiActivityEnable");
    need(api.activityDisable, "cuptiActivityDisable");
    need(api.activityRegisterCallbacks, "cuptiActivityRegisterCallbacks");
    need(api.activityFlushAll, "cuptiActivityFlushAll");
    need(api.activityGetNextRecord, "cuptiActivityGetNextRecord");
    need(api.activityGetNumDroppedRecords, "cuptiActivityGetNumDroppedRecords");
    need(api.getTimestamp, "cuptiGetTimestamp");
    if (missing != nullptr) {
        return Error::failed(path + " lacks " + missing + ": it is older than this recorder can use (11.8)");
    }
    bind(library, api.subscribeV2, "cuptiSubscribe_v2");
    bind(library, api.setThreadIdType, "cuptiSetThreadIdType");
    bind(library, api.activitySetAttribute, "cuptiActivitySetAttribute");
    bind(library, api.activityEnableRuntimeApi, "cuptiActivityEnableRuntimeApi");
    bind(library, api.activityEnableDriverApi, "cuptiActivityEnableDriverApi");
    bind(library, api.activityEnableAllocationSource, "cuptiActivityEnableAllocationSource");
    bind(library, api.getStreamIdEx, "cuptiGetStreamIdEx");
    bind(library, api.nvtxInitialize2, "cuptiNvtxInitialize2");
    api.path = pathOf(reinterpret_cast<void*>(api.getVersion), path);
    if (api.getVersion(&api.version) != CUPTI_SUCCESS || api.version < kOldestVersion) {
        return Error::failed(api.path + " is CUPTI's version " + std::to_string(api.version) +
                             "; 11.8 is the oldest that can be used");
    }
    return api;
}

}  // namespace

std::string CuptiApi::resultText(CUptiResult result) const {
    const char* text = nullptr;
    getResultString(result, &text);
    return std::string(text != nullptr ? text : "CUPTI error") + " (" + std::to_string(result) + ")";
}

Result<CuptiApi> bindCupti(const std::string& wanted) {
    const int driver = driverVersion();
    std::string tried;
    const auto attempt = [&](const std::string& path, int flags) -> void* {
        void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL | flags);
        if (library == nullptr) {
            tried += tried.empty() ? path : ", " + path;
        }
        return library;
    };
    void* library = nullptr;
    std::string path = wanted;
    if (!wanted.empty()) {
        library = attempt(wanted, 0);
    } else {
        for (const std::string& mapped : mappedLibraries("libcupti.so")) {
            library = library != nullptr ? library : attempt(path = mapped, RTLD_NOLOAD);
        }
        for (const std::string& candidate : candidates(driver)) {
            library = library != nullptr ? library : attempt(path = candidate, 0);
        }
    }
    if (library == nullptr) {
        return Error::failed("CUPTI was not found (tried " + tried +
                             "): install the CUDA Toolkit's CUPTI, or name it by WARPLINE_CUPTI");
    }
    Result<CuptiApi> api = bindFunctions(library, path);
    if (api) {
        api.value().driverVersion = driver;
    }
    return api;
}

}  // namespace warpline::record
