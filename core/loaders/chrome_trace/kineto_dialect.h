// SPDX-License-Identifier: MIT
#pragma once
// What PyTorch's Kineto means by categories, args and top-level keys. Nothing here knows JSON's grammar or
// the trace's structure. Pure functions.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/loaders/chrome_trace/event_batch.h"
#include "core/loaders/chrome_trace/event_slots.h"
#include "core/loaders/chrome_trace/json_text.h"
#include "core/trace/file_info.h"
#include "core/trace/trace_builder.h"

namespace warpline::loaders::chrome_trace {

struct CategoryMeaning {
    EventKind kind = EventKind::Other;
    bool isKineto = false;  ///< written by Kineto only
};
/// Old and HIP names too, ignoring case.
CategoryMeaning meaningOfCategory(std::string_view category);

/// Whole numbers exactly, quoted or not; nullopt if it is none or does not fit.
std::optional<int64_t> wholeNumber(std::string_view value);
/// The same, also for a real that is whole ("1.7e18").
std::optional<int64_t> wholeValue(std::string_view value);
std::optional<uint64_t> wholeUnsigned(std::string_view value);
std::optional<double> realNumber(std::string_view value);
/// `otherwise` if there is none, or it does not fit.
int32_t narrow(std::optional<int64_t> value, int32_t otherwise);
/// "[8, 8, 1]" or "8,8,1"; all -1 if it is not that.
std::array<int32_t, 3> threeNumbers(std::string_view text);

/// Fills correlation, External id and shapes of `event`, a slice, and attaches kernel and copy facts to it.
/// `index` is the event's place in `batch.events`.
void readSliceArgs(const EventSlots& slots, RawEvent& event, uint32_t index, StringPool& texts, EventBatch& batch);
/// Attaches a memory event if the instant is a `[memory]` or `[OutOfMemory]` mark.
void readMemoryMark(std::string_view name, std::span<const Member> args, const RawEvent& event, uint32_t index,
                    EventBatch& batch);

/// A top-level key beside the events; `value` is strict JSON text.
struct HeaderFacts {
    bool isKineto = false;
    bool isTimeTrace = false;  ///< of clang
    std::vector<DeviceInfo> devices;
    std::vector<std::string> errorNotes;    ///< errors that the recording program wrote down
    std::vector<std::string> warningNotes;  ///< its warnings
    std::string sums;                       ///< kSumsProperty as it stands
    std::vector<std::string> notShown;      ///< parts of the file that no list of the trace holds
};
/// Keeps every value in info.properties as it stands. False if one that is known by name is not what it should be.
bool readHeaderMember(std::string_view key, const std::string& value, FileInfo& info, HeaderFacts& facts);

}  // namespace warpline::loaders::chrome_trace
