// SPDX-License-Identifier: MIT
#pragma once
// A machine made up for checks: what is not put in is not there.

#include <map>
#include <set>

#include "core/record/doctor/system_view.h"

namespace warpline::test {

class MadeUpSystem : public record::SystemView {
public:
    std::map<std::string, std::string> files;
    std::map<std::string, std::string> variables;
    /// By the name that they are opened by.
    std::map<std::string, record::LibraryProbe> libraries;
    uint32_t user = 1000;

    void addLibrary(const std::string& name, const std::string& path, std::optional<uint32_t> version = {}) {
        libraries[name] = {true, path, version, {}};
        libraries[path] = {true, path, version, {}};
        files[path] = "";
    }
    /// Arguments are joined by zeros, as in /proc.
    void addProcess(int pid, const std::vector<std::string>& arguments, const std::string& environment = "",
                    const std::string& maps = "") {
        const std::string folder = "/proc/" + std::to_string(pid);
        std::string& line = files[folder + "/cmdline"];
        for (const std::string& argument : arguments) {
            line += argument + '\0';
        }
        files[folder + "/environ"] = environment;
        files[folder + "/maps"] = maps;
    }

    std::optional<std::string> readFile(const std::string& path) const override {
        const auto found = files.find(path);
        return found != files.end() ? std::optional(found->second) : std::nullopt;
    }
    std::vector<std::string> listFolder(const std::string& path) const override {
        std::set<std::string> names;
        for (const auto& [name, text] : files) {
            if (name.rfind(path + "/", 0) == 0) {
                const size_t begin = path.size() + 1;
                names.insert(name.substr(begin, name.find('/', begin) - begin));
            }
        }
        return {names.begin(), names.end()};
    }
    bool exists(const std::string& path) const override { return files.count(path) != 0 || !listFolder(path).empty(); }
    std::optional<std::string> environment(const std::string& name) const override {
        const auto found = variables.find(name);
        return found != variables.end() ? std::optional(found->second) : std::nullopt;
    }
    record::LibraryProbe probeLibrary(const std::string& name, const char*) const override {
        const auto found = libraries.find(name);
        return found != libraries.end() ? found->second : record::LibraryProbe{false, "", {}, name + " is not there"};
    }
    uint32_t userId() const override { return user; }
    int64_t processId() const override { return 1; }
};

}  // namespace warpline::test
