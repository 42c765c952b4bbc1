// SPDX-License-Identifier: GPL-3.0-or-later
// Every key of the timeline, pressed as users press it, on a real trace; and every gesture.
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QInputDialog>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QSet>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>

#include <cmath>
#include <functional>
#include <memory>

#include "core/loaders/load_trace.h"
#include "core/trace/trace_builder.h"
#include "tests/support/trace_text.h"
#include "widgets/panels/timeline/edge_snap.h"
#include "widgets/panels/timeline/time_prompt.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/panels/timeline/track_filter_bar.h"
#include "widgets/support/choice_popup.h"
#include "widgets/support/key_bindings.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::timeline;

Q_DECLARE_METATYPE(warpline::KeyScheme)

class TestTimelineKeys : public QObject {
    Q_OBJECT

private slots:
    void anAreaOfRowsAloneIsOfThemAlone();
    void initTestCase();
    void init();
    void cleanup();

    void everyActionIsKeyed();
    void keysDoWhatTheySay_data();
    void keysDoWhatTheySay();
    void everySchemesKeysDoTheSame_data();
    void everySchemesKeysDoTheSame();
    void aReboundHeldKeyMoves();
    void aReboundKeyCountsAtOnce();
    void heldKeysAreLetGoByTheirPlace();
    void actionsSayWhyTheyAreDisabled();
    void enterIsLeftToOthers();
    void selectAllGrowsTheArea();
    void kernelsComeByTheirBegin();
    void toolsChangeDragAndCursor();
    void measuringSelectsNothing();
    void theZoomToolZooms();
    void ctrlDragIsAnArea();
    void dragsOfEveryScheme_data();
    void dragsOfEveryScheme();
    void tracysMouse();
    void aClickStaysAClick();
    void pinchZoomsAtTheFingers();
    void momentumDoesNotZoom();

private:
    void press(const QKeySequence& key, Qt::KeyboardModifiers extra = {});
    void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers modifiers = {});
    void wheel(QPoint angle, Qt::KeyboardModifiers modifiers = {}, QPoint pixels = {},
               Qt::ScrollPhase phase = Qt::NoScrollPhase);
    QAction* action(const char* id) const {
        for (QAction* found : m_widget->actions()) {
            if (found->objectName() == QLatin1String(id)) {
                return found;
            }
        }
        return nullptr;
    }
    TimeRange shown() const { return visibleRange(m_widget->axis(), m_widget->lanesRect().width()); }
    const SliceColumns& slices() const { return m_trace->slices(); }
    /// A kernel in the middle of the first stream that has some.
    EventRow someKernel() const;
    /// As dragged, but for edges close by.
    static bool isAbout(TimeRange range, const TimeAxis& axis, int x0, int x1) {
        return std::abs(timeToX(axis, range.begin) - x0) <= kSnapReach + 1 &&
               std::abs(timeToX(axis, range.end) - x1) <= kSnapReach + 1;
    }
    QPoint inLanes(int x, int y) const { return m_widget->lanesRect().topLeft() + QPoint(x, y); }

    std::shared_ptr<const Trace> m_trace;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<TimelineWidget> m_widget;
};

namespace {

/// Class of the dialog that an action opened.
QByteArray g_asked;

/// Two threads, two groups of async work that overlaps, and two counters.
std::shared_ptr<const Trace> asyncAndCounters() {
    TraceBuilder builder;
    const ProcessId process = builder.process(builder.addFile({}), "1");
    for (const char* tid : {"1", "2"}) {
        for (const DurationNs length : {100, 50}) {
            SliceRecord slice;
            slice.duration = length;
            slice.name = builder.intern("op");
            slice.track = builder.track(process, tid);
            builder.addSlice(slice);
        }
    }
    uint64_t id = 0;
    for (const char* name : {"request", "copy"}) {
        for (int i = 0; i < 3; ++i) {
            AsyncRecord record;
            record.track = builder.track(process, "1");
            record.name = builder.intern(name);
            record.id = EventId::ofNumber(++id);
            record.time = i * 10;
            builder.addAsync(record);
            record.phase = AsyncPhase::End;
            record.time += 50;
            builder.addAsync(record);
        }
        CounterRecord counter;
        counter.process = process;
        counter.name = builder.intern(std::string(name) + "s");
        counter.value = 3;
        builder.addCounter(counter);
    }
    JobControl job;
    return builder.seal(job).value();
}

int placeOfSelected(TimelineWidget& widget, Session& session) {
    const EventRow row = session.selectedEvent();
    return row.valid() ? widget.layout().sectionOfTrack(session.trace()->slices().track[row.value]) : -1;
}

/// What was there before a key was pressed.
struct Before {
    TimeAxis axis;
    TimeRange shown;
    int scrollY = 0;
    int height = 0;
    EventRow selected;
    int section = -1;  ///< of the selected slice
};

/// How to test an action's keys: what to do first, and whether the effect is there.
struct KeyCase {
    std::function<void(TimelineWidget&, Session&, EventRow kernel)> prepare;
    std::function<bool(TimelineWidget&, Session&, const Before&)> check;
};

void nothing(TimelineWidget&, Session&, EventRow) {}

/// Of ten bookmarks at growing zoom, the one of this number.
KeyCase goesToBookmark(int number) {
    return {
        [](TimelineWidget& widget, Session& session, EventRow) {
            Notes notes;
            const TimeRange all = *session.trace()->range();
            for (int i = 1; i <= 10; ++i) {
                notes.bookmarks.push_back({QString::number(i), {all.begin, all.begin + all.length() / (i + 1)}, {}});
            }
            session.applyNotes(notes, "test");
            widget.fitAll();
        },
        [number](TimelineWidget& widget, Session& session, const Before&) {
            const TimeRange want = session.notes().bookmarks[static_cast<size_t>(number) - 1].view;
            const TimeRange shown = visibleRange(widget.axis(), widget.lanesRect().width());
            return session.notes().bookmarks.size() == 10 && std::abs(shown.begin - want.begin) <= 2 &&
                   std::abs(shown.end - want.end) <= 2;
        }};
}

std::shared_ptr<const Trace> loadFile(const std::string& path) {
    JobControl job;
    auto trace = loadTrace({path}, {}, job);
    return trace.ok() ? trace.value() : nullptr;
}

TimeRange shownBy(TimelineWidget& widget) {
    return visibleRange(widget.axis(), widget.lanesRect().width());
}

TimeRange rangeOfRow(const Trace& trace, EventRow row) {
    return {trace.slices().begin[row.value], trace.slices().end(row.value)};
}

TimeRange spanOfSlices(const Trace& trace) {
    TimeRange span = rangeOfRow(trace, EventRow(0U));
    for (uint32_t row = 1; row < trace.sliceCount(); ++row) {
        const TimeRange range = rangeOfRow(trace, EventRow(row));
        span = {std::min(span.begin, range.begin), std::max(span.end, range.end)};
    }
    return span;
}

size_t collapsedCount(const TimelineWidget& widget) {
    const std::vector<Section>& sections = widget.layout().sections();
    return static_cast<size_t>(
        std::count_if(sections.begin(), sections.end(), [](const Section& section) { return section.collapsed; }));
}

const QHash<QString, KeyCase>& cases() {
    const auto zoomedIn = [](TimelineWidget& widget, Session&, EventRow) {
        const TimeRange whole = shownBy(widget);
        widget.setAxis(axisFitting({whole.begin + whole.length() / 4, whole.begin + whole.length() / 2},
                                   widget.lanesRect().width()));
    };
    const auto scrolled = [](TimelineWidget& widget, Session&, EventRow) {
        widget.resize(1000, 220);
        widget.setScrollY(60);
    };
    const auto selected = [](TimelineWidget&, Session& session, EventRow kernel) { session.selectEvent(kernel); };
    const auto focused = [](TimelineWidget& widget, Session& session, EventRow kernel) {
        session.selectEvent(kernel);
        widget.focusSection(1);
    };
    const auto secondStream = [](TimelineWidget& widget, Session& session, EventRow) {
        const std::vector<Section>& sections = widget.layout().sections();
        for (const Section& section : sections) {
            if (section.title == "stream 13") {
                session.selectEvent(EventRow(session.trace()->track(section.track).firstRow));
            }
        }
        widget.focusSection(1);
    };
    const auto opened = [](TimelineWidget& widget, Session&, EventRow) { widget.setAllCollapsed(false); };
    const auto folded = [](TimelineWidget& widget, Session&, EventRow) { widget.setAllCollapsed(true); };
    const auto manyKinds = [](TimelineWidget&, Session& session, EventRow) { session.setTrace(asyncAndCounters()); };
    const auto manyKindsFolded = [](TimelineWidget& widget, Session& session, EventRow) {
        session.setTrace(asyncAndCounters());
        widget.setAllCollapsed(true);
    };
    const auto isThread = [](const Section& section, const Trace& trace) {
        return section.kind == SectionKind::Track && !trace.track(section.track).isDevice;
    };
    const auto isStream = [](const Section& section, const Trace& trace) {
        return section.kind == SectionKind::Track && trace.track(section.track).isDevice;
    };
    const auto isCounter = [](const Section& section, const Trace&) { return section.kind == SectionKind::Counter; };
    const auto isAsync = [](const Section& section, const Trace&) { return section.kind == SectionKind::Async; };
    // All of the kind are folded, or none, and all others are not, or are.
    const auto foldedKind = [](bool collapsed, auto isOfKind) {
        return [collapsed, isOfKind](TimelineWidget& widget, Session& session, const Before&) {
            int ofKind = 0;
            for (const Section& section : widget.layout().sections()) {
                if (section.kind == SectionKind::Process || !section.collapsible) {
                    continue;
                }
                const bool isIt = isOfKind(section, *session.trace());
                ofKind += isIt ? 1 : 0;
                if (section.collapsed != (isIt ? collapsed : !collapsed)) {
                    return false;
                }
            }
            return ofKind > 0;
        };
    };
    const auto tool = [](const char* id, bool isOn = true) {
        return [id, isOn](TimelineWidget& widget, Session&, const Before&) {
            for (const QAction* action : widget.actions()) {
                if (action->objectName() == QLatin1String(id)) {
                    return action->isChecked() == isOn;
                }
            }
            return false;
        };
    };
    const auto multiStream = [](TimelineWidget&, Session& session, EventRow) {
        session.setTrace(loadFile(WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz"));
    };
    const auto counters = [](TimelineWidget&, Session& session, EventRow) {
        session.setTrace(test::traceFromText("cpu main: a 0..100\ncounter load: 0=40 10=60 50=90"));
    };
    const auto derivedIs = [](const char* title, bool isShown) {
        return [title, isShown](TimelineWidget& widget, Session&, const Before&) {
            const std::vector<Section>& sections = widget.layout().sections();
            const auto is = [title](const Section& section) {
                return section.kind == SectionKind::Derived && section.title == title;
            };
            return std::any_of(sections.begin(), sections.end(), is) == isShown;
        };
    };
    static const QHash<QString, KeyCase> kCases{
        {"timeline.zoom_in",
         {zoomedIn,
          [](auto& widget, auto&, const Before& before) { return widget.axis().nsPerPixel < before.axis.nsPerPixel; }}},
        {"timeline.zoom_out",
         {zoomedIn,
          [](auto& widget, auto&, const Before& before) { return widget.axis().nsPerPixel > before.axis.nsPerPixel; }}},
        {"timeline.pan_left",
         {zoomedIn,
          [](auto& widget, auto&, const Before& before) {
              return widget.axis().begin < before.axis.begin && widget.axis().nsPerPixel == before.axis.nsPerPixel;
          }}},
        {"timeline.pan_right",
         {zoomedIn,
          [](auto& widget, auto&, const Before& before) {
              return widget.axis().begin > before.axis.begin && widget.axis().nsPerPixel == before.axis.nsPerPixel;
          }}},
        {"timeline.scroll_up",
         {scrolled,
          [](auto& widget, auto&, const Before& before) {
              return widget.scrollY() < before.scrollY && widget.axis() == before.axis;
          }}},
        {"timeline.scroll_down",
         {scrolled,
          [](auto& widget, auto&, const Before& before) {
              return widget.scrollY() > before.scrollY && widget.axis() == before.axis;
          }}},
        {"timeline.page_up", {scrolled, [](auto& widget, auto&, const Before&) { return widget.scrollY() == 0; }}},
        {"timeline.page_down",
         {scrolled,
          [](auto& widget, auto&, const Before& before) { return widget.scrollY() >= before.scrollY + 100; }}},
        {"timeline.start",
         {zoomedIn,
          [](auto& widget, Session& session, const Before& before) {
              return shownBy(widget).begin < session.trace()->range()->begin &&
                     widget.axis().nsPerPixel == before.axis.nsPerPixel;
          }}},
        {"timeline.end",
         {zoomedIn,
          [](auto& widget, Session& session, const Before& before) {
              return shownBy(widget).end > session.trace()->range()->end &&
                     widget.axis().nsPerPixel == before.axis.nsPerPixel;
          }}},
        {"timeline.fit",
         {selected,
          [](auto& widget, Session& session, const Before&) {
              const TimeRange slice = rangeOfRow(*session.trace(), session.selectedEvent());
              const TimeRange now = shownBy(widget);
              return now.begin < slice.begin && slice.end < now.end && now.length() < 2 * slice.length();
          }}},
        {"timeline.fit_all",
         {zoomedIn,
          [](auto& widget, Session& session, const Before&) {
              const TimeRange all = spanOfSlices(*session.trace());
              const TimeRange now = shownBy(widget);
              return now.begin <= all.begin && all.end <= now.end;
          }}},
        {"timeline.next_slice",
         {selected, [](auto&, Session& session,
                       const Before& before) { return session.selectedEvent().value == before.selected.value + 1; }}},
        {"timeline.previous_slice",
         {selected, [](auto&, Session& session,
                       const Before& before) { return session.selectedEvent().value == before.selected.value - 1; }}},
        {"timeline.next_kernel",
         {selected,
          [](auto&, Session& session, const Before& before) {
              const SliceColumns& slices = session.trace()->slices();
              const EventRow now = session.selectedEvent();
              return now != before.selected && slices.kind[now.value] == EventKind::Kernel &&
                     slices.begin[now.value] >= slices.begin[before.selected.value];
          }}},
        {"timeline.previous_kernel",
         {selected,
          [](auto&, Session& session, const Before& before) {
              const SliceColumns& slices = session.trace()->slices();
              const EventRow now = session.selectedEvent();
              return now != before.selected && slices.kind[now.value] == EventKind::Kernel &&
                     slices.begin[now.value] <= slices.begin[before.selected.value];
          }}},
        {"timeline.flow_next",
         {[](TimelineWidget&, Session& session, EventRow kernel) {
              session.selectEvent(session.trace()->launchOf(kernel));
          },
          [](auto&, Session& session, const Before& before) {
              return session.trace()->launchOf(session.selectedEvent()) == before.selected;
          }}},
        {"timeline.flow_previous",
         {selected,
          [](auto&, Session& session, const Before& before) {
              return session.selectedEvent() == session.trace()->launchOf(before.selected);
          }}},
        {"timeline.flow_last",
         {[](TimelineWidget&, Session& session, EventRow kernel) {
              session.selectEvent(session.trace()->launchOf(kernel));
          },
          [](auto&, Session& session, const Before& before) {
              return session.selectedEvent() == session.trace()->deviceWorkOf(before.selected).front();
          }}},
        {"timeline.flow_first",
         {selected,
          [](auto&, Session& session, const Before& before) {
              return session.selectedEvent() == session.trace()->launchOf(before.selected);
          }}},
        {"timeline.flows_selection",
         {[](TimelineWidget& widget, Session&, EventRow) {
              for (QAction* action : widget.actions()) {
                  if (action->objectName() == QLatin1String("timeline.flows_all")) {
                      action->trigger();
                  }
              }
          },
          tool("timeline.flows_selection")}},
        {"timeline.flows_all", {zoomedIn, tool("timeline.flows_all")}},
        {"timeline.flows_none", {zoomedIn, tool("timeline.flows_none")}},
        {"timeline.area_from_selection",
         {selected,
          [](auto&, Session& session, const Before& before) {
              const Trace& trace = *session.trace();
              return session.area() && session.area()->range == rangeOfRow(trace, before.selected) &&
                     session.area()->tracks == std::vector{trace.slices().track[before.selected.value]};
          }}},
        {"timeline.area_all_tracks",
         {selected,
          [](auto&, Session& session, const Before& before) {
              return session.area() && session.area()->range == rangeOfRow(*session.trace(), before.selected) &&
                     session.area()->tracks.empty();
          }}},
        {"timeline.select_all",
         {zoomedIn,
          [](auto& widget, Session& session, const Before& before) {
              return session.area() && session.area()->range == spanOfSlices(*session.trace()) &&
                     session.area()->tracks.empty() && widget.axis() == before.axis;
          }}},
        {"timeline.clear",
         {selected, [](auto&, Session& session, const Before&) { return session.selection() == Selection(); }}},
        {"timeline.next_track",
         {selected,
          [](TimelineWidget& widget, Session&, const Before& before) {
              // Seen by what folding then folds.
              widget.foldFocused();
              return widget.layout().height() < before.height;
          }}},
        {"timeline.previous_track",
         {selected,
          [](TimelineWidget& widget, Session&, const Before& before) {
              widget.foldFocused();
              return widget.layout().height() < before.height;
          }}},
        {"timeline.fold",
         {[](TimelineWidget& widget, Session& session, EventRow kernel) {
              session.selectEvent(session.trace()->launchOf(kernel));
              widget.focusSection(1);
          },
          [](auto& widget, Session&, const Before& before) {
              return collapsedCount(widget) == 1 && widget.layout().height() < before.height;
          }}},
        {"timeline.compact",
         {[](TimelineWidget& widget, Session& session, EventRow) {
              // Deep enough for it; the other sample is not.
              session.setTrace(loadFile(WARPLINE_TEST_DATA_DIR "/memory_oom.trace.json.gz"));
              for (size_t i = 0; i < widget.layout().sections().size(); ++i) {
                  widget.focusSection(i == 0 ? -1 : 1);
                  if (widget.layout().sections()[i].canCompact) {
                      session.selectEvent(
                          EventRow(session.trace()->track(widget.layout().sections()[i].track).firstRow));
                      break;
                  }
              }
          },
          [](auto& widget, Session& session, const Before& before) {
              const TrackId track = session.trace()->slices().track[session.selectedEvent().value];
              const int section = widget.layout().sectionOfTrack(track);
              return collapsedCount(widget) == 0 && widget.layout().height() != before.height &&
                     widget.layout().sections()[static_cast<size_t>(section)].canCompact;
          }}},
        {"timeline.collapse_all",
         {focused,
          [](auto& widget, Session&, const Before& before) {
              return collapsedCount(widget) > 1 && widget.layout().height() < before.height;
          }}},
        {"timeline.expand_all",
         {[](TimelineWidget& widget, Session&, EventRow) { widget.setAllCollapsed(true); },
          [](auto& widget, Session&, const Before& before) {
              return collapsedCount(widget) == 0 && widget.layout().height() > before.height;
          }}},
        {"timeline.find_track",
         {focused,
          [](TimelineWidget& widget, Session&, const Before&) {
              const auto* popup = widget.findChild<ChoicePopup*>();
              return popup != nullptr && popup->isVisible();
          }}},
        {"timeline.filter_tracks",
         {focused, [](TimelineWidget& widget, Session&,
                      const Before&) { return widget.findChild<TrackFilterBar*>()->line()->hasFocus(); }}},
        {"timeline.pin",
         {focused,
          [](auto& widget, Session& session, const Before&) {
              return session.arrangement().pinned.size() == 1 && widget.layout().sections()[0].pinned;
          }}},
        {"timeline.unpin_all",
         {[focused](TimelineWidget& widget, Session& session, EventRow kernel) {
              focused(widget, session, kernel);
              widget.togglePin();
          },
          [](auto& widget, Session&, const Before&) { return !widget.layout().sections()[0].pinned; }}},
        {"timeline.hide",
         {focused,
          [](auto& widget, Session& session, const Before& before) {
              return session.arrangement().hidden.size() == 1 && widget.layout().height() < before.height;
          }}},
        {"timeline.hide_others",
         {focused,
          [](auto& widget, Session&, const Before&) {
              const std::vector<Section>& sections = widget.layout().sections();
              return std::count_if(sections.begin(), sections.end(),
                                   [](const Section& section) { return section.kind != SectionKind::Process; }) == 1;
          }}},
        {"timeline.show_hidden",
         {[focused](TimelineWidget& widget, Session& session, EventRow kernel) {
              focused(widget, session, kernel);
              widget.hideFocused();
          },
          [](auto& widget, Session&, const Before& before) { return widget.layout().height() > before.height; }}},
        {"timeline.move_up",
         {secondStream, [](TimelineWidget& widget, Session& session,
                           const Before& before) { return placeOfSelected(widget, session) == before.section - 1; }}},
        {"timeline.move_down",
         {secondStream, [](TimelineWidget& widget, Session& session,
                           const Before& before) { return placeOfSelected(widget, session) == before.section + 1; }}},
        {"timeline.taller",
         {focused,
          [](auto& widget, Session&, const Before& before) { return widget.layout().height() > before.height; }}},
        {"timeline.shorter",
         {[focused](TimelineWidget& widget, Session& session, EventRow kernel) {
              focused(widget, session, kernel);
              widget.changeHeight(1);
              widget.changeHeight(1);
          },
          [](auto& widget, Session&, const Before& before) { return widget.layout().height() < before.height; }}},
        {"timeline.reset_height",
         {[focused](TimelineWidget& widget, Session& session, EventRow kernel) {
              focused(widget, session, kernel);
              widget.changeHeight(1);
          },
          [](auto&, Session& session, const Before&) { return session.arrangement().heights.empty(); }}},
        {"timeline.collapse_process",
         {focused,
          [](auto& widget, Session&, const Before& before) {
              return before.section >= 0 && collapsedCount(widget) == 1 && widget.layout().height() < before.height;
          }}},
        {"timeline.expand_process",
         {[focused](TimelineWidget& widget, Session& session, EventRow kernel) {
              focused(widget, session, kernel);
              widget.setAllCollapsed(true);
              widget.setThisProcessCollapsed(true);
          },
          [](TimelineWidget& widget, Session& session, const Before&) {
              const std::vector<Section>& sections = widget.layout().sections();
              const ProcessId process =
                  session.trace()->track(session.trace()->slices().track[session.selectedEvent().value]).process;
              return std::none_of(sections.begin(), sections.end(),
                                  [process](const Section& section) {
                                      return section.process == process && section.collapsed;
                                  }) &&
                     collapsedCount(widget) > 0;
          }}},
        {"timeline.collapse_threads", {opened, foldedKind(true, isThread)}},
        {"timeline.expand_threads", {folded, foldedKind(false, isThread)}},
        {"timeline.collapse_streams", {opened, foldedKind(true, isStream)}},
        {"timeline.expand_streams", {folded, foldedKind(false, isStream)}},
        {"timeline.collapse_counters", {manyKinds, foldedKind(true, isCounter)}},
        {"timeline.expand_counters", {manyKindsFolded, foldedKind(false, isCounter)}},
        {"timeline.collapse_async", {manyKinds, foldedKind(true, isAsync)}},
        {"timeline.expand_async", {manyKindsFolded, foldedKind(false, isAsync)}},
        {"timeline.back",
         {[](TimelineWidget& widget, Session& session, EventRow kernel) {
              session.selectEvent(kernel);
              widget.fit();
          },
          [](auto& widget, Session& session, const Before&) {
              return shownBy(widget).length() >= spanOfSlices(*session.trace()).length();
          }}},
        {"timeline.forward",
         {[](TimelineWidget& widget, Session& session, EventRow kernel) {
              session.selectEvent(kernel);
              widget.fit();
              widget.goBack();
          },
          [](auto& widget, Session& session, const Before& before) {
              return shownBy(widget).length() < 3 * rangeOfRow(*session.trace(), before.selected).length();
          }}},
        {"timeline.go_to_time",
         {zoomedIn, [](TimelineWidget& widget, Session&,
                       const Before&) { return widget.findChild<TimePrompt*>()->isVisible(); }}},
        {"timeline.next_same_name",
         {selected,
          [](auto&, Session& session, const Before& before) {
              const SliceColumns& slices = session.trace()->slices();
              const EventRow now = session.selectedEvent();
              return now != before.selected && slices.name[now.value] == slices.name[before.selected.value] &&
                     slices.begin[now.value] >= slices.begin[before.selected.value];
          }}},
        {"timeline.previous_same_name",
         {selected,
          [](auto&, Session& session, const Before& before) {
              const SliceColumns& slices = session.trace()->slices();
              const EventRow now = session.selectedEvent();
              return now != before.selected && slices.name[now.value] == slices.name[before.selected.value] &&
                     slices.begin[now.value] <= slices.begin[before.selected.value];
          }}},
        {"timeline.mark",
         {selected,
          [](auto&, Session& session, const Before& before) {
              const std::vector<Mark>& marks = session.notes().marks;
              return marks.size() == 1 && !marks[0].isKept &&
                     marks[0].area.range == rangeOfRow(*session.trace(), before.selected);
          }}},
        {"timeline.keep_mark",
         {selected,
          [](auto&, Session& session, const Before&) {
              return session.notes().marks.size() == 1 && session.notes().marks[0].isKept;
          }}},
        {"timeline.remove_marks",
         {[](TimelineWidget& widget, Session& session, EventRow kernel) {
              session.selectEvent(kernel);
              widget.markSelection(true);
          },
          [](auto&, Session& session, const Before&) { return session.notes().marks.empty(); }}},
        {"timeline.mark_note",
         {[](TimelineWidget& widget, Session& session, EventRow kernel) {
              session.selectEvent(kernel);
              widget.markSelection(true);
              QTimer::singleShot(0, [] {
                  if (auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget())) {
                      dialog->setTextValue("written");
                      dialog->accept();
                  }
              });
          },
          [](auto&, Session& session, const Before&) { return session.notes().marks.at(0).note == "written"; }}},
        {"timeline.mark_kept",
         {[](TimelineWidget& widget, Session& session, EventRow kernel) {
              session.selectEvent(kernel);
              widget.markSelection(true);
          },
          [](auto&, Session& session, const Before&) { return !session.notes().marks.at(0).isKept; }}},
        {"timeline.mark_remove",
         {[](TimelineWidget& widget, Session& session, EventRow kernel) {
              session.selectEvent(kernel);
              widget.markSelection(true);
          },
          [](auto&, Session& session, const Before&) { return session.notes().marks.empty(); }}},
        {"timeline.marks",
         {[](TimelineWidget& widget, Session& session, EventRow kernel) {
              session.selectEvent(kernel);
              widget.markSelection(true);
          },
          [](TimelineWidget& widget, Session&, const Before&) {
              const auto* popup = widget.findChild<ChoicePopup*>();
              return popup != nullptr && popup->isVisible();
          }}},
        {"timeline.bookmark",
         {zoomedIn,
          [](auto&, Session& session, const Before& before) {
              return session.notes().bookmarks == std::vector<Bookmark>{{"Bookmark 1", before.shown, {}}};
          }}},
        {"timeline.bookmark_1", goesToBookmark(1)},
        {"timeline.bookmark_2", goesToBookmark(2)},
        {"timeline.bookmark_3", goesToBookmark(3)},
        {"timeline.bookmark_4", goesToBookmark(4)},
        {"timeline.bookmark_5", goesToBookmark(5)},
        {"timeline.bookmark_6", goesToBookmark(6)},
        {"timeline.bookmark_7", goesToBookmark(7)},
        {"timeline.bookmark_8", goesToBookmark(8)},
        {"timeline.bookmark_9", goesToBookmark(9)},
        {"timeline.least_duration",
         {[](TimelineWidget&, Session&, EventRow) {
              QTimer::singleShot(0, [] {
                  if (auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget())) {
                      dialog->setTextValue("2.5 us");
                      dialog->accept();
                  }
              });
          },
          [](auto&, Session& session, const Before&) { return session.filter().leastDuration == 2'500; }}},
        {"timeline.smooth",
         {nothing, [](auto&, Session&,
                      const Before&) { return !settings::store().value(settings::kTimelineSmooth, true).toBool(); }}},
        {"timeline.export_picture",
         {[](TimelineWidget&, Session&, EventRow) {
              g_asked.clear();
              // The dialog is modal: it is answered from here.
              QTimer::singleShot(0, [] {
                  if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) {
                      g_asked = dialog->metaObject()->className();
                      dialog->reject();
                  }
              });
          },
          [](auto&, Session&, const Before&) { return g_asked.endsWith("QFileDialog"); }}},
        {"timeline.time_of_day", {zoomedIn, tool("timeline.time_of_day")}},
        {"timeline.derived_busy", {multiStream, derivedIs("GPU busy", false)}},
        {"timeline.derived_streams", {multiStream, derivedIs("Streams active", false)}},
        {"timeline.derived_queue", {multiStream, derivedIs("Launch queue", false)}},
        {"timeline.derived_copies", {multiStream, derivedIs("Copy bandwidth", true)}},
        {"timeline.derived_memory",
         {[](TimelineWidget&, Session& session, EventRow) {
              session.setTrace(loadFile(WARPLINE_TEST_DATA_DIR "/memory_oom.trace.json.gz"));
          },
          derivedIs("Memory", false)}},
        {"timeline.derived_annotations",
         {[](TimelineWidget& widget, Session& session, EventRow) {
              session.setTrace(
                  test::traceFromText("cpu main: step 0..9 (kind=annotation) { cudaLaunchKernel 1..2 (corr=1) }\n"
                                      "gpu 0 stream 7: a 5..8 (corr=1)"));
              const auto isThere = [&widget] {
                  const std::vector<Section>& sections = widget.layout().sections();
                  return std::ranges::count(sections, "Annotations", &Section::title) == 1;
              };
              QTRY_VERIFY(isThere());
          },
          derivedIs("Annotations", false)}},
        {"timeline.counter_style",
         {counters,
          [](TimelineWidget& widget, Session&, const Before&) {
              const RowGeometry& row = widget.geometry().rows.back();
              return row.kind == RowKind::Counter && row.ink == ValueInk::Line;
          }}},
        {"timeline.counter_scale",
         {counters,
          [](TimelineWidget& widget, Session&, const Before&) {
              return widget.geometry().rows.back().scale == ValueRange{0, 90};
          }}},
        {"timeline.tool_select",
         {[](TimelineWidget& widget, Session&, EventRow) { QTest::keyClick(&widget, Qt::Key_2); },
          tool("timeline.tool_select")}},
        {"timeline.tool_pan", {zoomedIn, tool("timeline.tool_pan")}},
        {"timeline.tool_zoom", {zoomedIn, tool("timeline.tool_zoom")}},
        {"timeline.tool_time", {zoomedIn, tool("timeline.tool_time")}},
    };
    return kCases;
}

}  // namespace

void TestTimelineKeys::initTestCase() {
    applyTheme(ThemeChoice::Light);
    m_trace = loadFile(WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz");
    QVERIFY(m_trace);
}

void TestTimelineKeys::init() {
    settings::useTemporary();
    m_session = std::make_unique<Session>();
    m_widget = std::make_unique<TimelineWidget>(*m_session);
    m_widget->resize(1000, 500);
    m_widget->show();
    m_widget->setFocus();
    QVERIFY(QTest::qWaitForWindowActive(m_widget.get()));
    m_session->setTrace(m_trace);
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QVERIFY(m_widget->layout().sections().size() > 2);
}

void TestTimelineKeys::cleanup() {
    m_widget.reset();
    m_session.reset();
}

EventRow TestTimelineKeys::someKernel() const {
    std::vector<EventRow> found;
    for (uint32_t row = 1; row + 1 < m_trace->sliceCount(); ++row) {
        // With neighbours on its lane, so that it can be stepped from.
        if (slices().kind[row] == EventKind::Kernel &&
            m_trace->laneOf(EventRow(row)) == m_trace->laneOf(EventRow(row - 1)) &&
            m_trace->laneOf(EventRow(row)) == m_trace->laneOf(EventRow(row + 1)) &&
            m_trace->launchOf(EventRow(row)).valid()) {
            found.push_back(EventRow(row));
        }
    }
    return found.empty() ? EventRow::none() : found[found.size() / 2];
}

void TestTimelineKeys::press(const QKeySequence& key, Qt::KeyboardModifiers extra) {
    QTest::keyClick(m_widget.get(), key[0].key(), key[0].keyboardModifiers() | extra);
}

void TestTimelineKeys::drag(QPoint from, QPoint to, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
    const auto send = [&](QEvent::Type type, QPoint at, Qt::MouseButton changed, Qt::MouseButtons held) {
        QMouseEvent event(type, at, m_widget->mapToGlobal(at), changed, held, modifiers);
        QApplication::sendEvent(m_widget.get(), &event);
    };
    send(QEvent::MouseButtonPress, from, button, button);
    send(QEvent::MouseMove, (from + to) / 2, Qt::NoButton, button);
    send(QEvent::MouseMove, to, Qt::NoButton, button);
    send(QEvent::MouseButtonRelease, to, button, Qt::NoButton);
}

void TestTimelineKeys::wheel(QPoint angle, Qt::KeyboardModifiers modifiers, QPoint pixels, Qt::ScrollPhase phase) {
    const QPoint at = inLanes(300, 100);
    QWheelEvent event(at, m_widget->mapToGlobal(at), pixels, angle, Qt::NoButton, modifiers, phase, false);
    QApplication::sendEvent(m_widget.get(), &event);
    QTRY_VERIFY(!m_widget->isMoving());
}

void TestTimelineKeys::everyActionIsKeyed() {
    QSet<QString> ids;
    for (const QAction* found : m_widget->actions()) {
        if (found->isSeparator() || found->menu() != nullptr) {
            continue;
        }
        const QString id = found->objectName();
        QVERIFY2(id.startsWith("timeline."), qPrintable(found->text()));
        QVERIFY2(idsWithKeys().contains(id), qPrintable(id));
        QVERIFY2(cases().contains(id), qPrintable("no test for " + id));
        QVERIFY2(!ids.contains(id), qPrintable(id));
        ids << id;
    }
    // Nor does the table name what is not there.
    for (const QString& id : idsWithKeys()) {
        QVERIFY2(!id.startsWith("timeline.") || ids.contains(id), qPrintable(id));
    }
}

void TestTimelineKeys::keysDoWhatTheySay_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QKeySequence>("key");
    for (const QString& id : idsWithKeys()) {
        if (!id.startsWith("timeline.")) {
            continue;
        }
        QList<QKeySequence> keys = defaultKeys(id, KeyScheme::Perfetto);
        if (keys.isEmpty()) {
            keys << QKeySequence(Qt::CTRL | Qt::Key_F12);  // one of the user's own
        }
        for (const QKeySequence& key : keys) {
            QTest::newRow(qPrintable(id + " " + key.toString())) << id << key;
        }
    }
}

void TestTimelineKeys::keysDoWhatTheySay() {
    QFETCH(QString, id);
    QFETCH(QKeySequence, key);
    if (!keyBindings().keys(id).contains(key)) {
        keyBindings().setKeys(id, {key});
    }
    const EventRow kernel = someKernel();
    QVERIFY(kernel.valid());
    QVERIFY(cases().contains(id));
    const KeyCase& test = cases()[id];
    test.prepare(*m_widget, *m_session, kernel);
    const Before before{m_widget->axis(),           shown(),
                        m_widget->scrollY(),        m_widget->layout().height(),
                        m_session->selectedEvent(), placeOfSelected(*m_widget, *m_session)};
    QVERIFY2(
        id == "timeline.next_track" || id == "timeline.previous_track" || !test.check(*m_widget, *m_session, before),
        "the effect is there before the key");
    press(key);
    QTRY_VERIFY(test.check(*m_widget, *m_session, before));
}

void TestTimelineKeys::everySchemesKeysDoTheSame_data() {
    QTest::addColumn<KeyScheme>("scheme");
    for (const KeyScheme scheme : kKeySchemes) {
        QTest::newRow(qPrintable(schemeId(scheme))) << scheme;
    }
}

void TestTimelineKeys::everySchemesKeysDoTheSame() {
    QFETCH(KeyScheme, scheme);
    keyBindings().setScheme(scheme);
    int pressed = 0;
    for (const QString& id : idsWithKeys()) {
        if (!id.startsWith("timeline.")) {
            continue;
        }
        QVERIFY2(keyBindings().keys(id) == defaultKeys(id, scheme), qPrintable(id));
        // Those that are Perfetto's too are pressed above.
        for (const QKeySequence& key : keyBindings().keys(id)) {
            if (defaultKeys(id, KeyScheme::Perfetto).contains(key)) {
                continue;
            }
            const KeyCase& test = cases()[id];
            test.prepare(*m_widget, *m_session, someKernel());
            const Before before{m_widget->axis(),           shown(),
                                m_widget->scrollY(),        m_widget->layout().height(),
                                m_session->selectedEvent(), placeOfSelected(*m_widget, *m_session)};
            press(key);
            QVERIFY2(test.check(*m_widget, *m_session, before), qPrintable(id));
            if (id == "timeline.least_duration") {
                m_widget->activateWindow();  // without a window manager nobody does it after a dialog
            }
            QTRY_VERIFY(m_widget->hasFocus());
            ++pressed;
        }
    }
    QCOMPARE(pressed, scheme == KeyScheme::NsysAi ? 5 : scheme == KeyScheme::Optiq ? 9 : 0);
}

void TestTimelineKeys::aReboundHeldKeyMoves() {
    keyBindings().setKeys("timeline.pan_right", {QKeySequence(Qt::Key_L), QKeySequence(Qt::CTRL | Qt::Key_L)});
    m_widget->setAxis({shown().begin, m_widget->axis().nsPerPixel / 8});
    for (const Qt::KeyboardModifiers modifiers :
         {Qt::KeyboardModifiers(), Qt::KeyboardModifiers(Qt::ControlModifier)}) {
        const TimeAxis before = m_widget->axis();
        QTest::keyPress(m_widget.get(), Qt::Key_L, modifiers);
        const TimeAxis tapped = m_widget->axis();
        QVERIFY(tapped.begin > before.begin);
        QTRY_VERIFY(m_widget->axis().begin > tapped.begin);
        QTest::keyRelease(m_widget.get(), Qt::Key_L, modifiers);
        const TimeAxis released = m_widget->axis();
        QTest::qWait(50);
        QCOMPARE(m_widget->axis(), released);
    }
    const TimeAxis before = m_widget->axis();
    QTest::keyClick(m_widget.get(), Qt::Key_D);
    QCOMPARE(m_widget->axis(), before);
}

void TestTimelineKeys::aReboundKeyCountsAtOnce() {
    m_session->selectEvent(someKernel());
    const EventRow first = m_session->selectedEvent();
    keyBindings().setKeys("timeline.next_slice", {QKeySequence(Qt::Key_N)});
    press(Qt::Key_Period);
    QCOMPARE(m_session->selectedEvent(), first);
    press(Qt::Key_N);
    QCOMPARE(m_session->selectedEvent().value, first.value + 1);
    QCOMPARE(action("timeline.next_slice")->shortcut(), QKeySequence(Qt::Key_N));
    keyBindings().resetAll();
    press(Qt::Key_Period);
    QCOMPARE(m_session->selectedEvent().value, first.value + 2);
}

void TestTimelineKeys::heldKeysAreLetGoByTheirPlace() {
    // + is Shift and =; with Shift let go first, it comes up as =.
    m_widget->setAxis({shown().begin, m_widget->axis().nsPerPixel});
    QKeyEvent down(QEvent::KeyPress, Qt::Key_Plus, Qt::ShiftModifier, 21, 0, 0, "+");
    QKeyEvent up(QEvent::KeyRelease, Qt::Key_Equal, Qt::NoModifier, 21, 0, 0, "=");
    QApplication::sendEvent(m_widget.get(), &down);
    const double tapped = m_widget->axis().nsPerPixel;
    QTRY_VERIFY(m_widget->axis().nsPerPixel < tapped);
    QApplication::sendEvent(m_widget.get(), &up);
    const TimeAxis released = m_widget->axis();
    QTest::qWait(50);
    QCOMPARE(m_widget->axis(), released);
}

void TestTimelineKeys::actionsSayWhyTheyAreDisabled() {
    QVERIFY(!action("timeline.area_from_selection")->isEnabled());
    QCOMPARE(action("timeline.area_from_selection")->property(kDisabledReason).toString(), "Nothing is selected");
    QVERIFY(!action("timeline.clear")->isEnabled());
    m_session->selectEvent(someKernel());
    QVERIFY(action("timeline.area_from_selection")->isEnabled());
    QVERIFY(action("timeline.clear")->isEnabled());
    QVERIFY(action("timeline.flow_previous")->isEnabled());
    m_session->setTrace(nullptr);
    for (const QAction* found : m_widget->actions()) {
        if (!found->isSeparator()) {
            QVERIFY2(!found->isEnabled(), qPrintable(found->objectName()));
            QCOMPARE(found->property(kDisabledReason).toString(), "No trace is open");
        }
    }
    press(Qt::Key_W);
}

void TestTimelineKeys::enterIsLeftToOthers() {
    m_session->selectEvent(someKernel());
    m_widget->focusSection(1);
    const int height = m_widget->layout().height();
    for (const Qt::KeyboardModifiers modifiers : {Qt::KeyboardModifiers(), Qt::KeyboardModifiers(Qt::ShiftModifier),
                                                  Qt::KeyboardModifiers(Qt::ControlModifier)}) {
        QKeyEvent enter(QEvent::KeyPress, Qt::Key_Return, modifiers);
        enter.accept();
        QApplication::sendEvent(m_widget.get(), &enter);
        QVERIFY(!enter.isAccepted());
    }
    QCOMPARE(m_widget->layout().height(), height);
}

void TestTimelineKeys::selectAllGrowsTheArea() {
    const TimeRange whole = *m_trace->range();
    press(Qt::SHIFT | Qt::Key_F);
    // All slices, as the first view has them; the file has a mark later than that.
    const TimeRange all = spanOfSlices(*m_trace);
    QVERIFY(all != whole);
    const TrackId track = slices().track[someKernel().value];
    m_session->selectEvent(someKernel());
    press(Qt::Key_R);
    press(Qt::CTRL | Qt::Key_A);
    QCOMPARE(m_session->area()->range, all);
    QCOMPARE(m_session->area()->tracks, std::vector{track});
    press(Qt::CTRL | Qt::Key_A);
    QCOMPARE(m_session->area()->range, all);
    QVERIFY(m_session->area()->tracks.empty());
    press(Qt::CTRL | Qt::Key_A);
    QCOMPARE(m_session->area()->range, whole);
    QVERIFY(m_session->area()->tracks.empty());
    press(Qt::CTRL | Qt::Key_A);
    QCOMPARE(m_session->area()->range, all);
    QVERIFY(m_session->area()->tracks.empty());
}

/// Against a scan of all kernels of the device.
void TestTimelineKeys::kernelsComeByTheirBegin() {
    keyBindings().setScheme(KeyScheme::NsysAi);
    const EventRow first = someKernel();
    const ProcessId device = m_trace->track(slices().track[first.value]).process;
    std::vector<std::pair<TimeNs, uint32_t>> order;
    for (uint32_t row = 0; row < m_trace->sliceCount(); ++row) {
        if (slices().kind[row] == EventKind::Kernel && m_trace->track(slices().track[row]).process == device) {
            order.emplace_back(slices().begin[row], row);
        }
    }
    std::sort(order.begin(), order.end());
    m_session->selectEvent(EventRow(order.front().second));
    QSet<uint32_t> streams;
    for (size_t i = 1; i < order.size(); ++i) {
        QTest::keyClick(m_widget.get(), Qt::Key_Tab);
        QCOMPARE(m_session->selectedEvent(), EventRow(order[i].second));
        streams << slices().track[order[i].second].value;
    }
    QVERIFY(order.size() > 100 && streams.size() > 1);
    QTest::keyClick(m_widget.get(), Qt::Key_Tab);
    QCOMPARE(m_session->selectedEvent(), EventRow(order.back().second));
    for (size_t i = order.size() - 1; i-- > 0;) {
        QTest::keyClick(m_widget.get(), Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(m_session->selectedEvent(), EventRow(order[i].second));
    }
    // Without a selection the first one in view.
    m_session->select({});
    m_widget->setAxis({order[20].first - 1, 100});
    QTest::keyClick(m_widget.get(), Qt::Key_Tab);
    QCOMPARE(m_session->selectedEvent(), EventRow(order[20].second));
}

void TestTimelineKeys::toolsChangeDragAndCursor() {
    m_widget->setAxis({shown().begin, m_widget->axis().nsPerPixel / 4});
    const TimeAxis before = m_widget->axis();
    QTest::mouseMove(m_widget.get(), inLanes(400, 100));
    QTRY_COMPARE(m_widget->cursor().shape(), Qt::ArrowCursor);
    press(Qt::Key_2);
    QCOMPARE(m_widget->cursor().shape(), Qt::OpenHandCursor);
    drag(inLanes(400, 100), inLanes(300, 100));
    QVERIFY(std::abs(m_widget->axis().begin - panned(before, 100).begin) <= 1);
    QCOMPARE(m_widget->axis().nsPerPixel, before.nsPerPixel);
    QVERIFY(!m_session->area());
    press(Qt::Key_3);
    QCOMPARE(m_widget->cursor().shape(), Qt::SizeVerCursor);
    press(Qt::Key_4);
    QCOMPARE(m_widget->cursor().shape(), Qt::CrossCursor);
    press(Qt::Key_1);
    QCOMPARE(m_widget->cursor().shape(), Qt::ArrowCursor);
    drag(inLanes(400, 100), inLanes(300, 100));
    QVERIFY(m_session->area());
}

void TestTimelineKeys::measuringSelectsNothing() {
    press(Qt::Key_4);
    const QImage plain = m_widget->grab().toImage();
    drag(inLanes(200, 100), inLanes(500, 300));
    QVERIFY(!m_session->area());
    QVERIFY(m_session->selection() == Selection());
    const QImage measured = m_widget->grab().toImage();
    QVERIFY(measured != plain);
    // Esc takes it away.
    QVERIFY(action("timeline.clear")->isEnabled());
    press(Qt::Key_Escape);
    QVERIFY(!action("timeline.clear")->isEnabled());
    QVERIFY(m_widget->grab().toImage() != measured);
    // So does an area that comes, which it would cover: one Esc clears that, and nothing is left.
    drag(inLanes(200, 100), inLanes(500, 300));
    press(Qt::CTRL | Qt::Key_A);
    QVERIFY(m_session->area());
    press(Qt::Key_Escape);
    QVERIFY(!m_session->area());
    QVERIFY(!action("timeline.clear")->isEnabled());
}

void TestTimelineKeys::theZoomToolZooms() {
    press(Qt::Key_3);
    const TimeAxis before = m_widget->axis();
    drag(inLanes(200, 200), inLanes(200, 100));
    QVERIFY(m_widget->axis().nsPerPixel < before.nsPerPixel * 0.6);
    QVERIFY(std::abs(xToTime(m_widget->axis(), 200) - xToTime(before, 200)) <= 2);
    drag(inLanes(200, 100), inLanes(200, 200));
    QVERIFY(std::abs(m_widget->axis().nsPerPixel / before.nsPerPixel - 1) < 1e-6);
    QVERIFY(!m_session->area());
}

void TestTimelineKeys::ctrlDragIsAnArea() {
    drag(inLanes(200, 100), inLanes(300, 102), Qt::LeftButton, Qt::ControlModifier);
    QVERIFY(m_session->area());
    QVERIFY(isAbout(m_session->area()->range, m_widget->axis(), 200, 300));
    QCOMPARE(m_session->filter().area, m_session->area());
    drag(inLanes(250, 100), inLanes(400, 102));
    QVERIFY(m_session->filter().area != m_session->area());
    QCOMPARE(action("timeline.back")->property("gesture").toString(), "Back button of the mouse");
}

void TestTimelineKeys::dragsOfEveryScheme_data() {
    QTest::addColumn<KeyScheme>("scheme");
    QTest::addColumn<QString>("tool");
    QTest::addColumn<Qt::MouseButton>("button");
    QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
    QTest::addColumn<QString>("effect");
    const Qt::KeyboardModifiers none = Qt::NoModifier;
    const Qt::KeyboardModifiers shift = Qt::ShiftModifier;
    const Qt::KeyboardModifiers control = Qt::ControlModifier;
    for (const KeyScheme scheme : kKeySchemes) {
        const bool tracy = scheme == KeyScheme::Tracy;
        const auto row = [&](const char* what) -> QTestData& {
            return QTest::newRow(qPrintable(schemeId(scheme) + ' ' + what)) << scheme;
        };
        row("select") << "timeline.tool_select" << Qt::LeftButton << none << "area";
        row("move") << "timeline.tool_pan" << Qt::LeftButton << none << "pan";
        row("zoom") << "timeline.tool_zoom" << Qt::LeftButton << none << (tracy ? "range" : "zoom");
        row("measure") << "timeline.tool_time" << Qt::LeftButton << none << "measure";
        for (const char* tool :
             {"timeline.tool_select", "timeline.tool_pan", "timeline.tool_zoom", "timeline.tool_time"}) {
            const auto with = [&](const char* what) -> QTestData& {
                return row(qPrintable(QLatin1String(tool) + ' ' + what)) << tool;
            };
            with("Shift") << Qt::LeftButton << shift << "pan";
            with("Ctrl") << Qt::LeftButton << control << "area";
            with("middle") << Qt::MiddleButton << none << (tracy ? "range" : "pan");
            with("right") << Qt::RightButton << none << "nothing";
        }
    }
}

void TestTimelineKeys::dragsOfEveryScheme() {
    QFETCH(KeyScheme, scheme);
    QFETCH(QString, tool);
    QFETCH(Qt::MouseButton, button);
    QFETCH(Qt::KeyboardModifiers, modifiers);
    QFETCH(QString, effect);
    keyBindings().setScheme(scheme);
    action(qPrintable(tool))->trigger();
    m_widget->setAxis({shown().begin + shown().length() / 4, m_widget->axis().nsPerPixel / 4});
    const TimeAxis before = m_widget->axis();
    drag(inLanes(400, 100), inLanes(300, 140), button, modifiers);
    const TimeAxis after = m_widget->axis();
    const TimeRange span{xToTime(before, 300), xToTime(before, 400)};
    const bool still = after == before;
    if (effect == "area") {
        QVERIFY(still && m_session->area());
        QVERIFY(isAbout(m_session->area()->range, before, 300, 400));
        return;
    }
    QVERIFY(!m_session->area());
    if (effect == "pan") {
        QCOMPARE(after.nsPerPixel, before.nsPerPixel);
        QVERIFY(std::abs(after.begin - panned(before, 100).begin) <= 1);
    } else if (effect == "zoom") {
        QVERIFY(after.nsPerPixel > before.nsPerPixel * 1.3);
        QVERIFY(std::abs(xToTime(after, 400) - xToTime(before, 400)) <= 2);
    } else if (effect == "range") {
        QVERIFY(std::abs(shown().begin - span.begin) <= 1 && std::abs(shown().end - span.end) <= 1);
    } else {
        QVERIFY(still);
        QCOMPARE(action("timeline.clear")->isEnabled(), effect == "measure");
    }
}

void TestTimelineKeys::tracysMouse() {
    keyBindings().setScheme(KeyScheme::Tracy);
    const TimeAxis before = m_widget->axis();
    wheel({0, 120});
    const double one = m_widget->axis().nsPerPixel / before.nsPerPixel;
    QVERIFY(std::abs(one - std::exp(-0.28)) < 1e-9);
    QVERIFY(std::abs(xToTime(m_widget->axis(), 300) - xToTime(before, 300)) <= 1);
    m_widget->setAxis(before);
    wheel({0, 120}, Qt::ControlModifier);
    QVERIFY(std::abs(m_widget->axis().nsPerPixel / before.nsPerPixel - std::exp(-0.07)) < 1e-9);
    m_widget->setAxis(before);
    wheel({0, 120}, Qt::ShiftModifier);
    QVERIFY(std::abs(m_widget->axis().nsPerPixel / before.nsPerPixel - std::exp(-0.84)) < 1e-9);
    m_widget->setAxis(before);
    const TimeRange span{xToTime(before, 200), xToTime(before, 300)};
    drag(inLanes(200, 100), inLanes(300, 100), Qt::MiddleButton);
    QVERIFY(std::abs(shown().begin - span.begin) <= 2 && std::abs(shown().end - span.end) <= 2);
    QVERIFY(!m_session->area());
    m_widget->setAxis(before);
    drag(inLanes(200, 100), inLanes(300, 102), Qt::LeftButton, Qt::ControlModifier);
    QVERIFY(isAbout(m_session->area()->range, before, 200, 300));
}

void TestTimelineKeys::aClickStaysAClick() {
    // Whatever the tool.
    m_session->revealEvent(someKernel());
    const LayoutRow& lane =
        m_widget->layout().rows()[static_cast<size_t>(m_widget->layout().rowOfLane(m_trace->laneOf(someKernel())))];
    const TimeRange range = rangeOfRow(*m_trace, someKernel());
    const int x = static_cast<int>(timeToX(m_widget->axis(), range.begin + range.length() / 2));
    const QPoint at = inLanes(x, lane.y + lane.height / 2 - m_widget->scrollY());
    for (const Qt::Key tool : {Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4}) {
        m_session->select({});
        press(QKeySequence(tool));
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, Qt::NoModifier, at);
        QCOMPARE(m_session->selectedEvent(), someKernel());
    }
    // A middle click chooses nothing, and a second button does not end a drag.
    m_session->select({});
    QTest::mouseClick(m_widget.get(), Qt::MiddleButton, Qt::NoModifier, at);
    QVERIFY(m_session->selection() == Selection());
    press(Qt::Key_1);
    QTest::mousePress(m_widget.get(), Qt::LeftButton, Qt::NoModifier, inLanes(200, 100));
    QTest::mouseMove(m_widget.get(), inLanes(260, 100));
    QTest::mousePress(m_widget.get(), Qt::MiddleButton, Qt::NoModifier, inLanes(260, 100));
    QTest::mouseRelease(m_widget.get(), Qt::MiddleButton, Qt::NoModifier, inLanes(260, 100));
    QVERIFY(!m_session->area());
    QTest::mouseRelease(m_widget.get(), Qt::LeftButton, Qt::NoModifier, inLanes(260, 100));
    QVERIFY(m_session->area());
}

void TestTimelineKeys::pinchZoomsAtTheFingers() {
    const TimeAxis before = m_widget->axis();
    const QPoint at = inLanes(300, 100);
    const auto pinch = [&](Qt::NativeGestureType type, double value) {
        QNativeGestureEvent event(type, QPointingDevice::primaryPointingDevice(), 2, at, at, m_widget->mapToGlobal(at),
                                  value, QPointF());
        QApplication::sendEvent(m_widget.get(), &event);
    };
    pinch(Qt::BeginNativeGesture, 0);
    pinch(Qt::ZoomNativeGesture, 0.25);
    pinch(Qt::EndNativeGesture, 0);
    QVERIFY(std::abs(m_widget->axis().nsPerPixel / before.nsPerPixel - 0.8) < 1e-9);
    QVERIFY(std::abs(xToTime(m_widget->axis(), 300) - xToTime(before, 300)) <= 1);
    pinch(Qt::RotateNativeGesture, 10);
    QVERIFY(std::abs(m_widget->axis().nsPerPixel / before.nsPerPixel - 0.8) < 1e-9);
    m_session->setTrace(nullptr);
    pinch(Qt::ZoomNativeGesture, 0.25);
}

void TestTimelineKeys::momentumDoesNotZoom() {
    m_widget->resize(1000, 200);
    const TimeAxis before = m_widget->axis();
    wheel({}, {}, {}, Qt::ScrollBegin);
    wheel({0, -40}, {}, {0, -20}, Qt::ScrollUpdate);
    QCOMPARE(m_widget->scrollY(), 20);
    wheel({}, {}, {}, Qt::ScrollEnd);
    wheel({0, -20}, Qt::ControlModifier, {0, -10}, Qt::ScrollMomentum);
    QCOMPARE(m_widget->scrollY(), 30);
    QCOMPARE(m_widget->axis(), before);
}

/// Async work and counters have no track: an area over them alone would mean all tracks.
void TestTimelineKeys::anAreaOfRowsAloneIsOfThemAlone() {
    m_session->setTrace(asyncAndCounters());
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    m_widget->resize(1000, 700);
    m_widget->setAllCollapsed(false);
    const auto section = [this](const char* title) {
        for (const Section& one : m_widget->layout().sections()) {
            if (one.title == title) {
                return one;
            }
        }
        return Section();
    };
    const QRect lanes = m_widget->lanesRect();
    const auto yOf = [&](const Section& of, int part) { return lanes.top() + of.y + of.height * part / 4; };
    const auto drag = [&](int fromY, int toY) {
        const QPoint from(lanes.left() + 300, fromY);
        const QPoint to(lanes.left() + 400, toY);
        QTest::mousePress(m_widget.get(), Qt::LeftButton, {}, from);
        QTest::mouseMove(m_widget.get(), (from + to) / 2);
        QTest::mouseMove(m_widget.get(), to);
        QTest::mouseRelease(m_widget.get(), Qt::LeftButton, {}, to);
    };
    const ProcessId process = m_session->trace()->counters()[0].process;
    const SectionRef request{SectionRef::Kind::Async, process, TrackId::none(), "request"};
    const SectionRef requests{SectionRef::Kind::Counter, process, TrackId::none(), "requests"};
    QVERIFY(section("request").height > 2 * kLaneHeight);
    drag(yOf(section("request"), 0) + 2, yOf(section("request"), 4) - 2);
    QVERIFY(m_session->area());
    QCOMPARE(m_session->area()->tracks, std::vector<TrackId>());
    QCOMPARE(m_session->area()->rows, std::vector<SectionRef>{request});
    QVERIFY(m_session->area()->isOfRowsAlone());
    // Its band is on the row and on no other.
    const QPoint inside(lanes.left() + 350, yOf(section("request"), 4) - 3);
    const QPoint outside(lanes.left() + 350, yOf(section("thread 1"), 4) - 3);
    const QImage with = m_widget->grab().toImage();
    const AreaSelection area = *m_session->area();
    m_session->setArea(std::nullopt);
    const QImage without = m_widget->grab().toImage();
    QVERIFY(with.pixelColor(inside) != without.pixelColor(inside));
    QCOMPARE(with.pixelColor(outside), without.pixelColor(outside));
    // Over a thread and what is below it, both.
    const Section thread = section("thread 2");
    drag(yOf(thread, 2), yOf(section("request"), 2));
    QVERIFY(std::ranges::find(m_session->area()->tracks, thread.track) != m_session->area()->tracks.end());
    QVERIFY(std::ranges::find(m_session->area()->rows, request) != m_session->area()->rows.end());
    // A folded process stands for all that it holds.
    m_widget->setProcessCollapsed(process, true);
    m_session->setArea(std::nullopt);  // its edge would be dragged
    drag(lanes.top() + 2, lanes.top() + 60);
    QCOMPARE(m_session->area()->tracks.size(), 2U);
    QCOMPARE(m_session->area()->rows.size(), 4U);
    m_widget->setProcessCollapsed(process, false);
    m_session->select({Selection::Kind::CounterSample, 0, 0, 0});
    QTest::keyClick(m_widget.get(), Qt::Key_R);
    QCOMPARE(m_session->area()->rows, std::vector<SectionRef>{requests});
    QVERIFY(m_session->area()->tracks.empty());
    m_session->select({Selection::Kind::AsyncSlice, 0});
    QTest::keyClick(m_widget.get(), Qt::Key_R);
    QVERIFY(m_session->area()->isOfRowsAlone());
    QVERIFY(m_session->area()->rows[0].kind == SectionRef::Kind::Async);
    // It grows on its rows before it is of all.
    m_session->setArea(area);
    QTest::keyClick(m_widget.get(), Qt::Key_A, Qt::ControlModifier);
    QVERIFY(m_session->area()->range != area.range);
    QCOMPARE(m_session->area()->rows, area.rows);
}

QTEST_MAIN(TestTimelineKeys)
#include "tst_timeline_keys.moc"
