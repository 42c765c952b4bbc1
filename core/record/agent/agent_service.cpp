// SPDX-License-Identifier: MIT
#include "core/record/agent/agent_service.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/capture/texts.h"
#include "core/record/agent/recording.h"

namespace warpline::record {

using namespace capture;

namespace {

using Json = nlohmann::json;

bool writeAll(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    return true;
}

/// One end of what the program prints to.
struct OutputPipe {
    int from = -1, to = -1;
    uint32_t stream = 0;

    explicit OutputPipe(uint32_t number) : stream(number) {
        int ends[2] = {-1, -1};
        if (pipe2(ends, O_CLOEXEC) == 0) {
            from = ends[0];
            to = ends[1];
            fcntl(from, F_SETFL, fcntl(from, F_GETFL) | O_NONBLOCK);
        }
    }
    ~OutputPipe() {
        closeTo();
        if (from >= 0) {
            close(from);
        }
    }
    OutputPipe(const OutputPipe&) = delete;
    OutputPipe& operator=(const OutputPipe&) = delete;
    void closeTo() {
        if (to >= 0) {
            close(to);
            to = -1;
        }
    }
};

class Service {
public:
    Service(int in, int out) : m_in(in), m_out(out) {}

    int run() {
        say({{"state", "ready"}});
        while (!m_isToQuit) {
            wait();
            readCommands();
            follow();
            if (m_isBroken) {
                break;
            }
        }
        if (m_recording) {
            m_recording->signalProgram(SIGHUP);
            finish("the window is gone");
        }
        return m_isBroken ? 1 : 0;
    }

private:
    using Facts = std::vector<std::pair<std::string_view, std::string>>;

    /// Outside a recording the frames of the service are its own.
    void say(const Facts& facts) {
        std::string payload;
        for (const auto& [key, value] : facts) {
            appendFact(payload, key, value);
        }
        if (m_recording) {
            m_recording->own().flush();
            m_recording->own().writeFrame(FrameType::Facts, payload);
        } else {
            std::string frame;
            appendFrame(frame, FrameType::Facts, 0, m_sequence++, payload);
            m_isBroken = m_isBroken || !writeAll(m_out, frame);
        }
    }

    void wait() {
        constexpr int kIntervalMs = 40;
        pollfd sources[3] = {{m_in, POLLIN, 0}, {-1, POLLIN, 0}, {-1, POLLIN, 0}};
        if (m_output) {
            sources[1].fd = m_output->from;
            sources[2].fd = m_errors->from;
        }
        poll(sources, 3, kIntervalMs);
        m_hasInput = (sources[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0;
    }

    void readCommands() {
        if (!m_hasInput) {
            return;
        }
        char piece[16384];
        const ssize_t got = read(m_in, piece, sizeof piece);
        if (got <= 0) {
            m_isToQuit = got == 0 || errno != EINTR;
            return;
        }
        m_commands.append(piece, static_cast<size_t>(got));
        size_t end = 0;
        while ((end = m_commands.find('\n')) != std::string::npos) {
            const std::string line = m_commands.substr(0, end);
            m_commands.erase(0, end + 1);
            obey(line);
        }
    }

    void obey(const std::string& line) {
        const Json command = Json::parse(line, nullptr, false);
        if (!command.is_object() || !command.contains("do") || !command["do"].is_string()) {
            return say({{"state", "failed"}, {"error", "a command that is none: " + line.substr(0, 200)}});
        }
        const std::string what = command["do"];
        if (what == "quit") {
            m_isToQuit = true;
        } else if (what == "start") {
            if (m_recording) {
                return say({{"state", "failed"}, {"error", "a recording is under way"}});
            }
            start(command);
        } else if (!m_recording) {
            say({{"state", "failed"}, {"error", "nothing is being recorded"}});
        } else if (what == "pause" || what == "resume") {
            m_recording->pause(what == "pause");
        } else if (what == "stop") {
            m_recording->stop();
            m_isStopped = true;
        } else if (what == "signal" && command.contains("number") && command["number"].is_number_integer()) {
            m_recording->signalProgram(command["number"]);
        } else {
            say({{"state", "failed"}, {"error", "an unknown command: " + what}});
        }
    }

    void start(const Json& command) {
        Recording::Setting setting;
        try {
            setting.program.arguments = command.at("program").get<std::vector<std::string>>();
            setting.program.folder = command.value("folder", "");
            const Json environment = command.value("environment", Json::object());
            for (const auto& [key, value] : environment.items()) {
                setting.program.environment.emplace_back(key, value.get<std::string>());
            }
            const Result<RecordOptions> options = optionsOf(command.value("options", ""));
            if (!options) {
                return say({{"state", "failed"}, {"error", options.error().message}});
            }
            setting.options = options.value();
        } catch (const Json::exception& error) {
            return say({{"state", "failed"}, {"error", std::string("the start of a recording: ") + error.what()}});
        }
        if (setting.program.arguments.empty() || setting.program.arguments.front().empty()) {
            return say({{"state", "failed"}, {"error", "there is no program to record"}});
        }
        setting.saysProgress = true;
        std::error_code ignored;
        setting.spacePrefix = (std::filesystem::temp_directory_path(ignored) / "warpline-recording-").string();
        m_output = std::make_unique<OutputPipe>(1);
        m_errors = std::make_unique<OutputPipe>(2);
        setting.program.hasNoInput = true;  // ours has the commands
        setting.program.output = m_output->to;
        setting.program.errors = m_errors->to;
        auto started = Recording::start(setting, [this](std::string_view bytes) { return writeAll(m_out, bytes); });
        m_output->closeTo();
        m_errors->closeTo();
        if (!started) {
            return say({{"state", "failed"}, {"error", started.error().message}});
        }
        m_recording.emplace(std::move(started).value());
        m_isStopped = false;
        say({{"state", "started"}});
    }

    void follow() {
        if (!m_recording) {
            return;
        }
        const auto code = m_recording->programEnded();
        takeOutput(*m_output);
        takeOutput(*m_errors);
        m_isBroken = !m_recording->poll() || m_isBroken;
        if (code) {
            finish("the program ended");
        } else if (m_isStopped && !m_recording->awaitsEnds()) {
            finish("stopped");
        }
    }

    void takeOutput(OutputPipe& pipe) {
        char piece[65536];
        ssize_t got = 0;
        // A program that prints without end is not to keep its kernels from being followed.
        for (int i = 0; i < 4 && (got = read(pipe.from, piece, sizeof piece)) > 0; ++i) {
            std::string payload(reinterpret_cast<const char*>(&pipe.stream), sizeof pipe.stream);
            payload.append(piece, static_cast<size_t>(got));
            m_recording->own().writeFrame(FrameType::Output, payload);
        }
    }

    void finish(std::string_view reason) {
        takeOutput(*m_output);
        takeOutput(*m_errors);
        m_recording->finish(reason);
        Facts facts{{"state", "ended"}};
        if (const auto code = m_recording->programEnded()) {
            facts.emplace_back("exit_code", std::to_string(*code));
        }
        for (const std::string& refusal : m_recording->counts().refusals) {
            facts.emplace_back("refusal", refusal);
        }
        m_recording.reset();
        m_sequence = 0;
        say(facts);
        m_output.reset();
        m_errors.reset();
    }

    int m_in, m_out;
    bool m_hasInput = false, m_isToQuit = false, m_isBroken = false, m_isStopped = false;
    std::string m_commands;
    uint64_t m_sequence = 0;
    std::optional<Recording> m_recording;
    std::unique_ptr<OutputPipe> m_output, m_errors;
};

}  // namespace

int serveAgent(int in, int out) {
    return Service(in, out).run();
}

}  // namespace warpline::record
