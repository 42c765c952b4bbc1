// SPDX-License-Identifier: MIT
#include "core/record/doctor/cupti_choice.h"

#include <algorithm>
#include <set>

namespace warpline::record {

namespace {

constexpr uint32_t kOldestCuda = 11080;

class Search {
public:
    Search(const SystemView& system, std::optional<uint32_t> driverCuda) : m_system(system), m_driverCuda(driverCuda) {}

    /// True: it was chosen.
    bool look(const std::string& name, const std::string& place, bool mustBeNamed = false) {
        if (m_choice.chosen) {
            return true;
        }
        CuptiCandidate candidate{name, place, m_system.probeLibrary(name, "cuptiGetVersion"), {}, mustBeNamed};
        if (candidate.probe.isFound && !m_seen.insert(candidate.probe.path).second) {
            return false;
        }
        candidate.refused = refusal(candidate.probe);
        if (candidate.refused.empty()) {
            m_choice.chosen = std::move(candidate);
            return true;
        }
        m_choice.refused.push_back(std::move(candidate));
        return false;
    }

    /// The copies in a folder, of the driver's generation first, then newest first.
    void lookIn(const std::string& folder, const std::string& place, bool mustBeNamed = false) {
        std::vector<std::string> names;
        for (const std::string& name : m_system.listFolder(folder)) {
            if (name.rfind("libcupti.so", 0) == 0) {
                names.push_back(name);
            }
        }
        std::sort(names.rbegin(), names.rend());
        const std::string own = m_driverCuda ? "libcupti.so." + std::to_string(*m_driverCuda / 1000) : "";
        std::stable_partition(names.begin(), names.end(), [&](const std::string& name) { return name == own; });
        for (const std::string& name : names) {
            look(folder + "/" + name, place, mustBeNamed);
        }
    }

    /// By the loader; one that is not there is none that was refused.
    void lookByLoader(const std::string& name) {
        if (!m_choice.chosen && m_system.probeLibrary(name, nullptr).isFound) {
            look(name, "found by the loader");
        }
    }

    const CuptiChoice& choice() const { return m_choice; }

private:
    std::string refusal(const LibraryProbe& probe) const {
        if (!probe.isFound) {
            return probe.why;
        }
        if (!probe.version) {
            return "it does not tell its version";
        }
        const uint32_t cuda = cudaOfCupti(*probe.version);
        if (cuda < kOldestCuda) {
            return "it is older than 11.8";
        }
        if (m_driverCuda && cuda / 1000 > *m_driverCuda / 1000) {
            return "CUPTI " + cudaVersionText(cuda) + " needs a driver of CUDA " + std::to_string(cuda / 1000) +
                   "; this one is of CUDA " + cudaVersionText(*m_driverCuda);
        }
        return {};
    }

    const SystemView& m_system;
    std::optional<uint32_t> m_driverCuda;
    std::set<std::string> m_seen;
    CuptiChoice m_choice;
};

std::string folderOf(const std::string& path) {
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::vector<std::string> toolkits(const SystemView& system) {
    std::vector<std::string> roots;
    for (const char* name : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"}) {
        const auto root = system.environment(name);
        if (root && !root->empty()) {
            roots.push_back(*root);
        }
    }
    roots.push_back("/usr/local/cuda");
    std::vector<std::string> versions = system.listFolder("/usr/local");
    std::sort(versions.rbegin(), versions.rend());
    for (const std::string& version : versions) {
        if (version.rfind("cuda-", 0) == 0) {
            roots.push_back("/usr/local/" + version);
        }
    }
    roots.push_back("/opt/cuda");
    return roots;
}

}  // namespace

uint32_t cudaOfCupti(uint32_t apiVersion) {
    // From 13.0 on the number says it: 130001 is 13.0 update 1. Before, versions were counted.
    if (apiVersion >= 100000) {
        return apiVersion / 10000 * 1000 + apiVersion / 100 % 100 * 10;
    }
    struct Known {
        uint32_t api;
        uint32_t cuda;
    };
    constexpr Known kKnown[] = {{28, 12090}, {27, 12090}, {26, 12080}, {24, 12060}, {23, 12050},
                                {22, 12040}, {21, 12030}, {20, 12020}, {19, 12000}, {18, 11080}};
    for (const Known& known : kKnown) {
        if (apiVersion >= known.api) {
            return known.cuda;
        }
    }
    return 0;
}

std::string cudaVersionText(uint32_t cuda) {
    return std::to_string(cuda / 1000) + "." + std::to_string(cuda % 1000 / 10);
}

CuptiChoice chooseCupti(const SystemView& system, std::optional<uint32_t> driverCuda) {
    Search search(system, driverCuda);
    const auto wanted = system.environment("WARPLINE_CUPTI");
    if (wanted && !wanted->empty()) {
        search.look(*wanted, "named by WARPLINE_CUPTI");
        return search.choice();
    }
    const uint32_t newest = driverCuda ? *driverCuda / 1000 : 13;
    for (uint32_t major = newest; major >= 11; --major) {
        // libcudart of CUDA 11 is called 11.0 in all its versions.
        const std::string name = "libcudart.so." + std::to_string(major) + (major == 11 ? ".0" : "");
        const LibraryProbe runtime = system.probeLibrary(name, nullptr);
        const std::string folder = folderOf(runtime.path);
        if (runtime.isFound && !folder.empty()) {
            search.lookIn(folder, "beside " + name);
            search.lookIn(folder + "/../extras/CUPTI/lib64", "in the toolkit of " + name);
        }
    }
    search.lookByLoader("libcupti.so." + std::to_string(newest));
    for (const char* folder : {"/usr/local/cuda/extras/CUPTI/lib64", "/usr/local/cuda/lib64", "/opt/cuda/lib64"}) {
        search.lookIn(folder, "in a toolkit");
    }
    search.lookByLoader("libcupti.so");
    for (const std::string& root : toolkits(system)) {
        for (const char* folder :
             {"extras/CUPTI/lib64", "lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"}) {
            search.lookIn(root + "/" + folder, "in a toolkit", true);
        }
    }
    return search.choice();
}

}  // namespace warpline::record
