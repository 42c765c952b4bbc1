// SPDX-License-Identifier: MIT
#include "core/record/agent/recording.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <map>
#include <thread>

#include "core/capture/texts.h"
#include "core/pattern/name_pattern.h"

namespace warpline::record {

using namespace capture;

namespace {

int64_t realtimeNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

ClockRecord readClocks() {
    timespec raw{};
    ClockRecord record;
    record.realtime = realtimeNs();
    clock_gettime(CLOCK_MONOTONIC_RAW, &raw);
    constexpr int64_t kSecond = 1'000'000'000;
    record.monotonicRaw = int64_t{raw.tv_sec} * kSecond + raw.tv_nsec;
    return record;
}

/// Of a file "<pid>.<n>.wcap".
struct CaptureName {
    pid_t pid = 0;
    int number = 0;
};

CaptureName captureNameOf(const std::string& name) {
    const size_t dot = name.find('.');
    return {std::atoi(name.c_str()), dot != std::string::npos ? std::atoi(name.c_str() + dot + 1) : 0};
}

/// One that has ended and that nobody has waited for is none.
bool isAlive(pid_t pid) {
    const auto status = readSmallFile("/proc/" + std::to_string(pid) + "/stat");
    if (!status) {
        return pid > 0 && (kill(pid, 0) == 0 || errno == EPERM);
    }
    // The name before it may hold anything, and ends with the last ")".
    const size_t at = status->rfind(") ");
    const char state = at != std::string::npos && at + 2 < status->size() ? (*status)[at + 2] : '?';
    return state != 'Z' && state != 'X';
}

std::string joined(const std::vector<std::string>& arguments) {
    std::string line;
    for (const std::string& argument : arguments) {
        line += (line.empty() ? "" : " ") + argument;
    }
    return line;
}

/// As the program will see it.
std::optional<std::string> variableOf(const ProgramCall& program, const char* name) {
    for (const auto& [key, value] : program.environment) {
        if (key == name) {
            return value;
        }
    }
    const char* own = std::getenv(name);
    return own != nullptr ? std::optional<std::string>(own) : std::nullopt;
}

}  // namespace

Result<Recording> Recording::start(const Setting& setting, CaptureMerger::Sink sink) {
    const Result<std::string> library = findInjectionLibrary(setting.injectionLibrary);
    if (!library) {
        return library.error();
    }
    if (const Status pattern =
            setting.options.kernelPattern.empty() ? Status::success() : checkPattern(setting.options.kernelPattern);
        !pattern) {
        return Error::failed("--kernel: " + pattern.error().message);
    }
    RecordOptions options = setting.options;
    options.startedNs = realtimeNs();
    Result<RecordSpace> space = RecordSpace::create(setting.spacePrefix, options);
    if (!space) {
        return space.error();
    }
    ProgramCall program = setting.program;
    Result<std::unique_ptr<GpuWatch>> gpus =
        GpuWatch::start(joined(program.arguments), variableOf(program, "CUDA_VISIBLE_DEVICES"));
    if (!gpus) {
        return gpus.error();
    }
    program.environment.emplace_back("CUDA_INJECTION64_PATH", library.value());
    program.environment.emplace_back(kFolderVariable, space.value().path());
    if (options.hasRanges) {
        program.environment.emplace_back("NVTX_INJECTION64_PATH", library.value());
    }
    if (options.hasPython) {
        const Result<std::string> folder = space.value().writePython();
        if (!folder) {
            return folder.error();
        }
        const std::string before = variableOf(program, "PYTHONPATH").value_or("");
        program.environment.emplace_back("PYTHONPATH", folder.value() + (before.empty() ? "" : ":" + before));
    }
    Result<ChildProcess> child = ChildProcess::start(program);
    if (!child) {
        return child.error();
    }
    auto merger = std::make_unique<CaptureMerger>(std::move(sink));
    std::string facts;
    appendFact(facts, fact::kFormat, kFormatName);
    appendFact(facts, fact::kPid, std::to_string(getpid()));
    appendFact(facts, "role", "recorder");
    appendFact(facts, fact::kArguments, joined(setting.program.arguments));
    appendFact(facts, "program_pid", std::to_string(child.value().pid()));
    appendFact(facts, "begin_ns", std::to_string(options.startedNs));
    appendFact(facts, fact::kLevel, toText(options));
    facts += gpus.value()->facts();
    facts += setting.facts;
    merger->own().writeFacts(facts);
    merger->own().add(readClocks());
    merger->own().flush();
    Recording recording(std::move(space).value(), std::move(merger), child.value(), std::move(gpus).value());
    recording.m_saysProgress = setting.saysProgress;
    return recording;
}

bool Recording::poll() {
    bool isGood = true;
    for (const std::string& name : m_space.captures()) {
        m_gpus->addProcess(static_cast<uint32_t>(std::atoi(name.c_str())));
        isGood = m_merger->readOn(m_space.path() + "/" + name) && isGood;
    }
    m_gpus->drain(own());
    own().flush();
    if (m_saysProgress) {
        writeProgress();
    }
    return isGood;
}

void Recording::writeProgress() {
    constexpr auto kInterval = std::chrono::milliseconds(400);
    const auto now = std::chrono::steady_clock::now();
    if (now - m_lastProgress < kInterval) {
        return;
    }
    m_lastProgress = now;
    const MergeCounts& counts = m_merger->counts();
    std::string facts;
    appendFact(facts, "state", "progress");
    for (const auto& [key, value] : std::initializer_list<std::pair<std::string_view, uint64_t>>{
             {"kernels", counts.kernels},
             {"launches", counts.launches},
             {"noted_launches", counts.notedLaunches},
             {"events", counts.events},
             {"lost", counts.lost},
             {"bytes", counts.bytes},
             {"complete_to_ns", static_cast<uint64_t>(counts.completeToNs)},
             {"now_ns", static_cast<uint64_t>(realtimeNs())},
             {"sources", counts.sources},
             {"ended", counts.ended}}) {
        appendFact(facts, key, std::to_string(value));
    }
    own().writeFacts(facts);
}

/// Whether there is a process that has yet to write the end of its capture, and can.
bool Recording::awaitsEnds() const {
    const std::vector<std::string> names = m_space.captures();
    std::map<pid_t, int> last;  // a process that has become another program writes a second one
    for (const std::string& name : names) {
        const CaptureName capture = captureNameOf(name);
        last[capture.pid] = std::max(last[capture.pid], capture.number);
    }
    return std::ranges::any_of(names, [&](const std::string& name) {
        const CaptureName capture = captureNameOf(name);
        return capture.number == last[capture.pid] && !m_merger->hasEnded(m_space.path() + "/" + name) &&
               isAlive(capture.pid);
    });
}

/// All that there is now. False: the stream cannot be written.
bool Recording::readAll() {
    for (;;) {
        const uint64_t before = counts().bytesRead;
        if (!poll()) {
            return false;
        }
        if (counts().bytesRead == before) {
            return true;
        }
    }
}

void Recording::finish(std::string_view reason) {
    stop();
    // Those that live write their end once they see that; those that have ended have written it.
    constexpr auto kPatience = std::chrono::seconds(12);
    const auto begin = std::chrono::steady_clock::now();
    while (readAll() && awaitsEnds() && std::chrono::steady_clock::now() - begin < kPatience) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    if (!readAll() || counts().unreadable != 0) {
        m_space.keep();
        m_keptFolder = m_space.path();
    }
    own().add(readClocks());
    if (m_space.writeError() != 0 || counts().unreadable != 0) {
        // The processes could not say it themselves.
        own().add(LossRecord{0, realtimeNs(), 0, LossKind::WriteFailed});
    }
    std::string facts;
    appendFact(facts, fact::kReason, reason);
    appendFact(facts, "end_ns", std::to_string(realtimeNs()));
    if (const auto code = m_program.poll()) {
        appendFact(facts, "exit_code", std::to_string(*code));
    }
    own().writeEnd(facts);
}

}  // namespace warpline::record
