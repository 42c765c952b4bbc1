// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/event_source.h"

#include <string>
#include <utility>
#include <vector>

#include "core/loaders/chrome_trace/json_text.h"

namespace warpline::loaders::chrome_trace {

namespace {

class ChromeEventSource final : public EventSource {
public:
    ChromeEventSource(std::shared_ptr<const TextSource> text, const LoadOptions& options)
        : m_text(std::move(text)), m_options(options) {}

    Result<std::string> argsJson(SourceRef event) const override {
        auto text = rawText(event);
        if (!text) {
            return text;
        }
        std::vector<Member> members;
        if (scanObject(text.value(), 0, UINT32_MAX, members).status != ScanStatus::Ok) {
            return Error::failed("the event is no longer where it was: the file has changed");
        }
        std::string_view args = "null";
        std::string key;
        for (const Member& member : members) {
            key.clear();
            appendDecoded(member.key, key);
            args = key == "args" ? member.value : args;
        }
        std::string json;
        appendStrictJson(args, m_options.maxArgsDepth, json);
        return json;
    }

    Result<std::string> rawText(SourceRef event) const override {
        auto text = m_text->read(event.offset, event.length);
        if (text && (text.value().empty() || text.value().front() != '{')) {
            return Error::failed("the event is no longer where it was: the file has changed");
        }
        return text;
    }

private:
    std::shared_ptr<const TextSource> m_text;
    LoadOptions m_options;
};

}  // namespace

std::shared_ptr<const EventSource> makeEventSource(std::shared_ptr<const TextSource> text, const LoadOptions& options) {
    return std::make_shared<ChromeEventSource>(std::move(text), options);
}

}  // namespace warpline::loaders::chrome_trace
