// SPDX-License-Identifier: MIT
#pragma once
// The JSON of what several commands print in the same words: devices, issues, failures.

#include <string>
#include <vector>

#include "core/base/json_writer.h"
#include "core/base/result.h"
#include "core/trace/file_info.h"
#include "core/trace/import_report.h"

namespace warpline::cli {

void writeDevice(JsonWriter& json, const DeviceInfo& device);
/// As in `info --json`, with the index of its file.
void writeIssue(JsonWriter& json, const Issue& issue);
/// The document of `info` and `dump` when nothing could be loaded; `paths` are the files of the command line.
std::string failureDocument(const Error& error, const std::vector<std::string>& paths);

}  // namespace warpline::cli
