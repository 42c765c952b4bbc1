// SPDX-License-Identifier: MIT
// What a capture lacks is said: losses that the recorder tells of, streams that are cut or damaged, clocks that were
// set; and what is made to do harm does none.
#include <zstd.h>

#include <cstring>

#include "core/analyses/area_summary.h"
#include "core/capture/frame_reader.h"
#include "core/capture/texts.h"
#include "core/loaders/capture/capture_appender.h"
#include "tests/core/loaders/capture/capture_testing.h"

using namespace warpline;
using namespace warpline::test;
using namespace warpline::capture;

namespace {

const Issue* findIssue(const Trace& trace, std::string_view code) {
    for (const Issue& issue : trace.report().issues()) {
        if (issue.code == code) {
            return &issue;
        }
    }
    return nullptr;
}

/// Begin, one kernel at 1000, what `add` does, End.
std::string captureWith(const std::function<void(CaptureMaker&)>& add) {
    std::string stream;
    CaptureMaker maker(stream);
    maker.begin("1000", "/bin/app");
    maker.add(maker.kernel("k", 1000, 1));
    maker.flush();
    add(maker);
    maker.end();
    return stream;
}

std::string framed(FrameType type, std::string_view payload, uint16_t flags = 0, uint64_t sequence = 0) {
    const FrameHeader header = makeHeader(type, 0, sequence, payload, flags);
    std::string out(reinterpret_cast<const char*>(&header), sizeof header);
    return out.append(payload);
}

}  // namespace

class tst_CaptureLosses : public QObject {
    Q_OBJECT

private slots:
    void losses_data();
    void losses();
    void gapIsNoIdleTime();
    void clocks_data();
    void clocks();
    void noEnd();
    void cutAnywhere();
    void lostFrame();
    void damagedFrame();
    void cutInTheMiddle();
    void unknownFrames();
    void lostNames();
    void oddRecords();
    void hostileSizes();
    void bombs();
    void fullBuilder();
    void negativeDurations();
    void growing();
    void lastSecondsAlone();
    void severalOriginsAreOne();
};

void tst_CaptureLosses::losses_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("issue");
    QTest::addColumn<QString>("words");
    const auto row = [](LossKind kind, const char* issue, const char* words) {
        QTest::newRow(words) << int(kind) << issue << words;
    };
    row(LossKind::CuptiDropped, "dropped_records data_loss 5", "dropped by CUPTI");
    row(LossKind::NoBuffer, "dropped_records data_loss 5", "no buffer was free");
    row(LossKind::Unreadable, "dropped_records data_loss 5", "that the recorder cannot decode");
    row(LossKind::QueueFull, "dropped_records data_loss 5", "the recorder could not keep up");
    row(LossKind::TakenOver, "taken_over data_loss 5", "another client took CUPTI over");
    row(LossKind::SizeLimit, "size_limit data_loss 5", "the granted size was reached");
    row(LossKind::WriteFailed, "write_failed data_loss 5", "the capture could not be written");
    row(LossKind::LaunchQueueFull, "dropped_records data_loss 5", "notes of launches overflowed");
    row(LossKind::Filtered, "filtered info 5", "left out as asked");
}

void tst_CaptureLosses::losses() {
    QFETCH(int, kind);
    QFETCH(QString, issue);
    QFETCH(QString, words);
    const auto trace = loadCapture(captureWith([&](CaptureMaker& maker) {
        LossRecord loss;
        loss.kind = LossKind(kind);
        loss.count = 5;
        loss.of = uint32_t(FrameType::Kernels);
        maker.add(loss);
    }));
    QVERIFY2(issuesOf(*trace.value()).contains(issue), qPrintable(issuesOf(*trace.value()).join(", ")));
    const Issue* said = findIssue(*trace.value(), issue.section(' ', 0, 0).toStdString());
    QVERIFY(QString::fromStdString(said->message).contains(words));
    QVERIFY(QString::fromStdString(said->message).contains("process 1000, app: kernels"));
}

void tst_CaptureLosses::gapIsNoIdleTime() {
    const auto trace = loadCapture(captureWith([&](CaptureMaker& maker) {
        LossRecord loss;
        loss.kind = LossKind::TakenOver;
        loss.begin = kCaptureStart + 2000;
        maker.add(loss);
        loss.kind = LossKind::QueueFull;
        loss.begin = kCaptureStart + 500;
        loss.end = kCaptureStart + 700;
        maker.add(loss);
        maker.add(RangeRecord{kCaptureStart + 9000, 1, 5, maker.text("late"), 0, RangeAction::Mark});
    }));
    // What has no end reaches to the last moment of the recording.
    QCOMPARE(describeSlice(*trace.value(), "Not recorded: another client took CUPTI over"),
             "1000/Not recorded not_recorded 2000+7000");
    QCOMPARE(describeSlice(*trace.value(), "Not recorded: the recorder could not keep up"),
             "1000/Not recorded not_recorded 500+200");
    JobControl job;
    const auto areas = computeAreaSummary(*trace.value(), {0, 9000}, {}, job);
    const DeviceArea& area = areas.value()[0];
    QCOMPARE(area.busyNs, DurationNs(100));
    QCOMPARE(area.unrecordedNs, DurationNs(200 + 7000));
    QCOMPARE(area.idleNs, DurationNs(500 + 300 + 900));
    QCOMPARE(area.gapCount, uint64_t(3));
    QCOMPARE(area.longestGaps[0], (TimeRange{1100, 2000}));
    // Cut by the range.
    const auto inside = computeAreaSummary(*trace.value(), {600, 3000}, {}, job);
    QCOMPARE(inside.value()[0].unrecordedNs, DurationNs(100 + 1000));
    QCOMPARE(inside.value()[0].idleNs, DurationNs(300 + 900));
    const Issue* said = findIssue(*trace.value(), "taken_over");
    QVERIFY(QString::fromStdString(said->message).contains("how many is not known"));
}

void tst_CaptureLosses::clocks_data() {
    QTest::addColumn<qint64>("steady");  ///< how far both clocks went on
    QTest::addColumn<qint64>("system");
    QTest::addColumn<qint64>("cupti");  ///< ahead of the system's; -1: could not be read
    QTest::addColumn<QString>("words");
    constexpr qint64 kTenth = 100'000'000;
    QTest::newRow("in step") << kTenth << kTenth << qint64(500) << "";
    QTest::newRow("half a millisecond") << kTenth << kTenth + 500'000 << qint64(500) << "";
    QTest::newRow("set forward") << kTenth << kTenth + 2'000'000 << qint64(500) << "set by 2ms";
    QTest::newRow("set back") << kTenth << -kTenth << qint64(500) << "set by -200ms";
    QTest::newRow("slewed over an hour") << 3'600'000'000'000LL << 3'601'000'000'000LL << qint64(500) << "";
    QTest::newRow("CUPTI off") << kTenth << kTenth << qint64(3'000'000) << "off the system's by 3ms";
    QTest::newRow("another client's clock") << kTenth << kTenth << qint64(-1'800'000'000'000'000'000) << "";
    QTest::newRow("unread") << kTenth << kTenth << qint64(-1) << "";
}

void tst_CaptureLosses::clocks() {
    QFETCH(qint64, steady);
    QFETCH(qint64, system);
    QFETCH(qint64, cupti);
    QFETCH(QString, words);
    const auto trace = loadCapture(captureWith([&](CaptureMaker& maker) {
        const int64_t now = kCaptureStart + system;
        maker.add(ClockRecord{now, 5'000'000'000 + steady, cupti == -1 ? 0 : now + cupti, 600});
    }));
    const Issue* said = findIssue(*trace.value(), "clock_mismatch");
    QCOMPARE(said != nullptr, !words.isEmpty());
    const QString message = said == nullptr ? "" : QString::fromStdString(said->message);
    QVERIFY2(message.contains(words), qPrintable(message));
}

void tst_CaptureLosses::noEnd() {
    std::string stream = captureWith([](CaptureMaker&) {});
    const auto borders = frameBorders(stream);
    stream.resize(borders[borders.size() - 2]);  // whole frames, but no End
    const auto trace = loadCapture(stream);
    QCOMPARE(issuesOf(*trace.value()), QStringList({"no_end warning 1", "orphan_kernel info 1"}));
    QVERIFY(QString::fromStdString(findIssue(*trace.value(), "no_end")->message).contains("process 1000, app"));
}

void tst_CaptureLosses::cutAnywhere() {
    for (const bool isPacked : {false, true}) {
        const std::string whole = isPacked ? withPackedFrames(sampleCapture(1)) : sampleCapture(1);
        const auto borders = frameBorders(whole);
        const size_t step = WARPLINE_SANITIZED ? 17 : 3;
        std::vector<size_t> lengths(borders.begin() + 1, borders.end() - 1);
        for (size_t length = 1; length < whole.size(); length += step) {
            lengths.push_back(length);
        }
        for (const size_t length : lengths) {
            const auto trace = loadCapture(std::string_view(whole).substr(0, length));
            if (length < borders[1]) {
                QVERIFY(!trace.ok() && trace.error().code == "truncated");
                continue;
            }
            QVERIFY(trace.ok());
            const bool isAtBorder = std::ranges::find(borders, length) != borders.end();
            QCOMPARE(trace.value()->report().countOf("truncated"), uint64_t(isAtBorder ? 0 : 1));
            QCOMPARE(trace.value()->report().complete(), isAtBorder);
            if (!isAtBorder) {
                const size_t lastBorder = *(std::ranges::upper_bound(borders, length) - 1);
                QCOMPARE(findIssue(*trace.value(), "truncated")->firstOffset.value_or(0), uint64_t(lastBorder));
            }
            QVERIFY(trace.value()->report().countOf("no_end") > 0);
            QCOMPARE(trace.value()->report().countOf("invalid_capture"), uint64_t(0));
        }
    }
}

void tst_CaptureLosses::lostFrame() {
    const std::string whole = sampleCapture(1);
    const uint64_t all = loadCapture(whole).value()->sliceCount();
    size_t copies = 0;
    const std::string rest = framesThat(whole, [&](const FrameHeader& header) {
        const bool isCopy = header.type == uint16_t(FrameType::Copies);
        copies += isCopy ? 1 : 0;
        return !isCopy;
    });
    QCOMPARE(copies, size_t(1));
    const auto trace = loadCapture(rest);
    QCOMPARE(trace.value()->sliceCount(), uint32_t(all - 1));
    QCOMPARE(trace.value()->report().countOf("missing_frames"), uint64_t(1));
    QVERIFY(!trace.value()->report().complete());
}

void tst_CaptureLosses::damagedFrame() {
    const std::string whole = sampleCapture(1);
    const auto borders = frameBorders(whole);
    for (size_t i = 1; i + 1 < borders.size(); ++i) {
        std::string damaged = whole;
        damaged[borders[i] + sizeof(FrameHeader)] ^= 0x40;  // a payload
        const auto trace = loadCapture(damaged);
        QVERIFY(trace.ok());
        QCOMPARE(findIssue(*trace.value(), "invalid_capture")->firstOffset.value_or(0), uint64_t(borders[i]));
        damaged = whole;
        damaged[borders[i] + 9] ^= 0x40;  // a header
        QCOMPARE(loadCapture(damaged).value()->report().countOf("invalid_capture"), uint64_t(1));
    }
}

void tst_CaptureLosses::cutInTheMiddle() {
    // The end of a long frame is gone, and the stream ends before where that would be: those behind it are found.
    std::string stream;
    CaptureMaker maker(stream);
    maker.begin("1000", "a");
    const size_t begin = stream.size();
    maker.writer().writeFrame(FrameType::Output, std::string(100'000, 'x'));
    const size_t end = stream.size();
    maker.add(maker.kernel("behind", 1000, 1));
    maker.end();
    stream.erase(begin + 1000, end - begin - 1000);
    const auto trace = loadCapture(stream);
    QCOMPARE(describeSlice(*trace.value(), "behind"), "0/7 kernel 1000+100");
    QCOMPARE(trace.value()->report().countOf("invalid_capture"), uint64_t(1));
    QCOMPARE(trace.value()->report().countOf("truncated"), uint64_t(0));
}

void tst_CaptureLosses::unknownFrames() {
    std::string stream = captureWith([](CaptureMaker& maker) {
        maker.writer().writeFrame(FrameType(999), "what later versions know");
        maker.writer().writeFrame(FrameType::Output, "words");
    });
    stream += framed(FrameType::Kernels, "of a later version", 0x8000, 100);
    const auto trace = loadCapture(stream);
    QVERIFY(issuesOf(*trace.value()).contains("unknown_frames info 2"));  // output is known, and left alone
    QCOMPARE(trace.value()->sliceCount(), 1U);
}

void tst_CaptureLosses::lostNames() {
    const std::string stream =
        framesThat(captureWith([](CaptureMaker& maker) {
                       maker.add(CallRecord{kCaptureStart, kCaptureStart + 5, 5, 1, 77, CallDomain::Runtime, 0, 0});
                   }),
                   [](const FrameHeader& header) { return header.type != uint16_t(FrameType::Strings); });
    const auto trace = loadCapture(stream);
    QCOMPARE(trace.value()->report().countOf("missing_name"), uint64_t(2));
    QCOMPARE(trace.value()->sliceCount(), 2U);
    // Without its Begin, too, a source is read; it is called by its number.
    const auto headless = loadCapture(
        framesThat(stream, [](const FrameHeader& header) { return header.type != uint16_t(FrameType::Begin); }));
    QCOMPARE(trackText(*headless.value(), headless.value()->slices().track[0]), "0/7");
    QCOMPARE(trackText(*headless.value(), headless.value()->slices().track[1]), "source 0/5");
}

void tst_CaptureLosses::oddRecords() {
    const auto trace = loadCapture(captureWith([](CaptureMaker& maker) {
        SampleRecord sample{kCaptureStart, 1e300 * 1e10, 0, SampleKind::PowerWatts};
        maker.add(sample);
        maker.add(SampleRecord{kCaptureStart, 1, 0, SampleKind(77)});
        maker.add(SampleRecord{kCaptureStart, -1, 0, SampleKind::ThrottleReasons});
        maker.add(RangeRecord{kCaptureStart, 1, 5, 0, 0, RangeAction(9)});
        MemoryRecord memory;
        memory.time = kCaptureStart;
        memory.action = MemoryAction(7);
        maker.add(memory);
        memory.action = MemoryAction::Allocate;
        memory.bytes = ~uint64_t{0};
        maker.add(memory);
        AllocationRecord allocation;
        allocation.time = kCaptureStart;
        allocation.action = AllocationAction(99);
        maker.add(allocation);
        maker.add(ClockRecord{kCaptureStart + 1, 0, kCaptureStart + 2, std::numeric_limits<int64_t>::max()});
        maker.add(CallRecord{-5, 5, 5, 1, 0, CallDomain::Runtime, 0, 0});
        maker.writer().writeFrame(FrameType::Module, "short");
        maker.writer().writeFrame(FrameType::Kernels, "no records");
        maker.writer().writeFrame(FrameType::Strings, "no texts");
        maker.writer().writeFrame(FrameType::Facts, "no facts");
    }));
    QCOMPARE(trace.value()->report().countOf("odd_record"), uint64_t(11));
    QCOMPARE(trace.value()->report().countOf("bad_timestamp"), uint64_t(1));
    QCOMPARE(trace.value()->sliceCount(), 1U);
}

void tst_CaptureLosses::hostileSizes() {
    // A head that announces billions of records, and records of no bytes.
    for (const auto& [bytes, count] : {std::pair(136U, 0xffffffffU), std::pair(0U, 0xffffffffU), std::pair(8U, 1U)}) {
        const uint32_t head[2] = {bytes, count};
        std::string payload(reinterpret_cast<const char*>(head), sizeof head);
        const auto trace = loadCapture(framed(FrameType::Kernels, payload));
        QVERIFY(trace.ok());
        QCOMPARE(trace.value()->sliceCount(), 0U);
        QCOMPARE(trace.value()->report().countOf("odd_record"), uint64_t(1));
    }
    // Records of one byte: what they lack reads as zero, so they have no times.
    const uint32_t head[2] = {1, 1000};
    const std::string tiny = std::string(reinterpret_cast<const char*>(head), sizeof head) + std::string(1000, '\1');
    const auto trace = loadCapture(framed(FrameType::Kernels, tiny));
    QVERIFY(trace.ok());
    // Texts of scattered numbers do not make a row of billions.
    std::string texts;
    for (uint32_t i = 1; i < 1000; ++i) {
        appendText(texts, i * 4'000'000U, "x");
    }
    QVERIFY(loadCapture(framed(FrameType::Strings, texts)).ok());
}

void tst_CaptureLosses::bombs() {
    // It unpacks to more than it says, to less, or says more than a frame may hold.
    const std::string zeros(1'000'000, '\0');
    std::string packed(ZSTD_compressBound(zeros.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), zeros.data(), zeros.size(), 3));
    QCOMPARE(
        loadCapture(framed(FrameType::Output, packed, kPackedByZstd)).value()->report().countOf("unreadable_frames"),
        uint64_t(0));
    std::string cut = packed;
    cut.resize(cut.size() - 3);
    std::string lies = packed;
    for (const size_t at : {5U, 6U, 7U}) {
        lies[at] = '\x7f';  // of the length of the content
    }
    for (const std::string& bomb : {cut, lies, std::string("\x28\xb5\x2f\xfd\xa0\xff\xff\xff\x0f", 9),
                                    std::string("\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\xff\x7f", 13),
                                    std::string("no zstd"), std::string()}) {
        const auto trace = loadCapture(framed(FrameType::Output, bomb, kPackedByZstd));
        QVERIFY(trace.ok());
        QCOMPARE(trace.value()->report().countOf("unreadable_frames"), uint64_t(1));
    }
}

void tst_CaptureLosses::fullBuilder() {
    // A record may make a text, a source or an open range: each counts for the limit.
    const auto isStopped = [](const std::string& stream) {
        TraceBuilder builder;
        const FileId file = builder.addFile({});
        JobControl job;
        constexpr uint64_t kLimit = 200'000;
        builder.limitBytes(kLimit, job);
        const auto status = loaders::capture::CaptureLoader().load(makeMemorySource(stream), file, builder, {}, job);
        return !status.ok() && builder.isFull();
    };
    std::string texts;
    for (uint32_t i = 1; i < 5000; ++i) {
        appendText(texts, i, "some name or other " + std::to_string(i));
    }
    QVERIFY(isStopped(framed(FrameType::Strings, texts) + framed(FrameType::Output, "x", 0, 1)));
    std::string sources;
    for (uint32_t i = 0; i < 5000; ++i) {
        appendFrame(sources, FrameType::Output, i, 0, std::string_view("x"));
    }
    QVERIFY(isStopped(sources));
    QVERIFY(isStopped(captureWith([](CaptureMaker& maker) {
        for (uint64_t i = 0; i < 5000; ++i) {
            maker.add(RangeRecord{kCaptureStart, i, 5, maker.text("r"), 0, RangeAction::Push});
        }
    })));
    QVERIFY(isStopped(captureWith([](CaptureMaker& maker) {
        for (uint32_t i = 0; i < 5000; ++i) {
            maker.add(CallRecord{0, 0, 5, i * 100'000, 0, CallDomain::Runtime, 0, 0});
        }
    })));
    QVERIFY(!isStopped(captureWith([](CaptureMaker&) {})));
}

void tst_CaptureLosses::negativeDurations() {
    const auto trace = loadCapture(captureWith([](CaptureMaker& maker) {
        KernelRecord kernel = maker.kernel("back", 5000, 2);
        kernel.end = kernel.begin - 1;
        maker.add(kernel);
        kernel.begin = std::numeric_limits<int64_t>::max();
        kernel.end = kernel.begin;
        maker.add(kernel);
        maker.add(RangeRecord{kCaptureStart + 50, 1, 5, maker.text("r"), 0, RangeAction::Push});
        maker.add(RangeRecord{kCaptureStart + 40, 1, 5, 0, 0, RangeAction::Pop});
    }));
    QCOMPARE(trace.value()->report().countOf("negative_duration"), uint64_t(2));
    QCOMPARE(describeSlice(*trace.value(), "back"), "0/7 kernel 5000+0");
    QCOMPARE(describeSlice(*trace.value(), "r"), "1000/5 user_annotation 50+0");
    QCOMPARE(trace.value()->report().countOf("outlier"), uint64_t(1));
}

namespace {

/// As a view of a growing capture does: a builder a look.
std::shared_ptr<const Trace> lookAt(std::string_view bytes, loaders::capture::CaptureAppender::Growth growth,
                                    size_t piece = 100) {
    TraceBuilder builder;
    FileInfo info;
    info.path = "test";
    const FileId file = builder.addFile(info);
    loaders::capture::CaptureAppender appender(builder, file);
    loaders::capture::CaptureReader reader;
    for (size_t at = 0; at < bytes.size(); at += piece) {
        reader.add(bytes.substr(at, piece));
        while (const auto frame = reader.next()) {
            appender.add(*frame);
        }
    }
    static_cast<void>(appender.finish(reader.frames(), growth));
    JobControl job;
    return builder.seal(job, 1).value();
}

/// Without args, which need a source.
QStringList shape(const Trace& trace) {
    QStringList lines;
    const SliceColumns& s = trace.slices();
    for (uint32_t i = 0; i < s.size(); ++i) {
        lines << trackText(trace, s.track[i]) + " " + stringOf(trace, s.name[i]) +
                     QString(" %1+%2 %3 %4 @%5")
                         .arg(s.begin[i])
                         .arg(s.duration[i])
                         .arg(s.flags[i])
                         .arg(s.correlation[i])
                         .arg(s.sourceOffset[i]);
    }
    for (const Counter& counter : trace.counters()) {
        for (const CounterSeries& series : counter.series) {
            lines << counterText(trace, trace.string(counter.name), trace.string(series.name));
        }
    }
    return lines << QString::number(trace.instants().size()) << QString::number(trace.memoryEvents().size());
}

}  // namespace

void tst_CaptureLosses::growing() {
    using Growth = loaders::capture::CaptureAppender::Growth;
    const std::string whole = sampleCapture(2);
    for (const size_t piece : {size_t(1), size_t(77), whole.size()}) {
        QCOMPARE(shape(*lookAt(whole, Growth::Ended, piece)), shape(*loadCapture(whole).value()));
    }
    // While it grows, half a frame and a lacking end are nothing to report, and nothing is lost by the look.
    const auto borders = frameBorders(whole);
    uint32_t before = 0;
    for (size_t length = borders[1]; length < whole.size(); length += 97) {
        const auto trace = lookAt(std::string_view(whole).substr(0, length), Growth::Growing);
        QCOMPARE(trace->report().countOf("no_end") + trace->report().countOf("truncated"), uint64_t(0));
        QVERIFY(trace->sliceCount() + 1 >= before);  // a note of a launch goes once its call comes
        before = trace->sliceCount();
    }
    // Launches whose records are held back are moments, and no fault; once all has come they are calls without an end.
    std::string stream;
    CaptureMaker maker(stream);
    maker.begin("1000", "a");
    for (uint32_t i = 1; i <= 3; ++i) {
        capture::LaunchRecord note;
        note.time = maker.kernel("k", 1000 * i, i).begin;
        note.thread = 5;
        note.correlation = i;
        maker.add(note);
    }
    maker.flush();
    const auto held = lookAt(stream, Growth::Growing);
    QCOMPARE(held->sliceCount(), 0U);
    QCOMPARE(held->counts().instants, uint64_t(3));
    QCOMPARE(issuesOf(*held), QStringList());
    maker.end();
    const auto ended = lookAt(stream, Growth::Ended);
    QCOMPARE(ended->sliceCount(), 3U);
    QCOMPARE(ended->report().countOf("missing_duration"), uint64_t(3));
}

void tst_CaptureLosses::lastSecondsAlone() {
    using loaders::capture::CaptureAppender;
    std::string stream;
    CaptureMaker maker(stream);
    maker.begin("1000", "a");
    maker.addDevice();
    maker.addLaunch("early", 1000, 1);
    maker.flush();
    const size_t late = stream.size();
    maker.addLaunch("late", 1'000'000, 2);
    maker.flush();
    const std::string context = framesThat(std::string_view(stream).substr(0, late), [](const FrameHeader& header) {
        return CaptureAppender::isContext(FrameType(header.type));
    });
    const auto trace = lookAt(context + stream.substr(late), CaptureAppender::Growth::Growing);
    QVERIFY(!findSlice(*trace, "early").valid());
    QCOMPARE(describeSlice(*trace, "late"), "0/7 kernel 1005000+10000");
    QCOMPARE(describeSlice(*trace, "cudaLaunchKernel"), "1000/4242 cuda_runtime 1000000+2000");
    QCOMPARE(trace->devices()[0].name, std::string("NVIDIA H200"));
    QCOMPARE(trace->files()[0].baseTimeNs.value_or(0), kCaptureStart);
}

void tst_CaptureLosses::severalOriginsAreOne() {
    // A time of no recording is not what all others are counted from.
    const auto trace = loadCapture([] {
        std::string stream;
        CaptureMaker maker(stream);
        maker.add(CallRecord{std::numeric_limits<int64_t>::max() - 5, std::numeric_limits<int64_t>::max(), 5, 1, 0,
                             CallDomain::Runtime, 0, 0});
        maker.flush();
        maker.add(maker.kernel("k", 1'500'000'000, 1));
        maker.end();
        return stream;
    }());
    QCOMPARE(trace.value()->files()[0].baseTimeNs.value_or(0), kCaptureStart + 1'000'000'000);
    QCOMPARE(describeSlice(*trace.value(), "k"), "0/7 kernel 500000000+100");
}

QTEST_APPLESS_MAIN(tst_CaptureLosses)
#include "tst_capture_losses.moc"
