// SPDX-License-Identifier: MIT
// What `warpline record` does between the start of a program and the last line.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <thread>

#include "app/cli/convert.h"
#include "app/cli/exit_code.h"
#include "app/cli/record_options.h"
#include "app/cli/recorded_files.h"
#include "app/cli/terminal.h"
#include "core/base/units.h"
#include "core/record/agent/recording.h"

namespace warpline::cli {

namespace {

namespace fs = std::filesystem;

/// Signals that end a recording: how often, and whether the program has got them itself.
std::atomic<int> g_interrupts{0};
std::atomic<int> g_toForward{0};

extern "C" void noteSignal(int number, siginfo_t* info, void*) {
    ++g_interrupts;
    // A terminal sends Ctrl-C to the program as well; what a process sends comes here alone.
    if (info == nullptr || info->si_code == SI_USER || number != SIGINT) {
        g_toForward = number;
    }
}

void watchSignals() {
    struct sigaction action {};
    action.sa_sigaction = noteSignal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        // What was to be ignored (nohup, a job in the background) is so for the program too.
        struct sigaction before {};
        if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
            ::sigaction(number, &action, nullptr);
        }
    }
    // A file that may not grow is an error like any other; and who lets the system wait for children gets no exit code.
    ::signal(SIGXFSZ, SIG_IGN);
    ::signal(SIGCHLD, SIG_DFL);
}

/// Captures go where they are wanted as they come; other formats are made of them at the end.
class OutputFile {
public:
    /// What is there keeps its content until something is written.
    static Result<OutputFile> open(const std::string& path) {
        const bool isNew = ::access(path.c_str(), F_OK) != 0;
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0) {
            return Error::failed(path + ": " + std::strerror(errno));
        }
        if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            ::close(file);
            return Error::failed(path + ": another recording is writing it");
        }
        return OutputFile(path, file, isNew);
    }
    bool write(std::string_view bytes) {
        if (!m_hasBegun && ::ftruncate(m_file, 0) != 0 && errno != EINVAL) {
            return fail();
        }
        m_hasBegun = true;
        while (!bytes.empty()) {
            const ssize_t written = ::write(m_file, bytes.data(), bytes.size());
            if (written < 0 && errno != EINTR) {
                return fail();
            }
            bytes.remove_prefix(written > 0 ? static_cast<size_t>(written) : 0);
        }
        return true;
    }
    bool close() { return (::close(m_file) == 0 || fail()) && m_error == 0; }
    /// As if it had never been opened.
    void abandon() {
        ::close(m_file);
        if (m_isNew) {
            ::unlink(m_path.c_str());
        }
    }
    int error() const { return m_error; }
    const std::string& path() const { return m_path; }

private:
    OutputFile(std::string path, int file, bool isNew) : m_path(std::move(path)), m_file(file), m_isNew(isNew) {}

    bool fail() {
        m_error = m_error == 0 ? errno : m_error;
        return false;
    }

    std::string m_path;
    int m_file;
    bool m_isNew;
    bool m_hasBegun = false;
    int m_error = 0;
};

}  // namespace

std::string unusedFile(const std::string& stem) {
    std::string path = stem + ".wcap";
    std::error_code ignored;
    for (int n = 2; fs::exists(path, ignored); ++n) {
        path = stem + "-" + std::to_string(n) + ".wcap";
    }
    return path;
}

namespace {

class ProgressText {
public:
    void show(const record::MergeCounts& counts) {
        if (!m_isTerminal) {
            return;
        }
        const auto now = std::chrono::steady_clock::now();
        const double sinceLast = std::chrono::duration<double>(now - m_last).count();
        constexpr double kInterval = 0.5;
        if (sinceLast < kInterval) {
            return;
        }
        const double seconds = std::chrono::duration<double>(now - m_begin).count();
        const double rate = static_cast<double>(counts.kernels - m_kernels) / sinceLast;
        std::fprintf(stderr, "\r\033[Krecording %.1f s: %s events, %s kernels/s, %s lost, %s", seconds,
                     formatCount(counts.events).c_str(), formatCount(static_cast<uint64_t>(rate)).c_str(),
                     formatCount(counts.lost).c_str(), formatBytes(static_cast<double>(counts.bytes)).c_str());
        m_last = now;
        m_kernels = counts.kernels;
        m_isShown = true;
    }
    ~ProgressText() {
        if (m_isShown) {
            std::fputs("\r\033[K", stderr);
        }
    }

private:
    bool m_isTerminal = errorsGoToTerminal();
    bool m_isShown = false;
    uint64_t m_kernels = 0;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now(), m_last = m_begin;
};

/// Until the program has ended; its exit code.
int follow(record::Recording& recording, const OutputFile& out) {
    constexpr auto kInterval = std::chrono::milliseconds(40);
    ProgressText progress;
    int handled = 0;
    bool isWritable = true;
    for (;;) {
        const auto code = recording.programEnded();
        const bool isGood = recording.poll();
        if (isWritable && !isGood) {
            isWritable = false;
            recording.stop();
            printError(out.path() + ": " + std::strerror(out.error()) + "; the program goes on, unrecorded");
        }
        progress.show(recording.counts());
        if (code) {
            return *code;
        }
        if (const int number = g_toForward.exchange(0); number != 0) {
            recording.signalProgram(number);
        }
        // A program that does not end on the first Ctrl-C is asked, then made to.
        const int interrupts = g_interrupts;
        if (interrupts != handled) {
            handled = interrupts;
            constexpr int kAsk = 2;
            if (interrupts >= kAsk) {
                recording.signalProgram(interrupts == kAsk ? SIGTERM : SIGKILL);
            }
        }
        std::this_thread::sleep_for(kInterval);
    }
}

std::string endText(int code) {
    constexpr int kSignalBase = 128;
    if (code > kSignalBase) {
        const char* name = ::sigdescr_np(code - kSignalBase);
        return "the program ended by signal " + std::to_string(code - kSignalBase) +
               (name != nullptr ? " (" + std::string(name) + ")" : "");
    }
    return "the program exited with " + std::to_string(code);
}

int notStarted(const std::string& why) {
    printError("the recording could not start: " + why);
    return kNotRecorded;
}

}  // namespace

int recordProgram(const RecordArguments& arguments, const std::vector<std::string>& program) {
    const Result<record::RecordOptions> options = optionsOf(arguments);
    if (!options.ok()) {
        printError(options.error().message);
        return kWrongUsage;
    }
    const std::string path =
        arguments.out.empty() ? unusedFile(fs::path(program.front()).filename().string()) : arguments.out;
    const bool isCapture = path.ends_with(".wcap");
    if (!isCapture && !isConvertible(path)) {
        printError(path + ": the ending says no format; known are .wcap, .json, .json.gz (Chrome trace) and .csv");
        return kWrongUsage;
    }
    Result<OutputFile> file = OutputFile::open(isCapture ? path : path + ".part.wcap");
    if (!file.ok()) {
        return notStarted(file.error().message);
    }
    OutputFile& out = file.value();
    watchSignals();
    record::Recording::Setting setting;
    setting.program.arguments = program;
    setting.options = options.value();
    setting.spacePrefix = path + ".recording-";
    auto started = record::Recording::start(setting, [&out](std::string_view bytes) { return out.write(bytes); });
    std::error_code ignored;
    if (!started.ok()) {
        out.abandon();
        return notStarted(started.error().message);
    }
    record::Recording& recording = started.value();
    const int code = follow(recording, out);
    recording.finish("the program ended");
    const record::MergeCounts counts = recording.counts();
    const bool isWritten = out.close();
    for (const std::string& refusal : counts.refusals) {
        printError(refusal);
    }
    // Nothing but refusals: no process of it was recorded.
    if (counts.sources != 0 && counts.refusals.size() == counts.sources) {
        fs::remove(out.path(), ignored);
        printError("nothing was recorded; " + endText(code));
        return kNotRecorded;
    }
    if (counts.sources == 0) {
        printError("no process used CUDA, so the recording has no GPU work");
    }
    if (const int error = recording.writeError(); error != 0) {
        printError(std::string("a process could not write all that was recorded: ") + std::strerror(error) +
                   "; some is missing");
    } else if (counts.ended < counts.sources) {
        printError(formatCountOf(counts.sources - counts.ended, "process", "processes") +
                   " left no end of the recording (killed, or became another program): its last moments are missing");
    }
    if (!recording.keptFolder().empty()) {
        printError("what the processes wrote and could not be taken over is kept in " + recording.keptFolder());
    }
    if (counts.takeOvers != 0) {
        printError("another profiler took CUPTI over while it was recorded: what ran then is missing");
    }
    if (!isWritten) {
        printError(out.path() + ": " + std::strerror(out.error()) + "; what was written before is kept");
    }
    const std::vector<std::string> files = makeRecordedFiles(out.path(), path, options.value().schedule.isSet());
    uint64_t bytes = 0;
    for (const std::string& written : files) {
        bytes += fs::is_regular_file(written, ignored) ? fs::file_size(written, ignored) : 0;
    }
    const std::string where =
        files.size() == 1 ? files.front() : files.front() + " … " + files.back() + ", one file a turn";
    std::fprintf(stderr, "warpline: %s, %s, %s lost, %s -> %s (%s); %s\n",
                 formatCountOf(counts.kernels, "kernel").c_str(), formatCountOf(counts.events, "event").c_str(),
                 formatCount(counts.lost).c_str(), formatCountOf(counts.sources, "process", "processes").c_str(),
                 where.c_str(), formatBytes(static_cast<double>(bytes)).c_str(), endText(code).c_str());
    return code;
}

}  // namespace warpline::cli
