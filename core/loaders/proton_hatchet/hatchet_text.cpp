// SPDX-License-Identifier: MIT
#include "core/loaders/proton_hatchet/hatchet_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/loaders/proton_hatchet/lenient_json.h"

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

class Handler final : public JsonEvents {
public:
    Handler(FileId file, OffsetSpace space, uint32_t maxArgsDepth, TraceBuilder& builder, HatchetText& out)
        : m_file(file), m_space(space), m_builder(builder), m_out(out), m_maxArgsDepth(maxArgsDepth) {}

    void key(const std::string& text) override {
        m_key = text;
        noteRepeatedKey();
    }
    void value(const Scalar& value, uint64_t offset) override { take(value, offset); }
    void begin(bool isObject, uint64_t offset) override {
        m_offset = offset;
        if (isObject) {
            openObject(offset);
        } else if (m_levels.empty()) {
            push(Part::Roots, kNoNode);
        } else if (m_levels.back().part == Part::Node && m_key == "children") {
            m_levels.back().isTree = true;
            push(Part::Children, m_levels.back().node);
        } else {
            straysIfListed(offset);
            push(Part::Passed, kNoNode);
        }
    }
    void end(uint64_t behind) override { close(behind); }
    void damage(uint64_t offset, bool losesText) override {
        // Few bytes away it is the same damage.
        constexpr uint64_t kNear = 40;
        const bool isNear = m_damageOffset && offset >= *m_damageOffset && offset - *m_damageOffset < kNear;
        if (!isNear || (losesText && !m_lostText)) {
            report("invalid_json", losesText ? Severity::DataLoss : Severity::Warning, offset);
            m_lostText = losesText;
        }
        m_damageOffset = offset;
        ++m_damages;
    }

    bool isDamaged() const { return m_damageOffset.has_value(); }
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
        Part part = Part::Passed;
        uint32_t node = kNoNode;  ///< that what stands here belongs to
        bool isFolded = false;    ///< too deep for a node of its own
        bool isTree = false;      ///< a node that has shown to be one
        uint8_t seen = 0;         ///< keys of a node that were met, a bit each
        uint64_t offset = 0;
        uint64_t damages = 0;  ///< met before it began
        DurationNs own = 0;    ///< what a node's metrics gave, so far
    };

    void push(Part part, uint32_t node, bool isFolded = false) {
        Level level;
        level.part = part;
        level.node = node;
        level.isFolded = isFolded;
        level.offset = m_offset;
        level.damages = m_damages;
        m_levels.push_back(level);
        if (part == Part::Frame || part == Part::Metrics) {
            m_keys.clear();
            m_times = {};
            m_metricsAt = part == Part::Metrics ? m_levels.size() : 0;
        } else if (m_metricsAt != 0 && m_levels.size() == m_metricsAt + m_maxArgsDepth) {
            report("too_deep", Severity::Warning, m_out.tree[m_levels[m_metricsAt - 1].node].offset);
        }
        m_depth += part == Part::Node ? 1 : 0;
    }

    bool isListed() const {
        return !m_levels.empty() && (m_levels.back().part == Part::Roots || m_levels.back().part == Part::Children);
    }
    /// What should be a node is none.
    void straysIfListed(uint64_t offset) {
        if (isListed()) {
            report("not_an_event", Severity::DataLoss, offset);
        }
    }

    void openObject(uint64_t offset) {
        if (isListed()) {
            openNode(offset);
            return;
        }
        Level& top = m_levels.back();
        if (top.part == Part::Node && (m_key == "frame" || m_key == "metrics")) {
            top.isTree = true;
            const bool isFolded = top.isFolded;
            if (m_key == "metrics") {
                giveBack(top.own, top);  // of equal keys the last counts
            }
            push(m_key == "frame" ? Part::Frame : Part::Metrics, top.node, isFolded);
        } else if (top.part == Part::Node && m_depth == 1) {
            m_deviceType = m_key;
            push(Part::DeviceType, kNoNode);
        } else if (top.part == Part::DeviceType) {
            openDevice(offset);
        } else {
            push(Part::Passed, kNoNode);
        }
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

    void close(uint64_t behind) {
        const Level closed = m_levels.back();
        m_metricsAt = closed.part == Part::Metrics ? 0 : m_metricsAt;
        m_levels.pop_back();
        const bool isSound = closed.damages == m_damages;
        const TextRange text = {closed.offset, isSound ? behind - closed.offset : 0};
        if (closed.part == Part::Metrics && !closed.isFolded) {
            m_out.tree[closed.node].metrics = text;
        } else if (closed.part == Part::Node) {
            --m_depth;
            if (!closed.isTree && m_depth == 0) {
                m_out.tree.pop_back();  // it describes devices, and has no nodes below it
                m_out.deviceText = text;
            }
        }
    }

    void take(const Scalar& value, uint64_t offset) {
        const Level& top = m_levels.back();
        if (top.part == Part::Frame && m_key == "name" && value.text != nullptr && !top.isFolded) {
            m_nameBytes += value.text->size();
            m_out.tree[top.node].name = *value.text;
        } else if (top.part == Part::Metrics) {
            takeMetric(value);
        } else if (top.part == Part::Device) {
            takeDeviceFact(m_out.devices.back(), value);
        } else {
            straysIfListed(offset);
        }
    }

    void noteRepeatedKey() {
        Level& top = m_levels.back();
        bool isRepeated = false;
        if (top.part == Part::Node) {
            constexpr std::array<std::string_view, 3> kKeys = {"children", "frame", "metrics"};
            const auto place = std::ranges::find(kKeys, m_key) - kKeys.begin();
            const auto bit = static_cast<uint8_t>(1U << static_cast<unsigned>(place));
            isRepeated = (top.seen & bit) != 0;
            top.seen = static_cast<uint8_t>(top.seen | bit);
        } else if (top.part == Part::Frame || top.part == Part::Metrics) {
            constexpr size_t kMostKeys = 64;  // very many are no profiler's
            isRepeated = std::ranges::find(m_keys, m_key) != m_keys.end();
            if (!isRepeated && m_keys.size() < kMostKeys) {
                m_keys.push_back(m_key);
            }
        }
        if (isRepeated) {
            report("duplicate_key", Severity::Info, m_out.tree[top.node].offset, m_key);
        }
    }

    void takeMetric(const Scalar& value) {
        const Level& level = m_levels.back();
        ProfileNode& node = m_out.tree[level.node];
        if (m_key == "device_id" && !level.isFolded) {
            node.isDeviceWork = true;
        }
        for (size_t i = 0; i < kTimeKeys.size(); ++i) {
            if (m_key == kTimeKeys[i].name) {
                m_out.hasTimes = true;
                takeTime(value, i);
            }
        }
    }

    void takeTime(const Scalar& value, size_t key) {
        Level& owner = m_levels[m_levels.size() - 2];
        giveBack(std::exchange(m_times[key], 0), owner);  // of equal keys the last counts
        const DurationNs own = timeOf(value, kTimeKeys[key].nsPerUnit, m_out.tree[owner.node]);
        m_times[key] = own;
        owner.own += own;
        m_out.tree[owner.node].own += own;
        m_total += own;
    }

    void giveBack(DurationNs time, Level& owner) {
        owner.own -= time;
        m_out.tree[owner.node].own -= time;
        m_total -= time;
    }

    /// 0 and reported if it is none.
    DurationNs timeOf(const Scalar& value, double nsPerUnit, const ProfileNode& node) {
        constexpr double kEnd = 9e18;
        const double real = value.real.value_or(std::numeric_limits<double>::quiet_NaN()) * nsPerUnit;
        if (!std::isfinite(real) || real >= kEnd) {
            report("bad_metric", Severity::Warning, node.offset);
            return 0;
        }
        if (real < 0) {
            report("negative_duration", Severity::Warning, node.offset);
            return 0;
        }
        const DurationNs own = value.whole && nsPerUnit == 1 ? *value.whole : std::llround(real);
        // So every sum over the tree is a time that a trace holds.
        if (!isHeldTime(addSaturated(m_total, own))) {
            report("bad_metric", Severity::Warning, node.offset);
            return 0;
        }
        return own;
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

    FileId m_file;
    OffsetSpace m_space;
    TraceBuilder& m_builder;
    uint64_t m_nameBytes = 0;  ///< of all nodes
    HatchetText& m_out;
    std::vector<Level> m_levels;
    uint32_t m_depth = 0;  ///< of nodes
    uint32_t m_maxArgsDepth;
    size_t m_metricsAt = 0;                              ///< number of levels with those that are open; 0: none
    std::vector<std::string> m_keys;                     ///< of the frame or the metrics that began last
    std::array<DurationNs, kTimeKeys.size()> m_times{};  ///< of those metrics, by key
    std::string m_key;
    std::string m_deviceType;
    DurationNs m_total = 0;
    uint64_t m_lastOffset = 0;               ///< of the last node
    uint64_t m_offset = 0;                   ///< of what begins
    uint64_t m_damages = 0;                  ///< met so far
    std::optional<uint64_t> m_damageOffset;  ///< of the last damage
    bool m_lostText = false;                 ///< it was counted as such
};

}  // namespace

HatchetText readHatchet(TextChars& chars, FileId file, OffsetSpace space, uint32_t maxArgsDepth,
                        TraceBuilder& builder) {
    HatchetText text;
    Handler handler(file, space, maxArgsDepth, builder, text);
    const JsonOutcome outcome = readLeniently(chars, handler);
    if (!chars.status()) {
        return text;
    }
    text.endedEarly = outcome.end == JsonEnd::Cut;
    text.isDamaged = handler.isDamaged();
    if (text.endedEarly) {
        handler.report("truncated", Severity::DataLoss, handler.lastOffset());
    } else if (outcome.trailingOffset) {
        handler.report("trailing_data", Severity::Warning, *outcome.trailingOffset);
    }
    handler.finish();
    return text;
}

}  // namespace warpline::loaders::proton_hatchet
