// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The timeline: tracks over time, to move in, to point at and to select from. It keeps what is looked at (axis, scroll,
// folding) and the cached picture of it; geometry, hit tests and drawing are the functions of this folder.
// A frame costs pixels, never events. GUI thread only.

#include <QBasicTimer>
#include <QElapsedTimer>
#include <QImage>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "widgets/panels/timeline/arrows.h"
#include "widgets/panels/timeline/bar_geometry.h"
#include "widgets/panels/timeline/derived_store.h"
#include "widgets/panels/timeline/event_place.h"
#include "widgets/panels/timeline/flows_in_view.h"
#include "widgets/panels/timeline/gestures.h"
#include "widgets/panels/timeline/head_drop.h"
#include "widgets/panels/timeline/held_keys.h"
#include "widgets/panels/timeline/hit_test.h"
#include "widgets/panels/timeline/label_cache.h"
#include "widgets/panels/timeline/ruler.h"
#include "widgets/panels/timeline/timeline_painter.h"
#include "widgets/panels/timeline/track_order.h"
#include "widgets/panels/timeline/value_heads.h"
#include "widgets/panels/timeline/view_history.h"
#include "widgets/panels/timeline/view_motion.h"
#include "widgets/support/choice_popup.h"
#include "widgets/support/empty_state.h"
#include "widgets/support/job_runner.h"
#include "widgets/support/passed_keys.h"
#include "widgets/support/session.h"

class QHelpEvent;
class QMenu;
class QNativeGestureEvent;
class QScrollBar;
class QToolButton;

namespace warpline::timeline {

class Minimap;
class TimePrompt;
class TrackFilterBar;

/// Whose arrows are drawn: the selected slice's, all that are in view, or none.
enum class FlowMode { Selection, All, None };

inline constexpr int kMinHeadWidth = 90;
inline constexpr int kMaxHeadWidth = 1200;
/// A drag so near to the upper or lower edge scrolls, a step each kScrollMs.
inline constexpr int kScrollZone = 24;
inline constexpr int kScrollMs = 16;

/// What is folded together.
enum class FoldKind : uint8_t { Threads, Streams, Counters, Async };

class TimelineWidget : public QWidget, private KeyTaker {
    Q_OBJECT

public:
    explicit TimelineWidget(Session& session, QWidget* parent = nullptr);
    ~TimelineWidget() override;

    const TimeAxis& axis() const { return m_axis; }
    void setAxis(const TimeAxis& axis);
    int scrollY() const;
    void setScrollY(int y);
    /// Scrolls so that what lies between two y of the layout is seen below what is pinned; the upper end if not all is.
    void scrollTo(int top, int bottom);
    const LaneLayout& layout() const { return m_layout; }
    /// Whether the view still glides to where a wheel sent it.
    bool isMoving() const { return !m_motion.isAtRest(); }
    /// Of what is shown now; computed if it is stale.
    const Geometry& geometry();
    /// Where the bars are; x and y of the geometry count from its top left corner.
    QRect lanesRect() const;
    QRect headsRect() const;
    void setTrackMode(TrackId track, TrackMode mode);
    void setProcessCollapsed(ProcessId process, bool collapsed);

public slots:
    /// The selected slice or area; if that is shown already, all.
    void fit();
    void fitAll();
    void zoomIn();
    void zoomOut();
    /// +1 or -1 along the lane of the selected slice.
    void stepSlice(int direction);
    /// To what the selected slice launched or an arrow leads to (+1), or to where one comes from (-1): the first by
    /// time; after coming back, the next one.
    void followLink(int direction);
    /// The same to the end (+1) or the start (-1) of the chain.
    void followToEnd(int direction);
    void setFlowMode(FlowMode mode);
    /// The next (+1) or previous (-1) kernel by begin: of the selected one's GPU, else of all.
    void stepKernel(int direction);
    /// What is selected becomes the area, on its track.
    void areaFromSelection();
    void areaOnAllTracks();
    /// An area grows to what fitAll() shows, on its tracks; without one, or once more, on all; then to the whole trace
    /// with the marks and outliers beyond that.
    void selectAll();
    void setAllCollapsed(bool collapsed);
    /// Along the time, in parts of what is shown.
    void pan(double parts);
    /// +1 or -1: moves the focus of the keys below over processes, tracks, async work and counters.
    void focusSection(int direction);
    void foldFocused();
    void compactFocused();
    // Of the section with the focus; a process stands for all that it holds.
    void togglePin();
    void unpinAll();
    void hideFocused();
    void hideOthers();
    void showHidden();
    /// Among those that it stands with: -1 up, +1 down.
    void moveFocused(int direction);
    /// By about a quarter: +1 higher, -1 lower, 0 as it is by itself.
    void changeHeight(int direction);
    void setKindCollapsed(FoldKind kind, bool collapsed);
    /// Of the section with the focus; opened, all that it holds is.
    void setThisProcessCollapsed(bool collapsed);
    /// Lists all tracks, to go to one of them.
    void findTrack();
    void openTrackFilter();
    /// Only tracks whose title, or that of their process, has all words are seen; empty: all.
    void setTrackFilter(const QString& text);
    /// The area; without one the highlight; without that the selection.
    void clear();
    /// To the view that was looked at before, and forward again.
    void goBack();
    void goForward();
    void askForTime();
    /// The selection, or the area; one that is kept stays, another takes the place of the one before.
    void markSelection(bool kept);
    void removeMarks();
    void bookmarkView(const QString& name);
    void showBookmark(const Bookmark& bookmark);
    /// The bookmark of this number, from 1; makes it of the view where there is none yet.
    void goToBookmark(int number);
    /// Asks how long events have to last to count; part of the filter of all panels.
    void askForLeastDuration();
    /// To the slice of the same name that begins next (+1) or began last (-1), on whatever track.
    void stepSameName(int direction);
    /// What is visible, as SVG or (any other ending) PNG; returns why it could not be written, "" if it was.
    QString savePicture(const QString& path);
    QByteArray svg();
    void exportPicture();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    QSize sizeHint() const override { return {1000, 420}; }
    QSize minimumSizeHint() const override { return {320, 120}; }

private:
    struct Kept;
    enum class Drag { None, Pending, Area, AreaBegin, AreaEnd, Span, Pan, Zoom, HeadWidth, HeadPress, Head, RowHeight };

    // timeline_tracks.cpp: how tracks are arranged
    /// What keys and menus are about: a copy, since what is done with it makes the layout anew.
    std::optional<Section> chosenSection();
    /// The section itself, or all that a process holds and that is not hidden.
    /// All but derived rows of a kind that is switched off, or not known yet.
    bool takesRows(const TrackItem& item) const;
    std::vector<SectionRef> refsIn(const Section& section) const;
    /// Places of the viewport that are to stay what they are, best first.
    struct SeenSection {
        SectionKey key;
        int viewY = 0;
    };
    std::vector<SeenSection> seenSections(const TrackArrangement& next) const;
    void keepInPlace(const std::vector<SeenSection>& seen, const TrackArrangement& before);
    void applyArrangement();
    void scrollToFocus();

    // timeline_finding.cpp: ways to tracks that are not seen
    void updateHiddenNote();
    /// What lies over the foot of the heads, so that all of them can be scrolled above it.
    int footHeight() const;
    void makeTrackFilter();
    void placeTrackFilter();
    void listHidden();
    /// In layout().sections(); -1 if it is not seen.
    int sectionOfRef(const SectionRef& ref) const;
    /// Whatever keeps it from being seen gives way: hidden, folded, filtered, scrolled. It has the focus then.
    void bringBack(const SectionRef& ref);
    void unfoldTo(const SectionRef& ref);
    /// Shows the section of an event again, if it is hidden.
    void showSectionOf(const Selection& event);
    QString titleOf(const SectionRef& ref) const;
    ChoicePopup* openChoices(const QString& title, const QString& placeholder, std::vector<Choice> choices);

    // timeline_kept.cpp: what of the view the session keeps
    void tellScrollPlace();
    std::optional<ScrollPlace> scrollPlace() const;
    /// As near as what is seen now allows: its process where it is folded away, else as it is.
    void scrollToPlace(const std::optional<ScrollPlace>& place);
    ViewPoint viewNow() const { return {m_axis, scrollPlace()}; }
    /// The views that were gone through before a reload, within the new trace; without those whose top is gone.
    void carryHistory(const Kept& kept);
    /// What was asked for, once there is something to scroll.
    void showPendingTop();
    void takeKeptState();
    QByteArray keptState() const;

    // timeline_folding.cpp
    /// The state has been folded otherwise: from now on the session keeps how. `what` names the step to be undone.
    void foldedByUser(const QString& what);
    /// The same where what was asked for lies under something folded: no step of its own.
    void unfoldedOnTheWay();
    void foldedAnew(const QString& what);
    /// The state becomes what the session says; where it says nothing, what the timeline folds by itself.
    void takeFolding();

    // timeline_track_actions.cpp
    void makeTrackActions();
    /// Why one of them is not possible now, "" if it is; nullopt for other actions.
    std::optional<QString> trackActionLack(const QString& id) const;
    void addTrackActions(QMenu& menu, const Section& section);

    // timeline_trace.cpp: what comes from the session
    void onTraceChanged();
    void onModelReady(std::shared_ptr<const TimelineModel> model);
    void restoreView();
    void onSelectionChanged();
    void onHighlightChanged();
    void updateSelectedPlace();
    void fitFirstView();
    /// What fitAll() shows: all slices but outliers. REQUIRES: a trace.
    TimeRange firstView() const;

    // timeline_widget.cpp: state
    void onRevealRequested(const Selection& event);
    void rebuildLayout();
    void updateScrollBar();
    void placeMinimap();
    void updateEmptyState();
    TimeRange traceRange() const;
    QRect rulerRect() const;

    // timeline_drawing.cpp: its picture
    View currentView() const;
    /// Where the tracks of an area are now, all of the lanes if it names none; in coordinates of the widget.
    std::vector<QRect> trackBands(const AreaSelection& area) const;
    RulerTicks rulerTicks() const;
    QString timeLabel(TimeNs time) const;
    void invalidate();
    void ensureCanvas();
    QString areaLabel(const AreaSelection& area) const;
    /// All but the lanes; `isPicture`: nothing of the pointer and the keys, as for a file.
    void paintAround(QPainter& painter, bool isPicture);
    void paintMarks(TimelinePainter& painter, const std::optional<RulerSpan>& areaPlace) const;

    // timeline_navigation.cpp
    void goTo(TimeNs time);
    void showView(const ViewPoint& view);
    /// The view as it is now is one to come back to.
    void settleView();
    /// The same once it has been at rest for a while.
    void settleViewSoon();
    void makeNavigation();
    /// The last midnight before the trace; nullopt if no file tells the time.
    std::optional<TimeNs> midnight() const;
    RulerOrigin rulerOrigin() const;
    void fillBookmarks(QMenu& menu);

    // timeline_marks.cpp
    void addMarkActions(QMenu& menu, QPoint at);
    /// Of several the shortest.
    std::optional<Mark> markAt(QPoint at) const;
    /// Which one keys are about; nullopt if that is not clear.
    std::optional<Mark> meantMark() const;
    /// With that one, or with the one that the user chooses.
    void withMeantMark(std::function<void(const Mark&)> use);
    void listMarks(const QString& question, std::function<void(const Mark&)> use);
    /// Brings it into view, and selects its area.
    void goToMark(const Mark& mark);
    void writeNote(const Mark& mark);
    void toggleKept(const Mark& mark);
    void removeMark(const Mark& mark);
    void changeMark(const Mark& mark, const QString& what,
                    const std::function<void(std::vector<Mark>&, std::vector<Mark>::iterator)>& edit);
    QString markTip(const Mark& mark) const;

    // timeline_derived.cpp: derived rows, and how counters look
    void makeDerivedActions();
    DerivedKinds shownDerived() const;
    bool hasDerived(DerivedKind kind) const;
    /// Why the trace has no row of a kind; "" if it has, or that is not known yet.
    QString derivedAbsence(DerivedKind kind) const;
    void wantDerived();
    void showDerived(DerivedKind kind, bool isShown);
    std::vector<uint32_t> derivedLanes() const;
    int derivedHeight() const;
    void onDerivedReady(DerivedKind kind);
    /// rebuildLayout() that leaves what is in view where it is, whatever comes or goes above it.
    void rebuildInPlace();
    void readLooks();
    void setLook(uint32_t counter, CounterLook look);
    std::optional<uint32_t> focusedCounter();
    void cycleStyle();
    void cycleScale();
    void addValueActions(QMenu& menu, const Section& section);
    /// What a hit spans: of a projected annotation, its time on the device.
    std::optional<TimeRange> rangeUnder(const Hit& hit, QPoint at) const;
    /// Of the selected and the hovered slice on the devices.
    void outlineProjections(TimelinePainter& painter) const;
    std::vector<HeadScale> headScalesAt(const Geometry& shown, std::optional<TimeNs> at) const;
    std::optional<TimeNs> pointedTime() const;

    // timeline_actions.cpp: what can be asked for, and when
    void makeActions();
    void refreshActions();

    using AddAction = std::function<QAction*(const char* id, const QString& name, std::function<void()> slot)>;
    void makeMarkActions(const AddAction& add);

    // timeline_flows.cpp
    void makeFlowActions(const AddAction& add);
    static FlowMode rememberedFlowMode();
    void resetFlows();
    void sortLinks();
    void drawFlows();
    /// And the note beside them, which stands alone without `withLines`.
    void paintArrows(TimelinePainter& painter, bool withLines);
    std::vector<ArrowLink> flowLinksFor(const View& view) const;
    /// The slice's own first, then what is launched inside it.
    std::vector<EventRow> flowTargets(EventRow slice, int direction) const;

    // timeline_commands.cpp: what actions do
    std::optional<TimeRange> selectedRange() const;
    /// In layout().sections(); -1 if nothing has the focus or it is folded away.
    int focusedSection() const;
    void toggleFold(const Section& section);
    void goToEdge(bool end);

    // timeline_keys.cpp
    QAction* boundTo(const QKeyEvent& event) const;
    bool takesKey(const QKeyEvent& event) const override;
    void pressKey(QKeyEvent& event) override { keyPressEvent(&event); }
    void releaseKey(QKeyEvent& event) override { keyReleaseEvent(&event); }
    void letKeysGo() override;
    void moveWithKeys(double seconds);

    // timeline_wheel.cpp
    double anchorX() const;
    void zoomAt(double x, double factor);
    /// By whole pixels, so that what several slices share a column, and its colour, stay the same while the view moves;
    /// a part of a pixel waits for the next call.
    void panBy(double pixels);
    void glide(const WheelStep& step, double anchorX);
    void moveOn(double seconds);
    bool pinch(const QNativeGestureEvent& event);

    // timeline_mouse.cpp: drags
    /// What a drag means by the time under a point: an edge close by, or the time itself (with Alt).
    TimeNs dragTime(QPoint at);
    Drag areaEdgeAt(QPoint at) const;
    void updateCursorShape(QPoint at);
    void setTool(Tool tool);
    void beginDrag();
    bool isDragging() const { return m_drag != Drag::None && m_drag != Drag::Pending && m_drag != Drag::HeadPress; }
    /// As if there had been none.
    void cancelDrag();
    /// What a drag over rows means: tracks, async work and counters between its ends in the layout, also where they are
    /// scrolled out of sight; of a folded process all, of a derived row the tracks that it is derived from.
    void takeDraggedRows(QPoint to);
    /// Those that have slices.
    std::vector<TrackId> workingTracks(ProcessId process) const;
    void dragArea(QPoint to);
    std::optional<AreaSelection> shownArea() const;

    // timeline_clicks.cpp
    void click(QPoint at);
    bool clickHead(QPoint at);

    // timeline_head_drag.cpp
    int counterEdgeAt(QPoint at) const;
    void pressHead(QPoint at);
    void dragHead(QPoint to);
    void dropHead();
    void cancelHeadDrag();
    void scrollWhileDragging();
    void dragHeight(QPoint to);
    void dropHeight();
    void paintHeadDrag(TimelinePainter& painter) const;

    // timeline_pointing.cpp: what is under the pointer
    int sectionAtPoint(QPoint at) const;
    /// In coordinates of the widget.
    QRect headOf(const Section& section) const;
    /// The same where it is seen: a process' header sticks at the top.
    QRect headUnder(int section) const;
    std::optional<Hit> hitAt(QPoint at);
    Selection selectionAt(const Hit& hit, QPoint at) const;
    void showHeadTip(const QHelpEvent& help);
    void clearHover();
    void updateHover(QPoint at);

    Session& m_session;
    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const TimelineModel> m_model;  ///< null while it is being built
    JobRunner* m_modelJob;
    LayoutState m_state;
    bool m_layoutTouched = false;  ///< the user has folded something: a resize keeps the folding
    LaneLayout m_layout;
    TimeAxis m_axis;
    bool m_fitPending = false;
    /// What the user looked at before a reload, until the model of the new trace is there.
    struct Kept {
        std::shared_ptr<const Trace> trace;
        std::shared_ptr<const TimelineModel> model;
        LayoutState state;
        bool layoutTouched = false;
        TimeAxis axis;
        int scrollY = 0;
        bool showsAll = false;
        ViewHistory history = {};
    };
    std::optional<Kept> m_kept;
    std::optional<AreaSelection> m_markGoneTo;  ///< of the mark that was gone to last
    TimeRange m_pendingView;                    ///< the same for a view; empty: none
    Selection m_pendingReveal;                  ///< asked for before there was anything to show it in
    std::optional<ScrollPlace> m_pendingTop;    ///< the same for how far down
    std::optional<EventPlace> m_selectedPlace;
    std::optional<SectionKey> m_focus;  ///< the section that keys fold
    bool m_sendingRange = false;
    bool m_isStepping = false;  ///< what is revealed now is a neighbour: the zoom stays
    bool m_sendingFolding = false;
    bool m_sendingTop = false;
    ViewHistory m_history;
    QTimer m_settle;
    DerivedStore* m_derived;
    std::array<QAction*, kDerivedKinds.size()> m_derivedActions{};
    std::vector<CounterLook> m_looks;  ///< by TimelineModel::counters
    JobRunner* m_stepJob;
    Minimap* m_minimap;
    TimePrompt* m_prompt;
    QAction* m_clock = nullptr;  ///< whether the ruler shows the time of day
    QScrollBar* m_scrollBar;
    EmptyState* m_empty;
    QPointer<ChoicePopup> m_choices;
    TrackFilterBar* m_trackFilter;
    QToolButton* m_filterButton;  ///< opens it
    QToolButton* m_hiddenNote;    ///< at the foot of the heads: how many are hidden
    int m_headWidth;

    Geometry m_geometry;
    LaneBars m_laneBars;  ///< of m_trace
    bool m_geometryStale = true;
    bool m_canvasStale = true;
    QImage m_canvas;
    RulerTicks m_ticks;
    NameColors m_nameColors;
    LabelCache m_labels;
    ElidedTitles m_titles;  ///< of m_layout
    QFont m_headFont;
    QFont m_labelFont;
    QFont m_smallFont;
    std::shared_ptr<const HighlightIndex> m_highlight;  ///< never null
    Highlight m_highlighted;                            ///< what m_highlight is, or is being, built from
    JobRunner* m_highlightJob;
    ArrowLinks m_arrows;
    bool m_arrowsStale = false;  ///< the view has moved, and not all arrows are known
    FlowMode m_flowMode = rememberedFlowMode();
    JobRunner* m_linkJob;
    std::shared_ptr<const LinkIndex> m_links;  ///< null until all in view are wanted and it is built
    QString m_linkProblem;
    FlowsInView m_flows;  ///< what the canvas shows
    struct FlowStep {
        EventRow from, to;
        int direction = 0;
        bool isBack = false;  ///< and then back again
    };
    FlowStep m_flowStep;  ///< the last one

    std::optional<QPoint> m_pointer;  ///< over the lanes or the ruler
    std::optional<Readout> m_readout;
    EventRow m_hovered;
    int m_hoveredSection = -1;
    QPoint m_hoverAt;  ///< where the pointer was seen last
    Drag m_drag = Drag::None;
    SectionKey m_dragged;                                     ///< whose head is pressed
    std::optional<HeadDrop> m_drop;                           ///< where it would land
    int m_dragHeight = 0;                                     ///< of the row when its edge was pressed
    std::optional<std::pair<SectionRef, int>> m_heightShown;  ///< while its edge is dragged
    QBasicTimer m_scrollTimer;
    QPoint m_press;
    QPoint m_lastDrag;
    int m_pressY = 0;     ///< of m_press, in the layout
    TimeAxis m_dragFrom;  ///< the view before the drag
    int m_dragFromScroll = 0;
    int m_dragFromHeads = 0;  ///< width
    TimeNs m_dragTime = 0;
    AreaSelection m_dragArea;
    bool m_pressOnRuler = false;
    Tool m_tool = Tool::Select;
    DragKind m_dragKind = DragKind::None;  ///< of the press that m_drag came from
    Qt::MouseButton m_dragButton = Qt::NoButton;
    std::optional<TimeRange> m_measured;  ///< stays until the next press
    WheelModel m_wheel;
    ViewMotion m_motion;
    QBasicTimer m_motionTimer;
    QElapsedTimer m_motionClock;
    /// Where the motion left the view, and the time at its anchor: which stays there, whatever rounding each step does.
    TimeAxis m_motionAxis;
    double m_motionX = 0;
    TimeNs m_motionTime = 0;
    Qt::KeyboardModifiers m_dragModifiers;
    WholePixels m_wholePixels;
    std::optional<int> m_snapX;  ///< of the widget, while a drag holds to an edge
    HeldKeys m_heldKeys;
    QBasicTimer m_keyTimer;
    QElapsedTimer m_keyClock;
};

}  // namespace warpline::timeline
