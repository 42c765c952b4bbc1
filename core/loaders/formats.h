// SPDX-License-Identifier: MIT
#pragma once
// What can be opened, as told to people: by the loaders that were built in, so that no list of formats is kept by hand.

#include <string>
#include <vector>

namespace warpline {

struct ReadableFormats {
    std::vector<std::string> titles;  ///< in the loaders' order: "Perfetto trace (protocol buffers)"
    std::vector<std::string>
        endings;  ///< usual ones, each once, those of compressions last: ".json", ".pftrace", ".gz"
};

/// Any thread. What a file is, its content decides: the endings are for dialogs that list files.
ReadableFormats readableFormats();

}  // namespace warpline
