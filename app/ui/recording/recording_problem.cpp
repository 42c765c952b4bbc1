// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/recording_problem.h"

#include <QCoreApplication>

namespace warpline::ui {

using Kind = RecordingProblem::Kind;

namespace {

constexpr int kCommandNotFound = 127;
constexpr int kCannotRun = 126;
constexpr int kSshFailed = 255;

QString tr(const char* text) {
    return QCoreApplication::translate("RecordingProblem", text);
}

bool says(const QString& text, std::initializer_list<const char*> words) {
    for (const char* word : words) {
        if (text.contains(QLatin1String(word), Qt::CaseInsensitive)) {
            return true;
        }
    }
    return false;
}

QString placeOf(const QString& host) {
    return host.isEmpty() ? tr("this machine") : host;
}

}  // namespace

RecordingProblem problemOfFailure(const QString& error, const QString& program, const QString& host) {
    if (says(error, {"libwarpline_inject"})) {
        return {
            Kind::NoInjection, tr("The library that records is missing on %1").arg(placeOf(host)),
            tr("It is installed with Warpline as lib/warpline/libwarpline_inject.so. A build makes it where CUPTI's "
               "headers are (CUDA Toolkit)."),
            error};
    }
    if (says(error, {"is in use by"})) {
        return {
            Kind::GpuTaken, tr("The GPU is being recorded already on %1").arg(placeOf(host)),
            tr("One recording a GPU at a time: end the other one, or choose other GPUs by CUDA_VISIBLE_DEVICES in the "
               "environment."),
            error};
    }
    const bool isMissing = says(error, {"No such file", "not found"});
    if (isMissing && !program.isEmpty() && error.startsWith(program + ':')) {
        return {Kind::NoProgram, tr("%1 was not found on %2").arg(program, placeOf(host)),
                tr("Give its full path, or set PATH in the environment: the recorder does not read a shell's start "
                   "files."),
                error};
    }
    if (says(error, {"Permission denied", "Exec format"})) {
        return {Kind::NoProgram, tr("%1 cannot be started on %2").arg(program, placeOf(host)),
                tr("It must be a program or a script with #! and the right to be executed. Otherwise name its "
                   "interpreter: python script.py"),
                error};
    }
    if (isMissing || says(error, {"Not a directory"})) {
        return {Kind::NoFolder, tr("The working folder is not there on %1").arg(placeOf(host)),
                tr("Choose one that is, or leave the field empty."), error};
    }
    if (says(error, {"No space left", "Disk quota"})) {
        return {Kind::Disk, tr("There is no room on the disk of %1").arg(placeOf(host)),
                tr("Make room in its folder for temporary files, or set TMPDIR there."), error};
    }
    return {Kind::Other, tr("The recording could not start"), tr("`warpline doctor` there says what can be recorded."),
            error};
}

RecordingProblem problemOfRefusals(const QStringList& refusals, bool all) {
    if (refusals.isEmpty()) {
        return {};
    }
    const QString text = refusals.join('\n');
    const QString lead = all ? tr("Nothing was recorded: ") : tr("Not all processes were recorded: ");
    if (says(text, {"another profiler", "MULTIPLE_SUBSCRIBERS", "holds CUPTI"})) {
        return {Kind::OtherClient, lead + tr("another profiler holds CUPTI"),
                tr("CUDA lets one profiler in at a time. End nsys, ncu, compute-sanitizer or cuda-gdb, switch off the "
                   "program's own torch.profiler, and record again."),
                text};
    }
    if (says(text, {"INSUFFICIENT_PRIVILEGES", "permission", "privilege", "RmProfilingAdminOnly"})) {
        return {Kind::NoPermission, lead + tr("the driver does not permit it"),
                tr("An administrator allows it with the driver option NVreg_RestrictProfilingToAdminUsers=0 (in "
                   "/etc/modprobe.d, then reload the driver), or run the program as root. `warpline doctor` shows the "
                   "state."),
                text};
    }
    if (says(text, {"does not fit the driver", "oldest that can be used", "CUPTI was not found", "lacks cupti"})) {
        return {Kind::NoCupti, lead + tr("no CUPTI that fits"),
                tr("Install the CUPTI of the driver's CUDA version (part of the CUDA Toolkit), or name one: "
                   "WARPLINE_CUPTI=/path/to/libcupti.so in the environment. `warpline doctor` shows which are there."),
                text};
    }
    if (says(text, {"no driver", "libcuda", "NO_DEVICE", "driver is not"})) {
        return {
            Kind::NoDriver, lead + tr("there is no usable NVIDIA driver"),
            tr("Install the driver, or record on a machine that has one (\"Where\": a host by ssh). In a container: "
               "start it with the GPUs (--gpus all)."),
            text};
    }
    return {Kind::Other, lead + tr("the recorder was refused"),
            tr("`warpline doctor` there says what can be recorded."), text};
}

RecordingProblem problemOfExit(const AgentExit& exit, const QString& host) {
    if (exit.isWriteError) {
        return {Kind::Disk, tr("The recording could not be written on"),
                tr("What came before is kept. The program goes on, unrecorded."), exit.errorText};
    }
    if (exit.wasStarted) {
        return {Kind::BrokenOff,
                host.isEmpty() ? tr("The recorder ended unexpectedly") : tr("The connection to %1 broke off").arg(host),
                tr("What came until then is kept and open. The program was told to end (SIGHUP)."), exit.errorText};
    }
    if (host.isEmpty()) {
        return {Kind::NoAgent, tr("The recorder (warpline agent) cannot be started on this machine"),
                tr("The program warpline must be beside warpline-ui or in PATH, and of the same version."),
                exit.errorText};
    }
    if (exit.couldNotStart) {
        return {Kind::Ssh, tr("ssh cannot be started"), tr("Install an OpenSSH client, so that `ssh` is in PATH."),
                exit.errorText};
    }
    const bool cannotRun = says(exit.errorText, {"shared librar", "GLIBC", "Exec format", "cannot execute"});
    if (exit.code == kCannotRun || (exit.code == kCommandNotFound && cannotRun)) {
        return {Kind::AgentUnfit, tr("The recorder on %1 cannot run there").arg(host),
                tr("Build or install Warpline on %1: `warpline` must be in PATH of a non-interactive shell.").arg(host),
                exit.errorText};
    }
    if (exit.code == kCommandNotFound) {
        return {Kind::NoAgentThere, tr("There is no recorder on %1").arg(host),
                tr("It can be copied there, into ~/.cache/warpline of your account; or install Warpline there."),
                exit.errorText};
    }
    if (exit.code == kSshFailed && !exit.wasReady) {
        QString advice = tr("Try `ssh %1` in a terminal: it must come in without a question.").arg(host);
        if (says(exit.errorText, {"Permission denied"})) {
            advice =
                tr("The host does not take your key. Add it to ssh-agent or to ~/.ssh/config, then try `ssh %1` in "
                   "a terminal.")
                    .arg(host);
        } else if (says(exit.errorText, {"Host key verification"})) {
            advice = tr("Run `ssh %1` in a terminal once, compare the host's key and accept it.").arg(host);
        } else if (says(exit.errorText, {"resolve", "Name or service"})) {
            advice = tr("No host of this name is known: check it, or add it to ~/.ssh/config.");
        }
        return {Kind::Ssh, tr("%1 was not reached by ssh").arg(host), advice, exit.errorText};
    }
    return {Kind::Other, tr("The recorder on %1 ended before it could start").arg(host),
            tr("Run `ssh %1 warpline doctor` in a terminal.").arg(host), exit.errorText};
}

}  // namespace warpline::ui
