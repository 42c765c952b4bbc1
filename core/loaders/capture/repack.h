// SPDX-License-Identifier: MIT
#pragma once
// A capture once more, with what its frames hold packed: for keeping and sending on.

#include <cstdint>
#include <functional>
#include <string_view>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/loaders/text_source.h"

namespace warpline::loaders::capture {

/// Reads `source` from its start and gives `write` every frame that is whole, also such as this version does not know,
/// with its number: gaps stay to be seen. What is damaged is left out. Fails as `write` does, when the source cannot be
/// read, if there is no frame, and when stopped.
Status repack(TextSource& source, const std::function<Status(std::string_view)>& write, JobControl& job);

}  // namespace warpline::loaders::capture
