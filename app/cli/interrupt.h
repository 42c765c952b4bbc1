// SPDX-License-Identifier: MIT
#pragma once
// Ctrl-C stops the work in progress, which then ends in order; a second Ctrl-C ends the process at once.

#include "core/base/job_control.h"

namespace warpline::cli {

/// The one job of this process. The first call installs the handler of SIGINT.
JobControl& interruptibleJob();

}  // namespace warpline::cli
