// SPDX-License-Identifier: MIT
#pragma once
// What checks may ask of a machine, so that they run on made-up ones too.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpline::record {

struct LibraryProbe {
    bool isFound = false;
    std::string path;                 ///< as the loader found it
    std::optional<uint32_t> version;  ///< what its function for that said
    std::string why;                  ///< not found
};

class SystemView {
public:
    virtual ~SystemView() = default;

    /// Its first megabyte; nullopt: it is not there, or may not be read.
    virtual std::optional<std::string> readFile(const std::string& path) const = 0;
    /// Names in order; empty: there is no such folder.
    virtual std::vector<std::string> listFolder(const std::string& path) const = 0;
    virtual bool exists(const std::string& path) const = 0;
    /// nullopt: not set. An empty one is set.
    virtual std::optional<std::string> environment(const std::string& name) const = 0;
    /// Opens a library by path or by the loader's search. `versionFunction` (null: none) takes the address of a
    /// uint32_t and returns 0.
    virtual LibraryProbe probeLibrary(const std::string& name, const char* versionFunction) const = 0;
    virtual uint32_t userId() const = 0;
    virtual int64_t processId() const = 0;
};

/// The machine that this process runs on. Any thread.
const SystemView& realSystem();

}  // namespace warpline::record
