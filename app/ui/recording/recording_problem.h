// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What went wrong with a recording, in words that say what to do. Pure.

#include <QString>
#include <QStringList>

namespace warpline::ui {

struct RecordingProblem {
    enum class Kind {
        None,
        NoAgent,       ///< the command-line program is not on this machine
        NoAgentThere,  ///< nor on the host: it can be copied there
        AgentUnfit,    ///< what is on the host cannot run there
        Ssh,           ///< the host was not reached
        NoProgram,     ///< nothing that can be started by that name
        NoFolder,      ///< to start it in
        NoInjection,   ///< the library that records is not there
        NoDriver,
        NoPermission,
        NoCupti,
        GpuTaken,     ///< by another recording
        OtherClient,  ///< another profiler holds CUPTI
        NoCuda,       ///< the program used none
        BrokenOff,    ///< the stream ended without its end
        Disk,         ///< the recording could not be written
        Other,
    };
    Kind kind = Kind::None;
    QString title;   ///< what happened
    QString advice;  ///< what to do
    QString detail;  ///< as the machine said it; "" if the title says it all

    bool isThere() const { return kind != Kind::None; }
};

/// What the recording side said when it could not start ("failed").
RecordingProblem problemOfFailure(const QString& error, const QString& program, const QString& host);
/// Why no process, or not all, could be recorded. `all`: nothing was recorded.
RecordingProblem problemOfRefusals(const QStringList& refusals, bool all);

/// How the agent's process ended, for who heard nothing of it that would explain it.
struct AgentExit {
    bool couldNotStart = false;
    bool isSignal = false;
    int code = 0;
    QString errorText;
    bool wasReady = false;
    bool wasStarted = false;
    bool isWriteError = false;
};
RecordingProblem problemOfExit(const AgentExit& exit, const QString& host);

}  // namespace warpline::ui
