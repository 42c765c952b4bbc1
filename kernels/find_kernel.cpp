// SPDX-License-Identifier: MIT
#include "kernels/find_kernel.h"

#include <algorithm>

#include "kernels/nearest_name.h"

namespace warpline {

Result<ChosenKernel> chooseKernel(std::vector<std::unique_ptr<SampleKernel>> kernels, const std::string& name,
                                  const std::vector<std::string>& settings) {
    const size_t colon = name.find(':');
    const std::string family = name.substr(0, colon);
    std::vector<std::string> names;
    ChosenKernel chosen;
    for (auto& kernel : kernels) {
        names.push_back(kernel->info().id);
        if (kernel->info().id == family) {
            chosen.kernel = std::move(kernel);
        }
    }
    if (!chosen.kernel) {
        return Error::failed(name + ": no such sample kernel; " + nearestNameText(family, names));
    }
    const SampleKernelInfo& info = chosen.kernel->info();
    chosen.version = info.versions.front();
    if (colon != std::string::npos) {
        const std::string wanted = name.substr(colon + 1);
        const auto version = std::find_if(info.versions.begin(), info.versions.end(),
                                          [&](const KernelVersion& v) { return v.id == wanted; });
        if (version == info.versions.end()) {
            names.clear();
            for (const KernelVersion& known : info.versions) {
                names.push_back(known.id);
            }
            return Error::failed(name + ": no such version of " + family + "; " + nearestNameText(wanted, names));
        }
        chosen.version = *version;
    }
    auto values = ParameterValues::parse(info.parameters, settings);
    if (!values.ok()) {
        return values.error();
    }
    chosen.values = std::move(values).value();
    if (const Status status = chosen.kernel->accepts(chosen.values, chosen.version); !status.ok()) {
        return status.error();
    }
    return chosen;
}

}  // namespace warpline
