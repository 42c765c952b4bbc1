// SPDX-License-Identifier: MIT
#pragma once
// What the loaders' tests share: loading text, and a trace as lines of text that can be compared.

#include <zlib.h>

#include <QByteArray>
#include <QFile>
#include <QStringList>
#include <QTemporaryDir>
#include <memory>
#include <string>

#include "core/loaders/chrome_trace/chrome_trace_loader.h"
#include "core/loaders/gzip_source.h"
#include "core/loaders/load_trace.h"
#include "core/trace/trace.h"

namespace warpline::test {

inline Result<std::shared_ptr<const Trace>> loadSource(const std::shared_ptr<TextSource>& source,
                                                       const loaders::chrome_trace::ReadLimits& limits = {},
                                                       const LoadOptions& options = {}) {
    TraceBuilder builder;
    FileInfo info;
    info.path = "test.json";
    info.offsetSpace = source->offsetSpace();
    const FileId file = builder.addFile(info);
    JobControl job;
    const loaders::chrome_trace::ChromeTraceLoader loader(limits);
    if (const Status status = loader.load(source, file, builder, options, job); !status) {
        return status.error();
    }
    return builder.seal(job);
}

inline Result<std::shared_ptr<const Trace>> loadText(const QByteArray& text,
                                                     const loaders::chrome_trace::ReadLimits& limits = {},
                                                     const LoadOptions& options = {}) {
    return loadSource(makeMemorySource(text.toStdString()), limits, options);
}

inline QString textOf(const Trace& trace, StringId id) {
    return QString::fromStdString(std::string(trace.string(id)));
}

/// "pid/tid"; "-" where there is none.
inline QString trackText(const Trace& trace, TrackId id) {
    const Track& track = trace.track(id);
    const auto& pid = trace.process(track.process).pid;
    return (pid ? textOf(trace, *pid) : "-") + "/" + (track.tid ? textOf(trace, *track.tid) : "-");
}

/// "code severity count @offset (detail)", worst first.
inline QStringList issueLines(const Trace& trace) {
    QStringList lines;
    for (const Issue& issue : trace.report().issues()) {
        lines << QString("%1 %2 %3 @%4")
                     .arg(QString::fromStdString(issue.code), QString::fromUtf8(severityName(issue.severity).data()))
                     .arg(issue.count)
                     .arg(issue.firstOffset ? qint64(*issue.firstOffset) : -1);
    }
    return lines;
}

/// All that a loader decides about a trace, a line a thing.
inline QStringList digest(const Trace& trace, bool withSource = true) {
    QStringList lines;
    const SliceColumns& s = trace.slices();
    const auto args = [&](TrackId track, SourceRef source) {
        const auto json = trace.argsJson(track, source);
        return QString::fromStdString(json ? json.value() : json.error().message);
    };
    for (uint32_t i = 0; i < s.size(); ++i) {
        QString line = QString("slice %1 %2 %3 %4+%5 kind %6 flags %7 corr %8 ext %9")
                           .arg(trackText(trace, s.track[i]), textOf(trace, s.name[i]), textOf(trace, s.category[i]))
                           .arg(s.begin[i])
                           .arg(s.duration[i])
                           .arg(QString::fromUtf8(eventKindName(s.kind[i]).data()))
                           .arg(s.flags[i])
                           .arg(s.correlation[i])
                           .arg(qint64(s.externalId[i]));
        line += " " + textOf(trace, s.shapes[i]) + " " + args(s.track[i], s.source(i));
        if (withSource) {
            line += QString(" @%1+%2").arg(s.sourceOffset[i]).arg(s.sourceLength[i]);
        }
        lines << line;
    }
    for (const Instant& i : trace.instants()) {
        lines << QString("instant %1 %2 %3 %4 %5")
                     .arg(trackText(trace, i.track), textOf(trace, i.name))
                     .arg(i.time)
                     .arg(QChar(i.scope))
                     .arg(args(i.track, i.source));
    }
    for (const AsyncSlice& a : trace.asyncSlices()) {
        lines << QString("async %1 %2 id %3 %4+%5 %6")
                     .arg(trackText(trace, a.track), textOf(trace, a.name),
                          a.id ? QString::fromStdString(trace.idText(*a.id)) : "none")
                     .arg(a.begin)
                     .arg(a.duration)
                     .arg(a.unfinished ? "unfinished" : "finished");
    }
    for (const AsyncInstant& a : trace.asyncInstants()) {
        lines << QString("async instant %1 %2 id %3 %4")
                     .arg(trackText(trace, a.track), textOf(trace, a.name),
                          a.id ? QString::fromStdString(trace.idText(*a.id)) : "none")
                     .arg(a.time);
    }
    for (const Counter& c : trace.counters()) {
        for (const CounterSeries& series : c.series) {
            QString line = "counter " + textOf(trace, c.name) + "/" + textOf(trace, series.name);
            for (size_t i = 0; i < series.time.size(); ++i) {
                line += QString(" %1=%2").arg(series.time[i]).arg(series.value[i]);
            }
            lines << line;
        }
    }
    for (const FlowArrow& f : trace.flows()) {
        lines << QString("flow %1 -> %2 id %3")
                     .arg(f.from.value)
                     .arg(f.to.value)
                     .arg(QString::fromStdString(trace.idText(f.id)));
    }
    for (const MemoryEvent& m : trace.memoryEvents()) {
        lines << QString("memory %1 device %2 bytes %3 allocated %4 reserved %5")
                     .arg(m.time)
                     .arg(m.device)
                     .arg(m.bytes)
                     .arg(m.totalAllocated)
                     .arg(m.totalReserved);
    }
    for (const KernelFacts& k : trace.kernelFacts()) {
        lines << QString("kernel %1 stream %2 grid %3 block %4 regs %5 shared %6")
                     .arg(k.row.value)
                     .arg(k.stream)
                     .arg(k.grid[0])
                     .arg(k.block[0])
                     .arg(k.registersPerThread)
                     .arg(k.sharedBytes);
    }
    for (const Process& p : trace.processes()) {
        lines << "process " + (p.pid ? textOf(trace, *p.pid) : "-") + " " + textOf(trace, p.label);
    }
    for (const Track& t : trace.tracks()) {
        lines << "track " + textOf(trace, t.label) + (t.isDevice ? " device" : "");
    }
    return lines;
}

/// A gzip member, or its first blocks if `flush` is Z_FULL_FLUSH. Level 0 stores the text as it is.
inline QByteArray gzipped(const QByteArray& text, int level = 1, int flush = Z_FINISH) {
    z_stream stream{};
    deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    QByteArray out(qsizetype(deflateBound(&stream, uLong(text.size()))) + 64, '\0');
    QByteArray in = text;
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = uInt(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = uInt(out.size());
    deflate(&stream, flush);
    out.truncate(qsizetype(stream.total_out));
    deflateEnd(&stream);
    return out;
}

/// By any loader, as loadTrace() would.
inline Result<std::shared_ptr<const Trace>> loadBy(const Loader& loader, const QByteArray& text,
                                                   const LoadOptions& options = {}) {
    const auto source = makeMemorySource(text.toStdString());
    TraceBuilder builder;
    FileInfo info;
    info.path = "test";
    info.offsetSpace = source->offsetSpace();
    const FileId file = builder.addFile(info);
    JobControl job;
    if (const Status status = loader.load(source, file, builder, options, job); !status) {
        return status.error();
    }
    return builder.seal(job);
}

/// As the program would, by the loader that takes it for its own.
inline Result<std::shared_ptr<const Trace>> loadUnknown(const QByteArray& text) {
    const QTemporaryDir folder;
    QFile file(folder.filePath("test"));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.flush()) {
        return Error::failed("no file");
    }
    JobControl job;
    LoadOptions options;
    options.threads = 1;
    return loadTrace({file.fileName().toStdString()}, options, job);
}

/// `text` with the byte at each of the first places lost, made another, and with another before it.
inline QList<QByteArray> withDamagedHead(const QByteArray& text, qsizetype places) {
    QList<QByteArray> all;
    for (qsizetype at = 0; at < places; ++at) {
        all << text.left(at) + text.mid(at + 1);
        for (const char byte : {'x', '"', '{', '}', '[', ']', ',', ':', ' ', '7', '\0'}) {
            all << text.left(at) + byte + text.mid(at + 1) << text.left(at) + byte + text.mid(at);
        }
    }
    return all;
}

/// `events` of Kineto's own layout with args of all sorts, as one object.
inline QByteArray kinetoText(int events) {
    QByteArray text =
        "\n  {\n    \"schemaVersion\": 1,\n    \"deviceProperties\": [\n    {\n      \"id\": 0, \"name\": \"Example "
        "GPU\", "
        "\"numSms\": 132}\n    ],\n  \"baseTimeNanoseconds\": 1790857026000000000,\n  \"traceEvents\": [";
    for (int i = 0; i < events; ++i) {
        const QByteArray n = QByteArray::number(i);
        const QByteArray ts = QByteArray::number(5110050593696LL + i * 10) + ".125";
        text += i == 0 ? "\n  {\n" : ",\n  {\n";
        switch (i % 5) {
            case 0:
                text += "    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::op" + QByteArray::number(i % 7) +
                        "\", \"pid\": 22, \"tid\": 22,\n    \"ts\": " + ts +
                        ", \"dur\": 8.250,\n    \"args\": {\n      \"External id\": " + n +
                        ",\"Input Dims\": [[2, 3], []], \"Concrete Inputs\": [\"\", \"[1]}, {\"], \"Ev Idx\": " + n +
                        "\n    }\n  }";
                break;
            case 1:
                text +=
                    "    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"void k<\\\"a\\\", \\u00e9>(int)\", \"pid\": "
                    "0, "
                    "\"tid\": 7,\n    \"ts\": " +
                    ts + ", \"dur\": 3.5,\n    \"args\": {\n      \"stream\": 7, \"correlation\": " + n +
                    ", \"grid\": [8, 4, 1], \"block\": [128, 1, 1], \"registers per thread\": 32, "
                    "\"shared memory\": 1024, \"nested\": {\"a\": [{\"ph\": 1}, {\"ph\": 2}]}\n    }\n  }";
                break;
            case 2:
                text += "    \"ph\": \"s\", \"id\": " + n + ", \"pid\": 22, \"tid\": 22, \"ts\": " + ts +
                        ",\n    \"cat\": \"ac2g\", \"name\": \"ac2g\"\n  }";
                break;
            case 3:
                text +=
                    "    \"ph\": \"i\", \"s\": \"t\", \"name\": \"[memory]\", \"pid\": 22, \"tid\": 22, \"ts\": " + ts +
                    ",\n    \"args\": {\"Bytes\": 512, \"Device Id\": 0, \"Device Type\": 1, \"Total Allocated\": " +
                    n + "}\n  }";
                break;
            default:
                text += "    \"name\": \"thread_name\", \"ph\": \"M\", \"ts\": 0, \"pid\": 22, \"tid\": " + n +
                        ",\n    \"args\": {\n      \"name\": \"thread " + n + "\"\n    }\n  }";
                break;
        }
    }
    return text + "\n  ],\n  \"traceName\": \"a ]}, {\\\"ph\\\": 1.json\"\n}";
}

}  // namespace warpline::test
