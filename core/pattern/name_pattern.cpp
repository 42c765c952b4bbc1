// SPDX-License-Identifier: MIT
#include "core/pattern/name_pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <new>
#include <utility>

namespace warpline {

namespace {

constexpr size_t kPatternBytes = size_t{64} << 10;
// Some tens of milliseconds at most a name; what people search for needs a few hundred steps.
constexpr uint32_t kMatchSteps = 1'000'000;
constexpr uint32_t kHeapKib = 32 << 10;
constexpr size_t kJitStackStart = size_t{32} << 10;
constexpr size_t kJitStackLimit = size_t{4} << 20;
constexpr size_t kShownBytes = 80;

std::string reasonOf(int code) {
    std::array<PCRE2_UCHAR, 256> text{};
    pcre2_get_error_message(code, text.data(), text.size());
    return reinterpret_cast<const char*>(text.data());
}

/// The start of a text in quotes, cut between characters.
std::string quoted(std::string_view text) {
    if (text.size() <= kShownBytes) {
        return '"' + std::string(text) + '"';
    }
    size_t end = kShownBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
        --end;
    }
    return '"' + std::string(text.substr(0, end)) + "…\"";
}

template <auto free>
struct Freer {
    template <class T>
    void operator()(T* object) const {
        free(object);
    }
};
using CompileContext = std::unique_ptr<pcre2_compile_context, Freer<pcre2_compile_context_free>>;
using Code = std::unique_ptr<pcre2_code, Freer<pcre2_code_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Freer<pcre2_match_data_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Freer<pcre2_match_context_free>>;
using JitStack = std::unique_ptr<pcre2_jit_stack, Freer<pcre2_jit_stack_free>>;

template <class T>
T checked(T pointer) {
    if (pointer == nullptr) {
        throw std::bad_alloc();
    }
    return pointer;
}

}  // namespace

struct NamePattern::State {
    std::string text;
    Code code;
    MatchData match;
    MatchContext context;
    JitStack stack;
};

NamePattern::NamePattern(std::unique_ptr<State> state) : m_state(std::move(state)) {}
NamePattern::NamePattern(NamePattern&&) noexcept = default;
NamePattern& NamePattern::operator=(NamePattern&&) noexcept = default;
NamePattern::~NamePattern() = default;

Result<NamePattern> NamePattern::compile(const std::string& text, Case letterCase) {
    if (text.size() > kPatternBytes) {
        return Error::failed("a regular expression may have " + std::to_string(kPatternBytes) + " bytes; this has " +
                             std::to_string(text.size()));
    }
    const CompileContext context(checked(pcre2_compile_context_create(nullptr)));
    const uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C |
                             (letterCase == Case::Ignored ? PCRE2_CASELESS : 0U);
    int code = 0;
    PCRE2_SIZE place = 0;
    auto state = std::make_unique<State>();
    state->code.reset(
        pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), options, &code, &place, context.get()));
    if (state->code == nullptr) {
        return Error::failed(quoted(text) + " is not a regular expression: " + reasonOf(code) + ", at byte " +
                             std::to_string(place));
    }
    state->text = text;
    state->match.reset(checked(pcre2_match_data_create(1, nullptr)));
    state->context.reset(checked(pcre2_match_context_create(nullptr)));
    pcre2_set_match_limit(state->context.get(), kMatchSteps);
    pcre2_set_heap_limit(state->context.get(), kHeapKib);
    // Without it (not on this processor, or no writable memory may be executed) matching is only slower.
    if (pcre2_jit_compile(state->code.get(), PCRE2_JIT_COMPLETE) == 0) {
        state->stack.reset(checked(pcre2_jit_stack_create(kJitStackStart, kJitStackLimit, nullptr)));
        pcre2_jit_stack_assign(state->context.get(), nullptr, state->stack.get());
    }
    return NamePattern(std::move(state));
}

Result<bool> NamePattern::isFoundIn(std::string_view name) const {
    const auto* subject = reinterpret_cast<PCRE2_SPTR>(name.empty() ? "" : name.data());
    const int found =
        pcre2_match(m_state->code.get(), subject, name.size(), 0, 0, m_state->match.get(), m_state->context.get());
    if (found >= 0) {
        return true;
    }
    if (found == PCRE2_ERROR_NOMATCH) {
        return false;
    }
    return Error::failed("the regular expression " + quoted(m_state->text) + " is too costly for the name " +
                         quoted(name) + ": " + reasonOf(found));
}

Status checkPattern(const std::string& text) {
    const auto pattern = NamePattern::compile(text);
    return pattern ? Status::success() : Status(pattern.error());
}

}  // namespace warpline
