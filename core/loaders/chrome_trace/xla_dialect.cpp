// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/xla_dialect.h"

#include <algorithm>
#include <optional>

#include "core/base/sum.h"
#include "core/loaders/chrome_trace/kineto_dialect.h"

namespace warpline::loaders::chrome_trace {

namespace {

/// The number behind `prefix`, up to something that is no digit.
std::optional<int64_t> numberAfter(std::string_view text, std::string_view prefix) {
    if (!text.starts_with(prefix)) {
        return std::nullopt;
    }
    text.remove_prefix(prefix.size());
    return wholeNumber(text.substr(0, text.find_first_not_of("0123456789")));
}

}  // namespace

bool isXlaProcess(std::string_view processName) {
    return processName.starts_with("/device:") || processName.starts_with("/host:");
}

TraceBuilder::TrackRole xlaTrackRole(std::string_view processName, std::string_view trackName) {
    TraceBuilder::TrackRole role;
    role.isDevice = processName.starts_with("/device:") && !processName.starts_with("/device:CPU");
    if (role.isDevice && trackName.starts_with("Stream #")) {
        role.kind = EventKind::Kernel;
        role.stream = numberAfter(trackName, "Stream #");
        if (const auto device = numberAfter(processName, "/device:GPU:")) {
            role.device = narrow(device, -1);
        }
    }
    return role;
}

void readKernelDetails(std::string_view text, KernelFacts& facts) {
    while (!text.empty()) {
        const size_t end = std::min(text.find_first_of(" \\"), text.size());
        const std::string_view item = text.substr(0, end);
        text.remove_prefix(std::min(end + (text.substr(end).starts_with("\\n") ? 2 : 1), text.size()));
        const size_t colon = item.find(':');
        if (colon == std::string_view::npos) {
            continue;
        }
        const std::string_view key = item.substr(0, colon);
        const std::string_view value = item.substr(colon + 1);
        if (key == "regs") {
            facts.registersPerThread = narrow(wholeNumber(value), -1);
        } else if (key == "static_shared") {
            facts.staticSharedBytes = wholeNumber(value).value_or(kUnknownFact);
        } else if (key == "dynamic_shared") {
            facts.dynamicSharedBytes = wholeNumber(value).value_or(kUnknownFact);
        } else if (key == "grid") {
            facts.grid = threeNumbers(value);
        } else if (key == "block") {
            facts.block = threeNumbers(value);
        } else if (key == "occ_pct") {
            facts.fileOccupancyPercent = static_cast<float>(realNumber(value).value_or(-1));
        }
    }
    if (facts.staticSharedBytes != kUnknownFact && facts.dynamicSharedBytes != kUnknownFact) {
        Sum shared(facts.staticSharedBytes);
        facts.sharedBytes = (shared += facts.dynamicSharedBytes).value().value_or(kUnknownFact);
    }
}

int64_t xlaContext(std::string_view text) {
    return numberAfter(text, "$$").value_or(kUnknownFact);
}

}  // namespace warpline::loaders::chrome_trace
