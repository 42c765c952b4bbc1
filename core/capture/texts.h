// SPDX-License-Identifier: MIT
#pragma once
// The payloads that hold texts: those that records name by number, and facts of a source ("pid", "program", "why").
// Texts are whatever bytes the process had; who shows them repairs them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline::capture {

/// Appends one text of a Strings payload; numbers count from 1 in a source.
void appendText(std::string& payload, uint32_t number, std::string_view text);
/// Appends one fact of a Begin, Facts or End payload.
void appendFact(std::string& payload, std::string_view key, std::string_view value);

/// What such a payload holds, as views of it; nullopt: it is not as it says.
std::optional<std::vector<std::pair<uint32_t, std::string_view>>> textsOf(std::string_view payload);
std::optional<std::vector<std::pair<std::string_view, std::string_view>>> factsOf(std::string_view payload);

/// The facts that a Begin frame has, by these keys; others may be added.
namespace fact {
inline constexpr std::string_view kFormat = "format";  ///< "warpline-capture 1"
inline constexpr std::string_view kPid = "pid";
inline constexpr std::string_view kProgram = "program";
inline constexpr std::string_view kArguments = "arguments";  ///< as a shell takes them
inline constexpr std::string_view kHost = "host";
inline constexpr std::string_view kCuptiVersion = "cupti_version";
inline constexpr std::string_view kCuptiPath = "cupti_path";
inline constexpr std::string_view kDriverVersion = "driver_version";
inline constexpr std::string_view kLevel = "level";    ///< what was asked to be recorded
inline constexpr std::string_view kReason = "reason";  ///< of an End
inline constexpr std::string_view kError = "error";    ///< of an End: why nothing could be recorded
}  // namespace fact
inline constexpr std::string_view kFormatName = "warpline-capture 1";

}  // namespace warpline::capture
