// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/event_source.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/loaders/chrome_trace/json_text.h"
#include "core/loaders/chrome_trace/text_scan.h"

namespace warpline::loaders::chrome_trace {

namespace {

/// Members of events that are neither args nor decoded when loading.
constexpr std::array<std::string_view, 6> kKeysBesideArgs = {"sf", "stack", "esf", "estack", "tts", "tdur"};

class ChromeEventSource final : public EventSource {
public:
    ChromeEventSource(std::shared_ptr<const TextSource> text, const LoadOptions& options)
        : m_text(std::move(text)), m_options(options) {}

    Result<std::string> argsJson(SourceRef event, SourceRef end) const override {
        auto args = argsText(event);
        if (args && end.valid()) {
            auto endArgs = argsText(end);
            if (!endArgs) {
                return endArgs;
            }
            if (!isObject(args.value())) {
                args = std::move(endArgs);
            } else if (isObject(endArgs.value())) {
                // One object of both; of equal keys the last counts.
                args.value().back() = ',';
                args.value() += endArgs.value().substr(1);
            }
        }
        if (!args) {
            return args;
        }
        std::string json;
        appendStrictJson(args.value(), m_options.maxArgsDepth, json);
        return json;
    }

    Result<bool> scanText(const TextFinder& part, uint64_t length, const std::function<void(uint64_t)>& found,
                          JobControl& job) const override {
        return chrome_trace::scanText(*m_text, part, length, m_options.threadCount(), found, job);
    }

    std::optional<SourceRecipe> recipe() const override { return SourceRecipe{"chrome_trace", {}}; }

private:
    static bool isObject(std::string_view value) { return value.starts_with('{') && value.ends_with('}'); }

    /// The event as it stands in the file.
    Result<std::string> rawText(SourceRef event) const {
        auto text = m_text->read(event.offset, event.length);
        if (text && (text.value().empty() || text.value().front() != '{')) {
            return Error::failed("what stands in its place is no event", std::string(kUnreadableArgs));
        }
        return text;
    }

    /// The args as they stand in the file, with what else the event says that nothing else shows: stacks, and times of
    /// the thread's own clock. "null" if there is nothing.
    Result<std::string> argsText(SourceRef event) const {
        auto text = rawText(event);
        if (!text) {
            return text;
        }
        std::vector<Member> members;
        if (scanObject(text.value(), 0, UINT32_MAX, members).status != ScanStatus::Ok) {
            return Error::failed("what stands in its place is no event", std::string(kUnreadableArgs));
        }
        std::string_view args = "null";
        std::string beside;
        std::string key;
        for (const Member& member : members) {
            key.clear();
            appendDecoded(member.key, key);
            if (key == "args") {
                args = member.value;
            } else if (std::ranges::find(kKeysBesideArgs, key) != kKeysBesideArgs.end()) {
                beside += "\"" + key + "\":" + std::string(member.value) + ",";
            }
        }
        if (beside.empty() || !(args == "null" || isObject(args))) {
            return std::string(args);
        }
        if (args == "null" || skipBlank(args, 1) == args.size() - 1) {
            beside.back() = '}';
            return "{" + beside;
        }
        // In front, as the last of equal keys counts.
        return "{" + beside + std::string(args.substr(1));
    }

    std::shared_ptr<const TextSource> m_text;
    LoadOptions m_options;
};

}  // namespace

std::shared_ptr<const EventSource> makeEventSource(std::shared_ptr<const TextSource> text, const LoadOptions& options) {
    return std::make_shared<ChromeEventSource>(std::move(text), options);
}

}  // namespace warpline::loaders::chrome_trace
