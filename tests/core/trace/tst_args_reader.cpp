// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/trace/args_reader.h"
#include "core/trace/trace_builder.h"

using namespace warpline;

namespace {

/// Args are the place of the event; 20 and 40 cannot be read, at 50 the disk fails.
class FailingSource final : public EventSource {
public:
    Result<std::string> argsJson(SourceRef event, SourceRef) const override {
        if (event.offset == 20 || event.offset == 40) {
            return Error::failed("torn at " + std::to_string(event.offset), std::string(kUnreadableArgs));
        }
        if (event.offset == 50) {
            return Error::failed("input/output error");
        }
        if (event.offset == 60) {
            return Error::failed("a.json: has changed", "file_changed");
        }
        return std::to_string(event.offset);
    }
};

}  // namespace

class tst_ArgsReader : public QObject {
    Q_OBJECT

private slots:
    void oneEventCostsNoMoreThanItsArgs();
};

void tst_ArgsReader::oneEventCostsNoMoreThanItsArgs() {
    TraceBuilder builder;
    FileInfo info;
    info.path = "a.json";
    info.source = std::make_shared<FailingSource>();
    const FileId file = builder.addFile(info);
    const TrackId track = builder.track(builder.process(file, "1"), "2");
    for (int i = 1; i <= 3; ++i) {
        SliceRecord slice;
        slice.begin = i * 10;
        slice.duration = 5;
        slice.track = track;
        slice.source = {static_cast<uint64_t>(i) * 10, 1};
        builder.addSlice(slice);
    }
    JobControl job;
    const auto trace = builder.seal(job, 1);
    QVERIFY(trace.ok());
    ArgsReader reader(*trace.value());
    QCOMPARE(reader.read(EventRow(0U)).value(), std::string("10"));
    QCOMPARE(reader.unreadable(), uint64_t(0));
    QVERIFY(reader.issues().empty());
    QCOMPARE(reader.read(track, SourceRef{40, 1}).value(), std::string("null"));
    QCOMPARE(reader.read(EventRow(1U)).value(), std::string("null"));
    QCOMPARE(reader.read(EventRow(2U)).value(), std::string("30"));
    QCOMPARE(reader.unreadable(), uint64_t(2));
    const std::vector<Issue> issues = reader.issues();
    QCOMPARE(issues.size(), size_t(1));
    QCOMPARE(issues[0].severity, Severity::Warning);
    QCOMPARE(issues[0].firstOffset, std::optional<uint64_t>(20));
    QCOMPARE(issues[0].message,
             std::string("2 events' args cannot be read again and are left out (the first: torn at 20)"));
    // What is wrong with the file is no fault of one event, and says which file it is.
    const auto failed = reader.read(track, SourceRef{50, 1});
    QVERIFY(!failed.ok());
    QCOMPARE(failed.error().message, std::string("a.json: input/output error"));
    QCOMPARE(reader.read(track, SourceRef{60, 1}).error().message, std::string("a.json: has changed"));
}

QTEST_APPLESS_MAIN(tst_ArgsReader)
#include "tst_args_reader.moc"
