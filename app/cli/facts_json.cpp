// SPDX-License-Identifier: MIT
#include "app/cli/facts_json.h"

namespace warpline::cli {

void writeDevice(JsonWriter& json, const DeviceInfo& device) {
    json.beginObject().key("id").integer(device.id).key("name").text(device.name);
    json.key("compute_capability");
    if (device.computeMajor && device.computeMinor) {
        json.text(std::to_string(*device.computeMajor) + "." + std::to_string(*device.computeMinor));
    } else {
        json.null();
    }
    json.key("sm_count").optionalInteger(device.smCount);
    json.key("memory_bytes").optionalInteger(device.memoryBytes);
    json.endObject();
}

void writeIssue(JsonWriter& json, const Issue& issue) {
    json.beginObject();
    json.key("code").text(issue.code);
    json.key("severity").text(severityName(issue.severity));
    json.key("count").unsignedInteger(issue.count);
    json.key("file").unsignedInteger(issue.file.value);
    json.key("first_offset");
    if (issue.firstOffset) {
        json.unsignedInteger(*issue.firstOffset);
        json.key("space").text(issue.space == OffsetSpace::File ? "file" : "decompressed");
    } else {
        json.null().key("space").null();
    }
    json.key("message").text(issue.message).endObject();
}

std::string failureDocument(const Error& error, const std::vector<std::string>& paths) {
    std::string out;
    JsonWriter json(out, 2);
    json.beginObject().key("loads").boolean(false).key("issues").beginArray().beginObject();
    json.key("code").text(error.code.empty() ? "unsupported" : error.code);
    json.key("severity").text(severityName(Severity::Error)).key("count").integer(1).key("file");
    // The message begins with the file's name; with one file there is no choice anyway.
    size_t file = paths.size() == 1 ? 0 : paths.size();
    for (size_t i = 0; i < paths.size() && file == paths.size(); ++i) {
        if (error.message.compare(0, paths[i].size() + 1, paths[i] + ":") == 0) {
            file = i;
        }
    }
    if (file < paths.size()) {
        json.unsignedInteger(file);
    } else {
        json.null();
    }
    json.key("first_offset").null().key("space").null().key("message").text(error.message);
    json.endObject().endArray().endObject();
    out += '\n';
    return out;
}

}  // namespace warpline::cli
