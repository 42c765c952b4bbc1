// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/action_words.h"

#include <QHash>

namespace warpline {

namespace {

struct Words {
    const char* id;
    const char* words;
};

constexpr Words kWords[] = {
    {"panel.area", "overlap wait gap concurrency synchronize stall idle busy statistics sum"},
    {"panel.op_table", "operators functions hot profile aggregate"},
    {"panel.kernel_table", "gpu cuda occupancy waves"},
    {"panel.details", "args info properties selection"},
    {"panel.import_issues", "errors warnings damage report log"},
    {"timeline.select_all", "whole trace range everything overlap wait gap"},
    {"timeline.area_from_selection", "range around overlap wait gap"},
    {"timeline.derived_busy", "utilization usage idle gap"},
    {"timeline.derived_streams", "overlap concurrency parallel"},
    {"timeline.derived_queue", "depth pending wait"},
    {"timeline.derived_copies", "memcpy transfer throughput pcie nvlink"},
    {"timeline.derived_memory", "allocation vram oom leak"},
    {"timeline.derived_annotations", "nvtx record_function ranges"},
    {"timeline.flow_next", "arrow launch kernel correlation"},
    {"timeline.flow_previous", "arrow launcher caller correlation"},
    {"timeline.flows_all", "arrows links"},
    {"timeline.flows_none", "arrows links hide"},
    {"timeline.fit", "zoom to selection"},
    {"timeline.fit_all", "zoom out reset whole trace"},
    {"timeline.go_to_time", "jump timestamp"},
    {"timeline.find_track", "jump thread stream process"},
    {"timeline.filter_tracks", "search thread stream process"},
    {"timeline.least_duration", "short threshold hide filter"},
    {"timeline.tool_time", "ruler distance length"},
    {"timeline.time_of_day", "wall clock utc"},
    {"timeline.export_picture", "screenshot image png svg save"},
    {"timeline.taller", "zoom vertical bigger"},
    {"timeline.shorter", "zoom vertical smaller"},
    {"search.focus", "find query grep"},
    {"window.filter_to_selection", "restrict crop range area"},
    {"window.save_session", "share export"},
    {"window.shortcuts", "help cheat sheet"},
    {"window.keys", "shortcuts bindings rebind remap"},
    {"window.theme_dark", "night colors"},
    {"window.theme_light", "day colors"},
};

}  // namespace

QString searchWords(const QString& id) {
    static const QHash<QString, QString> kById = [] {
        QHash<QString, QString> byId;
        for (const Words& entry : kWords) {
            byId.insert(QLatin1String(entry.id), QLatin1String(entry.words));
        }
        return byId;
    }();
    return kById.value(id);
}

QStringList idsWithSearchWords() {
    QStringList ids;
    for (const Words& entry : kWords) {
        ids << QLatin1String(entry.id);
    }
    return ids;
}

}  // namespace warpline
