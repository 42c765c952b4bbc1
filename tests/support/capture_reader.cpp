// SPDX-License-Identifier: MIT
#include "tests/support/capture_reader.h"

#include <zstd.h>

#include <QFile>

#include "core/capture/texts.h"

namespace warpline::test {

using namespace capture;

namespace {

/// "" if it is not what it says.
std::string unpacked(const capture::Frame& frame) {
    if ((frame.header.flags & kPackedByZstd) == 0) {
        return std::string(frame.payload);
    }
    const unsigned long long size = ZSTD_getFrameContentSize(frame.payload.data(), frame.payload.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMostPayload) {
        return {};
    }
    std::string content(size, '\0');
    const size_t got = ZSTD_decompress(content.data(), content.size(), frame.payload.data(), frame.payload.size());
    return ZSTD_isError(got) != 0 || got != size ? std::string() : content;
}

void takeTexts(CaptureContent& into, uint32_t source, std::string_view payload) {
    const auto texts = textsOf(payload);
    into.unreadable += texts ? 0 : 1;
    if (texts) {
        for (const auto& [number, text] : *texts) {
            into.texts[{source, number}] = text;
        }
    }
}

void takeFacts(CaptureContent& into, uint32_t source, std::string_view payload) {
    const auto facts = factsOf(payload);
    into.unreadable += facts ? 0 : 1;
    if (facts) {
        for (const auto& [key, value] : *facts) {
            into.facts[source][std::string(key)] = value;
        }
    }
}

}  // namespace

std::set<uint32_t> CaptureContent::sources() const {
    std::set<uint32_t> all;
    for (const Frame& frame : frames) {
        if (frame.header.source != 0) {
            all.insert(frame.header.source);
        }
    }
    return all;
}

std::string CaptureContent::text(uint32_t source, uint32_t number) const {
    const auto found = texts.find({source, number});
    return found != texts.end() ? found->second : number == 0 ? std::string() : "?";
}

std::string CaptureContent::fact(uint32_t source, const std::string& key) const {
    const auto of = facts.find(source);
    const auto found = of != facts.end() ? of->second.find(key) : std::map<std::string, std::string>::const_iterator();
    return of != facts.end() && found != of->second.end() ? found->second : std::string();
}

size_t CaptureContent::count(FrameType type) const {
    return static_cast<size_t>(
        std::ranges::count_if(frames, [type](const Frame& frame) { return frame.type() == type; }));
}

uint64_t CaptureContent::lost(LossKind kind) const {
    uint64_t sum = 0;
    for (const LossRecord& loss : records<LossRecord>()) {
        sum += loss.kind == kind ? loss.count : 0;
    }
    return sum;
}

CaptureContent readCapture(std::string_view bytes) {
    CaptureContent content;
    FrameReader reader;
    reader.add(bytes);
    while (const auto frame = reader.next()) {
        CaptureContent::Frame kept{frame->header, unpacked(*frame)};
        content.unreadable += kept.payload.empty() && frame->header.bytes != 0 ? 1 : 0;
        const uint32_t source = frame->header.source;
        switch (frame->type()) {
            case FrameType::Strings:
                takeTexts(content, source, kept.payload);
                break;
            case FrameType::End:
                content.ended.insert(source);
                [[fallthrough]];
            case FrameType::Begin:
            case FrameType::Facts:
                takeFacts(content, source, kept.payload);
                break;
            default:
                break;
        }
        content.frames.push_back(std::move(kept));
    }
    content.damage = reader.damage();
    content.pendingBytes = reader.pendingBytes();
    return content;
}

CaptureContent readCaptureFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? readCapture(file.readAll().toStdString()) : CaptureContent{};
}

}  // namespace warpline::test
