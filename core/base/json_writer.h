// SPDX-License-Identifier: MIT
#pragma once
// Writes strict JSON text: whole numbers in full, reals shortest, strings always valid UTF-8. Appends to a string that
// the caller may empty at any time, so documents of any size can be streamed. Commas and line breaks are the writer's.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

class JsonWriter {
public:
    /// Containers nested less deep than `multilineDepth` have an entry a line; deeper ones stand on one line.
    explicit JsonWriter(std::string& out, size_t multilineDepth = 0) : m_out(out), m_multilineDepth(multilineDepth) {}

    JsonWriter& beginObject() { return open('{'); }
    JsonWriter& endObject() { return close('}'); }
    JsonWriter& beginArray() { return open('['); }
    JsonWriter& endArray() { return close(']'); }
    /// REQUIRES: inside an object; a value follows.
    JsonWriter& key(std::string_view name);

    /// What is no valid UTF-8 becomes U+FFFD, a character for each bad byte.
    JsonWriter& text(std::string_view value);
    JsonWriter& integer(int64_t value);
    JsonWriter& unsignedInteger(uint64_t value);
    /// Shortest text that reads back as the same value; always with a '.' or an exponent. Not finite: null.
    JsonWriter& real(double value);
    JsonWriter& boolean(bool value);
    JsonWriter& null();
    /// REQUIRES: `json` is one valid JSON value.
    JsonWriter& raw(std::string_view json);

    JsonWriter& optionalInteger(const std::optional<int64_t>& value) { return value ? integer(*value) : null(); }

private:
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    void beforeValue();
    void lineBreak();

    std::string& m_out;
    size_t m_multilineDepth;
    std::vector<bool> m_hasEntries;  ///< one for each open container
    bool m_afterKey = false;
};

/// Appends `value` as a JSON string with its quotes.
void appendJsonString(std::string& out, std::string_view value);
std::string jsonString(std::string_view value);

}  // namespace warpline
