// SPDX-License-Identifier: MIT
#include "core/loaders/capture/capture_loader.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "core/loaders/capture/capture_appender.h"
#include "core/loaders/capture/capture_reader.h"
#include "core/loaders/capture/capture_source.h"
#include "core/loaders/damage_report.h"

namespace warpline::loaders::capture {

const LoaderInfo& CaptureLoader::info() const {
    static const LoaderInfo kInfo{"capture", "Warpline capture", {".wcap"}};
    return kInfo;
}

int CaptureLoader::sniff(const SniffData& data) const {
    constexpr int kCertain = 100;
    constexpr int kDamaged = 70;
    constexpr uint32_t kSync = wire::kSync;
    const std::string_view sync(reinterpret_cast<const char*>(&kSync), sizeof kSync);
    for (size_t at = data.head.find(sync); at != std::string_view::npos; at = data.head.find(sync, at + 1)) {
        wire::FrameHeader header;
        if (data.head.size() - at < sizeof header) {
            break;
        }
        std::memcpy(&header, data.head.data() + at, sizeof header);
        if (wire::isIntact(header)) {
            return at == 0 ? kCertain : kDamaged;
        }
    }
    return data.head.starts_with(sync) ? kDamaged : 0;
}

Status CaptureLoader::load(const std::shared_ptr<TextSource>& source, FileId file, TraceBuilder& builder,
                           const LoadOptions& options, JobControl& job) const {
    job.setPhase("Reading frames");
    FileInfo& info = builder.file(file);
    info.compression = source->compression();
    info.bytes = source->storedBytes();
    info.offsetSpace = source->offsetSpace();
    const uint64_t before = job.done();
    const uint64_t total = std::max(job.total(), before + source->storedBytes());

    CaptureReader reader;
    const bool isGrowing = options.growing.isGrowing;
    const uint64_t newest = options.growing.newestBytes;
    if (newest != 0 && info.bytes > newest) {
        reader.passBefore(info.bytes - newest, CaptureAppender::isContext);
    }
    CaptureAppender appender(builder, file, &job);
    constexpr size_t kBlockBytes = size_t{1} << 20;
    std::string block(kBlockBytes, '\0');
    for (bool isOver = false; !isOver;) {
        if (job.stopRequested()) {
            return Error::cancelled();
        }
        const auto count = source->readNext(block);
        if (!count) {
            return count.error();
        }
        reader.add(std::string_view(block).substr(0, count.value()));
        isOver = count.value() == 0;
        if (isOver && !isGrowing) {
            reader.end();
        }
        while (const auto frame = reader.next()) {
            appender.add(*frame, reader.bytesHeld());
            if (job.stopRequested()) {
                return Error::cancelled();
            }
        }
        job.setProgress(before + source->storedPosition(), total);
    }
    if (appender.frameCount() == 0) {
        return reader.frames().pendingBytes() > 0
                   ? Error::failed("the file ends before its first frame is whole", "truncated")
                   : Error::failed("this is no capture: it has no frames", "unsupported");
    }
    if (!isGrowing) {
        reportDamage(*source, reader.frames().pendingBytes() > 0, file, builder.report());
    }
    auto facts =
        appender.finish(reader.frames(), isGrowing ? CaptureAppender::Growth::Growing : CaptureAppender::Growth::Ended);
    builder.file(file).format = "capture";
    builder.file(file).source = makeCaptureSource(source, std::move(facts));
    return job.stopRequested() ? Status(Error::cancelled()) : Status::success();
}

Result<std::shared_ptr<const EventSource>> CaptureLoader::reopen(const std::shared_ptr<const TextSource>& source,
                                                                 std::string_view facts,
                                                                 const LoadOptions& /*options*/) const {
    auto known = CaptureFacts::fromStored(facts);
    if (!known) {
        return Error::failed("what is kept of the capture is damaged");
    }
    return std::shared_ptr<const EventSource>(
        makeCaptureSource(source, std::make_shared<const CaptureFacts>(std::move(*known))));
}

std::unique_ptr<Loader> make() {
    return std::make_unique<CaptureLoader>();
}

}  // namespace warpline::loaders::capture
