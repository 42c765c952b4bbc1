// SPDX-License-Identifier: MIT
// The Python side, run by the system's Python: with a made-up torch and recorder it says what it should; without them,
// or beside the user's own sitecustomize, it stays out of the way.
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "core/record/agent/python_text.h"

using namespace warpline::record;

namespace {

void write(const QString& path, const QByteArray& text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

// A torch whose allocator has a history, and a ctypes whose library prints what it is told.
constexpr const char* kTorch = R"(
__version__ = "9.9"
class _Memory:
    def _record_memory_history(self, **settings): print("history", settings["max_entries"])
    def _snapshot(self):
        return {"device_traces": [[
            {"action": "segment_alloc", "addr": 4096, "size": 2097152, "stream": 0, "time_us": 10, "frames": []},
            {"action": "alloc", "addr": 4096, "size": 4, "stream": 0, "time_us": 11,
             "frames": [{"filename": "a.py", "line": 3, "name": "f"}]},
            {"action": "free_requested", "addr": 4096, "size": 4, "stream": 0, "time_us": 12, "frames": []},
            {"action": "free_completed", "addr": 4096, "size": 4, "stream": 0, "time_us": 12, "frames": []},
        ]]}
class _Nvtx:
    def range_push(self, name): print("push", name)
    def range_pop(self): print("pop")
class _Cuda:
    memory, nvtx = _Memory(), _Nvtx()
    def _lazy_call(self, call): call()
    def is_initialized(self): return True
    def device_count(self): return 1
    def max_memory_allocated(self, device): return 512
    def max_memory_reserved(self, device): return 2097152
cuda = _Cuda()
class record_function:
    def __init__(self, name): self.name = name
    def __enter__(self): print("enter"); return self
    def __exit__(self, *details): print("leave")
class _Profiler: pass
class _Autograd: profiler = _Profiler()
autograd = _Autograd()
autograd.profiler.record_function = record_function
)";

constexpr const char* kCtypes = R"(
c_char_p = c_int64 = c_uint64 = c_uint32 = None
class CDLL:
    def __init__(self, path):
        if path == "missing": raise OSError("no such library")
    class _Call:
        def __init__(self, name): self.name = name
        def __call__(self, *values): print(self.name, *values)
    def __getattr__(self, name): return CDLL._Call(name)
)";

struct Python {
    QTemporaryDir folder;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();

    Python() {
        QDir(folder.path()).mkpath("hook");
        QDir(folder.path()).mkpath("modules");
        write(folder.filePath("hook/sitecustomize.py"),
              QByteArray(pythonText().data(), static_cast<qsizetype>(pythonText().size())));
        environment.insert("PYTHONPATH", folder.filePath("hook") + ":" + folder.filePath("modules"));
        environment.insert("PYTHONDONTWRITEBYTECODE", "1");
        environment.insert("CUDA_INJECTION64_PATH", "library");
        environment.insert("WARPLINE_RECORD_FOLDER", "folder");
    }
    void addModule(const QString& name, const QByteArray& text) { write(folder.filePath("modules/" + name), text); }
    QStringList run(const QString& program, QString* errors = nullptr) {
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start("python3", {"-c", program});
        process.waitForFinished(60000);
        if (errors != nullptr) {
            *errors = process.readAllStandardError();
        }
        return QString(process.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
    }
};

}  // namespace

class tst_PythonSide : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void tellsWhatTorchKnows();
    void programsWithoutTorchSeeNothing();
    void theUsersOwnSitecustomizeRuns();
    void aFailureIsALineAndNoException();
};

void tst_PythonSide::initTestCase() {
    if (QStandardPaths::findExecutable("python3").isEmpty()) {
        QSKIP("there is no python3");
    }
}

void tst_PythonSide::tellsWhatTorchKnows() {
    Python python;
    python.addModule("torch.py", kTorch);
    python.addModule("ctypes.py", kCtypes);
    const QStringList said = python.run(
        "import torch\n"
        "with torch.autograd.profiler.record_function('step'): print('work')");
    const QStringList wanted{"warpline_note_fact b'torch.version' b'9.9'",
                             "history 1000000",
                             "push step",
                             "enter",
                             "work",
                             "pop",
                             "leave",
                             "warpline_note_allocation 10000 4096 2097152 0 4 0 None",
                             "warpline_note_allocation 11000 4096 512 0 1 0 b'a.py:3 f'",
                             "warpline_note_allocation 12000 4096 512 0 2 0 None",
                             "warpline_note_allocation 12000 4096 512 0 3 0 None",
                             "warpline_note_fact b'torch.0.max_memory_allocated' b'512'",
                             "warpline_note_fact b'torch.0.max_memory_reserved' b'2097152'"};
    QCOMPARE(said, wanted);
}

void tst_PythonSide::programsWithoutTorchSeeNothing() {
    Python python;
    QString errors;
    QCOMPARE(python.run("import sys; print([p for p in sys.path if 'hook' in p])", &errors), QStringList{"[]"});
    QCOMPARE(errors, QString());
}

void tst_PythonSide::theUsersOwnSitecustomizeRuns() {
    Python python;
    python.addModule("sitecustomize.py", "print('mine')\nvalue = 7\n");
    QCOMPARE(python.run("import sitecustomize; print(sitecustomize.value)"), (QStringList{"mine", "7"}));
}

void tst_PythonSide::aFailureIsALineAndNoException() {
    Python python;
    python.addModule("torch.py", kTorch);
    python.addModule("ctypes.py", kCtypes);
    python.environment.insert("CUDA_INJECTION64_PATH", "missing");
    QString errors;
    QCOMPARE(python.run("import torch; print(torch.__version__)", &errors), QStringList{"9.9"});
    QVERIFY(errors.startsWith("warpline: PyTorch is recorded without its own knowledge: OSError: no such library"));
    QCOMPARE(errors.count('\n'), 1);
}

QTEST_GUILESS_MAIN(tst_PythonSide)
#include "tst_python_side.moc"
