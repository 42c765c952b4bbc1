// SPDX-License-Identifier: MIT
#include "core/loaders/capture/repack.h"

#include <zstd.h>

#include <memory>
#include <span>
#include <string>

#include "core/capture/frame_reader.h"

namespace warpline::loaders::capture {

namespace {

namespace wire = warpline::capture;

struct FreeContext {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

/// Appends the frame, packed where that makes it smaller.
void appendPacked(std::string& out, const wire::Frame& frame, ZSTD_CCtx* context, std::string& buffer) {
    constexpr int kLevel = 3;
    wire::FrameHeader header = frame.header;
    std::string_view payload = frame.payload;
    if (header.flags == 0 && context != nullptr) {
        buffer.resize(ZSTD_compressBound(payload.size()));
        const size_t bytes =
            ZSTD_compressCCtx(context, buffer.data(), buffer.size(), payload.data(), payload.size(), kLevel);
        if (ZSTD_isError(bytes) == 0 && bytes < payload.size()) {
            payload = std::string_view(buffer).substr(0, bytes);
            header = wire::makeHeader(frame.type(), header.source, header.sequence, payload, wire::kPackedByZstd);
        }
    }
    out.append(reinterpret_cast<const char*>(&header), sizeof header);
    out += payload;
}

}  // namespace

Status repack(TextSource& source, const std::function<Status(std::string_view)>& write, JobControl& job) {
    job.setPhase("Writing frames");
    const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
    wire::FrameReader reader;
    constexpr size_t kBlockBytes = size_t{1} << 20;
    std::string block(kBlockBytes, '\0');
    std::string out, buffer;
    bool hasFrames = false;
    for (bool isOver = false; !isOver;) {
        const auto count = source.readNext(block);
        if (!count) {
            return count.error();
        }
        reader.add(std::string_view(block).substr(0, count.value()));
        isOver = count.value() == 0;
        if (isOver) {
            reader.end();
        }
        while (const auto frame = reader.next()) {
            if (job.stopRequested()) {
                return Error::cancelled();
            }
            hasFrames = true;
            out.clear();
            appendPacked(out, *frame, context.get(), buffer);
            if (Status status = write(out); !status) {
                return status;
            }
        }
        job.setProgress(source.storedPosition(), source.storedBytes());
    }
    return hasFrames ? Status::success() : Status(Error::failed("this is no capture: it has no frames", "unsupported"));
}

}  // namespace warpline::loaders::capture
