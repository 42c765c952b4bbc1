// SPDX-License-Identifier: MIT
#pragma once
// The outcome of something that can fail: a value, or the reason in words for the user. GCC 12 has no <expected>.

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace warpline {

/// Why something failed. `message` is a whole sentence part a user can act on: it names the file and place where known.
struct Error {
    enum class Kind { Failed, Cancelled };
    Kind kind = Kind::Failed;
    std::string message;
    std::string code;  ///< stable word of an issue ("unsupported", "invalid_json", …) where one fits; else ""

    static Error failed(std::string text, std::string code = {}) {
        return {Kind::Failed, std::move(text), std::move(code)};
    }
    static Error cancelled() { return {Kind::Cancelled, "cancelled", {}}; }
    bool isCancelled() const { return kind == Kind::Cancelled; }
};

/// Holds a T or an Error. REQUIRES: value() only if ok(), error() only if !ok().
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::move(value)) {}
    Result(Error error) : m_state(std::move(error)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }
    T& value() & { return assert(ok()), std::get<0>(m_state); }
    const T& value() const& { return assert(ok()), std::get<0>(m_state); }
    T&& value() && { return assert(ok()), std::get<0>(std::move(m_state)); }
    const Error& error() const { return assert(!ok()), std::get<1>(m_state); }

private:
    std::variant<T, Error> m_state;
};

/// Success, or an Error.
class [[nodiscard]] Status {
public:
    Status() = default;
    Status(Error error) : m_error(std::move(error)) {}
    static Status success() { return {}; }

    bool ok() const { return !m_error.has_value(); }
    explicit operator bool() const { return ok(); }
    const Error& error() const { return assert(!ok()), *m_error; }

private:
    std::optional<Error> m_error;
};

}  // namespace warpline
