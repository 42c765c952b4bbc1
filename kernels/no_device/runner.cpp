// SPDX-License-Identifier: MIT
// The runner of builds without the CUDA Toolkit.
#include "kernels/runner.h"

namespace warpline {

namespace {
Error notBuilt() {
    return Error::failed("this build has no sample kernels: the CUDA Toolkit was not there", "no_kernels");
}
}  // namespace

Result<RunOutcome> runToBeRecorded(const ChosenKernel&, const RunOptions&, JobControl&) {
    return notBuilt();
}
Result<EventOutcome> timeWithEvents(const ChosenKernel&, const EventOptions&, JobControl&) {
    return notBuilt();
}

}  // namespace warpline
