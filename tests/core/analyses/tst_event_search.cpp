// SPDX-License-Identifier: MIT
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <random>
#include <string>

#include "core/analyses/args_search.h"
#include "core/analyses/event_search.h"
#include "core/loaders/load_trace.h"
#include "tests/core/loaders/loader_testing.h"
#include "tests/support/trace_text.h"

Q_DECLARE_METATYPE(warpline::SearchQuery)

using namespace warpline;
using namespace warpline::test;

namespace {

SearchQuery queryFor(std::string text) {
    SearchQuery query;
    query.text = std::move(text);
    return query;
}
SearchQuery regexFor(std::string text) {
    SearchQuery query = queryFor(std::move(text));
    query.isRegex = true;
    return query;
}

SearchHits hitsOf(Result<SearchHits> result) {
    if (!result) {
        qWarning("%s", result.error().message.c_str());
        SearchHits none;
        none.note = "failed";
        return none;
    }
    return std::move(result).value();
}
SearchHits byName(const Trace& trace, const SearchQuery& query) {
    JobControl job;
    return hitsOf(findByName(trace, query, job));
}
SearchHits inArgs(const Trace& trace, const SearchQuery& query) {
    JobControl job;
    return hitsOf(findInArgs(trace, query, job));
}

/// "s:a s:b i:x": slices, instants, async slices, async instants, counters in this order.
QString namesOf(const Trace& trace, const SearchHits& hits) {
    QStringList names;
    for (const EventRow row : hits.slices) {
        names << "s:" + textOf(trace, trace.slices().name[row.value]);
    }
    for (const uint32_t i : hits.instants) {
        names << "i:" + textOf(trace, trace.instants()[i].name);
    }
    for (const uint32_t i : hits.asyncSlices) {
        names << "a:" + textOf(trace, trace.asyncSlices()[i].name);
    }
    for (const uint32_t i : hits.asyncInstants) {
        names << "n:" + textOf(trace, trace.asyncInstants()[i].name);
    }
    for (const uint32_t i : hits.counters) {
        names << "c:" + textOf(trace, trace.counters()[i].name);
    }
    return names.join(' ');
}

/// Strict JSON with its escapes as they are meant; by another hand than the program's.
std::string meantBy(const std::string& json) {
    std::string out;
    for (size_t i = 0; i < json.size(); ++i) {
        if (json[i] != '\\') {
            out += json[i];
            continue;
        }
        const char kind = json[++i];
        if (kind == 'u') {
            const QString one(QChar(QString::fromStdString(json.substr(i + 1, 4)).toUShort(nullptr, 16)));
            out += one.toStdString();
            i += 4;
        } else {
            const auto at = std::string_view("bfnrt").find(kind);
            out += at == std::string_view::npos ? kind : "\b\f\n\r\t"[at];
        }
    }
    return out;
}

/// Args of all slices as they are meant; empty without any.
std::vector<QByteArray> allArgs(const Trace& trace) {
    std::vector<QByteArray> all;
    for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
        const std::string args = trace.argsJson(EventRow(row)).value();
        all.push_back(args == "null" ? QByteArray() : QByteArray::fromStdString(meantBy(args)));
    }
    return all;
}

/// Rows whose args have the text, by begin. QByteArray::toLower() knows ASCII only.
std::vector<EventRow> slowRows(const Trace& trace, const std::vector<QByteArray>& args, const QByteArray& text) {
    std::vector<EventRow> rows;
    for (uint32_t row = 0; row < args.size(); ++row) {
        if (args[row].contains(text)) {
            rows.push_back(EventRow(row));
        }
    }
    std::ranges::stable_sort(rows, {}, [&](EventRow row) { return trace.slices().begin[row.value]; });
    return rows;
}

/// An event of each sort.
const QByteArray kAllSorts = R"([
    {"ph":"X","name":"gemm slice","cat":"op","pid":1,"tid":1,"ts":10,"dur":5,"args":{"key":"needle one"}},
    {"ph":"i","name":"gemm instant","cat":"op","pid":1,"tid":2,"ts":30,"s":"t","args":{"key":"needle two"}},
    {"ph":"i","name":"Gemm earlier instant","cat":"mark","pid":1,"tid":3,"ts":20,"s":"t"},
    {"ph":"b","name":"gemm async","cat":"op","id":1,"pid":1,"tid":1,"ts":40,"args":{"key":1}},
    {"ph":"n","name":"gemm step","cat":"op","id":1,"pid":1,"tid":1,"ts":42,"args":{"needle":3}},
    {"ph":"e","name":"gemm async","cat":"op","id":1,"pid":1,"tid":1,"ts":50,"args":{"at the end":"Needle four"}},
    {"ph":"C","name":"gemm counter","pid":1,"ts":60,"args":{"value":1}},
    {"ph":"C","name":"other counter","pid":1,"ts":60,"args":{"gemm series":1,"needle":2}},
    {"ph":"B","name":"pair","cat":"op","pid":1,"tid":1,"ts":70,"args":{"a":1}},
    {"ph":"E","pid":1,"tid":1,"ts":80,"args":{"b":"needle five"}},
    {"ph":"X","name":"needle is no args","cat":"op","pid":1,"tid":1,"ts":90,"dur":5},
    {"ph":"X","name":"null","cat":"op","pid":1,"tid":1,"ts":96,"dur":1,"args":{"empty":null}}])";

}  // namespace

class TestEventSearch : public QObject {
    Q_OBJECT
private slots:
    void names_data() {
        QTest::addColumn<SearchQuery>("query");
        QTest::addColumn<QString>("found");
        const auto matchCase = [](SearchQuery query) {
            query.matchCase = true;
            return query;
        };
        QTest::newRow("a part, in order of time") << queryFor("mm") << "s:gemm s:MM s:mm_out s:gemm";
        QTest::newRow("case matters") << matchCase(queryFor("mm")) << "s:gemm s:mm_out s:gemm";
        QTest::newRow("nothing") << queryFor("sgemm2") << "";
        QTest::newRow("empty") << queryFor("") << "";
        QTest::newRow("the readable form of a mangled name") << queryFor("float*") << "s:_Z5saxpyPf";
        QTest::newRow("and the mangled one") << queryFor("_z5") << "s:_Z5saxpyPf";
        QTest::newRow("regex, any case") << regexFor("^M") << "s:MM s:mm_out";
        QTest::newRow("regex, this case") << matchCase(regexFor("^M")) << "s:MM";
        QTest::newRow("regex, readable form") << regexFor("^saxpy\\(") << "s:_Z5saxpyPf";
        QTest::newRow("regex, letters beyond ASCII") << regexFor("\xc3\x89t\xc3\xa9") << "s:\xc3\xa9t\xc3\xa9";
        QTest::newRow("a text is no expression") << queryFor("m.*") << "";
    }
    void names() {
        QFETCH(SearchQuery, query);
        QFETCH(QString, found);
        const auto trace = traceFromText(
            "cpu main: gemm 0..100 { MM 10..20 mm_out 30..40 } gemm 110..120 \"\xc3\xa9t\xc3\xa9\" 130..140\n"
            "gpu 0 stream 7: _Z5saxpyPf 50..60");
        const SearchHits hits = byName(*trace, query);
        QCOMPARE(namesOf(*trace, hits), found);
        QCOMPARE(hits.total(), hits.slices.size());
        QVERIFY(hits.note.empty());
    }

    void badExpressions() {
        const auto trace = traceFromText("cpu main: gemm 0..100");
        JobControl job;
        for (const auto& result :
             {findByName(*trace, regexFor("gemm("), job), findInArgs(*trace, regexFor("gemm("), job)}) {
            QVERIFY(!result.ok() && !result.error().isCancelled());
            QVERIFY(QString::fromStdString(result.error().message).contains("gemm("));
        }
        const std::string hostile = std::string(40, 'a') + "b";
        const auto costly = findByName(*traceFromText("cpu main: " + hostile + " 0..1"), regexFor("(a+)+$"), job);
        QVERIFY(!costly.ok());
        QVERIFY(QString::fromStdString(costly.error().message).contains("too costly"));
    }

    void everySortOfEvent() {
        const auto loaded = loadText(kAllSorts);
        const Trace& trace = *loaded.value();
        const SearchHits hits = byName(trace, queryFor("gemm"));
        QCOMPARE(namesOf(trace, hits),
                 "s:gemm slice i:Gemm earlier instant i:gemm instant a:gemm async n:gemm step c:gemm counter "
                 "c:other counter");
        QCOMPARE(hits.total(), uint64_t{7});
    }

    void scope_data() {
        QTest::addColumn<qint64>("begin");
        QTest::addColumn<qint64>("end");
        QTest::addColumn<bool>("isOnFirstTrack");
        QTest::addColumn<QString>("category");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* name, qint64 begin, qint64 end, bool isOnFirstTrack, const char* category,
                            const char* text, const char* found) {
            QTest::newRow(name) << begin << end << isOnFirstTrack << QString(category) << QString(text)
                                << QString(found);
        };
        // Times are in ns, the file's in us.
        row("what touches the range", 14'000, 30'000, false, "", "", "s:gemm slice i:Gemm earlier instant");
        row("an async slice, its step and counters whose value holds", 45'000, 61'000, false, "", "",
            "a:gemm async c:gemm counter c:other counter");
        row("an empty range", 12'000, 12'000, false, "", "", "");
        row("a track", 0, 100'000, true, "", "", "s:gemm slice a:gemm async n:gemm step");
        row("a category", 0, 100'000, false, "mark", "", "i:Gemm earlier instant");
        row("no such category", 0, 100'000, false, "none", "", "");
        row("a text besides", 0, 100'000, false, "", "ST", "i:Gemm earlier instant i:gemm instant n:gemm step");
        row("a text of a series", 0, 100'000, false, "", "series", "c:other counter");
    }
    void scope() {
        QFETCH(qint64, begin);
        QFETCH(qint64, end);
        QFETCH(bool, isOnFirstTrack);
        QFETCH(QString, category);
        QFETCH(QString, text);
        QFETCH(QString, found);
        const auto loaded = loadText(kAllSorts);
        const Trace& trace = *loaded.value();
        SearchQuery query = queryFor("gemm");
        query.scope.range = TimeRange{begin, end};
        if (isOnFirstTrack) {
            query.scope.tracks = {trace.slices().track[0]};
        }
        if (!category.isEmpty()) {
            query.scope.categories = {category.toStdString()};
        }
        query.scope.text = text.toStdString();
        QCOMPARE(namesOf(trace, byName(trace, query)), found);
    }

    void manyHitsAreInOrder() {
        std::mt19937 random(5);
        std::string text;
        for (int track = 0; track < 20; ++track) {
            text += "track 1/" + std::to_string(track) + ":";
            for (int i = 0; i < 60; ++i) {
                const int begin = static_cast<int>(random() % 1000);
                text += (i % 3 == 0 ? " other " : " wanted ") + std::to_string(begin) + ".." +
                        std::to_string(begin + static_cast<int>(random() % 50));
            }
            text += '\n';
        }
        const auto trace = traceFromText(text);
        const SliceColumns& slices = trace->slices();
        std::vector<EventRow> expected;
        for (uint32_t row = 0; row < slices.size(); ++row) {
            if (trace->sliceName(EventRow(row)) == "wanted") {
                expected.push_back(EventRow(row));
            }
        }
        std::ranges::stable_sort(expected, {}, [&](EventRow row) { return slices.begin[row.value]; });
        QCOMPARE(expected.size(), size_t{800});
        QCOMPARE(byName(*trace, queryFor("ANT")).slices, expected);
    }

    void args_data() {
        QTest::addColumn<SearchQuery>("query");
        QTest::addColumn<QString>("found");
        QTest::newRow("every sort of event, and what is at the end of a pair")
            << queryFor("needle") << "s:gemm slice s:pair i:gemm instant a:gemm async n:gemm step";
        QTest::newRow("a key and its value") << queryFor("\"key\": 1") << "a:gemm async";
        QTest::newRow("values of two members") << queryFor("1, \"b\": \"n") << "s:pair";
        QTest::newRow("what has no args has no null") << queryFor("null") << "s:null";
        QTest::newRow("punctuation alone")
            << queryFor("{\"") << "s:gemm slice s:pair s:null i:gemm instant a:gemm async n:gemm step";
        QTest::newRow("regex") << regexFor("NEEDLE (one|two)\"") << "s:gemm slice i:gemm instant";
        QTest::newRow("nothing") << queryFor("needle six") << "";
        QTest::newRow("empty") << queryFor("") << "";
    }
    void args() {
        QFETCH(SearchQuery, query);
        QFETCH(QString, found);
        for (const bool packed : {false, true}) {
            const auto loaded = loadSource(packed ? makeGzipSource(makeMemoryBytes(gzipped(kAllSorts).toStdString()))
                                                  : makeMemorySource(kAllSorts.toStdString()));
            const Trace& trace = *loaded.value();
            const SearchHits hits = inArgs(trace, query);
            QCOMPARE(namesOf(trace, hits), found);
            QVERIFY(hits.argsComplete && hits.note.empty());
        }
    }

    void argsInScope() {
        const auto loaded = loadText(kAllSorts);
        SearchQuery query = queryFor("needle");
        query.scope.range = TimeRange{14'000, 35'000};
        QCOMPARE(namesOf(*loaded.value(), inArgs(*loaded.value(), query)), "s:gemm slice i:gemm instant");
        query.scope.text = "slice";
        QCOMPARE(namesOf(*loaded.value(), inArgs(*loaded.value(), query)), "s:gemm slice");
    }

    void escapes_data() {
        QTest::addColumn<QByteArray>("written");
        QTest::addColumn<QByteArray>("asked");
        QTest::addColumn<bool>("found");
        const auto row = [](const char* name, const QByteArray& written, const QByteArray& asked, bool found) {
            QTest::newRow(name) << written << asked << found;
        };
        row("an escaped letter", R"("caf\u00e9")", "caf\xc3\xa9", true);
        row("the letter itself", "\"caf\xc3\xa9\"", "caf\xc3\xa9", true);
        row("a letter of ASCII, escaped", R"("\u0067emm")", "GEMM", true);
        row("a quote", "\"say \\\"yes\\\" now\"", "\"yes\" now", true);
        row("a path", R"("C:\\kernels\\new.cu")", "C:\\kernels\\new", true);
        row("a slash", R"("a\/b")", "a/b", true);
        row("a line break is no n", R"("a\nb")", "nb", false);
        row("a line break", R"("a\nb")", "a\nb", true);
        row("blanks between tokens do not count", "[[32,64],  [ 1 ]]", "[[32, 64], [1]]", true);
        row("blanks in texts do", "\"a b\"", "ab", false);
        row("names with colons", "\"at::native::add\"", "native::add", true);
        row("a colon and a blank in a text", "\"shape: 7\"", "shape: 7", true);
        row("a comma in a text", "\"f<4, float>\"", "f<4, float>", true);
        row("a word that JSON does not know", "nan", ": \"nan\"", true);
        row("a decimal comma", "0,5", "\"0,5\"", true);
        row("bad bytes",
            "\"a\xff"
            "b\"",
            "a\xef\xbf\xbd"
            "b",
            true);
        row("a value that is missing", "", "null", true);
    }
    void escapes() {
        QFETCH(QByteArray, written);
        QFETCH(QByteArray, asked);
        QFETCH(bool, found);
        const auto loaded = loadText(
            "[{\"ph\":\"X\",\"name\":\"s\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"args\":{\"v\":" + written + "}}]");
        QCOMPARE(namesOf(*loaded.value(), inArgs(*loaded.value(), queryFor(asked.toStdString()))),
                 QString(found ? "s:s" : ""));
    }

    /// The short way and reading everything agree, on what producers really write.
    void findsWhatReadingAllFinds_data() {
        QTest::addColumn<QString>("path");
        for (const char* name : {"decode_16_tokens.trace.json.gz", "jax.trace.json.gz", "node_trace.json",
                                 "clang_time_trace.json", "perfetto/chromium.pftrace", "nsys/graphs.sqlite.gz",
                                 "proton.hatchet", "proton_instrumented.chrome_trace"}) {
            QTest::newRow(name) << QString(WARPLINE_TEST_DATA_DIR "/") + name;
        }
    }
    void findsWhatReadingAllFinds() {
        QFETCH(QString, path);
        JobControl job;
        const auto loaded = loadTrace({path.toStdString()}, {}, job);
        QVERIFY(loaded.ok());
        const Trace& trace = *loaded.value();
        const std::vector<QByteArray> args = allArgs(trace);
        std::vector<QByteArray> small = args;
        std::ranges::transform(small, small.begin(), [](const QByteArray& text) { return text.toLower(); });
        // Pieces of what is there, whatever they begin and end with.
        std::mt19937 random(11);
        std::vector<QByteArray> asked = {"stream", "\"correlation\": 1", "[]", "at::", "/"};
        for (int i = 0; i < (WARPLINE_SANITIZED ? 2 : 10); ++i) {
            const QByteArray& some = args[random() % args.size()];
            if (!some.isEmpty()) {
                asked.push_back(some.mid(static_cast<qsizetype>(random()) % some.size(), 1 + random() % 30));
            }
        }
        size_t hits = 0;
        for (const QByteArray& text : asked) {
            SearchQuery query = queryFor(text.toStdString());
            QVERIFY2(inArgs(trace, query).slices == slowRows(trace, small, text.toLower()), text.constData());
            query.matchCase = true;
            const std::vector<EventRow> expected = slowRows(trace, args, text);
            QVERIFY2(inArgs(trace, query).slices == expected, text.constData());
            hits += expected.size();
        }
        QVERIFY(hits > 0);
    }

    void scannableParts_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        QTest::newRow("a word") << "gemm"
                                << "gemm";
        QTest::newRow("a key and its value") << "\"stream\": 17"
                                             << "stream";
        QTest::newRow("the longer one") << "\"id\": 1234567"
                                        << "1234567";
        QTest::newRow("colons in a text") << "at::native::add"
                                          << "at::native::add";
        QTest::newRow("a colon in front") << ": 77"
                                          << "77";
        QTest::newRow("a list") << "[[32, 64]"
                                << "32";
        QTest::newRow("blanks in a text stay") << "Memcpy HtoD "
                                               << "Memcpy HtoD ";
        QTest::newRow("blanks between do not") << ", 64"
                                               << "64";
        QTest::newRow("none") << "\"}, {\""
                              << "";
        QTest::newRow("long") << QString(100, 'a') << QString(64, 'a');
    }
    void scannableParts() {
        QFETCH(QString, text);
        QFETCH(QString, part);
        QCOMPARE(QString::fromStdString(scannablePart(text.toStdString())), part);
    }

    void aChangedFileIsSaid() {
        QTemporaryDir folder;
        QFile file(folder.filePath("a.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(kAllSorts);
        file.close();
        JobControl job;
        const auto loaded = loadTrace({file.fileName().toStdString()}, {}, job);
        QVERIFY(loaded.ok());
        QCOMPARE(inArgs(*loaded.value(), queryFor("needle")).total(), uint64_t{5});
        QVERIFY(file.open(QIODevice::Append));
        file.write("\n");
        file.close();
        // By scanning, and by reading each.
        for (const SearchQuery& query : {queryFor("needle"), regexFor("needle")}) {
            const SearchHits hits = inArgs(*loaded.value(), query);
            QCOMPARE(hits.total(), uint64_t{0});
            QVERIFY(!hits.argsComplete);
            QVERIFY2(hits.note.find("changed") != std::string::npos, hits.note.c_str());
        }
        QCOMPARE(byName(*loaded.value(), queryFor("gemm")).total(), uint64_t{7});
    }

    void costlyArgsAreCounted() {
        const QByteArray hostile = QByteArray(40, 'a') + 'b';
        const auto loaded = loadText(
            "[{\"ph\":\"X\",\"name\":\"s\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"args\":{\"v\":\"" + hostile +
            "\"}},{\"ph\":\"X\",\"name\":\"t\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":1,\"args\":\"aa\"}]");
        const SearchHits hits = inArgs(*loaded.value(), regexFor("(a+)+\"$"));
        QCOMPARE(namesOf(*loaded.value(), hits), "s:t");
        QVERIFY(!hits.argsComplete);
        QVERIFY2(hits.note.starts_with("the args of one event could not be searched"), hits.note.c_str());
    }

    void several() {
        QTemporaryDir folder;
        std::vector<std::string> paths;
        for (const char* name : {"a.json", "b.json"}) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            // In the second file the same places hold other events.
            file.write(QByteArray("{\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[") +
                       (paths.empty() ? ""
                                      : "{\"ph\":\"X\",\"name\":\"plain\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,"
                                        "\"args\":{\"key\":\"nothing here\"}},") +
                       "{\"ph\":\"X\",\"name\":\"in " + name +
                       "\",\"pid\":1,\"tid\":1,\"ts\":3,\"dur\":1,\"args\":{\"key\":\"needle\"}}]}");
            paths.push_back(file.fileName().toStdString());
        }
        JobControl job;
        const auto loaded = loadTrace(paths, {}, job);
        QVERIFY(loaded.ok());
        QCOMPARE(namesOf(*loaded.value(), inArgs(*loaded.value(), queryFor("needle"))), "s:in a.json s:in b.json");
    }

    void unions() {
        const auto loaded = loadText(kAllSorts);
        const Trace& trace = *loaded.value();
        SearchHits args = inArgs(trace, queryFor("needle"));
        const SearchHits names = byName(trace, queryFor("gemm"));
        args.note = "a note";
        args.argsComplete = false;
        const SearchHits both = unionOf(trace, names, args);
        QCOMPARE(namesOf(trace, both),
                 "s:gemm slice s:pair i:Gemm earlier instant i:gemm instant a:gemm async n:gemm step c:gemm counter "
                 "c:other counter");
        QCOMPARE(both.note, "a note");
        QVERIFY(!both.argsComplete);
        QCOMPARE(namesOf(trace, unionOf(trace, args, names)), namesOf(trace, both));
        QCOMPARE(unionOf(trace, {}, {}).total(), uint64_t{0});
    }

    void nothingToSearch() {
        const auto trace = traceFromText("");
        for (const SearchQuery& query : {queryFor("a"), regexFor("a"), regexFor("")}) {
            QCOMPARE(byName(*trace, query).total(), uint64_t{0});
            QCOMPARE(inArgs(*trace, query).total(), uint64_t{0});
        }
        // Made without a file: there are no args to read.
        const auto made = traceFromText("cpu main: gemm 0..100");
        QCOMPARE(inArgs(*made, regexFor(".")).total(), uint64_t{0});
    }

    void stopsWhenAsked() {
        const auto loaded = loadText(kAllSorts);
        for (const SearchQuery& query : {queryFor("gemm"), queryFor("{"), regexFor("gemm"), queryFor("")}) {
            JobControl job;
            job.requestStop();
            const auto names = findByName(*loaded.value(), query, job);
            QVERIFY(!names.ok() && names.error().isCancelled());
            const auto args = findInArgs(*loaded.value(), query, job);
            QVERIFY(!args.ok() && args.error().isCancelled());
        }
    }
};

QTEST_APPLESS_MAIN(TestEventSearch)
#include "tst_event_search.moc"
