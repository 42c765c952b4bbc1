// SPDX-License-Identifier: MIT
#include <unordered_map>

#include "core/base/demangle.h"
#include "core/pattern/name_pattern.h"
#include "core/record/select/launch_selector.h"

namespace warpline::record {

namespace {

class AllNames final : public KernelNames {
public:
    bool matches(std::string_view) override { return true; }
};

class PatternNames final : public KernelNames {
public:
    explicit PatternNames(NamePattern pattern) : m_pattern(std::move(pattern)) {}

    bool matches(std::string_view mangledName) override {
        const std::string name(mangledName);
        if (const auto known = m_known.find(name); known != m_known.end()) {
            return known->second;
        }
        // Generated names may be without end.
        constexpr size_t kMostKnownBytes = size_t{1} << 20;
        constexpr size_t kNodeBytes = 64;
        if (m_knownBytes >= kMostKnownBytes) {
            m_known.clear();
            m_knownBytes = 0;
        }
        m_knownBytes += name.size() + kNodeBytes;
        const std::string demangled = demangledName(mangledName);
        return m_known[name] = isIn(name) || isIn(demangled) || isIn(shortName(demangled));
    }

private:
    /// What takes too long to decide is kept: losing nothing is the lesser harm.
    bool isIn(const std::string& name) const {
        const Result<bool> found = m_pattern.isFoundIn(name);
        return !found.ok() || found.value();
    }

    NamePattern m_pattern;
    std::unordered_map<std::string, bool> m_known;
    size_t m_knownBytes = 0;
};

}  // namespace

Result<std::unique_ptr<KernelNames>> makeKernelNames(const std::string& pattern) {
    if (pattern.empty()) {
        return std::unique_ptr<KernelNames>(std::make_unique<AllNames>());
    }
    Result<NamePattern> compiled = NamePattern::compile(pattern);
    if (!compiled) {
        return compiled.error();
    }
    return std::unique_ptr<KernelNames>(std::make_unique<PatternNames>(std::move(compiled).value()));
}

}  // namespace warpline::record
