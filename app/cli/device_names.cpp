// SPDX-License-Identifier: MIT
#include "app/cli/device_names.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace warpline::cli {

namespace {

struct Model {
    std::string_view name;
    int computeMajor, computeMinor;
    int smCount;
};

// Compute capability and enabled multiprocessors, from NVIDIA's data sheets and architecture papers.
constexpr std::array kModels = {
    Model{"V100", 7, 0, 80},      Model{"T4", 7, 5, 40},    Model{"A100", 8, 0, 108},     Model{"A30", 8, 0, 56},
    Model{"A10", 8, 6, 72},       Model{"A40", 8, 6, 84},   Model{"RTX 3090", 8, 6, 82},  Model{"RTX A6000", 8, 6, 84},
    Model{"L4", 8, 9, 58},        Model{"L40S", 8, 9, 142}, Model{"RTX 4090", 8, 9, 128}, Model{"H100 PCIe", 9, 0, 114},
    Model{"H100 SXM", 9, 0, 132}, Model{"H200", 9, 0, 132}, Model{"B200", 10, 0, 148},    Model{"RTX 5090", 12, 0, 170},
};

/// Lower case letters and digits alone, without the words that come and go in names.
std::string folded(std::string_view name) {
    std::string text;
    for (const char c : name) {
        if (c >= 'A' && c <= 'Z') {
            text += static_cast<char>(c - 'A' + 'a');
        } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            text += c;
        }
    }
    for (const std::string_view word : {"nvidia", "geforce"}) {
        if (const size_t at = text.find(word); at != std::string::npos) {
            text.erase(at, word.size());
        }
    }
    return text;
}

std::optional<int> parseNumber(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value >= 0 ? std::optional(value) : std::nullopt;
}

/// "9.0", "sm_90", "sm_120": the last digit is the minor number.
std::optional<DeviceInfo> parseCapability(std::string_view text) {
    const size_t dot = text.find('.');
    std::optional<int> major, minor;
    if (text.substr(0, 3) == "sm_" && text.size() >= 5) {
        major = parseNumber(text.substr(3, text.size() - 4));
        minor = parseNumber(text.substr(text.size() - 1));
    } else if (dot != std::string_view::npos) {
        major = parseNumber(text.substr(0, dot));
        minor = parseNumber(text.substr(dot + 1));
    }
    if (!major || !minor) {
        return std::nullopt;
    }
    DeviceInfo device;
    device.name = "compute capability " + std::to_string(*major) + "." + std::to_string(*minor);
    device.computeMajor = *major;
    device.computeMinor = *minor;
    return device;
}

}  // namespace

std::optional<DeviceInfo> findDeviceByName(std::string_view name) {
    const std::string wanted = folded(name);
    const auto model =
        std::find_if(kModels.begin(), kModels.end(), [&](const Model& m) { return folded(m.name) == wanted; });
    if (model == kModels.end()) {
        return parseCapability(name);
    }
    DeviceInfo device;
    device.name = "NVIDIA " + std::string(model->name);
    device.computeMajor = model->computeMajor;
    device.computeMinor = model->computeMinor;
    device.smCount = model->smCount;
    return device;
}

std::vector<std::string> knownDeviceNames() {
    std::vector<std::string> names;
    for (const Model& model : kModels) {
        names.emplace_back(model.name);
    }
    return names;
}

}  // namespace warpline::cli
