// SPDX-License-Identifier: MIT
#include "app/cli/standard_output.h"

#include <unistd.h>

#include "core/exporters/byte_sink.h"

namespace warpline::cli {

Status writeOutput(std::string_view text) {
    return makeDescriptorSink(STDOUT_FILENO, "standard output")->write(text);
}

}  // namespace warpline::cli
