// SPDX-License-Identifier: MIT
// A stand-in for `warpline agent --stdio`: speaks its protocol and makes records up. What it does stands where the
// program to be recorded would: "steady", "exit 3", "held", "broken", "fail TEXT", "refuse TEXT", "huge MB", "chatty
// MB", "idle", "replay FILE", "paced FILE". WARPLINE_STAND_IN_BEFORE=noise|silent|die: what it does before it is ready.
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/capture/capture_writer.h"
#include "core/capture/frame_reader.h"
#include "core/capture/texts.h"

using namespace warpline::capture;

namespace {

using Clock = std::chrono::steady_clock;
using Facts = std::vector<std::pair<std::string, std::string>>;

bool g_isGone = false;

bool put(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (written <= 0) {
            g_isGone = true;
            return false;
        }
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    return true;
}

CaptureWriter::Sink sink() {
    return [](std::span<const char> header, std::span<const char> payload) {
        return put({header.data(), header.size()}) && put({payload.data(), payload.size()});
    };
}

std::string payloadOf(const Facts& facts) {
    std::string payload;
    for (const auto& [key, value] : facts) {
        appendFact(payload, key, value);
    }
    return payload;
}

void say(const Facts& facts) {
    std::string frame;
    appendFrame(frame, FrameType::Facts, 0, 0, payloadOf(facts));
    put(frame);
}

int64_t nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

/// One recording.
class Session {
public:
    Session() : m_own(sink()), m_process(sink(), 1) {}

    void begin() {
        m_begin = nowNs();
        m_own.writeFacts(payloadOf({{"format", std::string(kFormatName)}, {"pid", "1000"}, {"role", "recorder"}}));
        m_own.writeFrame(FrameType::Facts, payloadOf({{"state", "started"}}));
    }
    void beginProcess() {
        m_hasProcess = true;
        m_process.writeFacts(
            payloadOf({{"format", std::string(kFormatName)}, {"pid", "1001"}, {"program", "/usr/bin/made_up"}}));
        m_process.add(ClockRecord{m_begin, 5'000'000'000, m_begin + 300, 600});
        DeviceRecord device;
        device.name = m_process.number("NVIDIA H200");
        device.memoryBytes = 150'109'880'320;
        device.computeMajor = 9;
        device.smCount = 132;
        m_process.add(device);
        m_process.add(ContextRecord{1, 0, 7, 1});
        m_process.add(StreamRecord{1, 7, 0, 0});
        m_process.flush();
    }
    /// That end now, 100 us each, with their calls and an allocation.
    void addKernels(int count, bool isNoted = true) {
        constexpr int64_t kEach = 100'000;
        int64_t at = nowNs() - count * kEach;
        for (int i = 0; i < count; ++i, at += kEach) {
            KernelRecord kernel;
            kernel.begin = at;
            kernel.end = at + kEach - 10'000;
            kernel.correlation = ++m_correlation;
            kernel.context = 1;
            kernel.stream = 7;
            constexpr const char* kNames[] = {"gemm_kernel", "softmax_kernel", "_Z10vector_addPKfS0_Pfi"};
            kernel.name = m_process.number(kNames[m_correlation % 3]);
            kernel.grid[0] = 264;
            kernel.grid[1] = kernel.grid[2] = kernel.block[1] = kernel.block[2] = 1;
            kernel.block[0] = 256;
            m_process.add(kernel);
            m_process.add(CallRecord{at - 20'000, at - 15'000, 1001, kernel.correlation,
                                     m_process.number("cudaLaunchKernel_v7000"), CallDomain::Runtime, 0, 0});
        }
        m_completeTo = at - 10'000;
        MemoryRecord memory;
        memory.time = at - 50'000;
        memory.address = 0x7f0000000000 + m_correlation * 4096;
        memory.bytes = uint64_t{1} << 20;
        memory.kind = 3;
        memory.context = 1;
        m_process.add(memory);
        m_process.add(SampleRecord{at, 600.0 + static_cast<double>(m_correlation % 100), 0, SampleKind::PowerWatts});
        m_process.flush();
        m_kernels += static_cast<uint64_t>(count);
        m_noted += isNoted ? static_cast<uint64_t>(count) : 0;
        m_events += static_cast<uint64_t>(count) * 2 + 1;
    }
    void noteLaunches(int count) { m_noted += static_cast<uint64_t>(count); }
    void addLost(uint64_t count) { m_lost += count; }
    void print(uint32_t stream, const std::string& text) {
        std::string payload(reinterpret_cast<const char*>(&stream), sizeof stream);
        m_own.writeFrame(FrameType::Output, payload + text);
    }
    void progress() {
        const auto number = [](uint64_t value) { return std::to_string(value); };
        m_own.writeFrame(FrameType::Facts,
                         payloadOf({{"state", "progress"},
                                    {"kernels", number(m_kernels)},
                                    {"launches", number(m_kernels)},
                                    {"noted_launches", number(m_noted)},
                                    {"events", number(m_events)},
                                    {"lost", number(m_lost)},
                                    {"bytes", number(m_own.bytesWritten() + m_process.bytesWritten())},
                                    {"complete_to_ns", number(static_cast<uint64_t>(m_completeTo))},
                                    {"now_ns", number(static_cast<uint64_t>(nowNs()))},
                                    {"sources", m_hasProcess ? "1" : "0"},
                                    {"ended", "0"}}));
    }
    void end(const Facts& facts) {
        progress();
        if (m_hasProcess) {
            m_process.writeEnd(payloadOf({{"reason", "exit"}}));
        }
        m_own.writeEnd(payloadOf({{"reason", "the program ended"}}));
        Facts all{{"state", "ended"}};
        all.insert(all.end(), facts.begin(), facts.end());
        say(all);
    }

private:
    CaptureWriter m_own, m_process;
    int64_t m_begin = 0, m_completeTo = 0;
    uint32_t m_correlation = 0;
    uint64_t m_kernels = 0, m_noted = 0, m_events = 0, m_lost = 0;
    bool m_hasProcess = false;
};

class StandIn {
public:
    int run() {
        const char* before = std::getenv("WARPLINE_STAND_IN_BEFORE");
        const std::string how = before != nullptr ? before : "";
        if (how == "die") {
            std::fputs("made-up trouble\n", stderr);
            return 1;
        }
        if (how == "noise") {
            put("Welcome to the machine!\nIt is Monday.\n");
        }
        if (how != "silent") {
            say({{"state", "ready"}});
        }
        while (!m_isToQuit && !g_isGone) {
            obeyFor(m_program.empty() ? 1000 : 50);
            if (!m_program.empty() && !m_isPaused) {
                step();
            }
        }
        return 0;
    }

private:
    /// Commands that come within that time.
    void obeyFor(int ms) {
        const auto until = Clock::now() + std::chrono::milliseconds(ms);
        do {
            pollfd in{STDIN_FILENO, POLLIN, 0};
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
            if (poll(&in, 1, static_cast<int>(std::max<int64_t>(0, left))) <= 0) {
                continue;
            }
            char piece[65536];
            const ssize_t got = read(STDIN_FILENO, piece, sizeof piece);
            if (got <= 0) {
                m_isToQuit = true;
                return;
            }
            m_commands.append(piece, static_cast<size_t>(got));
            for (size_t end; (end = m_commands.find('\n')) != std::string::npos; m_commands.erase(0, end + 1)) {
                obey(nlohmann::json::parse(m_commands.substr(0, end)));
            }
        } while (Clock::now() < until && !m_isToQuit);
    }

    void obey(const nlohmann::json& command) {
        const std::string what = command["do"];
        if (what == "quit") {
            m_isToQuit = true;
        } else if (what == "start") {
            if (const char* log = std::getenv("WARPLINE_STAND_IN_LOG")) {
                std::ofstream(log) << command.dump();
            }
            start(command["program"].get<std::vector<std::string>>());
        } else if (what == "pause" || what == "resume") {
            m_isPaused = what == "pause";
        } else if (what == "stop") {
            end({});
        } else if (what == "signal") {
            end({{"exit_code", std::to_string(128 + command["number"].get<int>())}});
        }
    }

    void start(const std::vector<std::string>& program) {
        if (program[0] == "fail") {
            return say({{"state", "failed"}, {"error", program.at(1)}});
        }
        if (program[0] == "paced") {
            return playAtItsPace(program.at(1));
        }
        m_program = program;
        m_session = std::make_unique<Session>();
        m_session->begin();
        m_step = 0;
    }

    void end(const Facts& facts) {
        if (m_session) {
            m_session->end(facts);
        }
        m_session.reset();
        m_program.clear();
    }

    int number(size_t at, int otherwise) const {
        return m_program.size() > at ? std::atoi(m_program[at].c_str()) : otherwise;
    }

    void step() {
        constexpr int kSteps = 10'000'000;
        const std::string& what = m_program[0];
        const int at = m_step++;
        if (what == "idle") {
            return m_session->progress();
        }
        if (what == "refuse") {
            return end({{"exit_code", "0"}, {"refusal", "process 1001: " + m_program.at(1)}});
        }
        if (what == "replay") {
            return replay(m_program.at(1));
        }
        if (at == 0) {
            m_session->beginProcess();
        }
        if (what == "huge") {
            return huge(number(1, 64));
        }
        if (what == "chatty") {
            const std::string line(120, 'x');
            for (int i = 0; i < number(1, 8) * 8192; ++i) {
                m_session->print(1, std::to_string(i) + ' ' + line + '\n');
            }
            m_session->addKernels(10);
            return end({{"exit_code", "0"}});
        }
        if (what == "held" && at > 4) {
            m_session->noteLaunches(5);
        } else {
            m_session->addKernels(number(2, 20));
        }
        if (at % 8 == 0) {
            m_session->print(1, "step " + std::to_string(at) + '\n');
            m_session->print(2, "warning of step " + std::to_string(at) + '\n');
        }
        if (at % 4 == 0) {
            m_session->progress();
        }
        if (what == "broken" && at == 12) {
            std::fputs("the line went dead\n", stderr);
            _exit(9);
        }
        if (what == "lossy" && at == 4) {
            m_session->addLost(17);
        }
        const int steps = what == "exit" ? 3 : number(1, kSteps);
        if (at >= steps) {
            end({{"exit_code", what == "exit" ? m_program.at(1) : "0"}});
        }
    }

    void huge(int megabytes) {
        constexpr int kBytesEach = 200;
        const int batches = megabytes * 1'000'000 / (1000 * kBytesEach);
        auto said = Clock::now();
        for (int i = 0; i < batches && !g_isGone; ++i) {
            m_session->addKernels(1000);
            if (Clock::now() - said > std::chrono::milliseconds(400)) {
                said = Clock::now();
                m_session->progress();
            }
        }
        end({{"exit_code", "0"}});
    }

    /// The frames of a capture, each when its size's share of the time has come; its time is told by the file's name
    /// ("replay FILE SECONDS").
    void replay(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        const std::string all{std::istreambuf_iterator<char>(file), {}};
        FrameReader reader;
        reader.add(all);
        reader.end();
        const double seconds = number(2, 5);
        const auto begin = Clock::now();
        bool isFirst = true;
        while (const auto frame = reader.next()) {
            const double share = static_cast<double>(frame->offset) / static_cast<double>(all.size());
            const auto due = begin + std::chrono::milliseconds(static_cast<int64_t>(share * seconds * 1000));
            while (Clock::now() < due && !m_isToQuit && !m_program.empty()) {
                obeyFor(static_cast<int>(std::min<int64_t>(
                    100, 1 + std::chrono::duration_cast<std::chrono::milliseconds>(due - Clock::now()).count())));
            }
            if (m_isToQuit || m_program.empty()) {
                return;
            }
            // Its own recording side has begun already.
            if (isFirst && frame->type() == FrameType::Begin) {
                isFirst = false;
                continue;
            }
            put(std::string_view(all).substr(frame->offset, sizeof(FrameHeader) + frame->header.bytes));
        }
        m_session.reset();
        m_program.clear();
        say({{"state", "ended"}, {"exit_code", "0"}});
    }

    /// What an agent wrote, piece by piece when it came: {nanoseconds since the start, bytes of the piece, the piece}…
    void playAtItsPace(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        const auto begin = Clock::now();
        uint64_t due = 0;
        uint32_t bytes = 0;
        while (!m_isToQuit && file.read(reinterpret_cast<char*>(&due), sizeof due) &&
               file.read(reinterpret_cast<char*>(&bytes), sizeof bytes)) {
            std::string piece(bytes, '\0');
            file.read(piece.data(), bytes);
            for (int64_t left = 0; !m_isToQuit && (left = static_cast<int64_t>(due) - nanosecondsSince(begin)) > 0;) {
                obeyFor(static_cast<int>(std::min<int64_t>(100, 1 + left / 1'000'000)));
            }
            put(piece);
        }
    }
    static int64_t nanosecondsSince(Clock::time_point begin) {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
    }

    std::string m_commands;
    std::vector<std::string> m_program;
    std::unique_ptr<Session> m_session;
    int m_step = 0;
    bool m_isToQuit = false, m_isPaused = false;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3 || std::strcmp(argv[1], "agent") != 0) {
        return 2;
    }
    std::signal(SIGPIPE, SIG_IGN);
    return StandIn().run();
}
