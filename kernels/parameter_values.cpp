// SPDX-License-Identifier: MIT
#include "kernels/parameter_values.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <optional>
#include <set>

#include "kernels/nearest_name.h"

namespace warpline {

namespace {

std::optional<int64_t> parseNumber(std::string_view text) {
    int64_t factor = 1;
    if (!text.empty()) {
        switch (text.back()) {
            case 'k':
            case 'K':
                factor = int64_t{1} << 10;
                break;
            case 'm':
            case 'M':
                factor = int64_t{1} << 20;
                break;
            case 'g':
            case 'G':
                factor = int64_t{1} << 30;
                break;
            default:
                break;
        }
        text.remove_suffix(factor > 1 ? 1 : 0);
    }
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > INT64_MAX / factor) {
        return std::nullopt;
    }
    return value * factor;
}

std::string limitsText(const KernelParameter& parameter) {
    std::string text = std::to_string(parameter.least) + " to " + std::to_string(parameter.most);
    if (parameter.multipleOf > 1) {
        text += ", a multiple of " + std::to_string(parameter.multipleOf);
    }
    return text;
}

}  // namespace

Result<ParameterValues> ParameterValues::parse(const std::vector<KernelParameter>& parameters,
                                               const std::vector<std::string>& settings) {
    ParameterValues values;
    std::vector<std::string> names;
    for (const KernelParameter& parameter : parameters) {
        values.m_values[parameter.name] = parameter.defaultValue;
        names.push_back(parameter.name);
    }
    std::set<std::string> seen;
    for (const std::string& setting : settings) {
        const size_t equals = setting.find('=');
        if (equals == std::string::npos || equals == 0) {
            return Error::failed("--param " + setting + ": is not NAME=VALUE");
        }
        const std::string name = setting.substr(0, equals);
        const auto parameter = std::find_if(parameters.begin(), parameters.end(),
                                            [&](const KernelParameter& p) { return p.name == name; });
        if (parameter == parameters.end()) {
            return Error::failed("--param " + setting + ": no such parameter; " + nearestNameText(name, names));
        }
        if (!seen.insert(name).second) {
            return Error::failed("--param " + setting + ": " + name + " is given twice");
        }
        const auto value = parseNumber(std::string_view(setting).substr(equals + 1));
        if (!value || *value < parameter->least || *value > parameter->most || *value % parameter->multipleOf != 0) {
            return Error::failed("--param " + setting + ": " + name + " is a whole number, " + limitsText(*parameter));
        }
        values.m_values[name] = *value;
    }
    return values;
}

int64_t ParameterValues::operator[](std::string_view name) const {
    const auto at = m_values.find(name);
    assert(at != m_values.end());
    return at == m_values.end() ? 0 : at->second;
}

}  // namespace warpline
