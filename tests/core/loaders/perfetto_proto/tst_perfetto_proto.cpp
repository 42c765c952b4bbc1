// SPDX-License-Identifier: MIT
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "core/loaders/load_trace.h"
#include "core/loaders/perfetto_proto/perfetto_proto_loader.h"
#include "tests/core/loaders/loader_testing.h"
#include "tests/support/perfetto_trace.h"

using namespace warpline;
using namespace warpline::test;
using loaders::perfetto_proto::PerfettoProtoLoader;

namespace {

using Loaded = Result<std::shared_ptr<const Trace>>;

Loaded load(const QByteArray& bytes, const LoadOptions& options = {}) {
    TraceBuilder builder;
    FileInfo info;
    info.path = "test.pftrace";
    const FileId file = builder.addFile(info);
    JobControl job;
    const auto source = makeMemorySource(bytes.toStdString());
    if (const Status status = PerfettoProtoLoader().load(source, file, builder, options, job); !status) {
        return status.error();
    }
    return builder.seal(job);
}

Loaded loadPackets(const QList<Message>& packets) {
    return load(perfettoTrace(packets));
}

/// "pid/tid name [category] begin+duration", sorted; a duration of -1 is unknown, "!" an end that was forced.
QStringList sliceLines(const Trace& trace) {
    QStringList lines;
    const SliceColumns& s = trace.slices();
    for (uint32_t i = 0; i < s.size(); ++i) {
        lines << QString("%1 %2 [%3] %4+%5%6")
                     .arg(trackText(trace, s.track[i]), textOf(trace, s.name[i]), textOf(trace, s.category[i]))
                     .arg(s.begin[i])
                     .arg(s.knownDuration(i))
                     .arg((s.flags[i] & kSliceUnfinished) != 0 ? "!" : "");
    }
    lines.sort();
    return lines;
}

QStringList issues(const Trace& trace) {
    QStringList lines;
    for (const Issue& issue : trace.report().issues()) {
        lines << QString("%1 %2 %3")
                     .arg(QString::fromUtf8(severityName(issue.severity).data()), QString::fromStdString(issue.code))
                     .arg(issue.count);
    }
    return lines;
}

nlohmann::json argsOf(const Trace& trace, uint32_t row) {
    const auto args = trace.argsJson(EventRow(row));
    return nlohmann::json::parse(args ? args.value() : "\"" + args.error().message + "\"");
}

/// The args of a slice with these fields of a TrackEvent beside.
QString argsText(const Message& annotations, const LoadOptions& options = {}) {
    const auto trace =
        load(perfettoTrace({threadTrack(1, 1, 1, "t"), eventPacket(1, sliceBegin(1, "s").raw(annotations.bytes())),
                            eventPacket(2, sliceEnd(1))}),
             options);
    if (!trace) {
        return QString::fromStdString(trace.error().message);
    }
    const auto args = trace.value()->argsJson(EventRow(0U));
    return QString::fromStdString(args ? args.value() : args.error().message);
}

Message flags(quint64 value, quint64 sequence = 1) {
    return Message().number(10, sequence).number(13, value);
}

Message internedName(quint64 iid, const QByteArray& name) {
    return Message().message(2, Message().number(1, iid).text(2, name));
}

}  // namespace

class tst_PerfettoProto : public QObject {
    Q_OBJECT

private slots:
    void everyEventOfASample();
    void namedTracksAndProcesses();
    void tracksDescribedLater();
    void tracksNeverDescribed();
    void circlesOfParents();
    void numberedTextsAreCleared();
    void defaultsOfASequence();
    void lostPackets();
    void clocksAreAligned();
    void olderTimesAndThreads();
    void counters();
    void counterDescribedLate();
    void arrows();
    void legacyEvents_data();
    void legacyEvents();
    void args_data();
    void args();
    void argsOfNumberedTexts();
    void argsOfBeginAndEnd();
    void deepArgs();
    void compressed();
    void compressedBombAndDamage();
    void sortsThatAreNotRead();
    void malformedPackets_data();
    void malformedPackets();
    void goesOnAtTheNextMark_data();
    void goesOnAtTheNextMark();
    void lengthsThatAreTooLarge();
    void marksThatLeadNowhere();
    void longPackets();
    void cutAtEveryLength();
    void garbledAnywhere();
    void namesThatAreNoUtf8();
    void realTraceOfChromium();
    void packedByGzip();
    void sniffing_data();
    void sniffing();
    void stops();
};

void tst_PerfettoProto::everyEventOfASample() {
    const auto loaded = load(samplePerfettoTrace(2));
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str());
    const Trace& trace = *loaded.value();
    QCOMPARE(sliceLines(trace), (QStringList{"5/6 numbered [cat] 1000+500", "5/6 numbered [cat] 2000+500",
                                             "5/7 task [] 1100+300", "5/7 task [] 2100+300"}));
    QCOMPARE(trace.instants().size(), size_t(2));
    QCOMPARE(trace.instants()[1].time, TimeNs(2200));
    QCOMPARE(textOf(trace, trace.instants()[1].name), QString("mark"));
    QCOMPARE(textOf(trace, trace.instants()[1].category), QString("cat"));
    QCOMPARE(trace.counters().size(), size_t(1));
    QCOMPARE(textOf(trace, trace.counters()[0].name), QString("bytes"));
    QCOMPARE(textOf(trace, trace.counters()[0].series[0].name), QString("bytes"));
    QCOMPARE(trace.counters()[0].series[0].time, (std::vector<TimeNs>{1300, 2300}));
    QCOMPARE(trace.counters()[0].series[0].value, (std::vector<double>{0, 10}));
    QCOMPARE(trace.flows().size(), size_t(2));
    for (const FlowArrow& arrow : trace.flows()) {
        QCOMPARE(trace.sliceName(arrow.from), std::string_view("numbered"));
        QCOMPARE(trace.sliceName(arrow.to), std::string_view("task"));
        QCOMPARE(trace.slices().begin[arrow.to.value] - trace.slices().begin[arrow.from.value], DurationNs(100));
    }
    QCOMPARE(trace.files()[0].format, std::string("perfetto-proto"));
    QCOMPARE(trace.files()[0].baseTimeNs, std::optional<int64_t>(1700000000000000000));
    QCOMPARE(issues(trace), QStringList());
    QCOMPARE(argsOf(trace, 0).dump(), std::string(R"({"key":-1})"));
    QCOMPARE(trace.counts().metadata, uint64_t(4));
}

void tst_PerfettoProto::namedTracksAndProcesses() {
    const auto loaded = loadPackets({
        processTrack(1, 5, "app"),
        threadTrack(2, 5, 6, "main"),
        Message().message(60, Message().number(1, 3).number(5, 1).text(10, "queue")),
        Message().message(60, Message().number(1, 4).text(2, "global")),
        Message().message(60, Message().number(1, 7).message(3, Message().number(1, 9).text(2, "/bin/tool --fast"))),
        Message().message(60, Message()
                                  .number(1, 8)
                                  .message(3, Message().number(1, 10).text(6, "/opt/browser --type=x"))
                                  .message(6, Message().number(1, 2))),
        eventPacket(1, sliceBegin(2, "a")),
        eventPacket(1, sliceBegin(3, "b")),
        eventPacket(1, sliceBegin(4, "c")),
        eventPacket(1, sliceBegin(7, "d")),
        eventPacket(1, sliceBegin(8, "e")),
        eventPacket(9, Message().number(9, 2).number(11, 2)),
    });
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QStringList names;
    for (uint32_t i = 0; i < trace.sliceCount(); ++i) {
        const Track& track = trace.track(trace.slices().track[i]);
        names << textOf(trace, trace.slices().name[i]) + ": " + textOf(trace, trace.process(track.process).label) +
                     " / " + textOf(trace, track.label);
    }
    names.sort();
    QCOMPARE(names[0], QString("a: app / main"));
    QCOMPARE(names[1], QString("b: app / queue"));
    QVERIFY(names[2].endsWith("/ global"));
    QCOMPARE(names[3], QString("d: /bin/tool / process"));
    QCOMPARE(names[4], QString("e: Renderer / process"));
}

void tst_PerfettoProto::tracksDescribedLater() {
    // The second event comes when the thread is known, and ends what began before.
    const auto loaded = loadPackets({
        eventPacket(10, sliceBegin(3, "early")),
        Message().message(60, Message().number(1, 3).number(5, 1).text(2, "queue")),
        eventPacket(15, sliceBegin(3, "inner")),
        processTrack(1, 5, "app"),
        eventPacket(20, sliceEnd(3)),
        eventPacket(30, sliceEnd(3)),
    });
    QVERIFY(loaded.ok());
    QCOMPARE(sliceLines(*loaded.value()), (QStringList{"5/track 3 early [] 10+20", "5/track 3 inner [] 15+5"}));
    QCOMPARE(issues(*loaded.value()), QStringList());
}

void tst_PerfettoProto::tracksNeverDescribed() {
    const auto loaded =
        loadPackets({eventPacket(10, sliceBegin(3, "a")), eventPacket(20, sliceEnd(3)),
                     eventPacket(10, Message().number(9, 1).text(23, "b")), eventPacket(30, Message().number(9, 2))});
    QVERIFY(loaded.ok());
    QCOMPARE(sliceLines(*loaded.value()), (QStringList{"-/- b [] 10+20", "-/track 3 a [] 10+10"}));
    QCOMPARE(issues(*loaded.value()), (QStringList{"warning missing_track 1"}));
}

void tst_PerfettoProto::circlesOfParents() {
    const auto loaded = loadPackets({
        Message().message(60, Message().number(1, 3).number(5, 4).text(2, "a")),
        Message().message(60, Message().number(1, 4).number(5, 3).text(2, "b")),
        Message().message(60, Message().number(1, 5).number(5, 5).text(2, "c")),
        eventPacket(1, sliceBegin(3, "x")),
        eventPacket(2, sliceEnd(3)),
        eventPacket(1, sliceBegin(5, "y")),
        eventPacket(2, sliceEnd(5)),
    });
    QVERIFY(loaded.ok());
    QCOMPARE(loaded.value()->sliceCount(), 2U);
}

void tst_PerfettoProto::numberedTextsAreCleared() {
    const auto named = [](quint64 ns, quint64 iid) {
        return eventPacket(ns, Message().number(9, 3).number(11, 1).number(10, iid));
    };
    const auto loaded = loadPackets({
        threadTrack(1, 1, 1, "t"),
        flags(1).message(12, internedName(1, "first")),
        named(1, 1),
        flags(1).message(12, internedName(1, "second")),
        named(2, 1),
        named(3, 2),
        flags(1),
        named(4, 1),
        // Another sequence numbers its own.
        flags(1, 2).message(12, internedName(1, "other")),
        eventPacket(5, Message().number(9, 3).number(11, 1).number(10, 1), 2),
    });
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QStringList names;
    for (const Instant& instant : trace.instants()) {
        names << textOf(trace, instant.name);
    }
    QCOMPARE(names, (QStringList{"first", "second", "", "", "other"}));
    QCOMPARE(issues(trace), (QStringList{"warning missing_name 2"}));
}

void tst_PerfettoProto::defaultsOfASequence() {
    const Message defaults = Message().number(58, 3).message(11, Message().number(11, 1).number(31, 2));
    const auto loaded = loadPackets({
        threadTrack(1, 1, 1, "t"),
        Message().message(60, Message().number(1, 2).number(5, 1).message(8, Message().number(1, 1))),
        Message().number(10, 9).message(6, Message()
                                               .message(1, Message().number(1, 3).number(2, 100))
                                               .message(1, Message().number(1, 6).number(2, 5100))),
        flags(1).message(59, defaults),
        Message().number(10, 1).number(8, 110).number(13, 2).message(
            11, Message().number(9, 1).text(23, "a").number(12, 7)),
        Message().number(10, 1).number(8, 120).number(13, 2).message(11, Message().number(9, 2).number(12, 9)),
        // A clock of its own counts more than the default.
        Message().number(10, 1).number(8, 5130).number(58, 6).message(11, Message().number(9, 3).text(23, "b")),
    });
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QCOMPARE(sliceLines(trace), (QStringList{"1/1 a [] 5110+10"}));
    QCOMPARE(trace.instants()[0].time, TimeNs(5130));
    QCOMPARE(trace.counters().size(), size_t(1));
    QCOMPARE(textOf(trace, trace.counters()[0].name), QString("thread time"));
    QCOMPARE(trace.counters()[0].series[0].value, (std::vector<double>{7, 9}));
}

void tst_PerfettoProto::lostPackets() {
    const auto event = [](quint64 ns, quint64 dropped) {
        Message packet = eventPacket(ns, Message().number(9, 3).number(11, 1).number(10, 1)).number(13, 2);
        return dropped != 0 ? packet.number(42, dropped) : packet;
    };
    const auto loaded = loadPackets({
        threadTrack(1, 1, 1, "t").number(42, 1),  // the first of its sequence: nothing is missing
        event(1, 0),                              // before any state
        flags(1).message(12, internedName(1, "x")),
        event(2, 0),
        event(3, 1),  // something is missing before it, so what it leans on may be
        event(4, 0),
        flags(1).message(12, internedName(1, "x")),
        event(5, 0),
        Message().number(10, 7).number(42, 1).number(87, 1),
    });
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    std::vector<TimeNs> times;
    for (const Instant& instant : trace.instants()) {
        times.push_back(instant.time);
    }
    QCOMPARE(times, (std::vector<TimeNs>{2, 5}));
    QCOMPARE(issues(trace), (QStringList{"data_loss dropped_records 1", "data_loss missing_state 3"}));
    for (const Issue& issue : trace.report().issues()) {
        QVERIFY(issue.firstOffset.has_value());
    }
}

void tst_PerfettoProto::clocksAreAligned() {
    const Message incremental = Message()
                                    .message(1, Message().number(1, 64).number(2, 10).number(3, 1).number(4, 1000))
                                    .message(1, Message().number(1, 6).number(2, 10'500));
    const auto at = [](quint64 delta, const Message& event) {
        return Message().number(10, 1).number(8, delta).number(58, 64).message(11, event);
    };
    const auto loaded = loadPackets({
        threadTrack(1, 1, 1, "t"),
        Message().number(10, 1).message(6, incremental),
        at(2, sliceBegin(1, "a")),
        at(0, sliceBegin(1, "b")),
        at(3, sliceEnd(1)),
        at(1, sliceEnd(1)),
        eventPacket(7, Message().number(9, 3).number(11, 1).text(23, "odd")).number(58, 99),
    });
    QVERIFY(loaded.ok());
    QCOMPARE(sliceLines(*loaded.value()), (QStringList{"1/1 a [] 12500+4000", "1/1 b [] 12500+3000"}));
    QCOMPARE(loaded.value()->instants()[0].time, TimeNs(7));
    QVERIFY(issues(*loaded.value()).contains("warning unknown_clock 1"));
}

void tst_PerfettoProto::olderTimesAndThreads() {
    // A thread descriptor with a reference, and events that count on from it.
    const auto event = [](const Message& inner) { return Message().number(10, 1).message(11, inner); };
    const auto loaded = loadPackets({
        Message().number(10, 1).message(43, Message().number(1, 5).text(2, "old")),
        Message().number(10, 1).message(
            44, Message().number(1, 5).number(2, 6).text(5, "thread").number(6, 100).number(3, quint64(-4))),
        event(Message().number(1, 5).number(9, 1).text(23, "a")),
        event(Message().number(16, 109).number(9, 3).text(23, "once")),
        event(Message().number(1, 7).number(9, 2)),
        event(Message().number(9, 3).text(23, "never")),
    });
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QCOMPARE(sliceLines(trace), (QStringList{"5/6 a [] 105000+7000"}));
    QCOMPARE(trace.instants()[0].time, TimeNs(109'000));
    QVERIFY(issues(trace).contains("data_loss bad_timestamp 1"));
    QCOMPARE(textOf(trace, trace.track(trace.slices().track[0]).label), QString("thread"));
    QCOMPARE(textOf(trace, trace.process(trace.track(trace.slices().track[0]).process).label), QString("old"));
}

void tst_PerfettoProto::counters() {
    const auto value = [](quint64 ns, quint64 track, quint64 number) {
        return eventPacket(ns, Message().number(9, 4).number(11, track).number(30, number));
    };
    const auto loaded = loadPackets({
        processTrack(1, 5, "app"),
        Message().message(60, Message().number(1, 2).number(5, 1).text(2, "sum").message(
                                  8, Message().number(4, 1000).number(5, 1).text(6, "J"))),
        Message().message(60, Message().number(1, 3).number(5, 1).text(2, "real").message(8, Message())),
        value(1, 2, 5),
        value(2, 2, quint64(-2)),
        flags(1),
        value(3, 2, 4),  // cleared: counts from 0 again
        eventPacket(4, Message().number(9, 4).number(11, 3).real(44, 0.25)),
        eventPacket(5, Message().number(9, 4).number(11, 3).number(30, 9007199254740993)),
        eventPacket(6, Message().number(9, 4).number(11, 3)),
        eventPacket(7, Message().number(9, 3).number(11, 3).text(23, "i").number(45, 3).real(46, 1.5).real(46, 2)),
    });
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QCOMPARE(trace.counters().size(), size_t(2));
    const Counter& sum = textOf(trace, trace.counters()[0].name) == "sum" ? trace.counters()[0] : trace.counters()[1];
    const Counter& real = &sum == trace.counters().data() ? trace.counters()[1] : trace.counters()[0];
    QCOMPARE(sum.series[0].value, (std::vector<double>{5000, 3000, 4000}));
    QCOMPARE(textOf(trace, sum.series[0].name), QString("J"));
    QCOMPARE(real.series[0].value, (std::vector<double>{0.25, 9007199254740992.0, 1.5}));
    QVERIFY(issues(trace).contains("data_loss counter_without_value 1"));
    QVERIFY(issues(trace).contains("data_loss odd_record 1"));  // the second value has no track
}

/// What a value means is the same, whether its track is described before it or behind it.
void tst_PerfettoProto::counterDescribedLate() {
    const auto value = [](quint64 ns, quint64 number) {
        return eventPacket(ns, Message().number(9, 4).number(11, 2).number(30, number));
    };
    const auto loaded = loadPackets({
        processTrack(1, 5, "app"),
        value(1, 5),
        value(2, 7),
        Message().message(60, Message().number(1, 2).number(5, 1).text(2, "sum").message(
                                  8, Message().number(4, 1000).number(5, 1).text(6, "J"))),
        value(3, 1),
    });
    QVERIFY(loaded.ok());
    QCOMPARE(loaded.value()->counters().size(), size_t(1));
    QCOMPARE(loaded.value()->counters()[0].series[0].value, (std::vector<double>{5000, 12000, 13000}));
}

void tst_PerfettoProto::arrows() {
    const auto slice = [](quint64 track, quint64 begin, const QByteArray& name, const Message& flow) {
        return QList<Message>{eventPacket(begin, sliceBegin(track, name).raw(flow.bytes())),
                              eventPacket(begin + 5, sliceEnd(track))};
    };
    QList<Message> packets = {threadTrack(1, 1, 1, "t"), threadTrack(2, 1, 2, "u")};
    // In the file the last comes first: times decide. The number is used again after its end.
    packets += slice(2, 30, "c", Message().fixed64(48, 7));
    packets += slice(1, 10, "a", Message().fixed64(47, 7));
    packets += slice(2, 20, "b", Message().number(36, 7));
    packets += slice(1, 40, "d", Message().fixed64(47, 7));
    packets += slice(2, 50, "e", Message().number(42, 7));
    packets += slice(1, 60, "f", Message().fixed64(47, ~quint64(0)));
    const auto loaded = loadPackets(packets);
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QStringList arrows;
    for (const FlowArrow& arrow : trace.flows()) {
        arrows << QString::fromStdString(std::string(trace.sliceName(arrow.from)) + "->" +
                                         std::string(trace.sliceName(arrow.to)));
    }
    arrows.sort();
    QCOMPARE(arrows, (QStringList{"a->b", "b->c", "d->e"}));
    QCOMPARE(trace.danglingFlows().size(), size_t(1));
    QCOMPARE(trace.idText(*trace.danglingFlows()[0].id), std::string("18446744073709551615"));
}

void tst_PerfettoProto::legacyEvents_data() {
    QTest::addColumn<QByteArray>("legacy");
    QTest::addColumn<QString>("line");
    const auto row = [](const char* name, const Message& legacy, const char* line) {
        QTest::newRow(name) << legacy.bytes() << QString(line);
    };
    row("X", Message().number(2, 'X').number(3, 7), "slice 1/1 n c 1000+7000");
    row("X of another thread", Message().number(2, 'X').number(3, 7).number(18, 3).number(19, 4),
        "slice 3/4 n c 1000+7000");
    row("X without duration", Message().number(2, 'X'), "slice 1/1 n c 1000+-1");
    row("X of negative duration", Message().number(2, 'X').number(3, quint64(-7)), "slice 1/1 n c 1000+0");
    row("instant", Message().number(2, 'i').number(14, 1), "instant 1/1 n 1000 g");
    row("old instant", Message().number(2, 'I'), "instant 1/1 n 1000 t");
    row("async instant", Message().number(2, 'n').number(6, 5), "async instant 1/1 n id 5 1000");
    row("async begin", Message().number(2, 'b').number(10, 5), "async 1/1 n id 5 1000+-1");
    row("async begin with scope", Message().number(2, 'S').number(11, 5).text(7, "s"), "async 1/1 n id s:5 1000+-1");
    row("name by number", Message().number(2, 'i').number(1, 1), "instant 1/1 n 1000 t");
}

void tst_PerfettoProto::legacyEvents() {
    QFETCH(QByteArray, legacy);
    QFETCH(QString, line);
    const auto loaded =
        loadPackets({threadTrack(1, 1, 1, "t"), flags(1).message(59, Message().message(11, Message().number(11, 1))),
                     eventPacket(1000, Message().text(23, "n").text(22, "c").message(6, Message().raw(legacy)))});
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QStringList lines;
    const SliceColumns& s = trace.slices();
    for (uint32_t i = 0; i < s.size(); ++i) {
        lines << QString("slice %1 %2 %3 %4+%5")
                     .arg(trackText(trace, s.track[i]), textOf(trace, s.name[i]), textOf(trace, s.category[i]))
                     .arg(s.begin[i])
                     .arg(s.knownDuration(i));
    }
    for (const Instant& i : trace.instants()) {
        lines << QString("instant %1 %2 %3 %4")
                     .arg(trackText(trace, i.track), textOf(trace, i.name))
                     .arg(i.time)
                     .arg(QChar(i.scope));
    }
    for (const AsyncSlice& a : trace.asyncSlices()) {
        lines << QString("async %1 %2 id %3 %4+%5")
                     .arg(trackText(trace, a.track), textOf(trace, a.name), QString::fromStdString(trace.idText(*a.id)))
                     .arg(a.begin)
                     .arg(a.duration);
    }
    for (const AsyncInstant& a : trace.asyncInstants()) {
        lines << QString("async instant %1 %2 id %3 %4")
                     .arg(trackText(trace, a.track), textOf(trace, a.name), QString::fromStdString(trace.idText(*a.id)))
                     .arg(a.time);
    }
    QCOMPARE(lines, QStringList{line});
}

void tst_PerfettoProto::args_data() {
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<QString>("json");
    const auto row = [](const char* name, const Message& annotation, const char* json) {
        QTest::newRow(name) << Message().message(4, annotation).bytes() << QString(json);
    };
    const Message k = Message().text(10, "k");
    row("bool", Message(k).number(2, 1), R"({"k":true})");
    row("unsigned", Message(k).number(3, ~quint64(0)), R"({"k":18446744073709551615})");
    row("signed", Message(k).number(4, quint64(-5)), R"({"k":-5})");
    row("real", Message(k).real(5, 0.5), R"({"k":0.5})");
    row("not finite", Message(k).real(5, qInf()), R"({"k":null})");
    row("text", Message(k).text(6, "a\"b"), R"({"k":"a\"b"})");
    row("text that is no UTF-8", Message(k).text(6, "\xff"), "{\"k\":\"\xef\xbf\xbd\"}");
    row("pointer", Message(k).number(7, 255), R"({"k":"0xff"})");
    row("JSON", Message(k).text(9, R"({"a": [1]})"), R"({"k":{"a": [1]}})");
    row("no JSON", Message(k).text(9, R"({"a": )"), R"({"k":"{\"a\": "})");
    row("dict", Message(k).message(11, Message().text(10, "x").number(4, 1)).message(11, Message().text(10, "y")),
        R"({"k":{"x":1,"y":null}})");
    row("array", Message(k).message(12, Message().number(4, 1)).message(12, Message().text(6, "z")),
        R"({"k":[1,"z"]})");
    row("old dict",
        Message(k).message(8, Message()
                                  .number(1, 1)
                                  .text(2, "x")
                                  .text(2, "y")
                                  .message(3, Message().number(5, quint64(-1)))
                                  .message(3, Message().number(1, 2).message(4, Message().number(7, 1)))),
        R"({"k":{"x":-1,"y":[true]}})");
    row("message of its own", Message(k).text(14, "abc"), R"({"k":"3 bytes"})");
    row("nothing", k, R"({"k":null})");
    row("number without text", Message().number(1, 9).number(17, 8), R"j({"(name 9)":"(text 8)"})j");
    QTest::newRow("typed argument") << Message().text(1002, "abcd").bytes()
                                    << QString(R"j({"(typed argument 1002)":"4 bytes"})j");
    QTest::newRow("none") << QByteArray() << QString("null");
}

void tst_PerfettoProto::args() {
    QFETCH(QByteArray, fields);
    QFETCH(QString, json);
    QString text = argsText(Message().raw(fields));
    QCOMPARE(text.remove(QChar('\n')).replace(": ", ":").replace(", ", ","),
             json.replace(": ", ":").replace(", ", ","));
}

void tst_PerfettoProto::argsOfNumberedTexts() {
    const auto texts = [](const QByteArray& name, const QByteArray& value) {
        return flags(1).message(12, Message()
                                        .message(3, Message().number(1, 1).text(2, name))
                                        .message(29, Message().number(1, 1).text(2, value)));
    };
    const auto event = [](quint64 ns) {
        return eventPacket(
            ns, Message().number(9, 3).number(11, 1).text(23, "i").message(4, Message().number(1, 1).number(17, 1)));
    };
    const auto loaded =
        loadPackets({threadTrack(1, 1, 1, "t"), texts("a", "one"), event(1), texts("b", "two"), event(2),
                     compressedPackets(perfettoTrace({texts("c", "three"), event(3), texts("d", "four"), event(4)})),
                     zstdPackets(perfettoTrace({texts("e", "five"), event(5), texts("f", "six"), event(6)}))});
    QVERIFY(loaded.ok());
    QStringList args;
    for (const Instant& instant : loaded.value()->instants()) {
        const auto json = loaded.value()->argsJson(instant.track, instant.source);
        args << QString::fromStdString(json ? json.value() : json.error().message);
    }
    QCOMPARE(args.join(' ').remove(QRegularExpression("\\s")),
             QString(R"({"a":"one"}{"b":"two"}{"c":"three"}{"d":"four"}{"e":"five"}{"f":"six"})"));
}

void tst_PerfettoProto::argsOfBeginAndEnd() {
    const auto annotated = [](const Message& event, const QByteArray& key, quint64 value) {
        return Message(event).message(4, Message().text(10, key).number(4, value));
    };
    const auto loaded =
        loadPackets({threadTrack(1, 1, 1, "t"), eventPacket(1, annotated(sliceBegin(1, "both"), "a", 1)),
                     eventPacket(2, annotated(sliceEnd(1), "b", 2)), eventPacket(3, sliceBegin(1, "end alone")),
                     eventPacket(4, annotated(sliceEnd(1), "b", 3))});
    QVERIFY(loaded.ok());
    QCOMPARE(argsOf(*loaded.value(), 0).dump(), std::string(R"({"a":1,"b":2})"));
    QCOMPARE(argsOf(*loaded.value(), 1).dump(), std::string(R"({"b":3})"));
}

void tst_PerfettoProto::deepArgs() {
    Message array = Message().number(4, 1);
    Message nested = Message().number(5, 1);
    for (int i = 0; i < 10'000; ++i) {
        array = Message().message(12, array);
        nested = Message().number(1, 2).message(4, nested);
    }
    const Message name = Message().text(10, "k");
    for (const QByteArray& value :
         {array.bytes(), Message().message(8, nested).bytes(), Message().text(9, QByteArray(10'000, '[')).bytes()}) {
        const QString text = argsText(Message().message(4, Message(name).raw(value)));
        QVERIFY(nlohmann::json::accept(text.toStdString()));
        QVERIFY(text.count('[') < 300 || text.count('"') == 4);  // shortened, or a text
    }
}

void tst_PerfettoProto::compressed() {
    const QByteArray plain = samplePerfettoTrace(20);
    const auto a = load(plain);
    QVERIFY(a.ok());
    for (const Message& packed : {compressedPackets(plain), zstdPackets(plain)}) {
        const auto b = load(perfettoTrace({packed}));
        QVERIFY(b.ok());
        QCOMPARE(digest(*b.value(), false), digest(*a.value(), false));
        QCOMPARE(issues(*b.value()), QStringList());
    }
}

void tst_PerfettoProto::compressedBombAndDamage() {
    const QByteArray plain = samplePerfettoTrace(200);
    const auto compressedBytes = [](const QByteArray& deflated) {
        return perfettoTrace({Message().text(50, deflated), threadTrack(1, 1, 1, "t")});
    };
    QByteArray deflated = compressedPackets(plain).bytes();
    deflated = deflated.mid(deflated.indexOf('\x78'));
    // Cut: what could be unpacked is read, up to the packet that is cut.
    const auto cut = load(compressedBytes(deflated.left(deflated.size() / 2)));
    QVERIFY(cut.ok());
    QVERIFY(cut.value()->sliceCount() > 20 && cut.value()->sliceCount() < 400);
    QVERIFY(issues(*cut.value()).contains("data_loss unreadable_packets 1"));
    const auto garbage = load(compressedBytes("not deflated"));
    QVERIFY(garbage.ok());
    QVERIFY(issues(*garbage.value()).contains("data_loss unreadable_packets 1"));
    LoadOptions small;
    small.maxEventBytes = 1 << 16;
    const auto bomb = load(perfettoTrace({compressedPackets(QByteArray(20'000'000, '\0'))}), small);
    QVERIFY(bomb.ok());
    QVERIFY(issues(*bomb.value()).contains("data_loss event_too_long 1"));
    const auto nested = load(perfettoTrace({compressedPackets(perfettoTrace({compressedPackets(plain)}))}));
    QVERIFY(nested.ok());
    QVERIFY(issues(*nested.value()).contains("data_loss invalid_proto 1"));
    QByteArray zstd = zstdPackets(plain).bytes();
    zstd = zstd.mid(zstd.indexOf(QByteArray::fromHex("28b52ffd")));
    for (const QByteArray& damaged : {QByteArray("x"), zstd.left(zstd.size() / 2), zstd.left(3)}) {
        const auto broken = load(perfettoTrace({Message().text(133, damaged), threadTrack(1, 1, 1, "t")}));
        QVERIFY(broken.ok());
        QVERIFY(issues(*broken.value()).contains("data_loss unreadable_packets 1"));
    }
    const auto zstdBomb = load(perfettoTrace({zstdPackets(QByteArray(20'000'000, '\0'))}), small);
    QVERIFY(zstdBomb.ok());
    QVERIFY(issues(*zstdBomb.value()).contains("data_loss event_too_long 1"));
}

void tst_PerfettoProto::sortsThatAreNotRead() {
    const auto loaded = load(perfettoTrace({Message().text(1, "x"), Message().text(1, "y"), Message().text(9, "z"),
                                            Message().text(33, "config"), Message().text(456, "?")}) +
                             Message().text(2, "no packet").number(7, 1).bytes());
    QVERIFY(loaded.ok());
    const auto& list = loaded.value()->report().issues();
    const auto it = std::ranges::find(list, "skipped_packet", &Issue::code);
    QVERIFY(it != list.end());
    QCOMPARE(it->severity, Severity::Info);
    QCOMPARE(it->count, uint64_t(6));
    bool isNamed = false;
    for (const Issue& issue : list) {
        isNamed = isNamed || issue.message.find("no packet") != std::string::npos ||
                  issue.message.find("ftrace_events: 2") != std::string::npos;
    }
    QVERIFY(isNamed);
    QCOMPARE(loaded.value()->report().lostCount(), uint64_t(0));
}

void tst_PerfettoProto::malformedPackets_data() {
    QTest::addColumn<QByteArray>("packet");
    QTest::newRow("field 0") << QByteArray("\x00\x00", 2);
    QTest::newRow("varint of 11 bytes") << QByteArray("\x40\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01");
    QTest::newRow("length beyond the packet") << QByteArray("\x5a\x7f\x01");
    QTest::newRow("group") << QByteArray("\x0b");
    QTest::newRow("event that is malformed") << Message().number(8, 1).text(11, "\x0b").bytes();
    QTest::newRow("event whose name is cut") << Message().number(8, 1).text(11, "\xba\x01\x7fx").bytes();
    QTest::newRow("descriptor that is malformed") << Message().text(60, "\x0b").bytes();
    QTest::newRow("descriptor with a malformed thread")
        << Message().message(60, Message().number(1, 1).text(4, "\x0b")).bytes();
    QTest::newRow("legacy event that is malformed")
        << Message().number(8, 1).message(11, Message().text(6, "\x0b")).bytes();
    QTest::newRow("snapshot that is malformed") << Message().text(6, "\x0b").bytes();
    QTest::newRow("numbered texts that are malformed") << Message().text(12, "\x0b").bytes();
}

void tst_PerfettoProto::malformedPackets() {
    QFETCH(QByteArray, packet);
    // What is around it is read.
    const auto loaded = loadPackets({threadTrack(1, 1, 1, "t"), eventPacket(1, sliceBegin(1, "a")),
                                     Message().raw(packet), eventPacket(2, sliceEnd(1))});
    QVERIFY(loaded.ok());
    QCOMPARE(sliceLines(*loaded.value()), (QStringList{"1/1 a [] 1+1"}));
    QVERIFY(issues(*loaded.value()).contains("data_loss invalid_proto 1"));
    QVERIFY(loaded.value()->report().issues()[0].firstOffset.value_or(0) > 0);
}

void tst_PerfettoProto::goesOnAtTheNextMark_data() {
    QTest::addColumn<int>("garbage");
    QTest::newRow("a little") << 5;
    // The mark lies across the end of what is read at once, at every place that it can.
    for (int less = 0; less < 130; less += 7) {
        QTest::addRow("a MiB less %d", less) << (1 << 20) - less;
    }
    QTest::newRow("more") << (3 << 20) + 1;
}

/// Perfetto's service writes the same 16 bytes into a packet of its own every few seconds.
Message markPacket() {
    return Message().number(3, 9999).number(10, 1).text(36, QByteArray::fromHex("82477a76b28d42ba81dc33326d57a079"));
}

void tst_PerfettoProto::goesOnAtTheNextMark() {
    QFETCH(int, garbage);
    const QByteArray before = perfettoTrace({threadTrack(1, 1, 1, "t"), flags(1).message(12, internedName(1, "old")),
                                             eventPacket(1, sliceBegin(1, "a")), eventPacket(2, sliceEnd(1))});
    const Message named = flags(2).number(8, 3).message(11, Message().number(9, 1).number(11, 1).number(10, 1));
    const QByteArray after =
        perfettoTrace({markPacket(), named, eventPacket(4, sliceBegin(1, "b")), eventPacket(5, sliceEnd(1))});
    const auto loaded = load(before + QByteArray(garbage, '\x07') + after);
    QVERIFY(loaded.ok());
    // What leans on packets that may be among the lost is not guessed.
    QCOMPARE(sliceLines(*loaded.value()), (QStringList{"1/1 a [] 1+1", "1/1 b [] 4+1"}));
    const auto& list = loaded.value()->report().issues();
    const auto it = std::ranges::find(list, "invalid_proto", &Issue::code);
    QVERIFY(it != list.end());
    QCOMPARE(it->count, uint64_t(1));
    QCOMPARE(it->firstOffset, std::optional(uint64_t(before.size())));
    QCOMPARE(it->detail, "the text up to byte " + std::to_string(before.size() + garbage));
    QVERIFY(!loaded.value()->report().complete());
}

/// A packet that says it is longer than the file hides what follows, up to the next mark.
void tst_PerfettoProto::lengthsThatAreTooLarge() {
    const QByteArray before =
        perfettoTrace({threadTrack(1, 1, 1, "t"), eventPacket(1, sliceBegin(1, "a")), eventPacket(2, sliceEnd(1))});
    const QByteArray after = perfettoTrace(
        {markPacket(), threadTrack(1, 1, 1, "t"), eventPacket(4, sliceBegin(1, "b")), eventPacket(5, sliceEnd(1))});
    const QByteArray head = QByteArray::fromHex("0affff03");
    const auto loaded = load(before + head + after);
    QVERIFY(loaded.ok());
    QCOMPARE(sliceLines(*loaded.value()), (QStringList{"1/1 a [] 1+1", "1/1 b [] 4+1"}));
    QVERIFY(issues(*loaded.value()).contains("data_loss invalid_proto 1"));
    QCOMPARE(loaded.value()->report().countOf("truncated"), uint64_t(0));
    QCOMPARE(loaded.value()->report().issues()[0].firstOffset, std::optional(uint64_t(before.size())));
    // Each of these says so of itself, and is left once.
    QByteArray many;
    for (int i = 0; i < 2000; ++i) {
        many += head + markPacket().bytes();
    }
    const auto hostile = load(before + many);
    QVERIFY(hostile.ok());
    QCOMPARE(sliceLines(*hostile.value()), QStringList{"1/1 a [] 1+1"});
    QVERIFY(!hostile.value()->report().complete());
}

void tst_PerfettoProto::marksThatLeadNowhere() {
    const QByteArray before =
        perfettoTrace({threadTrack(1, 1, 1, "t"), eventPacket(1, sliceBegin(1, "a")), eventPacket(2, sliceEnd(1))});
    const QByteArray mark = markPacket().bytes();
    // Without its packet's head, with one that is too short for it, and cut.
    for (const QByteArray& lost : {mark, QByteArray("\x0a\x05") + mark, perfettoTrace({markPacket()}).chopped(1)}) {
        const auto loaded = load(before + QByteArray(100, '\x07') + lost);
        QVERIFY(loaded.ok());
        QCOMPARE(sliceLines(*loaded.value()), QStringList{"1/1 a [] 1+1"});
        QVERIFY(issues(*loaded.value()).contains("data_loss invalid_proto 1"));
        QVERIFY(loaded.value()->report().issues()[0].detail == "all that follows in the file");
    }
}

void tst_PerfettoProto::longPackets() {
    LoadOptions options;
    options.maxEventBytes = 1000;
    const QByteArray bytes =
        perfettoTrace({threadTrack(1, 1, 1, "t"), eventPacket(1, sliceBegin(1, "a")),
                       eventPacket(1, sliceBegin(1, QByteArray(3'000'000, 'x'))), eventPacket(2, sliceEnd(1))});
    const auto loaded = load(bytes, options);
    QVERIFY(loaded.ok());
    QCOMPARE(sliceLines(*loaded.value()), (QStringList{"1/1 a [] 1+1"}));
    QVERIFY(issues(*loaded.value()).contains("data_loss event_too_long 1"));
    // A length that the file has not.
    const auto beyond = load(samplePerfettoTrace(1) + QByteArray("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f"));
    QVERIFY(beyond.ok());
    QCOMPARE(beyond.value()->sliceCount(), 2U);
    QVERIFY(issues(*beyond.value()).contains("data_loss truncated 1"));
    const auto empty = load(QByteArray("\x0a\x00\x0a\x00", 4) + samplePerfettoTrace(1));
    QVERIFY(empty.ok());
    QCOMPARE(empty.value()->sliceCount(), 2U);
}

void tst_PerfettoProto::cutAtEveryLength() {
    const QByteArray bytes = samplePerfettoTrace(3);
    for (qsizetype length = 0; length < bytes.size(); ++length) {
        const auto loaded = load(bytes.left(length));
        if (!loaded) {
            QVERIFY(length < 60);
            QVERIFY(!loaded.error().message.empty());
            continue;
        }
        // Between two packets nothing tells that more should come.
        const uint64_t cut = loaded.value()->report().countOf("truncated");
        QCOMPARE(loaded.value()->report().lostCount(), cut);
        QCOMPARE(loaded.value()->report().complete(), cut == 0);
        if (cut != 0) {
            const uint64_t offset = *loaded.value()->report().issues()[0].firstOffset;
            QVERIFY(offset < uint64_t(length));
            QCOMPARE(bytes[qsizetype(offset)], '\x0a');
        }
    }
}

void tst_PerfettoProto::garbledAnywhere() {
    const QByteArray bytes = samplePerfettoTrace(2);
    // Sanitizers slow every byte down.
    for (qsizetype at = 0; at < bytes.size(); at += WARPLINE_SANITIZED ? 7 : 1) {
        for (const char byte : {'\xff', '\0', '\x0a', '\x0b', '\x7f'}) {
            QByteArray garbled = bytes;
            garbled[at] = byte;
            const auto loaded = load(garbled);
            QVERIFY(loaded.ok() || !loaded.error().message.empty());
            for (uint32_t row = 0; loaded.ok() && row < loaded.value()->sliceCount(); ++row) {
                const auto args = loaded.value()->argsJson(EventRow(row));
                QVERIFY(!args.ok() || nlohmann::json::accept(args.value()));
            }
        }
    }
}

void tst_PerfettoProto::namesThatAreNoUtf8() {
    const auto loaded = loadPackets(
        {threadTrack(1, 1, 1, "t\xff"), eventPacket(1, sliceBegin(1, "a\xc3")), eventPacket(2, sliceEnd(1))});
    QVERIFY(loaded.ok());
    QCOMPARE(loaded.value()->sliceName(EventRow(0U)), std::string_view("a\xef\xbf\xbd"));
    QVERIFY(issues(*loaded.value()).contains("warning invalid_utf8 2"));
}

void tst_PerfettoProto::realTraceOfChromium() {
    // Figures by a decoder written apart from this one.
    JobControl job;
    const auto loaded =
        loadTrace({QString(WARPLINE_TEST_DATA_DIR "/perfetto/chromium.pftrace").toStdString()}, {}, job);
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str());
    const Trace& trace = *loaded.value();
    QMap<QString, QPair<int, qint64>> names;
    uint32_t finished = 0;
    for (uint32_t i = 0; i < trace.sliceCount(); ++i) {
        if ((trace.slices().flags[i] & kSliceUnfinished) == 0) {
            ++finished;
            auto& entry = names[textOf(trace, trace.slices().name[i])];
            entry.first += 1;
            entry.second += trace.slices().duration[i];
        }
    }
    QCOMPARE(finished, 1999U);
    QCOMPARE(trace.sliceCount() - finished, 21U);
    QCOMPARE(names["ThreadPool_RunTask"], (QPair<int, qint64>(948, 2170752658)));
    QCOMPARE(names["ThreadControllerImpl::RunTask"], (QPair<int, qint64>(461, 64870275)));
    QCOMPARE(names["Receive mojo message"], (QPair<int, qint64>(184, 36185275)));
    QCOMPARE(names["SimpleWatcher::OnHandleReady"], (QPair<int, qint64>(179, 35218275)));
    QCOMPARE(trace.counts().counters, uint64_t(4027));
    QCOMPARE(issues(trace),
             (QStringList{"data_loss unmatched_end 12", "warning unmatched_begin 21", "info dangling_flow 4"}));
    for (uint32_t i = 0; i < trace.sliceCount(); ++i) {
        const auto args = trace.argsJson(EventRow(i));
        QVERIFY(args.ok() && nlohmann::json::accept(args.value()));
    }
}

void tst_PerfettoProto::packedByGzip() {
    QTemporaryDir folder;
    const QByteArray plain = samplePerfettoTrace(50);
    const auto write = [&](const QString& name, const QByteArray& bytes) {
        QFile file(folder.filePath(name));
        [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
        file.write(bytes);
        return file.fileName().toStdString();
    };
    const std::string a = write("a.pftrace", plain);
    const std::string b = write("b.pftrace.gz", gzipped(plain));
    JobControl job;
    const auto first = loadTrace({a}, {}, job);
    const auto second = loadTrace({b}, {}, job);
    QVERIFY(first.ok() && second.ok());
    QCOMPARE(digest(*second.value()), digest(*first.value()));
    QCOMPARE(second.value()->files()[0].compression, std::string("gzip"));
    QCOMPARE(job.done(), job.total());
}

void tst_PerfettoProto::sniffing_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("least");
    QTest::addColumn<int>("most");
    QTest::newRow("sample") << samplePerfettoTrace(1) << 80 << 90;
    QTest::newRow("cut in its second packet") << samplePerfettoTrace(1).left(50) << 60 << 90;
    QTest::newRow("compressed alone") << perfettoTrace({compressedPackets(samplePerfettoTrace(2))}) << 60 << 90;
    QTest::newRow("zstd alone") << perfettoTrace({zstdPackets(samplePerfettoTrace(2))}) << 60 << 90;
    const QByteArray sample = samplePerfettoTrace(20);
    const auto zeroed = [&](qsizetype at, qsizetype count) {
        QByteArray bytes = sample;
        return bytes.replace(at, count, QByteArray(count, '\0'));
    };
    QTest::newRow("damaged in its middle") << zeroed(sample.size() / 2, 64) << 60 << 84;
    QTest::newRow("damaged at its begin, without a mark") << zeroed(0, 64) << 0 << 0;
    const QByteArray mark = QByteArray::fromHex("82477a76b28d42ba81dc33326d57a079");
    Message marked;
    marked.number(8, 1).text(36, mark);
    const QByteArray withMark = sample + Message().message(1, marked).bytes();
    QTest::newRow("damaged at its begin, with a mark") << QByteArray(64, '\0') + withMark.mid(64) << 60 << 84;
    QTest::newRow("the mark alone, not in a packet") << QByteArray(64, '\0') + mark << 0 << 0;
    QByteArray odd = sample;
    odd[odd.indexOf("numbered")] = 'X';
    QTest::newRow("a letter that was changed") << odd << 85 << 90;
    QTest::newRow("empty packets") << QByteArray("\x0a\x00\x0a\x00", 4) << 0 << 0;
    QTest::newRow("empty") << QByteArray() << 0 << 0;
    QTest::newRow("line breaks") << QByteArray(100, '\n') << 0 << 0;
    QTest::newRow("JSON after a line break") << "\n  " + kinetoText(3) << 0 << 0;
    QTest::newRow("text after a line break") << QByteArray("\nThe quick brown fox jumps over the lazy dog.") << 0 << 0;
    QTest::newRow("another message") << Message().text(1, "a name").number(2, 5).bytes() << 0 << 0;
    QTest::newRow("SQLite") << QByteArray("SQLite format 3\0", 16) << 0 << 0;
}

void tst_PerfettoProto::sniffing() {
    QFETCH(QByteArray, bytes);
    QFETCH(int, least);
    QFETCH(int, most);
    const int score =
        PerfettoProtoLoader().sniff({std::string_view(bytes.constData(), size_t(bytes.size())).substr(0, 65536), "x"});
    QVERIFY2(score >= least && score <= most, qPrintable(QString::number(score)));
}

void tst_PerfettoProto::stops() {
    TraceBuilder builder;
    const FileId file = builder.addFile({});
    JobControl job;
    job.requestStop();
    const auto status =
        PerfettoProtoLoader().load(makeMemorySource(samplePerfettoTrace(10).toStdString()), file, builder, {}, job);
    QVERIFY(!status.ok() && status.error().isCancelled());
}

QTEST_APPLESS_MAIN(tst_PerfettoProto)
#include "tst_perfetto_proto.moc"
