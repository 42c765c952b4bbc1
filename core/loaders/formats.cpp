// SPDX-License-Identifier: MIT
#include "core/loaders/formats.h"

#include <algorithm>

#include "core/loaders/registry.h"

namespace warpline {

ReadableFormats readableFormats() {
    ReadableFormats formats;
    const auto addEnding = [&formats](const std::string& ending) {
        if (std::find(formats.endings.begin(), formats.endings.end(), ending) == formats.endings.end()) {
            formats.endings.push_back(ending);
        }
    };
    for (const auto& loader : loaders::all()) {
        formats.titles.push_back(loader->info().title);
        for (const std::string& ending : loader->info().endings) {
            addEnding(ending);
        }
    }
    // TextSource takes these off, whatever is inside.
    addEnding(".gz");
    addEnding(".zst");
    return formats;
}

}  // namespace warpline
