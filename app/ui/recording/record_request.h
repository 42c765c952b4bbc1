// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the user wants recorded, as the dialog asks for it and presets keep it. Pure; any thread.

#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QPair>
#include <QString>
#include <QStringList>

#include "core/base/result.h"
#include "core/record/options/record_options.h"

namespace warpline::ui {

using Environment = QList<QPair<QString, QString>>;

struct RecordRequest {
    enum class What { Program, Kernel };
    /// What of a mode is said here in one word; Custom: as the members below say.
    enum class Mode { Custom, Event, Nsys };

    What what = What::Program;
    QString program;  ///< with its arguments, as a shell takes them
    QString kernel;   ///< id of a sample kernel
    QString version;
    QMap<QString, qint64> parameters;  ///< of the kernel, beside the defaults
    int repetitions = 50;
    bool checksResult = true;
    Environment environment;
    QString folder;  ///< "": where the recorder is started: here the window's, by ssh the home folder
    QString host;    ///< "": this machine; else a destination for ssh

    QString kernelPattern;
    quint64 skip = 0;
    quint64 count = 0;  ///< 0: all
    QString range;      ///< NVTX
    QString schedule;
    double delaySeconds = 0;
    double durationSeconds = 0;  ///< 0: until the program ends
    bool isProfilerRange = false;

    Mode mode = Mode::Custom;
    record::ApiLevel api = record::ApiLevel::Launch;
    record::GraphLevel graph = record::GraphLevel::Node;
    bool hasMemory = true;
    bool hasAllocationSource = false;
    bool hasCode = true;
    bool followsChildren = true;
    bool hasPython = false;  ///< PyTorch's allocator and record_function ranges

    bool operator==(const RecordRequest&) const = default;
};

QJsonObject toJson(const RecordRequest& request);
/// What is missing or no such thing is as in a new request.
RecordRequest requestOf(const QJsonObject& object);

/// Names of what a problem is about.
namespace field {
inline constexpr auto kProgram = "program";
inline constexpr auto kKernel = "kernel";
inline constexpr auto kParameters = "parameters";
inline constexpr auto kEnvironment = "environment";
inline constexpr auto kFolder = "folder";
inline constexpr auto kHost = "host";
inline constexpr auto kPattern = "pattern";
inline constexpr auto kSchedule = "schedule";
}  // namespace field

/// What keeps it from being recorded: by the field, a sentence each.
QMap<QString, QString> problemsOf(const RecordRequest& request);

/// The program to start; `recorder` is the command-line program's path, which runs sample kernels itself.
/// REQUIRES: no problems.
QStringList programOf(const RecordRequest& request, const QString& recorder);
/// All that is set for the program. REQUIRES: no problems.
Environment environmentOf(const RecordRequest& request);
/// REQUIRES: no problems.
record::RecordOptions recordOptionsOf(const RecordRequest& request);
/// The same on the command line.
QString commandLineOf(const RecordRequest& request);
/// "train.py", "gemm:tiled": short enough for a list. "" if there is nothing to record yet.
QString nameOf(const RecordRequest& request);
/// What of it costs the program time, and how much is measured or known; a line.
QString costOf(const RecordRequest& request);

}  // namespace warpline::ui
