// SPDX-License-Identifier: MIT
#include "core/record/agent/recording.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "core/capture/texts.h"

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

std::string joined(const std::vector<std::string>& arguments) {
    std::string line;
    for (const std::string& argument : arguments) {
        line += (line.empty() ? "" : " ") + argument;
    }
    return line;
}

}  // namespace

Result<Recording> Recording::start(const Setting& setting, CaptureMerger::Sink sink) {
    const Result<std::string> library = findInjectionLibrary(setting.injectionLibrary);
    if (!library) {
        return library.error();
    }
    RecordOptions options = setting.options;
    options.startedNs = realtimeNs();
    Result<RecordSpace> space = RecordSpace::create(setting.spacePrefix, options);
    if (!space) {
        return space.error();
    }
    ProgramCall program = setting.program;
    program.environment.emplace_back("CUDA_INJECTION64_PATH", library.value());
    program.environment.emplace_back(kFolderVariable, space.value().path());
    if (options.hasRanges) {
        program.environment.emplace_back("NVTX_INJECTION64_PATH", library.value());
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
    facts += setting.facts;
    merger->own().writeFacts(facts);
    merger->own().add(readClocks());
    merger->own().flush();
    return Recording(std::move(space).value(), std::move(merger), child.value());
}

bool Recording::poll() {
    bool isGood = true;
    for (const std::string& name : m_space.captures()) {
        isGood = m_merger->readOn(m_space.path() + "/" + name) && isGood;
    }
    m_merger->own().flush();
    return isGood;
}

bool Recording::hasLiveProcesses() const {
    for (const std::string& name : m_space.captures()) {
        const pid_t pid = std::atoi(name.c_str());
        if (pid > 0 && (kill(pid, 0) == 0 || errno == EPERM)) {
            return true;
        }
    }
    return false;
}

void Recording::finish(std::string_view reason) {
    stop();
    // Those that live write their end once they see that; those that have ended have written it.
    constexpr auto kPatience = std::chrono::seconds(12);
    const auto begin = std::chrono::steady_clock::now();
    while (poll() && counts().ended < counts().sources && hasLiveProcesses() &&
           std::chrono::steady_clock::now() - begin < kPatience) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    poll();
    own().add(readClocks());
    std::string facts;
    appendFact(facts, fact::kReason, reason);
    appendFact(facts, "end_ns", std::to_string(realtimeNs()));
    if (const auto code = m_program.poll()) {
        appendFact(facts, "exit_code", std::to_string(*code));
    }
    own().writeEnd(facts);
}

}  // namespace warpline::record
