// SPDX-License-Identifier: MIT
#pragma once
// Ctrl-C stops the work in progress; what has not ended some hundredths of a second later is left as it stands, as
// freeing the memory of a large trace takes longer. A second Ctrl-C ends the process at once.

#include "core/base/job_control.h"

namespace warpline::cli {

/// The one job of this process. The first call installs the handler of SIGINT.
JobControl& interruptibleJob();

/// Says so and ends the process with its exit code, without freeing anything. REQUIRES: there is no OrderlyEnd.
[[noreturn]] void exitInterrupted();

/// While there is one, an interrupted process waits until the work has stopped: it has a file that must not be left.
class OrderlyEnd {
public:
    OrderlyEnd();
    ~OrderlyEnd();
    OrderlyEnd(const OrderlyEnd&) = delete;
    OrderlyEnd& operator=(const OrderlyEnd&) = delete;
};

}  // namespace warpline::cli
