// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/key_schemes.h"

#include <QCoreApplication>

namespace warpline {

namespace {

struct Default {
    const char* id;
    const char* keys;  ///< in QKeySequence's portable form, separated by spaces
};

/// Perfetto's, and those of others that are free in it.
constexpr Default kPerfetto[] = {
    {"timeline.zoom_in", "W + ="},
    {"timeline.zoom_out", "S -"},
    {"timeline.pan_left", "A Left"},
    {"timeline.pan_right", "D Right"},
    {"timeline.scroll_up", "Up"},
    {"timeline.scroll_down", "Down"},
    {"timeline.page_up", "PgUp"},
    {"timeline.page_down", "PgDown"},
    {"timeline.start", "Home"},
    {"timeline.end", "End"},
    {"timeline.fit", "F"},
    {"timeline.fit_all", "Shift+F 0"},
    {"timeline.next_slice", "."},
    {"timeline.previous_slice", ","},
    {"timeline.next_kernel", ""},
    {"timeline.previous_kernel", ""},
    {"timeline.flow_next", "]"},
    {"timeline.flow_previous", "["},
    {"timeline.flow_last", "Ctrl+]"},
    {"timeline.flow_first", "Ctrl+["},
    {"timeline.flows_selection", ""},
    {"timeline.flows_all", ""},
    {"timeline.flows_none", ""},
    {"timeline.area_from_selection", "R"},
    {"timeline.area_all_tracks", "Shift+R"},
    {"timeline.select_all", "Ctrl+A"},
    {"timeline.clear", "Esc"},
    {"timeline.next_track", "Ctrl+Down"},
    {"timeline.previous_track", "Ctrl+Up"},
    {"timeline.fold", "Space"},
    {"timeline.compact", "Shift+Space"},
    {"timeline.collapse_all", ""},
    {"timeline.expand_all", ""},
    {"timeline.find_track", "Ctrl+P"},
    {"timeline.filter_tracks", "Ctrl+Shift+F"},
    {"timeline.pin", "P"},
    {"timeline.unpin_all", "Shift+P"},
    {"timeline.hide", "H"},
    {"timeline.hide_others", "Shift+H"},
    {"timeline.show_hidden", "Ctrl+Shift+H"},
    {"timeline.move_up", "Alt+Up"},
    {"timeline.move_down", "Alt+Down"},
    {"timeline.taller", "Alt+="},
    {"timeline.shorter", "Alt+-"},
    {"timeline.reset_height", "Alt+0"},
    {"timeline.collapse_process", ""},
    {"timeline.expand_process", ""},
    {"timeline.collapse_threads", ""},
    {"timeline.expand_threads", ""},
    {"timeline.collapse_streams", ""},
    {"timeline.expand_streams", ""},
    {"timeline.collapse_counters", ""},
    {"timeline.expand_counters", ""},
    {"timeline.collapse_async", ""},
    {"timeline.expand_async", ""},
    {"timeline.back", "Alt+Left"},
    {"timeline.forward", "Alt+Right"},
    {"timeline.go_to_time", "Ctrl+G"},
    {"timeline.next_same_name", "Alt+."},
    {"timeline.previous_same_name", "Alt+,"},
    {"timeline.mark", "M"},
    {"timeline.keep_mark", "Shift+M"},
    {"timeline.mark_note", "Alt+N"},
    {"timeline.mark_kept", "Ctrl+Shift+M"},
    {"timeline.mark_remove", "Alt+Shift+M"},
    {"timeline.marks", "Alt+M"},
    {"timeline.remove_marks", ""},
    {"timeline.bookmark", "Ctrl+B"},
    {"timeline.bookmark_1", ""},
    {"timeline.bookmark_2", ""},
    {"timeline.bookmark_3", ""},
    {"timeline.bookmark_4", ""},
    {"timeline.bookmark_5", ""},
    {"timeline.bookmark_6", ""},
    {"timeline.bookmark_7", ""},
    {"timeline.bookmark_8", ""},
    {"timeline.bookmark_9", ""},
    {"timeline.least_duration", "L"},
    {"timeline.smooth", ""},
    {"timeline.time_of_day", ""},
    {"timeline.export_picture", ""},
    {"timeline.derived_busy", ""},
    {"timeline.derived_streams", ""},
    {"timeline.derived_queue", ""},
    {"timeline.derived_copies", ""},
    {"timeline.derived_memory", ""},
    {"timeline.derived_annotations", ""},
    {"timeline.counter_style", ""},
    {"timeline.counter_scale", ""},
    {"timeline.tool_select", "1"},
    {"timeline.tool_pan", "2"},
    {"timeline.tool_zoom", "3"},
    {"timeline.tool_time", "4"},

    {"search.focus", "/"},
    {"search.next", ""},
    {"search.previous", ""},
    {"search.use_as_filter", ""},

    {"details.copy_text", ""},
    {"details.copy_json", ""},

    {"window.open", "Ctrl+O"},
    {"window.add_files", "Ctrl+Shift+O"},
    {"window.place_files", ""},
    {"window.record", "Ctrl+Shift+R"},
    {"window.record_pause", ""},
    {"window.record_stop", ""},
    {"window.record_interrupt", ""},
    {"window.record_kill", ""},
    {"window.record_follow", ""},
    {"window.recordings", ""},
    {"window.program_output", ""},
    {"window.reload", "F5 Ctrl+R"},
    {"window.follow", ""},
    {"window.cancel", "Esc"},
    {"window.close_trace", "Ctrl+W"},
    {"window.keep_traces", ""},
    {"window.clear_cache", ""},
    {"window.settings", "Ctrl+,"},
    {"window.save_session", "Ctrl+S"},
    {"window.undo", "Ctrl+Z"},
    {"window.redo", "Ctrl+Shift+Z"},
    {"window.filter_to_selection", "G"},
    {"window.remove_filter", "Shift+G"},
    {"window.quit", "Ctrl+Q"},
    {"window.drawer", "Q"},
    {"window.theme_system", ""},
    {"window.theme_light", ""},
    {"window.theme_dark", ""},
    {"window.reset_layout", ""},
    {"window.full_screen", "F11"},
    {"window.next_instance", "F3"},
    {"window.previous_instance", "Shift+F3"},
    {"window.filter_table", "Ctrl+F"},
    {"window.palette", "Ctrl+Shift+P >"},
    {"window.shortcuts", "? F1"},
    {"window.keys", ""},
    {"window.about", ""},

    // The panels, by their number in the View menu.
    {"panel.1", "Ctrl+1"},
    {"panel.2", "Ctrl+2"},
    {"panel.3", "Ctrl+3"},
    {"panel.4", "Ctrl+4"},
    {"panel.5", "Ctrl+5"},
    {"panel.6", "Ctrl+6"},
    {"panel.7", "Ctrl+7"},
    {"panel.8", "Ctrl+8"},
    {"panel.9", "Ctrl+9"},
};

struct Other {
    KeyScheme scheme;
    const char* id;
    const char* keys;
};

/// What a scheme has otherwise.
constexpr Other kOthers[] = {
    // Ctrl and a digit are bookmarks there.
    {KeyScheme::Optiq, "panel.1", "Alt+1"},
    {KeyScheme::Optiq, "panel.2", "Alt+2"},
    {KeyScheme::Optiq, "panel.3", "Alt+3"},
    {KeyScheme::Optiq, "panel.4", "Alt+4"},
    {KeyScheme::Optiq, "panel.5", "Alt+5"},
    {KeyScheme::Optiq, "panel.6", "Alt+6"},
    {KeyScheme::Optiq, "panel.7", "Alt+7"},
    {KeyScheme::Optiq, "panel.8", "Alt+8"},
    {KeyScheme::Optiq, "panel.9", "Alt+9"},
    {KeyScheme::Optiq, "timeline.bookmark_1", "Ctrl+1"},
    {KeyScheme::Optiq, "timeline.bookmark_2", "Ctrl+2"},
    {KeyScheme::Optiq, "timeline.bookmark_3", "Ctrl+3"},
    {KeyScheme::Optiq, "timeline.bookmark_4", "Ctrl+4"},
    {KeyScheme::Optiq, "timeline.bookmark_5", "Ctrl+5"},
    {KeyScheme::Optiq, "timeline.bookmark_6", "Ctrl+6"},
    {KeyScheme::Optiq, "timeline.bookmark_7", "Ctrl+7"},
    {KeyScheme::Optiq, "timeline.bookmark_8", "Ctrl+8"},
    {KeyScheme::Optiq, "timeline.bookmark_9", "Ctrl+9"},
    // Its three views are chosen by digits.
    {KeyScheme::Speedscope, "panel.timeline", "1"},
    {KeyScheme::Speedscope, "panel.op_table", "2"},
    {KeyScheme::Speedscope, "panel.kernel_table", "3"},
    {KeyScheme::Speedscope, "timeline.tool_select", ""},
    {KeyScheme::Speedscope, "timeline.tool_pan", ""},
    {KeyScheme::Speedscope, "timeline.tool_zoom", ""},
    {KeyScheme::Speedscope, "timeline.tool_time", ""},
    {KeyScheme::Speedscope, "search.focus", "/ Ctrl+F"},
    {KeyScheme::Speedscope, "window.filter_table", "Ctrl+Alt+F"},
    {KeyScheme::Tracy, "search.focus", "/ Ctrl+F"},
    {KeyScheme::Tracy, "window.filter_table", "Ctrl+Alt+F"},
    {KeyScheme::NsysAi, "timeline.derived_annotations", "N"},
    {KeyScheme::NsysAi, "timeline.least_duration", "M"},
    {KeyScheme::NsysAi, "timeline.mark", "Ctrl+M"},
    {KeyScheme::NsysAi, "timeline.next_kernel", "Tab"},
    {KeyScheme::NsysAi, "timeline.previous_kernel", "Shift+Tab"},
};

struct Name {
    const char* id;
    const char* title;
};

Name nameOf(KeyScheme scheme) {
    switch (scheme) {
        case KeyScheme::Perfetto:
            return {"perfetto", "Perfetto"};
        case KeyScheme::ChromeTracing:
            return {"chrome_tracing", "chrome://tracing, XProf"};
        case KeyScheme::Tracy:
            return {"tracy", "Tracy"};
        case KeyScheme::Optiq:
            return {"optiq", "ROCm Optiq"};
        case KeyScheme::Speedscope:
            return {"speedscope", "Speedscope"};
        case KeyScheme::NsysAi:
            return {"nsys_ai", "nsys-ai"};
    }
    return {"perfetto", "Perfetto"};
}

}  // namespace

QString schemeId(KeyScheme scheme) {
    return QString::fromLatin1(nameOf(scheme).id);
}

KeyScheme schemeOf(const QString& id) {
    for (const KeyScheme scheme : kKeySchemes) {
        if (id == QLatin1String(nameOf(scheme).id)) {
            return scheme;
        }
    }
    return KeyScheme::Perfetto;
}

QString schemeTitle(KeyScheme scheme) {
    return QString::fromLatin1(nameOf(scheme).title);
}

QStringList idsWithKeys() {
    QStringList ids;
    for (const Default& entry : kPerfetto) {
        ids << QString::fromLatin1(entry.id);
    }
    return ids;
}

QList<QKeySequence> defaultKeys(const QString& id, KeyScheme scheme) {
    for (const Other& entry : kOthers) {
        if (entry.scheme == scheme && id == QLatin1String(entry.id)) {
            return keysFromText(QString::fromLatin1(entry.keys));
        }
    }
    for (const Default& entry : kPerfetto) {
        if (id == QLatin1String(entry.id)) {
            return keysFromText(QString::fromLatin1(entry.keys));
        }
    }
    return {};
}

bool mayShareKeys(const QString& a, const QString& b) {
    const auto is = [&](const QString& one, const QString& other) {
        return one == QLatin1String("window.cancel") && other == QLatin1String("timeline.clear");
    };
    return is(a, b) || is(b, a);
}

bool givesWay(const QString& id) {
    return id == QLatin1String("timeline.clear");
}

QString keysAsText(const QList<QKeySequence>& keys) {
    QStringList texts;
    for (const QKeySequence& key : keys) {
        if (!key.isEmpty()) {
            texts << key.toString(QKeySequence::PortableText);
        }
    }
    return texts.join(' ');
}

QList<QKeySequence> keysFromText(const QString& text) {
    QList<QKeySequence> keys;
    for (const QString& part : text.split(' ', Qt::SkipEmptyParts)) {
        const QKeySequence key = QKeySequence::fromString(part, QKeySequence::PortableText);
        if (key.count() == 1 && key[0].key() != Qt::Key_unknown && key[0].key() != 0 && !keys.contains(key)) {
            keys << key;
        }
    }
    return keys;
}

}  // namespace warpline
