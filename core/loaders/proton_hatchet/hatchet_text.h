// SPDX-License-Identifier: MIT
#pragma once
// Reads Proton's JSON in one pass: a list of trees of {"frame", "metrics", "children"}, and an object that describes
// the devices: {"CUDA": {"0": {"arch", "num_sms", "clock_rate" in kHz, …}}}.

#include <optional>
#include <vector>

#include "core/loaders/proton_hatchet/profile_tree.h"
#include "core/loaders/text_chars.h"
#include "core/trace/file_info.h"
#include "core/trace/trace_builder.h"

namespace warpline::loaders::proton_hatchet {

/// What is nested deeper goes into the time of its ancestor at this level.
inline constexpr uint32_t kMaxTreeDepth = 512;

struct HatchetText {
    bool isHatchet = false;  ///< a list with a tree in it
    bool endedEarly = false;
    bool isDamaged = false;  ///< a stretch is no JSON, which is reported
    bool hasTimes = false;   ///< a node gives one, or there is none that could
    ProfileTree tree;
    std::vector<DeviceInfo> devices;
    TextRange deviceText;  ///< the object that describes them, which says more than DeviceInfo holds
};

/// Reports what is odd for `file`, and how much memory the tree takes, to `builder`. Where the text ends too early,
/// what stands before is kept. Metrics nested deeper than `maxArgsDepth` are shown shortened. Look at chars.status()
/// afterwards.
HatchetText readHatchet(TextChars& chars, FileId file, OffsetSpace space, uint32_t maxArgsDepth, TraceBuilder& builder);

}  // namespace warpline::loaders::proton_hatchet
