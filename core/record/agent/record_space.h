// SPDX-License-Identifier: MIT
#pragma once
// The recording side of the folder in which it meets the processes (see record_folder.h): made, locked, and removed
// with all that is in it.

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/record/options/record_folder.h"
#include "core/record/options/record_options.h"

namespace warpline::record {

/// One thread.
class RecordSpace {
public:
    /// Makes a fresh folder whose path begins with `prefix`.
    static Result<RecordSpace> create(const std::string& prefix, const RecordOptions& options);

    RecordSpace(RecordSpace&& other) noexcept;
    RecordSpace& operator=(RecordSpace&&) = delete;
    ~RecordSpace();

    const std::string& path() const { return m_path; }
    void say(ControlState state) { m_control->state.store(static_cast<uint32_t>(state), std::memory_order_relaxed); }
    ControlState state() const { return static_cast<ControlState>(m_control->state.load(std::memory_order_relaxed)); }
    /// Writes the Python side; returns its folder, which goes into PYTHONPATH.
    Result<std::string> writePython() const;
    /// errno of a process that could not write its capture; 0: there was none.
    int writeError() const { return m_control->writeError.load(std::memory_order_relaxed); }
    /// Names of the captures that are there, sorted.
    std::vector<std::string> captures() const;
    /// The folder stays: somebody may want what is in it.
    void keep() { m_isKept = true; }

private:
    RecordSpace(std::string path, ControlBlock* control, int lock)
        : m_path(std::move(path)), m_control(control), m_lock(lock) {}

    std::string m_path;
    ControlBlock* m_control;
    int m_lock;
    bool m_isKept = false;
};

/// The library that is loaded into the processes: as `wanted` or the environment's WARPLINE_INJECT says, or where the
/// program that asks is installed or built. Fails with where it was looked for.
Result<std::string> findInjectionLibrary(const std::string& wanted = {});

}  // namespace warpline::record
