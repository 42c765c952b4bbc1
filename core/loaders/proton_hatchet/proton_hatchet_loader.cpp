// SPDX-License-Identifier: MIT
#include "core/loaders/proton_hatchet/proton_hatchet_loader.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/packed.h"
#include "core/base/stoppable.h"
#include "core/loaders/damage_report.h"
#include "core/loaders/proton_hatchet/hatchet_text.h"
#include "core/loaders/proton_hatchet/profile_tree.h"

namespace warpline::loaders::proton_hatchet {

namespace {

/// The metrics of a node as they stand in the file. A slice's source is the place of its node, whose metrics may stand
/// behind its children: so this knows where.
class MetricSource final : public EventSource {
public:
    struct Entry {
        uint64_t nodeOffset = 0;
        TextRange metrics;
    };
    MetricSource(std::shared_ptr<const TextSource> text, std::vector<Entry> entries, const LoadOptions& options)
        : m_text(std::move(text)),
          m_entries(std::move(entries)),
          m_maxBytes(options.maxEventBytes),
          m_maxDepth(static_cast<int>(options.maxArgsDepth)) {}

    Result<std::string> argsJson(SourceRef event, SourceRef) const override {
        const auto it = std::ranges::lower_bound(m_entries, event.offset, {}, &Entry::nodeOffset);
        if (it == m_entries.end() || it->nodeOffset != event.offset || it->metrics.length == 0) {
            return std::string("null");
        }
        if (it->metrics.length > m_maxBytes) {
            return Error::failed("the metrics are longer than allowed", std::string(kUnreadableArgs));
        }
        auto text = m_text->read(it->metrics.offset, it->metrics.length);
        if (!text) {
            return text;
        }
        // What is nested deeper is left out: it would take the stack to write it.
        const nlohmann::ordered_json::parser_callback_t isHeld = [this](int depth, nlohmann::json::parse_event_t,
                                                                        const nlohmann::ordered_json&) {
            return depth < m_maxDepth;
        };
        const auto json = nlohmann::ordered_json::parse(text.value(), isHeld, false);
        if (!json.is_object()) {
            return Error::failed("the metrics of the node are no JSON", std::string(kUnreadableArgs));
        }
        return json.dump();
    }

    std::optional<SourceRecipe> recipe() const override {
        PackedWriter facts;
        for (const Entry& entry : m_entries) {
            facts.number(entry.nodeOffset);
            facts.number(entry.metrics.offset);
            facts.number(entry.metrics.length);
        }
        return SourceRecipe{"proton_hatchet", facts.take()};
    }

private:
    std::shared_ptr<const TextSource> m_text;
    std::vector<Entry> m_entries;  ///< ascending
    uint64_t m_maxBytes;
    int m_maxDepth;
};

Status addSlices(const ProfileTree& tree, FileId file, TraceBuilder& builder, const JobControl& job) {
    const ProcessId process = builder.process(file, std::nullopt);
    builder.nameProcess(process, builder.intern("Proton"));
    const TrackId track = builder.track(process, std::nullopt);
    builder.nameTrack(track, builder.intern("Proton (aggregated)"));
    const StringId kernelCategory = builder.intern("aggregated kernel");
    const StringId scopeCategory = builder.intern("scope");
    const std::vector<NodePlace> places = layOut(tree);
    StopPoll poll(job);
    for (size_t i = 0; i < tree.size(); ++i) {
        if (poll.stopRequested()) {
            return Error::cancelled();
        }
        const StringId name = builder.intern(tree[i].name);
        const StringId category = tree[i].isDeviceWork ? kernelCategory : scopeCategory;
        const SourceRef source = {tree[i].offset, 1};
        if (places[i].duration == 0) {
            // A slice without length would lie in both of its neighbours, and seem to be called by one.
            builder.addInstant({places[i].begin, name, category, track, 't', source});
            continue;
        }
        SliceRecord slice;
        slice.begin = places[i].begin;
        slice.duration = places[i].duration;
        slice.name = name;
        // Not of the kind of kernels: one that stands for many launches would be counted as one.
        slice.category = category;
        slice.track = track;
        slice.flags = kSliceIsSum;
        slice.source = source;
        builder.addSlice(slice);
    }
    return Status::success();
}

std::vector<MetricSource::Entry> metricsOf(const ProfileTree& tree) {
    std::vector<MetricSource::Entry> entries;
    entries.reserve(tree.size());
    for (const ProfileNode& node : tree) {
        entries.push_back({node.offset, node.metrics});
    }
    return entries;
}

}  // namespace

const LoaderInfo& ProtonHatchetLoader::info() const {
    static const LoaderInfo kInfo{"proton_hatchet", "Triton Proton profile (hatchet JSON)", {".hatchet"}};
    return kInfo;
}

int ProtonHatchetLoader::sniff(const SniffData& data) const {
    // Deep trees are indented so far that their first frame may lie beyond the head: then lists of children tell.
    std::string start;
    for (const char c : data.head.substr(0, 4096)) {
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
            start += c;
        }
    }
    constexpr std::array<std::string_view, 3> kKeys = {"\"children\":[", "\"frame\":{", "\"metrics\":{"};
    const auto has = [&](std::string_view key) { return data.head.find(key) != std::string_view::npos; };
    const bool startsAsTree =
        std::ranges::any_of(kKeys, [&](std::string_view key) { return start.starts_with("[{" + std::string(key)); });
    if (startsAsTree) {
        constexpr int kSure = 97;
        const bool isDeep = start.starts_with("[{\"children\":[{\"children\":[");
        return isDeep || (has("\"frame\"") && has("\"children\"")) ? kSure : 0;
    }
    // With a damaged begin: what comes next is a tree's all the same, and nothing is an event's.
    constexpr int kDamaged = 60;
    constexpr size_t kFar = 64;
    size_t tree = std::string::npos;
    for (const std::string_view key : kKeys) {
        tree = std::min(tree, start.find(key));
    }
    const bool isDeep = start.find("\"children\":[{\"children\":[") != std::string::npos;
    const bool isTree = isDeep || (has("\"frame\"") && has("\"children\""));
    return tree <= kFar && isTree && !has("\"ph\"") && !has("\"traceEvents\"") ? kDamaged : 0;
}

Status ProtonHatchetLoader::load(const std::shared_ptr<TextSource>& source, FileId file, TraceBuilder& builder,
                                 const LoadOptions& options, JobControl& job) const {
    job.setPhase("Reading the profile");
    TextChars chars(*source, job);
    ImportReport& report = builder.report();
    HatchetText text = readHatchet(chars, file, source->offsetSpace(), options.maxArgsDepth, builder);
    if (const Status& status = chars.status(); !status) {
        return status;
    }
    if (!text.isHatchet) {
        return text.endedEarly && !text.isDamaged
                   ? Error::failed("the file ends before its tree begins", "truncated")
                   : Error::failed("this is no Proton profile: no tree of frames", "unsupported");
    }
    reportDamage(*source, text.endedEarly, file, report);
    if (text.endedEarly || text.isDamaged) {
        report.setIncomplete();
    }
    report.add(file, text.hasTimes ? "no_timeline" : "no_times", text.hasTimes ? Severity::Info : Severity::Warning,
               std::nullopt, OffsetSpace::File);
    if (const Status status = addSlices(text.tree, file, builder, job); !status) {
        return status;
    }
    for (DeviceInfo& device : text.devices) {
        builder.addDevice(std::move(device));
    }
    FileInfo& info = builder.file(file);
    info.format = "proton-hatchet-json";
    info.properties[std::string(kSumsProperty)] = text.hasTimes ? "\"timed\"" : "\"untimed\"";
    if (text.deviceText.length != 0 && text.deviceText.length <= options.maxEventBytes) {
        // Clocks and bus widths are there: what a roofline needs.
        if (auto devices = source->read(text.deviceText.offset, text.deviceText.length)) {
            info.properties["proton_devices"] = std::move(devices.value());
        }
    }
    info.source = std::make_shared<MetricSource>(source, metricsOf(text.tree), options);
    return Status::success();
}

Result<std::shared_ptr<const EventSource>> ProtonHatchetLoader::reopen(const std::shared_ptr<const TextSource>& source,
                                                                       std::string_view facts,
                                                                       const LoadOptions& options) const {
    std::vector<MetricSource::Entry> entries;
    PackedReader in(facts);
    while (!in.ok()) {
        MetricSource::Entry entry;
        entry.nodeOffset = in.number();
        entry.metrics.offset = in.number();
        entry.metrics.length = in.number();
        if (in.failed()) {
            return Error::failed("what is kept of the places of metrics is damaged");
        }
        entries.push_back(entry);
    }
    return std::shared_ptr<const EventSource>(std::make_shared<MetricSource>(source, std::move(entries), options));
}

std::unique_ptr<Loader> make() {
    return std::make_unique<ProtonHatchetLoader>();
}

}  // namespace warpline::loaders::proton_hatchet
