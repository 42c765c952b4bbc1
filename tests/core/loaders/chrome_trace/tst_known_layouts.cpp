// SPDX-License-Identifier: MIT
// Events read by a known layout have the members that a scan of their text finds, and what a scan finds odd is not
// read so.
#include <QTest>

#include <array>
#include <cstring>
#include <memory>

#include "core/loaders/chrome_trace/byte_block.h"
#include "core/loaders/chrome_trace/known_layouts.h"

using namespace warpline::loaders::chrome_trace;

namespace {

/// As the lenient scanner finds it: an implementation of its own.
struct Scanned {
    bool isStrict = false;
    size_t end = 0;
    std::vector<Member> fields, args;

    Scanned(std::string_view text, size_t pos) {
        const Scan scan = scanObject(text, pos, 64, fields);
        end = scan.end;
        isStrict = scan.status == ScanStatus::Ok && scan.oddities == 0;
        std::string strict;
        isStrict = isStrict && appendStrictJson(text.substr(pos, end - pos), 64, strict) == 0;
        for (const Member& member : fields) {
            if (member.key == "args" && member.value.front() == '{') {
                scanObject(member.value, 0, 64, args);
            }
        }
    }
    EventSlots values() const {
        EventSlots found;
        for (const Member& member : fields) {
            found.set(slotOfField(member.key), member.value);
        }
        for (const Member& member : args) {
            found.set(slotOfArg(member.key), member.value);
        }
        return found;
    }
};

/// Text of its own memory, so that a read beyond its end is one beyond a block.
std::unique_ptr<char[]> exactCopy(std::string_view text) {
    auto copy = std::make_unique<char[]>(text.size());
    std::memcpy(copy.get(), text.data(), text.size());
    return copy;
}

bool learn(KnownLayouts& layouts, std::string_view event) {
    const Scanned scanned(event, 0);
    layouts.learn(event.substr(0, scanned.end), scanned.fields, scanned.args);
    return scanned.isStrict;
}

const std::string kBehind = ", {\"ph\": \"X\", \"name\": \"next\"}";
const std::vector<std::string> kEvents = {
    R"({"ph": "X", "cat": "kernel", "name": "k<int>", "pid": 0, "tid": 7, "ts": 12.345, "dur": 1, "args": {)"
    R"("External id": 9, "device": 0, "stream": 7, "correlation": 11, "grid": [132, 1, 1], "block": [128, 1, 1], )"
    R"("est. achieved occupancy %": 0.5}})",
    R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 2, "ts": 3, "dur": 4.5, "args": {)"
    R"("External id": 9, "Input Dims": [[4096, 4096], [2, 0], []], "Concrete Inputs": ["", "true", "-1"], )"
    R"("Fwd thread id": 0, "flags": {"a": null, "b": [false, -1.5e3]}}})",
    R"({"ph":"s","id":5,"pid":1,"tid":2,"ts":3,"cat":"ac2g","name":"ac2g"})",
    "{\n    \"ph\": \"X\" ,\n    \"args\": {\n    }\n  }",
    R"({"name": "c", "ph": "C", "pid": "a b", "ts": -0.5, "args": {"x": 1, "y": "2"}})",
};

}  // namespace

class tst_KnownLayouts : public QObject {
    Q_OBJECT

private slots:
    void readsWhatItHasLearned();
    void otherValuesOfTheSameLayout();
    void leavesAlone_data();
    void leavesAlone();
    void slotsOfTheLastLayoutAreGone();
    void everyByteChanged();
    void cutAtEveryByte();
    void depthOfArgs();
    void argsWithoutMembers();
    void isFullInTheEnd();
    void blocksAgree();
};

void tst_KnownLayouts::readsWhatItHasLearned() {
    KnownLayouts layouts(64);
    for (const std::string& event : kEvents) {
        QVERIFY(!layouts.read(event + kBehind, 0));
        QVERIFY(learn(layouts, event));
    }
    for (int round = 0; round < 2; ++round) {
        for (const std::string& event : kEvents) {
            const std::string text = " " + event + kBehind;
            QVERIFY2(layouts.read(text, 1), event.c_str());
            QCOMPARE(layouts.end(), event.size() + 1);
            const Scanned scanned(text, 1);
            QCOMPARE(layouts.args().size(), scanned.args.size());
            for (size_t i = 0; i < scanned.args.size(); ++i) {
                QCOMPARE(layouts.args()[i].key, scanned.args[i].key);
                QCOMPARE(layouts.args()[i].value, scanned.args[i].value);
            }
        }
    }
    layouts.forget();
    QVERIFY(!layouts.read(kEvents[0] + kBehind, 0));
}

void tst_KnownLayouts::otherValuesOfTheSameLayout() {
    KnownLayouts layouts(64);
    QVERIFY(
        learn(layouts, R"({"ph":"X","cat":"kernel","name":"a","pid":1,"tid":2,"ts":1.5,"dur":2,"args":{"x":[1]}})"));
    const std::string text =
        R"({"ph":"X","cat":"kernel","name":"much longer (than) <before>","pid":-1,"tid":0,"ts":1e5,"dur":null,"args":{"x":{}}})" +
        kBehind;
    // An object in place of an array is another layout.
    QVERIFY(!layouts.read(text, 0));
    std::string other = text;
    other.replace(other.find("{}"), 2, "[]");
    QVERIFY(layouts.read(other, 0));
    QCOMPARE(layouts.values()[Slot::Phase], std::string_view("\"X\""));
    QCOMPARE(layouts.values()[Slot::Category], std::string_view("\"kernel\""));
    QCOMPARE(layouts.values()[Slot::Name], std::string_view("\"much longer (than) <before>\""));
    QCOMPARE(layouts.values()[Slot::Pid], std::string_view("-1"));
    QCOMPARE(layouts.values()[Slot::Ts], std::string_view("1e5"));
    QCOMPARE(layouts.values()[Slot::Dur], std::string_view("null"));
    QCOMPARE(layouts.args().front().value, std::string_view("[]"));
}

void tst_KnownLayouts::leavesAlone_data() {
    QTest::addColumn<QByteArray>("dur");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("list");
    const auto row = [](const char* dur, const char* name, const char* list) {
        QTest::addRow("%s %s %s", dur, name, list) << QByteArray(dur) << QByteArray(name) << QByteArray(list);
    };
    for (const char* dur : {"01", "1.", ".5", "-", "+1", "1e", "NaN", "tru", "0x1", "1 2", "\"1\"", ""}) {
        row(dur, "n", "[1]");
    }
    for (const char* name : {"a\\n", "a\\u0041", "\xc3\xa9", "a\x01", "a\tb", "a\"b", "12345678\\\\", "1234567\x1f"}) {
        row("1", name, "[1]");
    }
    for (const char* list : {"[1,]", "[,1]", "[1 2]", "[01]", "[nan]", "[1", "[1}", "[[1]", "[\"\\q\"]", "[{\"a\":1,}]",
                             "[{\"a\" 1}]", "[{a:1}]", "[{\"a\":}]", "[{1:1}]", "[\"\xff\"]", "[{\"a\":1,\"a\":2}]",
                             "[{\"b\":{\"a\":1},\"c\":2,\"b\":[]}]", "[{},[{\"a\":{\"c\":1,\"c\":1}}]]"}) {
        row("1", "n", list);
    }
}

void tst_KnownLayouts::leavesAlone() {
    QFETCH(QByteArray, dur);
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, list);
    const auto event = [](const QByteArray& d, const QByteArray& n, const QByteArray& l) {
        return ("{\"ph\":\"X\",\"name\":\"" + n + "\",\"ts\":1,\"dur\":" + d + ",\"args\":{\"x\":" + l + "}}")
            .toStdString();
    };
    KnownLayouts layouts(64);
    QVERIFY(learn(layouts, event("1", "n", "[1]")));
    QVERIFY(layouts.read(event("2.5", "nnn", "[2, [3]]") + kBehind, 0));
    QVERIFY(layouts.read(event("1", "n", "[{\"a\":1},{\"a\":2,\"b\":{\"a\":[{\"b\":1}]}}]") + kBehind, 0));
    QVERIFY(!layouts.read(event(dur, name, list) + kBehind, 0));
}

void tst_KnownLayouts::slotsOfTheLastLayoutAreGone() {
    KnownLayouts layouts(64);
    for (const std::string& event : kEvents) {
        QVERIFY(learn(layouts, event));
    }
    for (size_t a = 0; a < kEvents.size(); ++a) {
        for (size_t b = 0; b < kEvents.size(); ++b) {
            const std::string first = kEvents[a] + kBehind;
            const std::string second = kEvents[b] + kBehind;
            QVERIFY(layouts.read(first, 0));
            QVERIFY(layouts.read(second, 0));
            const EventSlots expected = Scanned(second, 0).values();
            for (uint8_t slot = 0; slot < static_cast<uint8_t>(Slot::None); ++slot) {
                // Members of args have slots of their own.
                if (Slot(slot) != Slot::Args) {
                    QCOMPARE(layouts.values()[Slot(slot)], expected[Slot(slot)]);
                }
            }
        }
    }
}

/// Whatever is read by its layout is strict JSON with these members.
void tst_KnownLayouts::everyByteChanged() {
    KnownLayouts layouts(64);
    for (const std::string& event : kEvents) {
        QVERIFY(learn(layouts, event));
    }
    const std::string bytes = std::string("\0\x01\x1f \t\n\"\\/,:[]{}019.-+eEntfX", 27) + "\x7f\x80\xc3\xff";
    size_t reads = 0;
    for (const std::string& event : kEvents) {
        for (size_t at = 0; at < event.size(); ++at) {
            for (const char byte : bytes) {
                std::string text = event + kBehind;
                text[at] = byte;
                if (!layouts.read(text, 0)) {
                    continue;
                }
                ++reads;
                const Scanned scanned(text, 0);
                QVERIFY2(scanned.isStrict, text.c_str());
                QCOMPARE(layouts.end(), scanned.end);
                const EventSlots expected = scanned.values();
                for (uint8_t slot = 0; slot < static_cast<uint8_t>(Slot::None); ++slot) {
                    if (Slot(slot) != Slot::Args) {
                        QCOMPARE(layouts.values()[Slot(slot)], expected[Slot(slot)]);
                    }
                }
                QCOMPARE(layouts.args().size(), scanned.args.size());
            }
        }
    }
    QVERIFY(reads > 1000);
}

void tst_KnownLayouts::cutAtEveryByte() {
    KnownLayouts layouts(64);
    for (const std::string& event : kEvents) {
        QVERIFY(learn(layouts, event));
    }
    for (const std::string& event : kEvents) {
        for (size_t size = 0; size < event.size(); ++size) {
            const auto text = exactCopy(std::string_view(event).substr(0, size));
            QVERIFY(!layouts.read({text.get(), size}, 0));
        }
        // Right at the end of the text there is no room for comparing in blocks, but just before it there is.
        const std::string blanks(kBlockBytes, ' ');
        const auto text = exactCopy(event + blanks);
        QVERIFY(layouts.read({text.get(), event.size() + blanks.size()}, 0));
    }
}

void tst_KnownLayouts::depthOfArgs() {
    const auto event = [](const char* list) { return std::string(R"({"ph":"X","args":{"x":)") + list + "}}"; };
    for (const uint32_t depth : {0U, 1U, 2U, 3U}) {
        KnownLayouts layouts(depth);
        QVERIFY(learn(layouts, event("[1]")));
        QCOMPARE(layouts.read(event("[2]") + kBehind, 0), depth >= 2);
        QCOMPARE(layouts.read(event("[[2]]") + kBehind, 0), depth >= 3);
        QVERIFY(!layouts.read(event("[[[2]]]") + kBehind, 0));
    }
    // However deep args may be, values are read so to a depth that is bounded.
    KnownLayouts layouts(UINT32_MAX);
    QVERIFY(learn(layouts, event("[1]")));
    QVERIFY(!layouts.read(event((std::string(100, '[') + std::string(100, ']')).c_str()) + kBehind, 0));
}

/// Args that are empty once are another layout than args with members: those are no value that is passed over.
void tst_KnownLayouts::argsWithoutMembers() {
    KnownLayouts layouts(64);
    QVERIFY(learn(layouts, R"({"ph":"C","name":"c","ts":1,"args":{}})"));
    QVERIFY(layouts.read(R"({"ph":"C","name":"d","ts":2,"args":{}})" + kBehind, 0));
    QVERIFY(layouts.args().empty());
    QVERIFY(!layouts.read(R"({"ph":"C","name":"c","ts":1,"args":{"v":5}})" + kBehind, 0));
    QVERIFY(!layouts.read(R"({"ph":"C","name":"c","ts":1,"args":{ }})" + kBehind, 0));
    QVERIFY(learn(layouts, R"({"ph":"C","name":"c","ts":1,"args":[]})"));
    QVERIFY(!layouts.read(R"({"ph":"C","name":"c","ts":1,"args":{"v":5}})" + kBehind, 0));
    QVERIFY(learn(layouts, R"({"ph":"C","name":"c","ts":1,"args":{"v":5}})"));
    const std::string text = R"({"ph":"C","name":"c","ts":1,"args":{"v":6}})" + kBehind;
    QVERIFY(layouts.read(text, 0));
    QCOMPARE(layouts.args().front().value, std::string_view("6"));
}

void tst_KnownLayouts::isFullInTheEnd() {
    KnownLayouts layouts(64);
    const auto event = [](int i) {
        return R"({"ph":"X","name":"a","args":{"first":1,"key)" + std::to_string(i) + "\":1}}";
    };
    int learned = 0;
    for (int i = 0; i < 100; ++i) {
        QVERIFY(learn(layouts, event(i)));
        learned += layouts.read(event(i) + kBehind, 0) ? 1 : 0;
    }
    QVERIFY(learned >= 16 && learned <= 64);  // what stands at one place is bounded
    const std::string wide(5000, 'k');
    for (int i = 0; i < 300 && !layouts.isFull(); ++i) {
        learn(layouts, "{\"ph\":\"X\",\"n" + std::to_string(i % 17) + "\":1,\"m" + std::to_string(i / 17) + "\":1,\"" +
                           wide + "\":1}");
    }
    QVERIFY(layouts.isFull());
    layouts.forget();
    QVERIFY(!layouts.isFull());
    QVERIFY(learn(layouts, event(1)));
    QVERIFY(layouts.read(event(1) + kBehind, 0));
}

/// Both ways of looking at a block give the same answers.
void tst_KnownLayouts::blocksAgree() {
    uint32_t seed = 1;
    const auto next = [&seed] { return static_cast<char>((seed = seed * 1664525 + 1013904223) >> 24); };
    for (int round = 0; round < 2000; ++round) {
        std::array<char, kBlockBytes> a{};
        std::array<char, kBlockBytes> b{};
        for (size_t i = 0; i < kBlockBytes; ++i) {
            a[i] = round % 2 == 0 ? next() : "0123456789/:,\" \\"[static_cast<unsigned char>(next()) % 16];
            b[i] = next() < 0 ? a[i] : next();
        }
        const ByteBlock fast(a.data());
        const PortableByteBlock slow(a.data());
        QCOMPARE(fast.digits(), slow.digits());
        QCOMPARE(fast.notPlain(), slow.notPlain());
        QCOMPARE(fast.differing(ByteBlock(b.data())), slow.differing(PortableByteBlock(b.data())));
        for (const char c : {'"', '\\', '0', a[3]}) {
            QCOMPARE(fast.equal(c), slow.equal(c));
        }
    }
}

QTEST_APPLESS_MAIN(tst_KnownLayouts)
#include "tst_known_layouts.moc"
