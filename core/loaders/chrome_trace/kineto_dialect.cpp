// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/kineto_dialect.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/loaders/chrome_trace/xla_dialect.h"

namespace warpline::loaders::chrome_trace {

namespace {

struct CategoryEntry {
    std::string_view name;  ///< lower case
    EventKind kind;
    bool isKineto;
};

// Plain words ("kernel", "memcpy", "runtime") say what a slice is, but others than Kineto write them too.
constexpr std::array kCategories = {
    CategoryEntry{"cpu_op", EventKind::CpuOp, true},
    CategoryEntry{"operator", EventKind::CpuOp, false},
    CategoryEntry{"user_annotation", EventKind::Annotation, true},
    CategoryEntry{"gpu_user_annotation", EventKind::GpuAnnotation, true},
    CategoryEntry{"kernel", EventKind::Kernel, false},
    CategoryEntry{"concurrent_kernel", EventKind::Kernel, true},
    CategoryEntry{"gpu_memcpy", EventKind::Memcpy, true},
    CategoryEntry{"memcpy", EventKind::Memcpy, false},
    CategoryEntry{"gpu_memset", EventKind::Memset, true},
    CategoryEntry{"memset", EventKind::Memset, false},
    CategoryEntry{"cuda_runtime", EventKind::Runtime, true},
    CategoryEntry{"hip_runtime", EventKind::Runtime, true},
    CategoryEntry{"xpu_runtime", EventKind::Runtime, true},
    CategoryEntry{"mtia_runtime", EventKind::Runtime, true},
    CategoryEntry{"privateuse1_runtime", EventKind::Runtime, true},
    CategoryEntry{"glow_runtime", EventKind::Runtime, true},
    CategoryEntry{"runtime", EventKind::Runtime, false},
    CategoryEntry{"cuda_driver", EventKind::Driver, true},
    CategoryEntry{"hip_driver", EventKind::Driver, true},
    CategoryEntry{"xpu_driver", EventKind::Driver, true},
    CategoryEntry{"privateuse1_driver", EventKind::Driver, true},
    CategoryEntry{"driver", EventKind::Driver, false},
    CategoryEntry{"cuda_sync", EventKind::Sync, true},
    CategoryEntry{"cuda_event", EventKind::Sync, true},
    CategoryEntry{"python_function", EventKind::Python, true},
    CategoryEntry{"overhead", EventKind::Overhead, false},
    CategoryEntry{"cpu_instant_event", EventKind::Other, true},
    CategoryEntry{"ac2g", EventKind::Other, true},
    CategoryEntry{"fwdbwd", EventKind::Other, true},
};

std::string_view unquoted(std::string_view value) {
    return isQuoted(value) ? value.substr(1, value.size() - 2) : value;
}

template <class T>
std::optional<T> parsed(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value)
                                                                                     : std::nullopt;
}

void take(const nlohmann::json& object, const char* key, std::optional<int64_t>& target) {
    const auto it = object.find(key);
    if (it == object.end() || !it->is_number_integer()) {
        return;
    }
    constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
    if (!it->is_number_unsigned() || it->get<uint64_t>() <= kMost) {
        target = it->get<int64_t>();
    }
}

/// As take(), and a number that stands in quotes, as launchers hand ranks on; false if it is something else.
bool takeRank(const nlohmann::json& object, const char* key, std::optional<int64_t>& target) {
    const auto it = object.find(key);
    if (it == object.end() || it->is_null()) {
        return true;
    }
    if (it->is_string()) {
        target = parsed<int64_t>(it->get_ref<const std::string&>());
    } else {
        take(object, key, target);
    }
    return target.has_value();
}

DeviceInfo deviceFrom(const nlohmann::json& object) {
    DeviceInfo device;
    std::optional<int64_t> id;
    take(object, "id", id);
    device.id = id.value_or(0);
    if (const auto name = object.find("name"); name != object.end() && name->is_string()) {
        device.name = name->get<std::string>();
    }
    take(object, "computeMajor", device.computeMajor);
    take(object, "computeMinor", device.computeMinor);
    take(object, "numSms", device.smCount);
    take(object, "totalGlobalMem", device.memoryBytes);
    take(object, "warpSize", device.warpSize);
    take(object, "maxThreadsPerBlock", device.maxThreadsPerBlock);
    take(object, "maxThreadsPerMultiprocessor", device.maxThreadsPerSm);
    take(object, "regsPerBlock", device.registersPerBlock);
    take(object, "regsPerMultiprocessor", device.registersPerSm);
    take(object, "sharedMemPerBlock", device.sharedBytesPerBlock);
    take(object, "sharedMemPerBlockOptin", device.sharedBytesPerBlockOptin);
    take(object, "sharedMemPerMultiprocessor", device.sharedBytesPerSm);
    return device;
}

void addNotes(const nlohmann::json& value, std::vector<std::string>& notes) {
    if (value.is_string()) {
        notes.push_back(value.get<std::string>());
    } else if (value.is_array()) {
        for (const auto& item : value) {
            notes.push_back(item.is_string() ? item.get<std::string>() : item.dump());
        }
    }
}

}  // namespace

CategoryMeaning meaningOfCategory(std::string_view category) {
    constexpr size_t kLongest = 24;
    if (category.empty() || category.size() > kLongest) {
        return {};
    }
    std::array<char, kLongest> lower{};
    std::transform(category.begin(), category.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    const std::string_view name(lower.data(), category.size());
    const auto* it = std::find_if(kCategories.begin(), kCategories.end(),
                                  [&](const CategoryEntry& entry) { return entry.name == name; });
    return it == kCategories.end() ? CategoryMeaning{} : CategoryMeaning{it->kind, it->isKineto};
}

std::optional<int64_t> wholeNumber(std::string_view value) {
    return parsed<int64_t>(unquoted(value));
}

std::optional<int64_t> wholeValue(std::string_view value) {
    if (const auto whole = wholeNumber(value)) {
        return whole;
    }
    const std::string_view text = unquoted(value);
    // Its 64 bits of digits hold every whole number that fits.
    const auto real = isNumber(text) ? parsed<long double>(text) : std::nullopt;
    constexpr long double kEnd = 9223372036854775808.0L;
    const bool fits = real && *real >= -kEnd && *real < kEnd && std::floor(*real) == *real;
    return fits ? std::optional(static_cast<int64_t>(*real)) : std::nullopt;
}

int32_t narrow(std::optional<int64_t> value, int32_t otherwise) {
    const bool fits =
        value && *value >= std::numeric_limits<int32_t>::min() && *value <= std::numeric_limits<int32_t>::max();
    return fits ? static_cast<int32_t>(*value) : otherwise;
}

/// "[8, 8, 1]" or "8,8,1"; all -1 if it is not that.
std::array<int32_t, 3> threeNumbers(std::string_view text) {
    std::array<int32_t, 3> values = {-1, -1, -1};
    if (!text.empty() && text.front() == '[' && text.back() == ']') {
        text = text.substr(1, text.size() - 2);
    }
    const char* p = text.data();
    const char* end = p + text.size();
    for (size_t i = 0; i < 3; ++i) {
        while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')) {
            ++p;
        }
        const auto [next, error] = std::from_chars(p, end, values[i]);
        if (error != std::errc()) {
            return {-1, -1, -1};
        }
        p = next;
        while (p < end && (*p == ' ' || *p == ',' || *p == '\n' || *p == '\t' || *p == '\r')) {
            ++p;
        }
    }
    return p == end ? values : std::array<int32_t, 3>{-1, -1, -1};
}

std::optional<uint64_t> wholeUnsigned(std::string_view value) {
    return parsed<uint64_t>(unquoted(value));
}

std::optional<double> realNumber(std::string_view value) {
    const std::string_view text = unquoted(value);
    return isNumber(text) ? parsed<double>(text) : std::nullopt;
}

void readSliceArgs(const EventSlots& slots, RawEvent& event, uint32_t index, StringPool& texts, EventBatch& batch) {
    const std::string_view callStack = slots[Slot::CallStack];
    const std::string_view kernelDetails = slots[Slot::KernelDetails];
    const std::string_view dims = slots[Slot::InputDims];
    const bool hasDims = dims.starts_with('[');
    const StringPool::Candidate dimsCandidate = hasDims ? texts.prepare(dims) : StringPool::Candidate();
    batch.sawProton = batch.sawProton || callStack.starts_with("[\"ROOT\"");
    event.correlation = wholeUnsigned(slots[Slot::Correlation]).value_or(kNoCorrelation);
    event.externalId = wholeUnsigned(slots[Slot::ExternalId]).value_or(kNoExternalId);
    if (event.kind == EventKind::Sync && event.externalId == event.correlation) {
        event.externalId = kNoExternalId;  // Kineto writes the record's own number there, which is no op's
    }
    if (hasDims) {
        event.shapes = texts.intern(dimsCandidate).value;
    }
    if (event.kind == EventKind::Kernel || !kernelDetails.empty()) {
        KernelFacts facts;
        facts.device = narrow(wholeNumber(slots[Slot::Device]), -1);
        facts.stream = wholeNumber(slots[Slot::Stream]).value_or(kUnknownFact);
        facts.context = wholeNumber(slots[Slot::Context]).value_or(kUnknownFact);
        facts.grid = threeNumbers(slots[Slot::Grid]);
        facts.block = threeNumbers(slots[Slot::Block]);
        facts.registersPerThread = narrow(wholeNumber(slots[Slot::Registers]), -1);
        facts.sharedBytes = wholeNumber(slots[Slot::SharedMemory]).value_or(kUnknownFact);
        facts.staticSharedBytes = wholeNumber(slots[Slot::StaticShared]).value_or(facts.staticSharedBytes);
        facts.dynamicSharedBytes = wholeNumber(slots[Slot::DynamicShared]).value_or(facts.dynamicSharedBytes);
        facts.localBytesPerThread = wholeNumber(slots[Slot::LocalPerThread]).value_or(facts.localBytesPerThread);
        facts.fileOccupancyPercent = static_cast<float>(realNumber(slots[Slot::Occupancy]).value_or(-1));
        facts.graphNode = wholeUnsigned(slots[Slot::GraphNode]).value_or(0);
        if (isQuoted(kernelDetails)) {
            readKernelDetails(unquoted(kernelDetails), facts);
        }
        if (facts.context == kUnknownFact && isQuoted(slots[Slot::XlaContext])) {
            facts.context = xlaContext(unquoted(slots[Slot::XlaContext]));
        }
        const uint32_t tid = batch.tracks[event.track].tid;
        if (!callStack.empty() && facts.stream == kUnknownFact && tid != kNoIndex) {
            facts.stream =
                wholeNumber(texts.view(StringId(tid))).value_or(kUnknownFact);  // Proton: threads are streams
        }
        batch.kernels.push_back({index, facts});
    } else if (event.kind == EventKind::Memcpy || event.kind == EventKind::Memset) {
        CopyFacts facts;
        facts.device = narrow(wholeNumber(slots[Slot::Device]), -1);
        facts.stream = wholeNumber(slots[Slot::Stream]).value_or(kUnknownFact);
        facts.bytes = wholeNumber(slots[Slot::Bytes]).value_or(kUnknownFact);
        batch.copies.push_back({index, facts});
    }
}

void readMemoryMark(std::string_view name, std::span<const Member> args, const RawEvent& event, uint32_t index,
                    EventBatch& batch) {
    const bool isFailure = name == "[OutOfMemory]";
    if (!isFailure && name != "[memory]") {
        return;
    }
    MemoryEvent memory;
    memory.time = event.timeNs;
    memory.outOfMemory = isFailure;
    for (const Member& member : args) {
        const auto number = wholeNumber(member.value);
        if (isKey(member.key, "Addr")) {
            memory.address =
                number ? static_cast<uint64_t>(*number) : wholeUnsigned(member.value).value_or(memory.address);
        }
        if (!number) {
            continue;
        }
        if (isKey(member.key, "Bytes")) {
            memory.bytes = *number;
        } else if (isKey(member.key, "Total Allocated")) {
            memory.totalAllocated = *number;
        } else if (isKey(member.key, "Total Reserved")) {
            memory.totalReserved = *number;
        } else if (isKey(member.key, "Device Id")) {
            memory.device = *number;
        } else if (isKey(member.key, "Device Type")) {
            memory.rawDeviceType = *number;
            memory.deviceType = *number == 0   ? MemoryDeviceType::Cpu
                                : *number == 1 ? MemoryDeviceType::Cuda
                                               : MemoryDeviceType::Other;
        }
    }
    batch.memory.push_back({index, memory});
}

bool readHeaderMember(std::string_view key, const std::string& value, FileInfo& info, HeaderFacts& facts) {
    info.properties.insert_or_assign(std::string(key), value);
    facts.isKineto =
        facts.isKineto || key == "schemaVersion" || key == "deviceProperties" || key == "baseTimeNanoseconds";
    if (key == "baseTimeNanoseconds") {
        info.baseTimeNs = wholeValue(value);
        if (info.baseTimeNs) {
            info.properties.erase(std::string(key));  // exporters write the member
        }
        return info.baseTimeNs.has_value();
    }
    if (key == "systemTraceEvents" || key == "samples" || key == "powerTraceAsString") {
        const bool isEmpty = value == "\"\"" || value == "[]" || value == "null";
        if (!isEmpty) {
            facts.notShown.emplace_back(key);
        }
        return true;
    }
    if (key == kSumsProperty) {
        facts.sums = value;
        return value == "\"timed\"" || value == "\"untimed\"";
    }
    if (key == "beginningOfTime") {  // clang's, in microseconds
        const auto micros = wholeValue(value);
        constexpr int64_t kNsPerUs = 1000;
        int64_t ns = 0;
        facts.isTimeTrace = micros && !__builtin_mul_overflow(*micros, kNsPerUs, &ns);
        if (facts.isTimeTrace && !info.baseTimeNs) {
            info.baseTimeNs = ns;
        }
        return facts.isTimeTrace;
    }
    if (key != "deviceProperties" && key != "distributedInfo" && key != "ERROR" && key != "WARNING") {
        return true;
    }
    const auto json = nlohmann::json::parse(value, nullptr, false);
    if (key == "deviceProperties") {
        const bool isList = json.is_array();
        for (const auto& item : isList ? json : nlohmann::json::array()) {
            if (item.is_object()) {
                facts.devices.push_back(deviceFrom(item));
            }
        }
        return isList;
    }
    if (key == "distributedInfo") {
        if (json.is_object()) {
            const bool hasGoodRank = takeRank(json, "rank", info.rank);
            const bool hasGoodSize = takeRank(json, "world_size", info.worldSize);
            const auto backend = json.find("backend");
            if (backend != json.end() && backend->is_string()) {
                info.backend = backend->get<std::string>();
            }
            return hasGoodRank && hasGoodSize;
        }
        return false;
    }
    addNotes(json, key == "ERROR" ? facts.errorNotes : facts.warningNotes);
    return !json.is_discarded();
}

}  // namespace warpline::loaders::chrome_trace
