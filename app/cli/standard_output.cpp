// SPDX-License-Identifier: MIT
#include "app/cli/standard_output.h"

#include <unistd.h>

#include <algorithm>

#include "app/cli/interrupt.h"
#include "core/exporters/byte_sink.h"

namespace warpline::cli {

Status writeOutput(std::string_view text) {
    constexpr size_t kPieceBytes = size_t{1} << 20;
    const auto sink = makeDescriptorSink(STDOUT_FILENO, "standard output");
    Status status;
    for (; status.ok() && !text.empty(); text.remove_prefix(std::min(text.size(), kPieceBytes))) {
        if (interruptibleJob().stopRequested()) {
            return Error::cancelled();
        }
        status = sink->write(text.substr(0, kPieceBytes));
    }
    return status;
}

}  // namespace warpline::cli
