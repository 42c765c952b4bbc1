// SPDX-License-Identifier: MIT
#include "core/cache/cached_load.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <QDir>
#include <QDirIterator>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <random>

#include "app/cli/dump/dump_document.h"
#include "core/cache/trace_image.h"
#include "core/loaders/load_trace.h"
#include "core/loaders/registry.h"
#include "core/trace/lod_pyramid.h"
#include "tests/core/loaders/loader_testing.h"
#include "tests/support/capture_maker.h"
#include "tests/support/nsys_export.h"

using namespace warpline;
using namespace warpline::test;

class tst_CachedLoad : public QObject {
    Q_OBJECT
private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void sameTrace_data();
    void sameTrace();
    void severalFiles();
    void ofAnExport();
    void ofAnExportInGzip();
    void ofACapture();
    void contentsCount();
    void pathsDoNotCount();
    void optionsCount();
    void offsetsCount();
    void changedWhileLoading();
    void whatCannotBeKept();
    void smallFilesAreNotKept();
    void off();
    void stops();
    void damaged();
    void madeUp();
    void madeUpRecipes();
    void ofAnotherBuild();

private:
    CacheSettings settings() const { return {m_folder->filePath("cache").toStdString(), uint64_t{1} << 30, {}, 0}; }
    std::string write(const QString& name, const QByteArray& bytes) const {
        QFile file(m_folder->filePath(name));
        [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
        [&] { QCOMPARE(file.write(bytes), bytes.size()); }();
        return file.fileName().toStdString();
    }
    CachedLoad load(const std::vector<std::string>& paths, const LoadOptions& options = {}) const {
        JobControl job;
        auto loaded = loadTraceCached(paths, options, settings(), job);
        [&] { QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str()); }();
        return std::move(loaded.value());
    }
    void store(const CachedLoad& loaded) const {
        JobControl job;
        QVERIFY(!loaded.isFromCache);
        QVERIFY(loaded.toStore.has_value());
        const Status status = storeTrace(*loaded.trace, *loaded.toStore, settings(), job);
        QVERIFY2(status.ok(), status.ok() ? "" : status.error().message.c_str());
    }
    QStringList images() const { return QDir(m_folder->filePath("cache")).entryList(QDir::Files | QDir::Hidden); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

std::string dumpOf(const Trace& trace) {
    JobControl job;
    const auto json = cli::dumpJson(trace, job);
    return (json ? json.value() : json.error().message) + cli::dumpText(trace, job).value();
}

/// What a dump leaves out.
QStringList restOf(const Trace& trace) {
    QStringList lines = digest(trace);
    const auto range = [](const std::optional<TimeRange>& r) {
        return r ? QString("%1..%2").arg(r->begin).arg(r->end) : QString("none");
    };
    lines << range(trace.range()) << range(trace.initialView());
    const SliceColumns& s = trace.slices();
    for (uint32_t i = 0; i < trace.lanes().size(); ++i) {
        const Lane& lane = trace.lanes()[i];
        std::vector<LodBar> bars;
        if (trace.range()) {
            const double nsPerPixel = static_cast<double>(trace.range()->length()) / 50;
            trace.lod(i).collect(std::span(s.begin).subspan(lane.firstRow, lane.count),
                                 std::span(s.duration).subspan(lane.firstRow, lane.count), *trace.range(), nsPerPixel,
                                 bars);
        }
        QString line = QString("lane %1+%2").arg(lane.firstRow).arg(lane.count);
        for (const LodBar& bar : bars) {
            line += QString(" %1..%2 %3 %4 %5").arg(bar.begin).arg(bar.end).arg(bar.row).arg(bar.count).arg(bar.busy);
        }
        lines << line;
    }
    for (uint32_t i = 0; i < s.size(); ++i) {
        const EventRow row(i);
        QString line = QString("row %1 %2 %3")
                           .arg(trace.launchOf(row).value)
                           .arg(trace.opOf(row).value)
                           .arg(trace.selfDuration(row));
        for (const EventRow child : trace.childrenOf(row)) {
            line += QString(" child %1").arg(child.value);
        }
        for (const EventRow work : trace.deviceWorkOf(row)) {
            line += QString(" work %1").arg(work.value);
        }
        for (const uint32_t flow : trace.flowsFrom(row)) {
            line += QString(" from %1").arg(flow);
        }
        for (const uint32_t flow : trace.flowsTo(row)) {
            line += QString(" to %1").arg(flow);
        }
        lines << line;
    }
    for (const Issue& issue : trace.report().issues()) {
        lines << QString::fromStdString(issue.message);
    }
    for (const DanglingFlow& f : trace.danglingFlows()) {
        lines << QString("loose %1 %2").arg(f.time).arg(f.slice.value);
    }
    for (const DeviceInfo& device : trace.devices()) {
        lines << QString("device %1 known %2").arg(device.id).arg(trace.findDevice(device.file, device.id) == &device);
    }
    return lines;
}

/// An image as a test may change it, and the file of it.
struct Image {
    static constexpr size_t kHeader = 64;
    struct Section {
        uint64_t offset, count, itemBytes;
    };
    QByteArray bytes;

    explicit Image(QByteArray from) : bytes(std::move(from)) {}
    template <class T>
    T at(size_t offset) const {
        T value;
        std::memcpy(&value, bytes.constData() + offset, sizeof value);
        return value;
    }
    template <class T>
    void set(size_t offset, const T& value) {
        std::memcpy(bytes.data() + offset, &value, sizeof value);
    }
    uint32_t sections() const { return at<uint32_t>(12); }
    size_t sectionPlace(uint32_t i) const { return kHeader + i * sizeof(Section); }
    Section section(uint32_t i) const { return at<Section>(sectionPlace(i)); }
    Hash128 key() const { return at<Hash128>(24); }
    /// All checksums as its writer would have made them; false if the table of contents leads nowhere.
    bool seal() {
        constexpr uint64_t kPiece = uint64_t{4} << 20;
        std::vector<uint64_t> sums;
        for (uint32_t i = 0; i < sections(); ++i) {
            const Section s = section(i);
            const uint64_t size = s.count * s.itemBytes;
            if (s.offset > uint64_t(bytes.size()) || size > uint64_t(bytes.size()) - s.offset ||
                (s.itemBytes != 0 && size / s.itemBytes != s.count)) {
                return false;
            }
            for (uint64_t from = 0; from < size; from += kPiece) {
                sums.push_back(XXH3_64bits(bytes.constData() + s.offset + from, std::min(kPiece, size - from)));
            }
        }
        const size_t sumsPlace = sectionPlace(sections());
        if (sumsPlace + sums.size() * 8 > size_t(bytes.size())) {
            return false;
        }
        std::memcpy(bytes.data() + sumsPlace, sums.data(), sums.size() * 8);
        const uint64_t parts[2] = {XXH3_64bits(bytes.constData() + kHeader, sections() * sizeof(Section)),
                                   XXH3_64bits(sums.data(), sums.size() * 8)};
        set<uint64_t>(48, XXH3_64bits(parts, sizeof parts));
        set<uint64_t>(40, uint64_t(bytes.size()));
        set<uint64_t>(56, XXH3_64bits(bytes.constData(), 56));
        return true;
    }
};

QByteArray contentsOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Of all sorts: kernels, arrows, counters, async work, instants, memory, an end without a begin.
QByteArray richText() {
    QByteArray text = kinetoText(20);
    const qsizetype list = text.lastIndexOf("\n  ],");
    text.insert(list, R"(,
  {"ph":"b","cat":"net","id":"0x1","name":"request","pid":1,"tid":1,"ts":10.5,"args":{"x":1}},
  {"ph":"n","cat":"net","id":"0x1","name":"step","pid":1,"tid":1,"ts":11},
  {"ph":"e","cat":"net","id":"0x1","name":"request","pid":1,"tid":1,"ts":12,"args":{"y":[1,"\u00e9"]}},
  {"ph":"B","name":"begun","pid":1,"tid":2,"ts":5,"args":{"a":1}},
  {"ph":"E","pid":1,"tid":2,"ts":9,"args":{"b":2}},
  {"ph":"E","pid":1,"tid":3,"ts":9},
  {"ph":"C","name":"level","pid":1,"ts":1,"args":{"in":1,"out":9007199254740993}},
  {"ph":"C","name":"level","pid":1,"ts":2,"args":{"in":2.5,"out":2}},
  {"ph":"s","id":77,"cat":"loose","name":"arrow","pid":1,"tid":2,"ts":6}
)");
    return text;
}

}  // namespace

void tst_CachedLoad::sameTrace_data() {
    QTest::addColumn<QString>("path");
    for (const char* folder : {WARPLINE_TEST_DATA_DIR, WARPLINE_SAMPLES_DIR}) {
        for (QDirIterator it(folder, QDir::Files, QDirIterator::Subdirectories); it.hasNext();) {
            const QFileInfo info(it.next());
            if (WARPLINE_SANITIZED && info.size() > (700 << 10)) {
                continue;  // minutes under a sanitizer
            }
            QTest::newRow(qPrintable(info.fileName())) << info.filePath();
        }
    }
    QTest::newRow("of all sorts") << "";
}

void tst_CachedLoad::sameTrace() {
    QFETCH(QString, path);
    const std::string file = path.isEmpty() ? write("rich.json", richText()) : path.toStdString();
    const CachedLoad first = load({file});
    QVERIFY(!first.isFromCache);
    store(first);
    const CachedLoad second = load({file});
    QVERIFY(second.note.empty());
    QVERIFY(second.isFromCache);
    QVERIFY(!second.toStore.has_value());
    QCOMPARE(restOf(*second.trace), restOf(*first.trace));
    QVERIFY(dumpOf(*second.trace) == dumpOf(*first.trace));
    // And again from the trace that was read from the cache.
    JobControl job;
    QVERIFY(hasTraceImage(*second.trace));
    const QByteArray image = contentsOf(m_folder->filePath("cache/" + images().at(0)));
    QVERIFY(storeTrace(*second.trace, *first.toStore, settings(), job).ok());
    QCOMPARE(images().size(), 1);
    QCOMPARE(contentsOf(m_folder->filePath("cache/" + images().at(0))).size(), image.size());
}

void tst_CachedLoad::severalFiles() {
    const std::string a = write("a.json", richText());
    const std::string b = write("b.json.gz", gzipped(kinetoText(7)));
    const CachedLoad first = load({a, b});
    store(first);
    QVERIFY(!load({a}).isFromCache);
    QVERIFY(!load({b, a}).isFromCache);
    const CachedLoad second = load({a, b});
    QVERIFY(second.isFromCache);
    QVERIFY(dumpOf(*second.trace) == dumpOf(*first.trace));
    QCOMPARE(restOf(*second.trace), restOf(*first.trace));
}

namespace {

/// Two processes that count calls from 1, and name their devices anew.
QByteArray exportFile() {
    QString sql = QString::fromUtf8(nsysSchema()) +
                  "INSERT INTO StringIds VALUES (1, 'kernel_a'), (2, 'cudaLaunchKernel_v7000');"
                  "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (4, 0, 9, '', 132), (6, 0, 10, '', 132);";
    for (const qint64 pid : {9, 10}) {
        sql += QString(
                   "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 200, 0, %1, 5, 2, 0, NULL);"
                   "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (150, 400, 0, 1, NULL, 7, 5, %2, 1, 1, 1, 1, 0, "
                   "64, 132, 2, 1, 256, 1, 1, 1024, 8192, 16, 0, 77, 102400, NULL, 0);")
                   .arg(globalId(pid, pid))
                   .arg(globalId(pid));
    }
    return sqliteFile(sql.toUtf8());
}

}  // namespace

void tst_CachedLoad::ofAnExport() {
    const std::string path = write("a.sqlite", exportFile());
    const CachedLoad first = load({path});
    QCOMPARE(first.trace->sliceCount(), 4U);
    store(first);
    const CachedLoad second = load({path});
    QVERIFY(second.isFromCache);
    std::string args;
    for (const KernelFacts& kernel : second.trace->kernelFacts()) {
        const auto read = second.trace->argsJson(kernel.row);
        QVERIFY(read.ok());
        args += read.value();
    }
    for (const char* part : {"\"device\": 4", "\"device\": 6", "\"correlation\": 5,", "\"correlation\": 4294967301,"}) {
        QVERIFY2(args.find(part) != std::string::npos, args.c_str());
    }
    QVERIFY(dumpOf(*second.trace) == dumpOf(*first.trace));
}

void tst_CachedLoad::ofAnExportInGzip() {
    const std::string path = write("a.sqlite.gz", gzipped(exportFile()));
    const CachedLoad first = load({path});
    store(first);
    const CachedLoad second = load({path});
    QVERIFY(second.isFromCache);
    QVERIFY(dumpOf(*second.trace) == dumpOf(*first.trace));
}

void tst_CachedLoad::ofACapture() {
    for (const bool isPacked : {false, true}) {
        const std::string stream = isPacked ? withPackedFrames(sampleCapture(3)) : sampleCapture(3);
        const std::string path = write(isPacked ? "b.wcap" : "a.wcap", QByteArray::fromStdString(stream));
        const CachedLoad first = load({path});
        store(first);
        const CachedLoad second = load({path});
        QVERIFY(second.isFromCache);
        QVERIFY(dumpOf(*second.trace) == dumpOf(*first.trace));
        QCOMPARE(restOf(*second.trace), restOf(*first.trace));
    }
}

void tst_CachedLoad::contentsCount() {
    QByteArray text = richText();
    const std::string path = write("a.json", text);
    struct stat before {};
    QCOMPARE(::stat(path.c_str(), &before), 0);
    store(load({path}));
    QVERIFY(load({path}).isFromCache);
    // One byte in the middle: a name; size and time as before.
    const qsizetype middle = text.indexOf("begun");
    text[middle] = 'B';
    write("a.json", text);
    const timespec times[2] = {before.st_atim, before.st_mtim};
    QCOMPARE(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
    const CachedLoad changed = load({path});
    QVERIFY(!changed.isFromCache);
    QVERIFY(changed.note.empty());
    QVERIFY(changed.trace->findString("Begun").has_value());
    QVERIFY(!changed.trace->findString("begun").has_value());
    // Both are kept beside each other.
    store(changed);
    QCOMPARE(images().size(), 2);
    QVERIFY(load({path}).trace->findString("Begun").has_value());
}

void tst_CachedLoad::pathsDoNotCount() {
    store(load({write("a.json", richText())}));
    const std::string other = write("b.json", richText());
    const CachedLoad again = load({other});
    QVERIFY(again.isFromCache);
    QCOMPARE(again.trace->files()[0].path, other);
}

void tst_CachedLoad::optionsCount() {
    const std::string path = write("a.json", richText());
    store(load({path}));
    LoadOptions options;
    options.threads = 2;
    QVERIFY(load({path}, options).isFromCache);
    options.maxEventBytes = 100'000;
    QVERIFY(!load({path}, options).isFromCache);
    options = {};
    options.maxArgsDepth = 3;
    QVERIFY(!load({path}, options).isFromCache);
}

void tst_CachedLoad::offsetsCount() {
    const std::string a = write("a.json", richText());
    const std::string b = write("b.json", kinetoText(7));
    const auto loadAt = [&](const FileOffsets& offsets) {
        JobControl job;
        auto loaded = loadTraceCached({a, b}, {}, settings(), job, offsets);
        [&] { QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str()); }();
        return std::move(loaded.value());
    };
    store(loadAt({{1, 1'000}}));
    const CachedLoad again = loadAt({{1, 1'000}});
    QVERIFY(again.isFromCache);
    QCOMPARE(again.trace->files()[1].axisOffsetNs, DurationNs(1'000));
    QVERIFY(again.trace->files()[1].placedByHand);
    QVERIFY(again.trace->files()[1].range.has_value());
    const CachedLoad other = loadAt({{1, -1'000}});
    QVERIFY(!other.isFromCache);
    QCOMPARE(other.trace->files()[1].axisOffsetNs, DurationNs(-1'000));
}

void tst_CachedLoad::changedWhileLoading() {
    const std::string path = write("a.json", richText());
    const CachedLoad loaded = load({path});
    write("a.json", kinetoText(3));
    JobControl job;
    const Status status = storeTrace(*loaded.trace, *loaded.toStore, settings(), job);
    QVERIFY(!status.ok());
    QVERIFY2(status.error().message.find("changed") != std::string::npos, status.error().message.c_str());
    QCOMPARE(images(), QStringList());
    // One that is put in its place looks the same and is another file.
    write("b.json", richText());
    const CachedLoad again = load({path});
    QCOMPARE(::rename(m_folder->filePath("b.json").toLocal8Bit().constData(), path.c_str()), 0);
    QVERIFY(!storeTrace(*again.trace, *again.toStore, settings(), job).ok());
}

/// A reader of args that has no recipe.
void tst_CachedLoad::whatCannotBeKept() {
    class Bare final : public EventSource {
        Result<std::string> argsJson(SourceRef, SourceRef) const override { return std::string("null"); }
    };
    TraceBuilder builder;
    FileInfo info;
    info.path = "x";
    info.source = std::make_shared<Bare>();
    builder.addFile(std::move(info));
    JobControl job;
    const auto trace = builder.seal(job);
    QVERIFY(trace.ok());
    QVERIFY(!hasTraceImage(*trace.value()));
    QVERIFY(!storeTrace(*trace.value(), {}, settings(), job).ok());
}

void tst_CachedLoad::smallFilesAreNotKept() {
    const std::string path = write("a.json", kinetoText(5));
    CacheSettings usual = settings();
    usual.longLoadMs = 3'600'000;
    JobControl job;
    auto loaded = loadTraceCached({path}, {}, usual, job);
    QVERIFY(loaded.ok());
    QVERIFY(!loaded.value().toStore.has_value());
    usual.largeBytes = 200;
    loaded = loadTraceCached({path}, {}, usual, job);
    QVERIFY(loaded.ok());
    QVERIFY(loaded.value().toStore.has_value());
}

void tst_CachedLoad::off() {
    const std::string path = write("a.json", richText());
    store(load({path}));
    JobControl job;
    CacheSettings none = settings();
    none.limitBytes = 0;
    auto loaded = loadTraceCached({path}, {}, none, job);
    QVERIFY(loaded.ok());
    QVERIFY(!loaded.value().isFromCache);
    QVERIFY(!loaded.value().toStore.has_value());
    // And with a cache nothing is kept of what has no file.
    loaded = loadTraceCached({"/proc/self/status"}, {}, settings(), job);
    QVERIFY(!loaded.ok());
}

void tst_CachedLoad::stops() {
    const std::string path = write("a.json", richText());
    const CachedLoad first = load({path});
    JobControl stopped;
    stopped.requestStop();
    const Status status = storeTrace(*first.trace, *first.toStore, settings(), stopped);
    QVERIFY(!status.ok());
    QVERIFY(status.error().isCancelled());
    QCOMPARE(images(), QStringList());
    store(first);
    const auto loaded = loadTraceCached({path}, {}, settings(), stopped);
    QVERIFY(!loaded.ok());
    QVERIFY(loaded.error().isCancelled());
    QCOMPARE(images().size(), 1);  // it is not the image's fault
}

/// Whatever is wrong with an image, the file is read, and the image is gone.
void tst_CachedLoad::damaged() {
    const std::string path = write("a.json", richText());
    const CachedLoad first = load({path});
    const std::string expected = dumpOf(*first.trace);
    store(first);
    const QString imagePath = m_folder->filePath("cache/" + images().at(0));
    const Image whole(contentsOf(imagePath));
    const auto check = [&](const QByteArray& bytes, const QString& what) {
        QFile file(imagePath);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        const CachedLoad again = load({path});
        QVERIFY2(!again.isFromCache, qPrintable(what));
        QVERIFY2(!again.note.empty(), qPrintable(what));
        QVERIFY2(!QFile::exists(imagePath), qPrintable(what));
        QVERIFY2(dumpOf(*again.trace) == expected, qPrintable(what));
    };
    const auto flipped = [&](qsizetype at) {
        QByteArray bytes = whole.bytes;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
        return bytes;
    };
    check({}, "empty");
    check(whole.bytes.left(10), "in the header");
    check(whole.bytes + "x", "a byte more");
    check(QByteArray(whole.bytes.size(), '\0'), "zeros");
    const qsizetype tableEnd = qsizetype(whole.sectionPlace(whole.sections()));
    for (qsizetype at = 0; at < tableEnd + 16; at += 5) {
        check(flipped(at), QString("byte %1 of the header or table").arg(at));
    }
    QVERIFY(whole.sections() > 30);
    int filled = 0;
    for (uint32_t i = 0; i < whole.sections(); ++i) {
        const Image::Section s = whole.section(i);
        const auto begin = qsizetype(s.offset);
        const auto size = qsizetype(s.count * s.itemBytes);
        const QString name = QString("section %1 ").arg(i);
        check(whole.bytes.left(begin + size / 2 - (size == 0 ? 1 : 0)), name + "cut");
        Image more(whole);
        more.set<uint64_t>(whole.sectionPlace(i) + 8, s.count + 1);
        check(more.bytes, name + "counts one more");
        if (size > 0) {
            ++filled;
            for (const qsizetype at : {begin, begin + size / 2, begin + size - 1}) {
                check(flipped(at), name + "flipped");
            }
        }
    }
    QVERIFY2(filled >= 20, qPrintable(QString::number(filled)));
}

/// Images with checksums that fit and anything in them: refused, or a trace that everybody can walk through.
void tst_CachedLoad::madeUp() {
    const std::string path = write("a.json", richText());
    store(load({path}));
    const Image whole(contentsOf(m_folder->filePath("cache/" + images().at(0))));
    Image same(whole);
    QVERIFY(same.seal());
    QCOMPARE(same.bytes, whole.bytes);  // this test seals as the writer does
    const auto source = [&](size_t, const SourceRecipe&) -> Result<std::shared_ptr<const EventSource>> {
        return std::shared_ptr<const EventSource>();
    };
    std::mt19937 random(7);
    const auto below = [&](uint64_t limit) { return std::uniform_int_distribution<uint64_t>(0, limit - 1)(random); };
    int refused = 0;
    int taken = 0;
    for (int round = 0; round < 1500; ++round) {
        Image image(whole);
        const uint64_t changes = 1 + below(3);
        for (uint64_t change = 0; change < changes; ++change) {
            const auto i = static_cast<uint32_t>(below(whole.sections()));
            Image::Section s = image.section(i);
            const uint64_t size = s.count * s.itemBytes;
            if (size == 0 || below(8) == 0) {
                static constexpr uint64_t kOdd[] = {0, 1, 2, 3, 8, 100, uint64_t{1} << 32, ~uint64_t{0}};
                const size_t place = image.sectionPlace(i) + 8 * below(3);
                const uint64_t old = image.at<uint64_t>(place);
                image.set<uint64_t>(place, below(2) == 0 ? kOdd[below(8)] : old + below(5) - 2);
            } else {
                static constexpr uint8_t kOdd[] = {0, 1, 0x7f, 0x80, 0xff};
                const auto value = below(2) == 0 ? kOdd[below(5)] : static_cast<uint8_t>(below(256));
                image.set<uint8_t>(s.offset + below(size), value);
            }
        }
        if (!image.seal()) {
            image.set<uint64_t>(56, XXH3_64bits(image.bytes.constData(), 56));
        }
        const int file = ::memfd_create("image", 0);
        QVERIFY(file >= 0);
        QCOMPARE(::write(file, image.bytes.constData(), size_t(image.bytes.size())), ssize_t(image.bytes.size()));
        JobControl job;
        const auto trace = readTraceImage(file, image.key(), {path}, source, 2, job);
        ::close(file);
        if (!trace) {
            ++refused;
            QVERIFY(!trace.error().message.empty());
            continue;
        }
        ++taken;
        QVERIFY(!restOf(*trace.value()).isEmpty());
        QVERIFY(!dumpOf(*trace.value()).empty());
    }
    // Most of a byte's values in a name or a time are as good as any.
    QVERIFY2(refused > 300 && taken > 300, qPrintable(QString("%1 %2").arg(refused).arg(taken)));
}

/// Facts that no source has given: refused, or a source that answers or says why not.
void tst_CachedLoad::madeUpRecipes() {
    const std::string tail("\0\0\0\0\0\0\0", 7);
    const std::vector<std::string> made = {"",
                                           "x",
                                           std::string(8, '\0'),
                                           std::string(64, '\0'),
                                           std::string(64, '\xff'),
                                           "\x01" + tail,
                                           "\x01" + tail + "\x7f" + tail,
                                           "\x03" + tail + std::string(200, '\x01')};
    const std::shared_ptr<const TextSource> text = makeMemorySource("{\"ph\": 1}");
    int refused = 0;
    for (const auto& loader : loaders::all()) {
        for (const std::string& facts : made) {
            const auto source = loader->reopen(text, facts, {});
            if (!source) {
                ++refused;
                QVERIFY(!source.error().message.empty());
                continue;
            }
            for (const SourceRef place :
                 {SourceRef{0, 9}, SourceRef{0, 1}, SourceRef{5, 1000}, SourceRef{~0ULL, ~0U}}) {
                const auto args = source.value()->argsJson(place, place);
                QVERIFY(args.ok() || !args.error().message.empty());
            }
        }
    }
    QVERIFY(refused > 10);
}

void tst_CachedLoad::ofAnotherBuild() {
    const std::string path = write("a.json", richText());
    store(load({path}));
    const QString imagePath = m_folder->filePath("cache/" + images().at(0));
    Image image(contentsOf(imagePath));
    image.set<uint64_t>(16, image.at<uint64_t>(16) + 1);
    QVERIFY(image.seal());
    QFile file(imagePath);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(image.bytes);
    file.close();
    const CachedLoad again = load({path});
    QVERIFY(!again.isFromCache);
    QVERIFY2(again.note.find("another version") != std::string::npos, again.note.c_str());
}

QTEST_GUILESS_MAIN(tst_CachedLoad)
#include "tst_cached_load.moc"
