// SPDX-License-Identifier: MIT
#pragma once
// A recording from its start to its end: starts a program with the library that records, follows it and what it starts,
// and hands on one stream.

#include <chrono>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/record/agent/capture_merger.h"
#include "core/record/agent/child_process.h"
#include "core/record/agent/gpu_watch.h"
#include "core/record/agent/record_space.h"

namespace warpline::record {

/// One thread, which calls poll() some twenty times a second.
class Recording {
public:
    struct Setting {
        ProgramCall program;
        RecordOptions options;
        std::string spacePrefix;       ///< of the folder for what is under way
        std::string injectionLibrary;  ///< "": found
        bool saysProgress = false;     ///< twice a second, as Facts with "state" = "progress"
        /// Further facts of the recording, as a payload of appendFact(): the state of the clocks, what was asked.
        std::string facts;
    };

    /// Starts the program. Fails with why it cannot be recorded.
    static Result<Recording> start(const Setting& setting, CaptureMerger::Sink sink);

    /// Takes what has come. False: the stream cannot be written any more; the recording is then as good as stopped.
    bool poll();
    /// The program's exit code; nullopt: it runs.
    std::optional<int> programEnded() { return m_program.poll(); }
    void pause(bool isPaused) { m_space.say(isPaused ? ControlState::Pause : ControlState::Record); }
    /// The program goes on, unrecorded.
    void stop() { m_space.say(ControlState::Stop); }
    void signalProgram(int number) { m_program.signal(number); }
    pid_t programPid() const { return m_program.pid(); }

    /// Whether a process that is recorded lives and has not written its end.
    bool awaitsEnds() const;
    /// Where what the processes wrote stays after all, since it could not be handed on; "": it does not.
    const std::string& keptFolder() const { return m_keptFolder; }

    /// Waits for processes that are about to end, takes the rest and writes the end. The program must have ended, or
    /// have been stopped being recorded. `reason` as in an End frame.
    void finish(std::string_view reason);

    const MergeCounts& counts() const { return m_merger->counts(); }
    /// errno of a process that could not write what was recorded of it; 0: there was none.
    int writeError() const { return m_space.writeError(); }
    capture::CaptureWriter& own() { return m_merger->own(); }

private:
    Recording(RecordSpace space, std::unique_ptr<CaptureMerger> merger, ChildProcess program,
              std::unique_ptr<GpuWatch> gpus)
        : m_space(std::move(space)), m_merger(std::move(merger)), m_program(program), m_gpus(std::move(gpus)) {}
    void writeProgress();
    bool readAll();

    RecordSpace m_space;
    std::unique_ptr<CaptureMerger> m_merger;
    ChildProcess m_program;
    std::unique_ptr<GpuWatch> m_gpus;
    bool m_saysProgress = false;
    std::string m_keptFolder;
    std::chrono::steady_clock::time_point m_lastProgress{};
};

}  // namespace warpline::record
