// SPDX-License-Identifier: MIT
#include "core/analyses/name_verdicts.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "core/analyses/name_matcher.h"
#include "core/base/parallel.h"

namespace warpline {

namespace {

/// Names decided by one thread at a time: more than the compilation of an expression costs.
constexpr size_t kNamesAtATime = 1024;

}  // namespace

Result<NameVerdicts> NameVerdicts::decide(const Trace& trace, const std::vector<uint8_t>& isUsed,
                                          const std::string& text, bool isRegex, Case letterCase,
                                          const JobControl& job) {
    const auto checked = NameMatcher::compile(text, isRegex, letterCase);
    if (!checked) {
        return checked.error();
    }
    NameVerdicts out;
    out.m_isYes.assign(isUsed.size(), 0);
    std::mutex mutex;
    std::optional<Error> error;
    std::atomic<bool> failed{false};
    const auto fail = [&](Error reason) {
        const std::lock_guard lock(mutex);
        error = error ? error : std::move(reason);
        failed = true;
    };
    const auto decideSome = [&](size_t piece) {
        if (failed) {
            return;
        }
        const auto matcher = NameMatcher::compile(text, isRegex, letterCase);
        if (!matcher) {
            fail(matcher.error());
            return;
        }
        const size_t end = std::min(isUsed.size(), (piece + 1) * kNamesAtATime);
        for (size_t id = piece * kNamesAtATime; id < end; ++id) {
            if (isUsed[id] == 0) {
                continue;
            }
            if (job.stopRequested()) {
                fail(Error::cancelled());
                return;
            }
            const auto found = matcher.value().matches(trace.string(StringId(static_cast<uint32_t>(id))));
            if (!found) {
                fail(found.error());
                return;
            }
            out.m_isYes[id] = found.value() ? 1 : 0;
        }
    };
    parallelFor((isUsed.size() + kNamesAtATime - 1) / kNamesAtATime, usableThreads(), decideSome);
    if (error) {
        return *error;
    }
    return out;
}

}  // namespace warpline
