// SPDX-License-Identifier: MIT
// Proton's trees: one that Triton 3.6 wrote, small ones worked out by hand, and hostile ones.
#include <QFile>
#include <QTest>
#include <map>
#include <nlohmann/json.hpp>

#include "core/loaders/load_trace.h"
#include "core/loaders/proton_hatchet/hatchet_text.h"
#include "core/loaders/proton_hatchet/proton_hatchet_loader.h"
#include "tests/core/loaders/loader_testing.h"

using namespace warpline;
using namespace warpline::test;
using loaders::proton_hatchet::kMaxTreeDepth;
using loaders::proton_hatchet::ProtonHatchetLoader;

namespace {

/// "depth name begin+duration args" for slices, "- name time args" for marks, in the order of the file.
QStringList linesOf(const Trace& trace) {
    std::map<uint64_t, QString> lines;
    const auto argsText = [&](TrackId track, SourceRef source) {
        const auto args = trace.argsJson(track, source);
        return QString::fromStdString(args.ok() ? args.value() : args.error().message);
    };
    const SliceColumns& s = trace.slices();
    for (uint32_t i = 0; i < s.size(); ++i) {
        int depth = 0;
        for (EventRow parent = s.parent[i]; parent.valid(); ++depth) {
            parent = s.parent[parent.value];
        }
        lines[s.sourceOffset[i]] = QString("%1 %2 %3+%4 %5")
                                       .arg(depth)
                                       .arg(textOf(trace, s.name[i]))
                                       .arg(s.begin[i])
                                       .arg(s.duration[i])
                                       .arg(argsText(s.track[i], s.source(i)));
    }
    for (const Instant& i : trace.instants()) {
        lines[i.source.offset] =
            QString("- %1 %2 %3").arg(textOf(trace, i.name)).arg(i.time).arg(argsText(i.track, i.source));
    }
    QStringList list;
    for (const auto& [offset, line] : lines) {
        list << line;
    }
    return list;
}

/// A node with a time of its own.
QByteArray node(const QByteArray& name, const QByteArray& time, const QByteArray& children = "") {
    const QByteArray metrics = time.isEmpty() ? QByteArray() : "\"time (ns)\": " + time;
    return "{\"children\": [" + children + "], \"frame\": {\"name\": \"" + name +
           "\", \"type\": \"function\"}, \"metrics\": {" + metrics + "}}";
}

}  // namespace

class tst_ProtonHatchet : public QObject {
    Q_OBJECT

private slots:
    void realFile();
    void layout();
    void units();
    void keysInAnyOrder();
    void severalDevices();
    void deepTreesAreFolded();
    void odd_data();
    void odd();
    void refused_data();
    void refused();
    void sniffs_data();
    void sniffs();
    void damage_data();
    void damage();
    void damageAnywhereKeepsTheOtherNodes();
    void aDamagedHeadKeepsTheRest();
};

void tst_ProtonHatchet::realFile() {
    JobControl job;
    const auto loaded = loadTrace({WARPLINE_TEST_DATA_DIR "/proton.hatchet"}, {}, job);
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str());
    const Trace& trace = *loaded.value();
    QCOMPARE(QString::fromStdString(trace.files()[0].format), QString("proton-hatchet-json"));
    QCOMPARE(issueLines(trace), QStringList{"no_timeline info 1 @-1"});
    QCOMPARE(textOf(trace, trace.tracks()[0].label), QString("Proton (aggregated)"));
    QVERIFY(!trace.tracks()[0].isDevice && trace.kernelFacts().empty());
    QStringList lines = linesOf(trace);
    QCOMPARE(lines.size(), 7);
    // 2464 + (6848 + 56384) ns
    QCOMPARE(lines[0], QString(R"j(0 ROOT 0+65696 {"bytes":0,"count":0,"flops32":0,"time (ns)":0,"tokens":0})j"));
    QVERIFY(lines[1].startsWith("1 _ZN2at6native29vectorized_elementwise_kernel"));
    QVERIFY(lines[1].endsWith(R"j( 0+2464 {"count":1,"device_id":"0","device_type":"CUDA","time (ns)":2464})j"));
    QCOMPARE(lines[2], QString(R"j(1 step 2464+63232 {"tokens":8.0})j"));
    QCOMPARE(lines[3], QString("2 add 2464+6848 {}"));
    QCOMPARE(lines[4],
             QString(R"j(3 add_1048576 2464+6848 {"bytes":37748736,"count":3,"device_id":"0","device_type":"CUDA",)j"
                     R"j("flops32":3145728,"time (ns)":6848})j"));
    QCOMPARE(lines[5], QString("2 mm 9312+56384 {}"));
    // Time of a GPU is none of a CPU: no row of the op table.
    for (const uint8_t flags : trace.slices().flags) {
        QVERIFY((flags & kSliceIsSum) != 0);
    }
    QCOMPARE(trace.devices().size(), size_t(1));
    const DeviceInfo& device = trace.devices()[0];
    QCOMPARE(device.id, int64_t(0));
    QCOMPARE(QString::fromStdString(device.name), QString("CUDA sm_90"));
    QCOMPARE(device.computeMajor.value_or(-1), int64_t(9));
    QCOMPARE(device.computeMinor.value_or(-1), int64_t(0));
    QCOMPARE(device.smCount.value_or(-1), int64_t(132));
    QVERIFY(trace.files()[0].properties.at("proton_devices").find("\"memory_clock_rate\": 3201000") !=
            std::string::npos);
}

void tst_ProtonHatchet::layout() {
    // A parent with time of its own: its children stand first.
    const auto trace =
        loadBy(ProtonHatchetLoader(),
               "[" + node("root", "5", node("a", "10", node("b", "3")) + "," + node("c", "") + "," + node("d", "7")) +
                   "," + node("second", "1") + ", {}]");
    QVERIFY(trace.ok());
    QCOMPARE(linesOf(*trace.value()),
             (QStringList{R"j(0 root 0+25 {"time (ns)":5})j", R"j(1 a 0+13 {"time (ns)":10})j",
                          R"j(2 b 0+3 {"time (ns)":3})j", "- c 13 {}", R"j(1 d 13+7 {"time (ns)":7})j",
                          R"j(0 second 25+1 {"time (ns)":1})j"}));
    QCOMPARE(issueLines(*trace.value()), QStringList{"no_timeline info 1 @-1"});
    const SliceColumns& s = trace.value()->slices();
    for (uint32_t i = 0; i < s.size(); ++i) {
        if (trace.value()->string(s.name[i]) == "root") {
            QCOMPARE(trace.value()->selfDuration(EventRow(i)), DurationNs(5));
        }
    }
}

void tst_ProtonHatchet::units() {
    const auto trace = loadBy(
        ProtonHatchetLoader(),
        R"j([{"frame": {"name": "r"}, "metrics": {}, "children": [ {"frame": {"name": "ns"}, "metrics": {"time (ns)": 1.5}}, {"frame": {"name": "us"}, "metrics": {"time (us)": 2}}, {"frame": {"name": "ms"}, "metrics": {"time (ms)": 0.25}}, {"frame": {"name": "s"}, "metrics": {"time (s)": 1e-3}}, {"frame": {"name": "cpu"}, "metrics": {"cpu_time (ns)": 9}}]}])j");
    QVERIFY(trace.ok());
    QStringList lengths;
    for (const QString& line : linesOf(*trace.value())) {
        lengths << line.section(' ', 1, 2);
    }
    QCOMPARE(lengths,
             (QStringList{"r 0+1252002", "ns 0+2", "us 2+2000", "ms 2002+250000", "s 252002+1000000", "cpu 1252002"}));
}

void tst_ProtonHatchet::keysInAnyOrder() {
    const auto trace = loadBy(
        ProtonHatchetLoader(),
        R"j([{"metrics": {"time (ns)": 4, "list": [1, [2]], "object": { "time (ns)":99}}, "more": [{"a": 1}], "frame": {"type": "function", "name": "\u00e9"}, "children": []}])j");
    QVERIFY(trace.ok());
    QCOMPARE(
        linesOf(*trace.value()),
        QStringList{QString::fromUtf8("0 é 0+4 {\"time (ns)\":4,\"list\":[1,[2]],\"object\":{\"time (ns)\":99}}")});
}

void tst_ProtonHatchet::severalDevices() {
    const auto trace = loadBy(
        ProtonHatchetLoader(),
        "[" + node("r", "1") +
            R"j(, {"CUDA": {"0": {"arch": "89", "num_sms": 128}, "1": {"arch": "120", "num_sms": 170}, "x": {}}, "HIP": {"0": {"arch": "gfx90a", "num_sms": "many"}}}])j");
    QVERIFY(trace.ok());
    QStringList devices;
    for (const DeviceInfo& d : trace.value()->devices()) {
        devices << QString("%1 %2 %3.%4 %5")
                       .arg(d.id)
                       .arg(QString::fromStdString(d.name))
                       .arg(d.computeMajor.value_or(-1))
                       .arg(d.computeMinor.value_or(-1))
                       .arg(d.smCount.value_or(-1));
    }
    QCOMPARE(devices, (QStringList{"0 CUDA sm_89 8.9 128", "1 CUDA sm_120 12.0 170", "0 HIP gfx90a -1.-1 -1"}));
    QVERIFY(issueLines(*trace.value()).filter("odd_value warning 1").size() == 1);
}

void tst_ProtonHatchet::deepTreesAreFolded() {
    // Each level has a nanosecond of its own; those below the limit go to the last that is shown.
    constexpr int kDepth = 100'000;
    QByteArray text = "[";
    for (int i = 0; i < kDepth; ++i) {
        text += R"j({"frame":{"name":"f"},"metrics":{"time (ns)":1},"children":[)j";
    }
    for (int i = 0; i < kDepth; ++i) {
        text += "]}";
    }
    const auto trace = loadBy(ProtonHatchetLoader(), text + "]");
    QVERIFY(trace.ok());
    QCOMPARE(trace.value()->sliceCount(), kMaxTreeDepth);
    QCOMPARE(trace.value()->range()->length(), DurationNs(kDepth));
    QCOMPARE(trace.value()->report().countOf("too_deep"), uint64_t(kDepth - kMaxTreeDepth));
}

void tst_ProtonHatchet::odd_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("lines");
    QTest::addColumn<QStringList>("issues");
    const QString note = "no_timeline info 1 @-1";
    const QByteArray head = R"j([{"frame":{"name":"r"},"metrics":{"time (ns)":1},"children":[)j";
    QTest::newRow("cut in a child") << head + R"j({"frame":{"name":"a"},"metrics":{"time (ns)":2},"chi)j"
                                    << QStringList{R"j(0 r 0+3 {"time (ns)":1})j", R"j(1 a 0+2 {"time (ns)":2})j"}
                                    << QStringList{"truncated data_loss 1 @61", note};
    QTest::newRow("cut before a name") << head + R"j({"metrics":{"time (ns)":2)j"
                                       << QStringList{R"j(0 r 0+3 {"time (ns)":1})j", "1  0+2 null"}
                                       << QStringList{"truncated data_loss 1 @61", "missing_name info 1 @61", note};
    QTest::newRow("not JSON") << head + "NaN" << QStringList{R"j(0 r 0+1 {"time (ns)":1})j"}
                              << QStringList{"truncated data_loss 1 @1", "invalid_json warning 1 @61", note};
    QTest::newRow("text behind") << head + "]}]x" << QStringList{R"j(0 r 0+1 {"time (ns)":1})j"}
                                 << QStringList{"trailing_data warning 1 @64", note};
    QTest::newRow("no nodes among children")
        << head + "1, null, [2], \"x\"]}, 5]" << QStringList{R"j(0 r 0+1 {"time (ns)":1})j"}
        << QStringList{"not_an_event data_loss 5 @61", note};
    QTest::newRow("no numbers") << QByteArray(R"j([{"frame":{"name":7},"metrics":{"time (ns)":"1"}}])j")
                                << QStringList{R"j(-  0 {"time (ns)":"1"})j"}
                                << QStringList{"bad_metric warning 1 @1", "missing_name info 1 @1", note};
    QTest::newRow("negative") << "[" + node("r", "-5") + "]" << QStringList{R"j(- r 0 {"time (ns)":-5})j"}
                              << QStringList{"negative_duration warning 1 @1", note};
    QTest::newRow("too large") << "[" +
                                      node("r", "18446744073709551615",
                                           node("a", "8900000000000000000") + "," + node("b", "300000000000000000") +
                                               "," + node("c", "5")) +
                                      "]"
                               << QStringList{R"j(0 r 0+8900000000000000005 {"time (ns)":18446744073709551615})j",
                                              R"j(1 a 0+8900000000000000000 {"time (ns)":8900000000000000000})j",
                                              R"j(- b 8900000000000000000 {"time (ns)":300000000000000000})j",
                                              R"j(1 c 8900000000000000000+5 {"time (ns)":5})j"}
                               << QStringList{"bad_metric warning 2 @1", note};
    // As of args, the last of equal keys counts, in the sum too.
    QTest::newRow("a metric twice")
        << QByteArray(R"j([{"frame":{"name":"r"},"metrics":{"time (ns)":1,"count":2,"time (ns)":5}}])j")
        << QStringList{R"j(0 r 0+5 {"time (ns)":5,"count":2})j"} << QStringList{"duplicate_key info 1 @1", note};
    QTest::newRow("metrics and frame twice")
        << QByteArray(R"j([{"frame":{"name":"x"},"metrics":{"time (ns)":1,"time (us)":7},"frame":{"name":"r"},)j"
                      R"j("metrics":{"time (ns)":5},"children":[{"frame":{"name":"c"},"metrics":{"time (ns)":2}}]}])j")
        << QStringList{R"j(0 r 0+7 {"time (ns)":5})j", R"j(1 c 0+2 {"time (ns)":2})j"}
        << QStringList{"duplicate_key info 2 @1", note};
    QTest::newRow("a metric twice, the last is none")
        << QByteArray(R"j([{"frame":{"name":"r"},"metrics":{"time (ns)":5,"time (ns)":-1}}])j")
        << QStringList{R"j(- r 0 {"time (ns)":-1})j"}
        << QStringList{"negative_duration warning 1 @1", "duplicate_key info 1 @1", note};
    // What is nearly a number counts as one, and is said, since what stands there can be no args.
    for (const char* number : {"8.", "+8", "08", "8.e0", "8e"}) {
        const bool isNumber = QByteArray(number) != "8e";
        QTest::addRow("the number %s", number)
            << QByteArray(R"j([{"frame":{"name":"r"},"metrics":{"time (ns)":1},"children":[)j" + node("a", number) +
                          "]}]")
            << (isNumber && QByteArray(number) != "+8" ? QStringList{R"j(0 r 0+9 {"time (ns)":1})j", "1 a 0+8 null"}
                                                       : QStringList{R"j(0 r 0+1 {"time (ns)":1})j", "- a 0 null"})
            << (isNumber && QByteArray(number) != "+8"
                    ? QStringList{"invalid_json warning 1 @147", note}
                    : QStringList{"bad_metric warning 1 @61", "invalid_json warning 1 @147", note});
    }
    QTest::newRow("deep metrics")
        << QByteArray(R"j([{"frame":{"name":"r"},"children":[],"metrics":{"time (ns)":1,"a":[2,)j" +
                      QByteArray(400'000, '[') + QByteArray(400'000, ']') + "]}}]")
        << QStringList{R"j(0 r 0+1 {"time (ns)":1,"a":[2,)j" + QString(254, '[') + QString(254, ']') + "]}"}
        << QStringList{"too_deep warning 1 @1", note};
    QTest::newRow("cycles") << QByteArray(R"j([{"frame":{"name":"r"},"metrics":{"cycles":9},"children":[]}])j")
                            << QStringList{R"j(- r 0 {"cycles":9})j"} << QStringList{"no_times warning 1 @-1"};
}

void tst_ProtonHatchet::odd() {
    QFETCH(QByteArray, text);
    QFETCH(QStringList, lines);
    QFETCH(QStringList, issues);
    const auto trace = loadBy(ProtonHatchetLoader(), text);
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
    QCOMPARE(linesOf(*trace.value()), lines);
    QCOMPARE(issueLines(*trace.value()), issues);
}

void tst_ProtonHatchet::refused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("reason");
    QTest::newRow("events") << QByteArray(R"j([{"ph": "X", "name": "a", "ts": 1, "dur": 1}])j") << "no Proton profile";
    QTest::newRow("an object") << QByteArray("{}") << "no Proton profile";
    QTest::newRow("numbers") << QByteArray("[1, 2]") << "no Proton profile";
    QTest::newRow("cut at once") << QByteArray("[") << "ends before";
    QTest::newRow("deep lists") << QByteArray(1'000'000, '[') << "ends before";
}

void tst_ProtonHatchet::refused() {
    QFETCH(QByteArray, text);
    QFETCH(QString, reason);
    const auto trace = loadBy(ProtonHatchetLoader(), text);
    QVERIFY(!trace.ok());
    QVERIFY2(trace.error().message.find(reason.toStdString()) != std::string::npos, trace.error().message.c_str());
}

void tst_ProtonHatchet::sniffs_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("mine");
    QTest::newRow("tree") << "[" + node("r", "1") + "]" << true;
    QTest::newRow("tree, frame first") << QByteArray("\n[ {\"frame\": {\"name\": \"r\"}, \"children\": []") << true;
    QTest::newRow("deep tree, no frame yet") << QByteArray("[{\"children\": [{\"children\": [{\"children\": [") << true;
    QTest::newRow("events") << QByteArray("[{\"ph\": \"X\", \"args\": {\"frame\": {}, \"children\": []}}]") << false;
    QTest::newRow("another tree") << QByteArray("[{\"children\": [], \"name\": \"x\"}]") << false;
    QTest::newRow("nothing") << QByteArray() << false;
}

void tst_ProtonHatchet::sniffs() {
    QFETCH(QByteArray, text);
    QFETCH(bool, mine);
    QCOMPARE(ProtonHatchetLoader().sniff({std::string_view(text.data(), size_t(text.size())), "x"}) > 50, mine);
}

void tst_ProtonHatchet::damage_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("lines");  // without args
    const auto tree = [](const QByteArray& a, const QByteArray& b) {
        return "[{\"children\": [" + a + ",\n" + b +
               "],\n\"frame\": {\"name\": \"r\"},\n\"metrics\": {\"time (ns)\": 1}}]";
    };
    const auto child = [](const QByteArray& name) {
        return "{\"children\": [],\n\"frame\": {\"name\": \"" + name +
               "\", \"type\": \"function\"},\n\"metrics\": {\"time (ns)\": 4}}";
    };
    const auto changed = [](QByteArray text, const QByteArray& from, const QByteArray& to) {
        [&] { QVERIFY(text.contains(from)); }();
        return text.replace(text.indexOf(from), from.size(), to);
    };
    const QStringList all = {"0 r 0+9", "1 a 0+4", "1 b 4+4"};
    const QByteArray a = child("a");
    const QByteArray b = child("b");
    QTest::newRow("a number") << tree(changed(a, ": 4", ": x"), b) << QStringList{"0 r 0+5", "- a 0", "1 b 0+4"};
    QTest::newRow("a comma") << tree(a, b).replace("}},", "}}x") << all;
    QTest::newRow("comma of keys") << tree(changed(a, "],", "]x"), b) << all;
    QTest::newRow("colon") << tree(changed(a, "\"name\":", "\"name\"x"), b)
                           << QStringList{"0 r 0+9", "1  0+4", "1 b 4+4"};
    QTest::newRow("quote of a name") << tree(changed(a, "\"a\"", "\"ax"), b)
                                     << QStringList{"0 r 0+9", "1 ax, ", "1 b 4+4"};
    QTest::newRow("begin of a node") << tree(a, "x" + b.mid(1)) << all;
    QTest::newRow("end of a node") << tree(changed(a, "4}}", "4}x"), b) << all;
    QTest::newRow("end of the last node") << tree(a, changed(b, "4}}", "4}x")) << all;
    QTest::newRow("begin of a frame") << tree(changed(a, "\"frame\": {", "\"frame\": x"), b) << all;
    QTest::newRow("end of a frame") << tree(changed(a, "\"},", "\"x,"), b) << all;
    QTest::newRow("begin of children") << changed(tree(a, b), "[{\"children\": [", "[{\"children\": x") << all;
    QTest::newRow("end of children") << changed(tree(a, b), "],\n\"frame\": {\"name\": \"r",
                                                "x,\n\"frame\": {\"name\": \"r")
                                     << all;
    QTest::newRow("key of children") << changed(tree(a, b), "children", "chxldren") << all;
    QTest::newRow("a byte too many in the key of children") << changed(tree(a, b), "children", "c}hildren") << all;
    QTest::newRow("a byte too few in the key of children") << changed(tree(a, b), "children", "chldren") << all;
    QTest::newRow("most of the key of children") << changed(tree(a, b), "children", "c????ren") << all;
    QTest::newRow("children twice, under a key that is damaged")
        << changed(tree(a, b), "{\"children\": [", "{\"children\": [],\n\"c????ren\": [") << QStringList{"0 r 0+1"};
    QTest::newRow("quote of children") << changed(tree(a, b), "\"children\": [{", "xchildren\": [\n{") << all;
    QTest::newRow("key of a frame") << tree(changed(a, "frame\": {", "fr\"me\": {\n"), b)
                                    << QStringList{"0 r 0+9", "1  0+4", "1 b 4+4"};
}

void tst_ProtonHatchet::damage() {
    QFETCH(QByteArray, text);
    QFETCH(QStringList, lines);
    const auto trace = loadBy(ProtonHatchetLoader(), text);
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
    QStringList read;
    for (const QString& line : linesOf(*trace.value())) {
        read << line.section(' ', 0, 2);
    }
    std::ranges::sort(read);
    std::ranges::sort(lines);
    QVERIFY2(read == lines, qPrintable(read.join(" | ") + "   " + issueLines(*trace.value()).join(", ")));
    QVERIFY(trace.value()->report().countOf("invalid_json") > 0);
    QVERIFY(!trace.value()->report().complete());
}

void tst_ProtonHatchet::damageAnywhereKeepsTheOtherNodes() {
    QFile file(WARPLINE_TEST_DATA_DIR "/proton.hatchet");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    int loads = 0;
    int kept = 0;  // all nodes but one at most
    // Behind the begin of the outer list, without which it is another format.
    for (qsizetype at = 2; at < bytes.size() - 1; at += WARPLINE_SANITIZED ? 47 : 5) {
        for (const char byte : {'x', '"', '{', '}', '[', ']', ',', ':', '\0', '\n'}) {
            QByteArray damaged = bytes;
            damaged[at] = byte;
            const auto trace = loadBy(ProtonHatchetLoader(), damaged);
            const QString where = QString("%1 %2").arg(at).arg(int(byte));
            QVERIFY2(trace.ok(), qPrintable(where + (trace.ok() ? "" : trace.error().message.c_str())));
            const QStringList lines = linesOf(*trace.value());
            const bool isJson = nlohmann::json::accept(damaged.toStdString());
            const ImportReport& report = trace.value()->report();
            QVERIFY2(isJson || report.countOf("trailing_data") > 0 ||
                         (!report.complete() && report.countOf("invalid_json") > 0),
                     qPrintable(where));
            QVERIFY2(lines.size() >= 6 || report.lostCount() > 0 || isJson, qPrintable(where));
            ++loads;
            kept += lines.size() >= 6 ? 1 : 0;
            QVERIFY2(lines.filter("are no JSON").empty(), qPrintable(where));
        }
    }
    QVERIFY2(kept * 100 >= loads * 97, qPrintable(QString("%1 of %2").arg(kept).arg(loads)));
}

/// No first byte makes it another format, or nothing.
void tst_ProtonHatchet::aDamagedHeadKeepsTheRest() {
    QFile file(WARPLINE_TEST_DATA_DIR "/proton.hatchet");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    for (const QByteArray& text : withDamagedHead(bytes, 70)) {
        const auto trace = loadUnknown(text);
        QVERIFY2(trace.ok(), text.left(90).constData());
        QCOMPARE(trace.value()->files()[0].format, std::string("proton-hatchet-json"));
        const ImportReport& report = trace.value()->report();
        const bool isSaid = nlohmann::json::accept(text.toStdString()) || report.countOf("invalid_json") > 0;
        QVERIFY2(isSaid, text.left(90).constData());
        const qsizetype nodes = linesOf(*trace.value()).size();
        QVERIFY2(nodes >= 6, qPrintable(text.left(90) + " " + QByteArray::number(nodes) + " " +
                                        issueLines(*trace.value()).join(", ").toUtf8()));
    }
}

QTEST_APPLESS_MAIN(tst_ProtonHatchet)
#include "tst_proton_hatchet.moc"
