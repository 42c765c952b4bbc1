// SPDX-License-Identifier: MIT
#include "core/loaders/proton_hatchet/hatchet_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace warpline::loaders::proton_hatchet {

namespace {

struct TimeKey {
    std::string_view name;
    double nsPerUnit;
};
constexpr std::array kTimeKeys = {TimeKey{"time (ns)", 1}, TimeKey{"time (us)", 1e3}, TimeKey{"time (ms)", 1e6},
                                  TimeKey{"time (s)", 1e9}};

template <class T>
std::optional<T> parsed(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// A value that is no container.
struct Scalar {
    std::optional<int64_t> whole;
    std::optional<double> real;  ///< of every number
    const std::string* text = nullptr;
};

class Handler final : public nlohmann::json_sax<nlohmann::json> {
public:
    Handler(TextChars& chars, FileId file, OffsetSpace space, TraceBuilder& builder, HatchetText& out)
        : m_chars(chars), m_file(file), m_space(space), m_builder(builder), m_out(out) {}

    bool null() override { return take({}); }
    bool boolean(bool) override { return take({}); }
    bool number_integer(number_integer_t value) override { return take({value, static_cast<double>(value), nullptr}); }
    bool number_unsigned(number_unsigned_t value) override {
        const bool fits = value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
        return take(
            {fits ? std::optional(static_cast<int64_t>(value)) : std::nullopt, static_cast<double>(value), nullptr});
    }
    bool number_float(number_float_t value, const string_t&) override { return take({std::nullopt, value, nullptr}); }
    bool string(string_t& value) override { return take({std::nullopt, std::nullopt, &value}); }
    bool binary(binary_t&) override { return true; }  // no text gives one
    bool key(string_t& value) override {
        m_key = std::move(value);
        return true;
    }
    bool start_object(size_t) override { return openObject(m_chars.offset() - 1); }
    bool end_object() override { return close(); }
    bool start_array(size_t) override {
        if (m_levels.empty()) {
            push(Part::Roots, kNoNode);
        } else if (m_levels.back().part == Part::Node && m_key == "children") {
            m_levels.back().isTree = true;
            push(Part::Children, m_levels.back().node);
        } else {
            straysIfListed();
            push(Part::Passed, kNoNode);
        }
        return true;
    }
    bool end_array() override { return close(); }
    bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override {
        m_isBroken = true;
        return false;
    }

    bool isBroken() const { return m_isBroken; }
    bool isWhole() const { return m_isWhole; }
    uint64_t lastOffset() const { return m_lastOffset; }

    void report(std::string_view code, Severity severity, uint64_t offset, std::string_view detail = {}) {
        m_builder.report().add(m_file, code, severity, offset, m_space, detail);
    }

    /// Counts the nodes without a name, once every object is closed or the text has ended.
    void finish() {
        for (const ProfileNode& node : m_out.tree) {
            if (node.name.empty()) {
                report("missing_name", Severity::Info, node.offset);
            }
        }
        m_out.isHatchet = !m_out.tree.empty();
    }

private:
    enum class Part {
        Roots,     ///< the outer list
        Node,      ///< an object of it, or of a list of children
        Children,  ///< a list of nodes
        Frame,
        Metrics,
        DeviceType,  ///< "CUDA": devices by number
        Device,
        Passed,  ///< anything else
    };
    static constexpr uint32_t kNoNode = ProfileNode::kNoParent;
    struct Level {
        Part part;
        uint32_t node = kNoNode;  ///< that what stands here belongs to
        bool isFolded = false;    ///< too deep for a node of its own
        bool isTree = false;      ///< a node that has shown to be one
        uint64_t offset = 0;
    };

    void push(Part part, uint32_t node, bool isFolded = false) {
        m_levels.push_back({part, node, isFolded, false, m_chars.offset() - 1});
        m_depth += part == Part::Node ? 1 : 0;
    }

    bool isListed() const {
        return !m_levels.empty() && (m_levels.back().part == Part::Roots || m_levels.back().part == Part::Children);
    }
    /// What should be a node is none.
    void straysIfListed(bool isNumber = false) {
        if (isListed()) {
            // Where a number ends is seen a character later.
            report("not_an_event", Severity::DataLoss, m_chars.offset() - (isNumber ? 2 : 1));
        }
    }

    bool openObject(uint64_t offset) {
        if (m_levels.empty()) {
            return false;
        }
        Level& top = m_levels.back();
        if (isListed()) {
            openNode(offset);
            return true;
        }
        if (top.part == Part::Node && (m_key == "frame" || m_key == "metrics")) {
            top.isTree = true;
            const bool isFolded = top.isFolded;
            push(m_key == "frame" ? Part::Frame : Part::Metrics, top.node, isFolded);
        } else if (top.part == Part::Node && m_depth == 1) {
            m_deviceType = m_key;
            push(Part::DeviceType, kNoNode);
        } else if (top.part == Part::DeviceType) {
            openDevice(offset);
        } else {
            push(Part::Passed, kNoNode);
        }
        return true;
    }

    void openNode(uint64_t offset) {
        const Level& top = m_levels.back();
        m_lastOffset = offset;
        if (m_depth >= kMaxTreeDepth) {
            report("too_deep", Severity::Warning, offset);
            push(Part::Node, top.node, true);
            return;
        }
        ProfileNode node;
        node.parent = top.node;
        node.offset = offset;
        m_out.tree.push_back(std::move(node));
        constexpr size_t kStride = 4096;
        if (m_out.tree.size() % kStride == 0) {
            m_builder.setBytesOfLoader(m_out.tree.size() * sizeof(ProfileNode) + m_nameBytes);
        }
        push(Part::Node, static_cast<uint32_t>(m_out.tree.size() - 1));
    }

    void openDevice(uint64_t offset) {
        const auto id = parsed<int64_t>(m_key);
        if (!id) {
            report("odd_value", Severity::Warning, offset, "the number of a device");
            push(Part::Passed, kNoNode);
            return;
        }
        DeviceInfo device;
        device.file = m_file;
        device.id = *id;
        device.name = m_deviceType;
        m_out.devices.push_back(std::move(device));
        push(Part::Device, kNoNode);
    }

    bool close() {
        const Level closed = m_levels.back();
        m_levels.pop_back();
        if (closed.part == Part::Metrics && !closed.isFolded) {
            m_out.tree[closed.node].metrics = {closed.offset, m_chars.offset() - closed.offset};
        } else if (closed.part == Part::Node) {
            --m_depth;
            if (!closed.isTree && m_depth == 0) {
                m_out.tree.pop_back();  // it describes devices, and has no nodes below it
                m_out.deviceText = {closed.offset, m_chars.offset() - closed.offset};
            }
        }
        m_isWhole = m_isWhole || m_levels.empty();
        return true;
    }

    bool take(const Scalar& value) {
        if (m_levels.empty()) {
            return false;  // the whole text is this value
        }
        const Level& top = m_levels.back();
        if (top.part == Part::Frame && m_key == "name" && value.text != nullptr && !top.isFolded) {
            m_nameBytes += value.text->size();
            m_out.tree[top.node].name = *value.text;
        } else if (top.part == Part::Metrics) {
            takeMetric(top, value);
        } else if (top.part == Part::Device) {
            takeDeviceFact(m_out.devices.back(), value);
        } else {
            straysIfListed(value.real.has_value());
        }
        return true;
    }

    void takeMetric(const Level& level, const Scalar& value) {
        ProfileNode& node = m_out.tree[level.node];
        if (m_key == "device_id" && !level.isFolded) {
            node.isDeviceWork = true;
        }
        for (const TimeKey& time : kTimeKeys) {
            if (m_key == time.name) {
                m_out.hasTimes = true;
                addTime(node, value, time.nsPerUnit);
            }
        }
    }

    void addTime(ProfileNode& node, const Scalar& value, double nsPerUnit) {
        constexpr double kEnd = 9e18;
        const double real = value.real.value_or(std::numeric_limits<double>::quiet_NaN()) * nsPerUnit;
        if (!std::isfinite(real) || real >= kEnd) {
            report("bad_metric", Severity::Warning, node.offset);
            return;
        }
        if (real < 0) {
            report("negative_duration", Severity::Warning, node.offset);
            return;
        }
        const DurationNs own = value.whole && nsPerUnit == 1 ? *value.whole : std::llround(real);
        // So every sum over the tree is a time that a trace holds.
        if (!isHeldTime(addSaturated(m_total, own))) {
            report("bad_metric", Severity::Warning, node.offset);
            return;
        }
        m_total += own;
        node.own += own;
    }

    void takeDeviceFact(DeviceInfo& device, const Scalar& value) {
        if (m_key == "num_sms") {
            device.smCount = value.whole;
        } else if (m_key == "arch" && m_deviceType == "CUDA") {
            const auto arch = value.text != nullptr ? parsed<int64_t>(*value.text) : value.whole;
            if (arch && *arch >= 10 && *arch < 10'000) {
                device.computeMajor = *arch / 10;
                device.computeMinor = *arch % 10;
                device.name = m_deviceType + " sm_" + std::to_string(*arch);
            }
        } else if (m_key == "arch" && value.text != nullptr) {
            device.name = m_deviceType + " " + *value.text;
        }
    }

    TextChars& m_chars;
    FileId m_file;
    OffsetSpace m_space;
    TraceBuilder& m_builder;
    uint64_t m_nameBytes = 0;  ///< of all nodes
    HatchetText& m_out;
    std::vector<Level> m_levels;
    uint32_t m_depth = 0;  ///< of nodes
    std::string m_key;
    std::string m_deviceType;
    DurationNs m_total = 0;
    uint64_t m_lastOffset = 0;  ///< of the last node
    bool m_isBroken = false;
    bool m_isWhole = false;
};

}  // namespace

HatchetText readHatchet(TextChars& chars, FileId file, OffsetSpace space, TraceBuilder& builder) {
    HatchetText text;
    Handler handler(chars, file, space, builder, text);
    nlohmann::json::sax_parse(chars.begin(), TextChars::end(), &handler);
    if (!chars.status()) {
        return text;
    }
    text.endedEarly = handler.isBroken() && !handler.isWhole();
    if (text.endedEarly && chars.atEnd()) {
        handler.report("truncated", Severity::DataLoss, handler.lastOffset());
    } else if (text.endedEarly) {
        handler.report("invalid_json", Severity::DataLoss, chars.offset() - 1);
    } else if (handler.isBroken()) {
        handler.report("trailing_data", Severity::Warning, chars.offset() - 1);
    }
    handler.finish();
    return text;
}

}  // namespace warpline::loaders::proton_hatchet
