// SPDX-License-Identifier: MIT
#include "core/exporters/slice_csv/slice_csv_writer.h"

namespace warpline::exporters {

namespace {

constexpr size_t kFlushBytes = size_t{1} << 18;

void appendText(std::string& out, std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        out += text;
        return;
    }
    out += '"';
    for (const char c : text) {
        out += c;
        if (c == '"') {
            out += c;
        }
    }
    out += '"';
}

}  // namespace

Status writeSliceCsv(const Trace& trace, FileId file, ByteSink& sink, JobControl& job) {
    const SliceColumns& slices = trace.slices();
    const FileInfo& info = trace.files()[file.value];
    std::string out =
        "pid,tid,process,track,name,category,kind,ts_ns,dur_ns,self_ns,depth,correlation,external_id,unfinished\r\n";
    const auto word = [&](const std::optional<StringId>& id) {
        appendText(out, id ? trace.string(*id) : std::string_view());
        out += ',';
    };
    const auto text = [&](StringId id) {
        appendText(out, trace.string(id));
        out += ',';
    };
    const auto number = [&](bool known, auto value) {
        if (known) {
            out += std::to_string(value);
        }
        out += ',';
    };
    job.setPhase("writing");
    for (uint32_t row = 0; row < slices.size(); ++row) {
        const Track& track = trace.track(slices.track[row]);
        const Process& process = trace.process(track.process);
        if (process.file != file) {
            continue;
        }
        word(process.pid);
        word(track.tid);
        text(process.label);
        text(track.label);
        text(slices.name[row]);
        text(slices.category[row]);
        out += eventKindName(slices.kind[row]);
        out += ',';
        number(true, info.ownTime(slices.begin[row]));
        number(slices.knownDuration(row) != kUnknownDuration, slices.duration[row]);
        const DurationNs self = trace.selfDuration(EventRow(row));
        number(self != kUnknownDuration, self);
        number(true, slices.depth[row]);
        number(slices.correlation[row] != kNoCorrelation, slices.correlation[row]);
        number(slices.externalId[row] != kNoExternalId, slices.externalId[row]);
        out += (slices.flags[row] & kSliceUnfinished) != 0 ? "true\r\n" : "false\r\n";
        if (row % 1024 == 0) {
            job.setProgress(row, slices.size());
            if (job.stopRequested()) {
                return Error::cancelled();
            }
        }
        if (out.size() >= kFlushBytes) {
            if (Status status = sink.write(out); !status.ok()) {
                return status;
            }
            out.clear();
        }
    }
    return sink.write(out);
}

}  // namespace warpline::exporters
