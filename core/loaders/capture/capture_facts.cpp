// SPDX-License-Identifier: MIT
#include "core/loaders/capture/capture_facts.h"

#include <algorithm>

#include "core/base/packed.h"

namespace warpline::loaders::capture {

const CaptureFacts::Source* CaptureFacts::find(uint32_t source) const {
    const auto it = sources.find(source);
    return it == sources.end() ? nullptr : &it->second;
}

int64_t CaptureFacts::gpuOf(uint32_t source, uint32_t device) const {
    if (const Source* const known = find(source)) {
        if (const auto it = known->gpus.find(device); it != known->gpus.end()) {
            return it->second;
        }
    }
    return device;
}

const TextPlace* CaptureFacts::findText(uint32_t source, uint32_t number) const {
    const Source* const known = find(source);
    if (known == nullptr || number == 0) {
        return nullptr;
    }
    const auto it = std::ranges::lower_bound(known->texts, number, {}, &TextPlace::number);
    return it != known->texts.end() && it->number == number ? &*it : nullptr;
}

std::string CaptureFacts::stored() const {
    PackedWriter out;
    out.number(sources.size());
    for (const auto& [number, source] : sources) {
        out.number(number);
        out.number(source.index);
        out.number(source.process);
        out.number(source.gpus.size());
        for (const auto& [device, gpu] : source.gpus) {
            out.number(device);
            out.number(static_cast<uint64_t>(gpu));
        }
        out.number(source.texts.size());
        for (const TextPlace& text : source.texts) {
            out.number(uint64_t{text.number} << 32 | text.length);
            out.number(text.frame);
            out.number(text.at);
        }
    }
    out.number(smCounts.size());
    for (const auto& [gpu, count] : smCounts) {
        out.number(static_cast<uint64_t>(gpu));
        out.number(count);
    }
    out.number(modules.size());
    for (const ModuleRef& module : modules) {
        out.number(module.hash);
        out.number(module.bytes);
        out.number(module.offset);
        out.number(module.partBytes);
        out.number(module.frame);
        out.number(module.source);
    }
    return out.take();
}

std::optional<CaptureFacts> CaptureFacts::fromStored(std::string_view bytes) {
    constexpr uint64_t kLow = 0xffffffffU;
    PackedReader in(bytes);
    CaptureFacts facts;
    for (uint64_t left = in.number(); left > 0 && !in.failed(); --left) {
        Source& source = facts.sources[static_cast<uint32_t>(in.number())];
        source.index = static_cast<uint32_t>(in.number());
        source.process = static_cast<uint32_t>(in.number());
        for (uint64_t gpus = in.number(); gpus > 0 && !in.failed(); --gpus) {
            const auto device = static_cast<uint32_t>(in.number());
            source.gpus[device] = static_cast<int64_t>(in.number());
        }
        for (uint64_t texts = in.number(); texts > 0 && !in.failed(); --texts) {
            const uint64_t both = in.number();
            TextPlace text{static_cast<uint32_t>(both >> 32), static_cast<uint32_t>(both & kLow)};
            text.frame = in.number();
            text.at = in.number();
            source.texts.push_back(text);
        }
    }
    for (uint64_t left = in.number(); left > 0 && !in.failed(); --left) {
        const auto gpu = static_cast<int64_t>(in.number());
        facts.smCounts[gpu] = static_cast<uint32_t>(in.number());
    }
    for (uint64_t left = in.number(); left > 0 && !in.failed(); --left) {
        ModuleRef module;
        module.hash = in.number();
        module.bytes = in.number();
        module.offset = in.number();
        module.partBytes = in.number();
        module.frame = in.number();
        module.source = static_cast<uint32_t>(in.number());
        facts.modules.push_back(module);
    }
    return in.ok() ? std::optional(std::move(facts)) : std::nullopt;
}

}  // namespace warpline::loaders::capture
