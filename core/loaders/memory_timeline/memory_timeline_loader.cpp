// SPDX-License-Identifier: MIT
#include "core/loaders/memory_timeline/memory_timeline_loader.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/loaders/damage_report.h"
#include "core/loaders/memory_timeline/timeline_rows.h"
#include "core/loaders/memory_timeline/timeline_text.h"
#include "core/loaders/text_chars.h"

namespace warpline::loaders::memory_timeline {

namespace {

constexpr std::string_view kBlank = " \t\r\n";
constexpr std::string_view kDigits = "+-.0123456789eE";

/// Eats blanks, then `letter` if it stands there.
bool eat(std::string_view& text, char letter) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
    if (text.empty() || text.front() != letter) {
        return false;
    }
    text.remove_prefix(1);
    return true;
}

/// Eats numbers with commas between them; returns how many.
size_t eatNumbers(std::string_view& text) {
    size_t count = 0;
    do {
        text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
        const size_t length = std::min(text.find_first_not_of(kDigits), text.size());
        if (length == 0) {
            return count;
        }
        text.remove_prefix(length);
        ++count;
    } while (eat(text, ','));
    return count;
}

/// Whether `text` is numbers in lists almost only: a timeline with a damaged place near its begin.
bool isMostlyNumbers(std::string_view text) {
    size_t numbers = 0;
    size_t others = 0;
    constexpr std::string_view kBetween = " \t\r\n,[]";
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(kBetween), text.size()));
        if (text.empty()) {
            break;
        }
        const std::string_view word = text.substr(0, text.find_first_of(kBetween));
        ++(word.find_first_not_of(kDigits) == std::string_view::npos ? numbers : others);
        text.remove_prefix(word.size());
    }
    constexpr size_t kFewest = 24;
    constexpr size_t kSpacing = 50;
    return numbers >= kFewest && others <= 1 + numbers / kSpacing;
}

/// Whether a byte of the two brackets that a timeline begins with is lost or changed, or one was put in.
bool isWithoutBegin(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
    constexpr size_t kMostOfBegin = 4;
    const size_t last = text.substr(0, kMostOfBegin).rfind('[');
    const size_t first = text.find_first_of("-0123456789", last);
    if (last == std::string_view::npos || first > last + 2) {
        return false;
    }
    text.remove_prefix(first);
    const size_t end = text.find(']');
    std::string_view behind = text.substr(std::min(end, text.size()));
    const bool isListed = end == std::string_view::npos || (eat(behind, ']') && eat(behind, ',') && eat(behind, '['));
    return isListed && isMostlyNumbers(text);
}

}  // namespace

const LoaderInfo& MemoryTimelineLoader::info() const {
    static const LoaderInfo kInfo{"memory_timeline", "PyTorch memory timeline (JSON)", {".json"}};
    return kInfo;
}

int MemoryTimelineLoader::sniff(const SniffData& data) const {
    constexpr int kSure = 90;
    constexpr int kDamaged = 60;
    std::string_view text = data.head;
    if (!eat(text, '[') || !eat(text, '[')) {
        return isWithoutBegin(data.head) ? kDamaged : 0;
    }
    const int otherwise = isMostlyNumbers(text) ? kDamaged : 0;
    const size_t numbers = eatNumbers(text);
    if (text.empty() && numbers > 4) {
        return kSure;  // times, and more of them than fit here
    }
    if (!eat(text, ']')) {
        return otherwise;
    }
    if (eat(text, ']')) {
        return numbers == 4 ? kSure : otherwise;
    }
    const bool hasSecond = eat(text, ',') && eat(text, '[');
    if (hasSecond && (eat(text, '[') || eat(text, ']'))) {
        return kSure;
    }
    return hasSecond && numbers == 4 && eatNumbers(text) == 4 ? kSure : otherwise;
}

Status MemoryTimelineLoader::load(const std::shared_ptr<TextSource>& source, FileId file, TraceBuilder& builder,
                                  const LoadOptions&, JobControl& job) const {
    job.setPhase("Reading the memory timeline");
    const uint64_t lostBefore = builder.report().lostCount();
    TextChars chars(*source, job);
    TimelineRows rows(builder, file, source->offsetSpace());
    const TimelineText text = readTimeline(chars, rows);
    if (const Status& status = chars.status(); !status) {
        return status;
    }
    const bool hasNothing = rows.rows() + rows.records() == 0 && builder.report().lostCount() != lostBefore;
    if (text.form == TimelineForm::Unknown || hasNothing) {
        if (text.damageOffset && !text.endedEarly) {
            return Error::failed("this memory timeline is damaged from byte " + std::to_string(*text.damageOffset) +
                                     " on, and none of its rows can be read",
                                 "invalid_json");
        }
        if (hasNothing && !text.endedEarly) {
            return Error::failed("none of this memory timeline's rows can be read", "unsupported");
        }
        return text.endedEarly ? Error::failed("the file ends before a list of numbers is whole", "truncated")
                               : Error::failed("this is no memory timeline: no lists of numbers", "unsupported");
    }
    reportDamage(*source, text.endedEarly, file, builder.report());
    if (text.endedEarly || text.damageOffset) {
        builder.report().setIncomplete();
    }
    FileInfo& info = builder.file(file);
    info.format = text.form == TimelineForm::Raw ? "pytorch-memory-timeline-raw" : "pytorch-memory-timeline";
    // Times count from 1970, so a trace of the same run lies beside it. Old versions count from the machine's start.
    constexpr TimeNs kYear2001 = 1'000'000'000'000'000'000;
    if (rows.firstTime() && *rows.firstTime() >= kYear2001) {
        info.baseTimeNs = 0;
    }
    if (text.form == TimelineForm::Raw) {
        info.properties["events"] = std::to_string(rows.records());
        info.properties["start_bytes"] = rows.startBytes() ? std::to_string(*rows.startBytes()) : "null";
    }
    return Status::success();
}

std::unique_ptr<Loader> make() {
    return std::make_unique<MemoryTimelineLoader>();
}

}  // namespace warpline::loaders::memory_timeline
