// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/event_batch.h"

namespace warpline::loaders::chrome_trace {

void EventBatch::clear() {
    texts.reset();
    freshTexts.clear();
    events.clear();
    tracks.clear();
    kernels.clear();
    copies.clear();
    memory.clear();
    samples.clear();
    metadata.clear();
    totals.clear();
    issues.clear();
    objects = 0;
    sawKineto = false;
    sawJax = false;
    sawProton = false;
    sawNode = false;
    hasNoPhase = false;
    hasGarbledText = false;
}

BatchIssue& EventBatch::issue(std::string_view code, Severity severity, uint64_t offset) {
    for (BatchIssue& known : issues) {
        if (known.code == code && known.severity == severity) {
            ++known.count;
            return known;
        }
    }
    issues.push_back({code, severity, 1, offset, {}});
    return issues.back();
}

}  // namespace warpline::loaders::chrome_trace
