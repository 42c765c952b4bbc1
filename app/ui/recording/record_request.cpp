// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/record_request.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>

#include <cmath>

#include "app/ui/recording/shell_words.h"
#include "core/pattern/name_pattern.h"
#include "kernels/find_kernel.h"
#include "kernels/registry.h"

namespace warpline::ui {

using record::ApiLevel;
using record::GraphLevel;
using record::RecordOptions;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("RecordRequest", text);
}

QString kernelName(const RecordRequest& request) {
    return request.version.isEmpty() ? request.kernel : request.kernel + ':' + request.version;
}

Result<ChosenKernel> chosenKernel(const RecordRequest& request) {
    std::vector<std::string> settings;
    for (auto it = request.parameters.cbegin(); it != request.parameters.cend(); ++it) {
        settings.push_back(it.key().toStdString() + "=" + std::to_string(it.value()));
    }
    return chooseKernel(kernels::all(), kernelName(request).toStdString(), settings);
}

/// In the order in which the object's keys are used, so that reading and writing cannot differ.
template <class Visit>
void visitFields(Visit&& visit) {
    visit("program", &RecordRequest::program);
    visit("kernel", &RecordRequest::kernel);
    visit("version", &RecordRequest::version);
    visit("repetitions", &RecordRequest::repetitions);
    visit("checks_result", &RecordRequest::checksResult);
    visit("folder", &RecordRequest::folder);
    visit("host", &RecordRequest::host);
    visit("pattern", &RecordRequest::kernelPattern);
    visit("skip", &RecordRequest::skip);
    visit("count", &RecordRequest::count);
    visit("range", &RecordRequest::range);
    visit("schedule", &RecordRequest::schedule);
    visit("delay_s", &RecordRequest::delaySeconds);
    visit("duration_s", &RecordRequest::durationSeconds);
    visit("profiler_range", &RecordRequest::isProfilerRange);
    visit("memory", &RecordRequest::hasMemory);
    visit("allocation_source", &RecordRequest::hasAllocationSource);
    visit("code", &RecordRequest::hasCode);
    visit("children", &RecordRequest::followsChildren);
    visit("python", &RecordRequest::hasPython);
}

struct Writer {
    const RecordRequest& request;
    QJsonObject object;
    void operator()(const char* key, QString RecordRequest::*member) { object[QLatin1String(key)] = request.*member; }
    void operator()(const char* key, bool RecordRequest::*member) { object[QLatin1String(key)] = request.*member; }
    void operator()(const char* key, int RecordRequest::*member) { object[QLatin1String(key)] = request.*member; }
    void operator()(const char* key, double RecordRequest::*member) { object[QLatin1String(key)] = request.*member; }
    void operator()(const char* key, quint64 RecordRequest::*member) {
        object[QLatin1String(key)] = static_cast<qint64>(request.*member);
    }
};

struct Reader {
    const QJsonObject& object;
    RecordRequest request;
    void operator()(const char* key, QString RecordRequest::*member) {
        request.*member = object[QLatin1String(key)].toString(request.*member);
    }
    void operator()(const char* key, bool RecordRequest::*member) {
        request.*member = object[QLatin1String(key)].toBool(request.*member);
    }
    void operator()(const char* key, int RecordRequest::*member) {
        request.*member = std::max(1, object[QLatin1String(key)].toInt(request.*member));
    }
    void operator()(const char* key, double RecordRequest::*member) {
        request.*member = std::max(0.0, object[QLatin1String(key)].toDouble(request.*member));
    }
    void operator()(const char* key, quint64 RecordRequest::*member) {
        request.*member = static_cast<quint64>(std::max<qint64>(0, object[QLatin1String(key)].toInteger()));
    }
};

const char* wordOf(ApiLevel level) {
    return level == ApiLevel::All ? "all" : level == ApiLevel::None ? "none" : "launch";
}

QString hostProblem(const QString& host) {
    static const QRegularExpression kDestination(QStringLiteral("^[^\\s-][^\\s]*$"));
    if (host.isEmpty() || kDestination.match(host).hasMatch()) {
        return {};
    }
    return tr("A host of ~/.ssh/config, or user@host, without blanks");
}

}  // namespace

QJsonObject toJson(const RecordRequest& request) {
    Writer writer{request, {}};
    visitFields(writer);
    QJsonObject& object = writer.object;
    object["what"] = request.what == RecordRequest::What::Kernel ? "kernel" : "program";
    object["mode"] = request.mode == RecordRequest::Mode::Event  ? "event"
                     : request.mode == RecordRequest::Mode::Nsys ? "nsys"
                                                                 : "custom";
    object["api"] = QLatin1String(wordOf(request.api));
    object["graph"] = request.graph == GraphLevel::Launch ? "launch" : "node";
    QJsonObject parameters;
    for (auto it = request.parameters.cbegin(); it != request.parameters.cend(); ++it) {
        parameters[it.key()] = it.value();
    }
    object["parameters"] = parameters;
    QJsonArray environment;
    for (const auto& [name, value] : request.environment) {
        environment.append(QJsonArray{name, value});
    }
    object["environment"] = environment;
    return object;
}

RecordRequest requestOf(const QJsonObject& object) {
    Reader reader{object, {}};
    visitFields(reader);
    RecordRequest& request = reader.request;
    request.what = object["what"] == "kernel" ? RecordRequest::What::Kernel : RecordRequest::What::Program;
    request.mode = object["mode"] == "event"  ? RecordRequest::Mode::Event
                   : object["mode"] == "nsys" ? RecordRequest::Mode::Nsys
                                              : RecordRequest::Mode::Custom;
    request.api = object["api"] == "all" ? ApiLevel::All : object["api"] == "none" ? ApiLevel::None : ApiLevel::Launch;
    request.graph = object["graph"] == "launch" ? GraphLevel::Launch : GraphLevel::Node;
    const QJsonObject parameters = object["parameters"].toObject();
    for (auto it = parameters.constBegin(); it != parameters.constEnd(); ++it) {
        request.parameters[it.key()] = it.value().toInteger();
    }
    for (const QJsonValue& entry : object["environment"].toArray()) {
        request.environment.append({entry[0].toString(), entry[1].toString()});
    }
    return std::move(reader.request);
}

QMap<QString, QString> problemsOf(const RecordRequest& request) {
    QMap<QString, QString> problems;
    if (request.what == RecordRequest::What::Kernel) {
        if (request.kernel.isEmpty()) {
            problems[field::kKernel] = tr("Choose a sample kernel");
        } else if (const auto chosen = chosenKernel(request); !chosen.ok()) {
            problems[field::kParameters] = QString::fromStdString(chosen.error().message);
        }
    } else if (const auto words = splitShellWords(request.program); !words.ok()) {
        problems[field::kProgram] = QString::fromStdString(words.error().message);
    } else if (words.value().words.isEmpty()) {
        problems[field::kProgram] = tr("Which program? For example: python train.py --steps 20");
    }
    static const QRegularExpression kName(QStringLiteral("^[^=\\s]+$"));
    for (const auto& [name, value] : request.environment) {
        if (!kName.match(name).hasMatch()) {
            problems[field::kEnvironment] = name.isEmpty() ? tr("The value %1 has no name").arg(value)
                                                           : tr("\"%1\" cannot be the name of a variable").arg(name);
        }
    }
    if (request.host.isEmpty() && !request.folder.isEmpty() && !QFileInfo(request.folder).isDir()) {
        problems[field::kFolder] = tr("There is no such folder");
    }
    if (const QString problem = hostProblem(request.host); !problem.isEmpty()) {
        problems[field::kHost] = problem;
    }
    if (!request.kernelPattern.isEmpty()) {
        if (const Status status = checkPattern(request.kernelPattern.toStdString()); !status.ok()) {
            problems[field::kPattern] = QString::fromStdString(status.error().message);
        }
    }
    if (!request.schedule.trimmed().isEmpty()) {
        const auto schedule = record::scheduleOf(request.schedule.trimmed().toStdString(), !request.range.isEmpty());
        if (!schedule.ok()) {
            problems[field::kSchedule] = QString::fromStdString(schedule.error().message);
        }
    }
    return problems;
}

QStringList programOf(const RecordRequest& request, const QString& recorder) {
    if (request.what == RecordRequest::What::Program) {
        const auto words = splitShellWords(request.program);
        return words.ok() ? words.value().words : QStringList();
    }
    QStringList program{recorder, "kernel-process", kernelName(request)};
    if (const auto chosen = chosenKernel(request); chosen.ok()) {
        for (const auto& [name, value] : chosen.value().values.all()) {
            program << "--param" << QString::fromStdString(name) + '=' + QString::number(value);
        }
    }
    program << "--repetitions" << QString::number(request.repetitions);
    if (!request.checksResult) {
        program << "--no-check";
    }
    return program;
}

Environment environmentOf(const RecordRequest& request) {
    Environment all;
    if (request.what == RecordRequest::What::Program) {
        if (const auto words = splitShellWords(request.program); words.ok()) {
            all = words.value().environment;
        }
    }
    return all + request.environment;
}

RecordOptions recordOptionsOf(const RecordRequest& request) {
    constexpr double kSecond = 1e9;
    RecordOptions options;
    options.api = request.api;
    options.graph = request.graph;
    options.hasMemory = request.hasMemory;
    options.hasAllocationSource = request.hasMemory && request.hasAllocationSource;
    if (request.mode == RecordRequest::Mode::Event) {
        options.api = ApiLevel::None;
        options.hasMemory = options.hasAllocationSource = options.hasSynchronization = options.hasOverhead =
            options.hasRanges = false;
    } else if (request.mode == RecordRequest::Mode::Nsys) {
        options.api = ApiLevel::All;
        options.graph = GraphLevel::Node;
        options.hasMemory = true;
    }
    options.hasCode = request.hasCode;
    options.followsChildren = request.followsChildren;
    options.hasPython = request.hasPython && request.what == RecordRequest::What::Program;
    options.isLive = true;
    options.kernelPattern = request.kernelPattern.toStdString();
    options.skip = request.skip;
    options.count = request.count;
    options.range = request.range.toStdString();
    options.hasRanges = options.hasRanges || !options.range.empty();
    options.isProfilerRange = request.isProfilerRange || request.what == RecordRequest::What::Kernel;
    options.delayNs = std::llround(request.delaySeconds * kSecond);
    options.durationNs = std::llround(request.durationSeconds * kSecond);
    if (const QString text = request.schedule.trimmed(); !text.isEmpty()) {
        if (const auto schedule = record::scheduleOf(text.toStdString(), !request.range.isEmpty()); schedule.ok()) {
            options.schedule = schedule.value();
        }
    }
    return options;
}

QString commandLineOf(const RecordRequest& request) {
    QStringList words{"warpline"};
    const bool isKernel = request.what == RecordRequest::What::Kernel;
    if (isKernel) {
        words << "run" << kernelName(request);
        for (auto it = request.parameters.cbegin(); it != request.parameters.cend(); ++it) {
            words << "--param" << it.key() + '=' + QString::number(it.value());
        }
        words << "--repetitions" << QString::number(request.repetitions);
        if (!request.checksResult) {
            words << "--no-check";
        }
    } else {
        words << "record";
    }
    const auto option = [&](bool isGiven, const char* name, const QString& value = {}) {
        if (isGiven) {
            words << QLatin1String(name);
            if (!value.isEmpty()) {
                words << value;
            }
        }
    };
    const bool isCustom = request.mode == RecordRequest::Mode::Custom;
    // `run --mode event` times a kernel without a recording.
    const bool isKernelEvent = isKernel && request.mode == RecordRequest::Mode::Event;
    option(request.mode == RecordRequest::Mode::Event && !isKernel, "--mode", "event");
    option(request.mode == RecordRequest::Mode::Nsys, "--mode", "nsys");
    option(isKernelEvent, "--api", "none");
    option(isKernelEvent || (isCustom && !request.hasMemory), "--no-memory");
    option(isCustom && request.api != ApiLevel::Launch, "--api", QLatin1String(wordOf(request.api)));
    option(isCustom && request.graph == GraphLevel::Launch, "--graph", "launch");
    option(isCustom && request.hasMemory && request.hasAllocationSource, "--memory");
    option(!request.hasCode, "--no-code");
    option(!request.followsChildren, "--no-children");
    option(request.hasPython && !isKernel, "--python");
    option(!request.kernelPattern.isEmpty(), "--kernel", request.kernelPattern);
    option(request.skip != 0, "--skip", QString::number(request.skip));
    option(request.count != 0, "--count", QString::number(request.count));
    option(!request.range.isEmpty(), "--nvtx", request.range);
    option(request.isProfilerRange && !isKernel, "--profiler-api");
    option(!request.schedule.trimmed().isEmpty(), "--schedule", request.schedule.trimmed());
    option(request.delaySeconds > 0, "--delay", QString::number(request.delaySeconds));
    option(request.durationSeconds > 0, "--duration", QString::number(request.durationSeconds));
    if (!isKernel) {
        words << "--" << programOf(request, {});
    }
    QStringList settings;
    for (const auto& [name, value] : environmentOf(request)) {
        settings << quotedForShell(name + '=' + value);
    }
    QString line = joinedForShell(words);
    if (!settings.isEmpty()) {
        line = "env " + settings.join(' ') + ' ' + line;
    }
    if (!request.folder.isEmpty()) {
        line = "cd " + quotedForShell(request.folder) + " && " + line;
    }
    return request.host.isEmpty() ? line : "ssh " + quotedForShell(request.host) + ' ' + quotedForShell(line);
}

QString nameOf(const RecordRequest& request) {
    if (request.what == RecordRequest::What::Kernel) {
        return kernelName(request);
    }
    const QStringList words = programOf(request, {});
    if (words.isEmpty()) {
        return {};
    }
    static const QRegularExpression kInterpreter(
        QStringLiteral("^(python[0-9.]*|torchrun|accelerate|bash|sh|mpirun|env|uv|poetry|conda)$"));
    const QString program = QFileInfo(words.first()).fileName();
    if (kInterpreter.match(program).hasMatch()) {
        for (qsizetype i = 1; i < words.size(); ++i) {
            const QString word = QFileInfo(words[i]).fileName();
            if (!words[i].startsWith('-') && word.contains('.') && !word.contains(' ')) {
                return word;
            }
        }
    }
    return program;
}

QString costOf(const RecordRequest& request) {
    const RecordOptions options = recordOptionsOf(request);
    QStringList costs;
    if (options.api == ApiLevel::All) {
        costs << tr("every CUDA call is timed: the costliest level for programs that call often");
    } else if (options.api == ApiLevel::None) {
        costs << tr("no calls: least cost, but no arrows from a launch to its kernel");
    } else {
        costs << tr("launches, copies and sets: a small cost for each launch");
    }
    if (options.graph == GraphLevel::Node) {
        costs << tr("CUDA graphs node by node: costs GPU time for each node");
    }
    if (options.hasPython) {
        costs << tr("PyTorch's allocator and ranges: Python code at each of them");
    }
    if (options.hasAllocationSource) {
        costs << tr("who asked for memory: a look at the stack for each allocation");
    }
    if (options.selectsLaunches()) {
        costs << tr("filters make the file smaller, not the recording cheaper");
    }
    return costs.join("; ") + '.';
}

}  // namespace warpline::ui
