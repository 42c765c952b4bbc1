// SPDX-License-Identifier: MIT
#pragma once
// Records the stand-in program by `warpline record`, as its users do.

#include <QProcess>
#include <QTemporaryDir>

#include <memory>

#include "tests/support/capture_reader.h"

namespace warpline::test {

QString injectionLibrary();
QString cuptiStandin();
/// Lacks what not every version has.
QString oldCuptiStandin();
QString cudaProgram();

struct RecordRun {
    int code = -1;  ///< -1: it crashed or did not end
    QByteArray out, err;
    CaptureContent capture;

    QByteArray lastLine() const;
    size_t kernels() const { return capture.count(capture::FrameType::Kernels) == 0 ? 0 : kernelRecords().size(); }
    std::vector<capture::KernelRecord> kernelRecords() const { return capture.records<capture::KernelRecord>(); }
    std::vector<capture::CallRecord> calls() const { return capture.records<capture::CallRecord>(); }
};

/// A folder of its own, and settings of the runs in it.
class RecordBench {
public:
    RecordBench();

    /// Of `warpline record` and of what it starts.
    void set(const QString& variable, const QString& value) { m_environment.insert(variable, value); }
    void unset(const QString& variable) { m_environment.remove(variable); }
    QString file(const QString& name) const { return m_folder.filePath(name); }
    QString output() const { return file("out.wcap"); }

    /// Records the program while it does `todo` (see cuda_program.cpp).
    RecordRun record(const QStringList& todo, const QStringList& options = {});
    /// The same, without waiting.
    std::unique_ptr<QProcess> start(const QStringList& todo, const QStringList& options = {});
    RecordRun finish(QProcess& process);
    /// Any program, with these arguments.
    std::unique_ptr<QProcess> startProgram(const QString& program, const QStringList& arguments,
                                           QIODevice::OpenMode mode = QIODevice::ReadOnly);

    /// What a recording leaves beside its file: should be nothing.
    QStringList leftovers() const;

private:
    QTemporaryDir m_folder;
    QProcessEnvironment m_environment = QProcessEnvironment::systemEnvironment();
};

}  // namespace warpline::test
