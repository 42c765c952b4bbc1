// SPDX-License-Identifier: MIT
#pragma once
// What other ways of reading the same file cost: a walk near the limit of what the machine permits, and the ways that
// viewers usually take. Each reads the file itself, visits every event and keeps as little as it can. They take
// Kineto's own layout for granted, which a loader must not.

#include <fcntl.h>
#include <simdjson.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace warpline::bench {

/// What a reader has seen; adding up keeps the compiler from leaving work out.
struct Seen {
    uint64_t events = 0;
    uint64_t bytes = 0;
    double time = 0;
};

inline void visitEvent(simdjson::ondemand::object event, Seen& seen) {
    ++seen.events;
    for (auto field : event) {
        const char* key = field.key().value_unsafe().raw();  // ends at its quote
        auto value = field.value();
        if (std::memcmp(key, "ts\"", 3) == 0 || std::memcmp(key, "dur\"", 4) == 0) {
            seen.time += value.get_double().value_unsafe();
        } else if (std::memcmp(key, "pid\"", 4) == 0 || std::memcmp(key, "tid\"", 4) == 0 ||
                   std::memcmp(key, "ph\"", 3) == 0) {
            seen.bytes += value.raw_json_token().value_unsafe().size();
        } else if (std::memcmp(key, "name\"", 5) == 0) {
            std::string_view name;
            if (value.get_string().get(name) == simdjson::SUCCESS) {
                seen.bytes += name.size();
            }
        }
    }
}

/// simdjson On-Demand in chunks cut at Kineto's line ends, on `threads` threads; args are skipped and nothing is kept.
inline std::optional<Seen> walkInChunks(const std::string& path, unsigned threads) {
    constexpr size_t kChunk = size_t{2} << 20;
    constexpr size_t kSlack = size_t{1} << 20;
    constexpr std::string_view kBoundary = "\n  },\n  {";
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file < 0 || ::fstat(file, &status) != 0) {
        return std::nullopt;
    }
    const auto size = static_cast<size_t>(status.st_size);
    std::atomic<size_t> next{0};
    std::atomic<bool> failed{false};
    std::vector<Seen> seen(threads);
    const auto work = [&](unsigned self) {
        std::vector<char> buffer(kChunk + kSlack + simdjson::SIMDJSON_PADDING);
        simdjson::ondemand::parser parser(kChunk + kSlack);
        for (size_t offset = next++ * kChunk; offset < size && !failed; offset = next++ * kChunk) {
            const ssize_t got =
                ::pread(file, buffer.data(), std::min(kChunk + kSlack, size - offset), static_cast<off_t>(offset));
            const std::string_view text(buffer.data(), got < 0 ? 0 : static_cast<size_t>(got));
            const size_t start = offset == 0 ? text.find("\"traceEvents\": [") + 15 : text.find(kBoundary) + 4;
            const size_t end = offset + kChunk >= size ? text.rfind(']') : text.find(kBoundary, kChunk) + 4;
            if (start >= end || end >= text.size()) {
                failed = true;
                break;
            }
            buffer[start] = '[';
            buffer[end] = ']';
            simdjson::ondemand::document document;
            simdjson::ondemand::array events;
            const size_t length = end - start + 1;
            if (parser.iterate(buffer.data() + start, length, length + simdjson::SIMDJSON_PADDING).get(document) !=
                    simdjson::SUCCESS ||
                document.get_array().get(events) != simdjson::SUCCESS) {
                failed = true;
                break;
            }
            for (auto event : events) {
                visitEvent(event.get_object(), seen[self]);
            }
        }
    };
    std::vector<std::thread> helpers;
    for (unsigned i = 1; i < threads; ++i) {
        helpers.emplace_back(work, i);
    }
    work(0);
    for (std::thread& helper : helpers) {
        helper.join();
    }
    ::close(file);
    Seen all;
    for (const Seen& part : seen) {
        all.events += part.events;
        all.bytes += part.bytes;
        all.time += part.time;
    }
    return failed ? std::nullopt : std::optional(all);
}

/// simdjson On-Demand over the whole file in memory; not above 4 GiB.
inline std::optional<Seen> walkWhole(const std::string& path) {
    simdjson::padded_string text;
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document document;
    simdjson::ondemand::array events;
    if (simdjson::padded_string::load(path).get(text) != simdjson::SUCCESS ||
        parser.iterate(text).get(document) != simdjson::SUCCESS ||
        document["traceEvents"].get_array().get(events) != simdjson::SUCCESS) {
        return std::nullopt;
    }
    Seen seen;
    for (auto event : events) {
        visitEvent(event.get_object(), seen);
    }
    return seen;
}

/// nlohmann/json, event by event of its parser; keeps nothing.
inline std::optional<Seen> nlohmannSax(const std::string& path) {
    struct Counter : nlohmann::json_sax<nlohmann::json> {
        Seen seen;
        int depth = 0;
        bool null() override { return true; }
        bool boolean(bool) override { return true; }
        bool number_integer(number_integer_t value) override { return seen.time += static_cast<double>(value), true; }
        bool number_unsigned(number_unsigned_t value) override { return seen.time += static_cast<double>(value), true; }
        bool number_float(number_float_t value, const string_t&) override { return seen.time += value, true; }
        bool string(string_t& text) override { return seen.bytes += text.size(), true; }
        bool binary(binary_t&) override { return true; }
        bool start_object(std::size_t) override { return seen.events += depth++ == 2 ? 1 : 0, true; }
        bool key(string_t&) override { return true; }
        bool end_object() override { return --depth, true; }
        bool start_array(std::size_t) override { return ++depth, true; }
        bool end_array() override { return --depth, true; }
        bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override { return false; }
    } counter;
    std::ifstream file(path, std::ios::binary);
    return nlohmann::json::sax_parse(file, &counter) ? std::optional(counter.seen) : std::nullopt;
}

/// nlohmann/json, the whole document as a tree.
inline std::optional<Seen> nlohmannTree(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const auto document = nlohmann::json::parse(file, nullptr, false);
    if (document.is_discarded()) {
        return std::nullopt;
    }
    Seen seen;
    for (const auto& event : document["traceEvents"]) {
        ++seen.events;
        if (const auto name = event.find("name"); name != event.end()) {
            seen.bytes += name->get_ref<const std::string&>().size();
        }
    }
    return seen;
}

}  // namespace warpline::bench
