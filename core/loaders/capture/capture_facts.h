// SPDX-License-Identifier: MIT
#pragma once
// What the frames of a capture mean by their numbers: each process counts its devices, calls and texts for itself.
// Filled while loading, then kept where args are read.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline::loaders::capture {

/// Where a text that args name stands.
struct TextPlace {
    uint32_t number = 0;
    uint32_t length = 0;
    uint64_t frame = 0;  ///< offset of its Strings frame in the stream
    uint64_t at = 0;     ///< within what that frame holds
};

/// A part of code that a process loaded, for who looks into it later.
struct ModuleRef {
    uint64_t hash = 0;       ///< XXH3 of the whole code
    uint64_t bytes = 0;      ///< of the whole code
    uint64_t offset = 0;     ///< of this part in it
    uint64_t partBytes = 0;  ///< 0: code of that hash stands in frames before
    uint64_t frame = 0;      ///< offset of the Module frame in the stream; the part stands behind its ModuleHead
    uint32_t source = 0;
};

struct CaptureFacts {
    struct Source {
        uint32_t index = 0;                ///< sources are counted as they appear
        uint32_t process = 0;              ///< processes are, without the recording side
        std::map<uint32_t, int64_t> gpus;  ///< by the source's own number of the device
        std::vector<TextPlace> texts;      ///< by number, once loaded
    };
    std::map<uint32_t, Source> sources;    ///< by their number in frames
    std::map<int64_t, uint32_t> smCounts;  ///< of GPUs that say it
    std::vector<ModuleRef> modules;        ///< in the order of the stream

    /// A number that no other process of the capture has; as it stands for the first one.
    static uint64_t correlation(uint32_t process, uint32_t correlation) {
        return correlation == 0 ? 0 : uint64_t{process} << 32 | correlation;
    }
    const Source* find(uint32_t source) const;
    /// The number of the GPU in the trace; as it stands where nothing else is known.
    int64_t gpuOf(uint32_t source, uint32_t device) const;
    const TextPlace* findText(uint32_t source, uint32_t number) const;

    /// All of it as bytes, and back; nullopt if they are not such bytes.
    std::string stored() const;
    static std::optional<CaptureFacts> fromStored(std::string_view bytes);
};

}  // namespace warpline::loaders::capture
