// SPDX-License-Identifier: MIT
// The checks of `warpline doctor` on machines made up.
#include <QTemporaryDir>
#include <QTest>

#include "core/record/doctor/doctor.h"
#include "tests/support/made_up_system.h"

using namespace warpline::record;
using warpline::Error;
using warpline::test::MadeUpSystem;

namespace {

template <class T>
Reading<T> of(T value) {
    return Reading<T>::of(std::move(value));
}

const std::string kModule =
    "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build  (dvs-builder)\n"
    "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n";

struct Machine {
    MadeUpSystem system;
    NvmlSnapshot nvml;
    QTemporaryDir notesFolder;
    std::optional<GpuLockHolder> holder;

    ClockNotes notes() const { return ClockNotes(notesFolder.path().toStdString(), "boot"); }

    std::vector<Check> checks() const {
        const ClockNotes clockNotes = notes();
        return runChecks({system, nvml, clockNotes, "/opt/warpline/bin",
                          [this](const std::string& uuid) { return uuid == "GPU-0" ? holder : std::nullopt; }});
    }
    Check check(const std::string& id) const {
        for (const Check& check : checks()) {
            if (check.id == id) {
                return check;
            }
        }
        return {"absent", "", CheckState::NotAvailable, "no such check", ""};
    }
    std::string found(const std::string& id) const { return check(id).found; }
    QString state(const std::string& id) const { return checkStateName(check(id).state); }
};

DeviceSnapshot deviceNumber(uint32_t index) {
    DeviceSnapshot device;
    device.identity.index = index;
    device.identity.uuid = of("GPU-" + std::to_string(index));
    device.identity.name = of(std::string("NVIDIA H200"));
    device.identity.maxSmClockMhz = of(1980U);
    device.identity.virtualization = of(VirtualizationMode::None);
    device.state.smClockMhz = of(1830U);
    device.state.throttleReasons = of(uint64_t{0});
    device.state.temperatureC = of(41U);
    device.state.powerWatts = of(697.6);
    device.state.persistence = of(true);
    device.state.mig = of(false);
    return device;
}

/// Where all is well.
std::unique_ptr<Machine> goodMachine(uint32_t devices = 1) {
    auto machine = std::make_unique<Machine>();
    machine->system.files["/proc/driver/nvidia/version"] = kModule;
    machine->system.files["/proc/driver/nvidia/params"] = "ResmanDebugLevel: 1\nRmProfilingAdminOnly: 0\nX: 1\n";
    machine->system.files["/proc/version"] = "Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org)";
    machine->system.files["/opt/warpline/bin/libwarpline_inject.so"] = "";
    machine->system.addLibrary("libcuda.so.1", "/usr/lib/libcuda.so.1");
    machine->system.addLibrary("libcupti.so.13", "/usr/lib/libcupti.so.13", 130001);
    machine->system.addProcess(12, {"bash"});
    machine->nvml.libraryPath = "/usr/lib/libnvidia-ml.so.1";
    machine->nvml.driverVersion = of(std::string("580.95.05"));
    machine->nvml.nvmlVersion = of(std::string("13.580.95.05"));
    machine->nvml.cudaVersion = of(13000U);
    for (uint32_t index = 0; index < devices; ++index) {
        machine->nvml.devices.push_back(deviceNumber(index));
    }
    return machine;
}

std::unique_ptr<Machine> machineWithoutDriver() {
    auto machine = std::make_unique<Machine>();
    machine->nvml.error = Error::failed("NVML cannot be opened: libnvidia-ml.so.1", nvml_error::kNoLibrary);
    return machine;
}

}  // namespace

class TestChecks : public QObject {
    Q_OBJECT

private slots:
    void everythingFine();
    void noDriver();
    void moduleNotLoaded();
    void librariesOfAnotherVersion();
    void driverTooOld();
    void noCudaLibrary();
    void nvmlWithoutPermission();
    void noGpu();
    void hiddenGpus();
    void severalGpus();
    void noCupti();
    void cuptiThatCannotBeUsed();
    void cuptiThatMustBeNamed();
    void injectionLibrary();
    void countersBlocked();
    void countersOfAdministrators_data();
    void countersOfAdministrators();
    void countersHeldByAnother();
    void otherClient();
    void injectionSetInThisShell();
    void recordingGoingOn();
    void lockedClocks();
    void throttled_data();
    void throttled();
    void persistenceOff();
    void migOn();
    void gpuWithoutMig();
    void readingsThatFail();
    void mps();
    void virtualization();
    void container();
};

void TestChecks::everythingFine() {
    const auto checks = goodMachine()->checks();
    QCOMPARE(checks.size(), size_t{15});
    for (const Check& check : checks) {
        QVERIFY2(check.state == CheckState::Ok, (check.id + ": " + check.found).c_str());
        QVERIFY2(!check.found.empty() && !check.title.empty(), check.id.c_str());
        QVERIFY2(check.fix.empty(), check.fix.c_str());
    }
    const auto machine = goodMachine();
    QCOMPARE(machine->found("driver"), std::string("580.95.05, runs CUDA up to 13.0"));
    QCOMPARE(machine->found("devices"), std::string("1: NVIDIA H200"));
    QCOMPARE(machine->found("clocks"), std::string("SM at 1830 MHz of 1980, not locked by warpline; before comparing "
                                                   "times: warpline clocks lock"));
    QCOMPARE(machine->found("other_clients"), std::string("none among 1 processes"));
}

void TestChecks::noDriver() {
    const auto machine = machineWithoutDriver();
    const Check driver = machine->check("driver");
    QCOMPARE(driver.state, CheckState::NotAvailable);
    QCOMPARE(driver.found, std::string("no NVIDIA driver"));
    QVERIFY(driver.fix.find("520 or newer") != std::string::npos);
    QCOMPARE(machine->found("nvml"), std::string("NVML cannot be opened: libnvidia-ml.so.1"));
    for (const char* id : {"nvml", "devices", "injection", "counters", "clocks", "throttling", "persistence", "mig"}) {
        QCOMPARE(machine->state(id), "not_available");
        QVERIFY(!machine->check(id).fix.empty());
    }
    QCOMPARE(machine->state("cupti"), "limited");
    QCOMPARE(machine->state("mps"), "ok");
}

void TestChecks::moduleNotLoaded() {
    const auto machine = machineWithoutDriver();
    machine->nvml.error = Error::failed("the NVIDIA driver is not loaded", nvml_error::kNoDriver);
    machine->system.addLibrary("libcuda.so.1", "/usr/lib/libcuda.so.1");
    QCOMPARE(machine->found("driver"), std::string("its libraries are here, its kernel module is not loaded"));
    QVERIFY(machine->check("driver").fix.find("modprobe nvidia") != std::string::npos);
}

void TestChecks::librariesOfAnotherVersion() {
    const auto machine = goodMachine();
    machine->nvml = {};
    machine->nvml.error = Error::failed("versions differ", nvml_error::kMismatch);
    QCOMPARE(machine->state("driver"), "not_available");
    QCOMPARE(machine->found("driver"),
             std::string("the loaded kernel module is 580.95.05, the libraries are of another version"));
}

void TestChecks::driverTooOld() {
    const auto machine = goodMachine();
    machine->nvml.driverVersion = of(std::string("470.57.02"));
    machine->nvml.cudaVersion = of(11040U);
    QCOMPARE(machine->state("driver"), "not_available");
    QCOMPARE(machine->found("driver"), std::string("470.57.02, of CUDA 11.4: too old"));
    QCOMPARE(machine->check("cupti").fix, std::string("see Driver"));
}

void TestChecks::noCudaLibrary() {
    const auto machine = goodMachine();
    machine->system.libraries.erase("libcuda.so.1");
    QCOMPARE(machine->state("driver"), "not_available");
    QCOMPARE(machine->found("driver"), std::string("580.95.05, without libcuda.so.1"));
}

void TestChecks::nvmlWithoutPermission() {
    const auto machine = goodMachine();
    machine->nvml = {};
    machine->nvml.error = Error::failed("no permission to talk to the NVIDIA driver", nvml_error::kNoPermission);
    QVERIFY(machine->check("nvml").fix.find("/dev/nvidiactl") != std::string::npos);
    // The module tells its version all the same.
    QCOMPARE(machine->found("driver"), std::string("580.95.05; which CUDA it runs is not known"));
    QCOMPARE(machine->state("driver"), "limited");
}

void TestChecks::noGpu() {
    const auto machine = goodMachine(0);
    QCOMPARE(machine->state("devices"), "not_available");
    QCOMPARE(machine->found("clocks"), std::string("there is no GPU"));
}

void TestChecks::hiddenGpus() {
    const auto machine = goodMachine();
    machine->system.variables["CUDA_VISIBLE_DEVICES"] = "";
    QCOMPARE(machine->state("devices"), "not_available");
    QCOMPARE(machine->check("devices").fix, std::string("unset CUDA_VISIBLE_DEVICES"));
    machine->system.variables["CUDA_VISIBLE_DEVICES"] = "0";
    QCOMPARE(machine->state("devices"), "ok");
    QCOMPARE(machine->found("devices"),
             std::string("1: NVIDIA H200; programs that are started here see CUDA_VISIBLE_DEVICES=0"));
}

void TestChecks::severalGpus() {
    const auto machine = goodMachine(3);
    machine->nvml.devices[2].identity.name = of(std::string("NVIDIA L4"));
    QCOMPARE(machine->found("devices"), std::string("3: NVIDIA H200, NVIDIA L4"));
    QCOMPARE(machine->found("persistence"), std::string("on"));
}

void TestChecks::noCupti() {
    const auto machine = goodMachine();
    machine->system.libraries.erase("libcupti.so.13");
    machine->nvml.cudaVersion = of(12080U);
    const Check cupti = machine->check("cupti");
    QCOMPARE(cupti.state, CheckState::Limited);
    QCOMPARE(cupti.found,
             std::string("no libcupti; only programs that bring their own, as PyTorch does, can be recorded"));
    QCOMPARE(cupti.fix,
             std::string("install CUPTI of the CUDA Toolkit, 11.8 to 12.8 (package cuda-cupti-12-8), or name "
                         "a libcupti in WARPLINE_CUPTI"));
}

void TestChecks::cuptiThatCannotBeUsed() {
    const auto machine = goodMachine();
    machine->system.libraries.erase("libcupti.so.13");
    machine->system.addLibrary("", "/usr/local/cuda/lib64/libcupti.so.11.5", 16);
    QCOMPARE(machine->found("cupti"), std::string("none that can be used; /usr/local/cuda/lib64/libcupti.so.11.5 (in a "
                                                  "toolkit): it is older than 11.8"));
}

void TestChecks::cuptiThatMustBeNamed() {
    const auto machine = goodMachine();
    machine->system.libraries.erase("libcupti.so.13");
    machine->system.addLibrary("", "/usr/local/cuda-12.8/lib64/libcupti.so.12", 26);
    const Check cupti = machine->check("cupti");
    QCOMPARE(cupti.state, CheckState::Limited);
    QCOMPARE(cupti.fix, std::string("export WARPLINE_CUPTI=/usr/local/cuda-12.8/lib64/libcupti.so.12"));
}

void TestChecks::injectionLibrary() {
    const auto machine = goodMachine();
    QCOMPARE(machine->found("injection"), std::string("/opt/warpline/bin/libwarpline_inject.so"));
    machine->system.files.erase("/opt/warpline/bin/libwarpline_inject.so");
    QCOMPARE(machine->state("injection"), "not_available");
    machine->system.files["/opt/warpline/bin/../lib/warpline/libwarpline_inject.so"] = "";
    QCOMPARE(machine->found("injection"), std::string("/opt/warpline/bin/../lib/warpline/libwarpline_inject.so"));
    machine->system.files["/opt/warpline/bin/libwarpline_inject.so"] = "";
    QCOMPARE(machine->found("injection"), std::string("/opt/warpline/bin/../lib/warpline/libwarpline_inject.so"));
    machine->system.variables["WARPLINE_INJECT"] = "/mine.so";
    QCOMPARE(machine->found("injection"), std::string("WARPLINE_INJECT names /mine.so, which is not there"));
    machine->system.files["/mine.so"] = "";
    QCOMPARE(machine->found("injection"), std::string("/mine.so"));
}

void TestChecks::countersBlocked() {
    const auto machine = goodMachine();
    machine->system.files["/proc/driver/nvidia/params"] = "RmProfilingAdminOnly: 1\n";
    machine->system.files["/proc/self/status"] = "Name:\tx\nCapEff:\t0000000000000000\n";
    const Check counters = machine->check("counters");
    QCOMPARE(counters.state, CheckState::Limited);
    QCOMPARE(counters.found, std::string("Timeline works. Counters are blocked by the driver (RmProfilingAdminOnly 1, "
                                         "user 1000)"));
    QVERIFY(counters.fix.find("`options nvidia NVreg_RestrictProfilingToAdminUsers=0`") != std::string::npos);
    QVERIFY(counters.fix.find("or run as root") != std::string::npos);
}

void TestChecks::countersOfAdministrators_data() {
    QTest::addColumn<uint32_t>("user");
    QTest::addColumn<QByteArray>("status");
    QTest::addColumn<QString>("state");
    QTest::newRow("root") << 0U << QByteArray() << "ok";
    QTest::newRow("root with all") << 0U << QByteArray("CapEff:\t000001ffffffffff\n") << "ok";
    QTest::newRow("root of a container") << 0U << QByteArray("CapEff:\t00000000a80425fb\n") << "limited";
    QTest::newRow("CAP_SYS_ADMIN") << 1000U << QByteArray("CapEff:\t0000000000200000\n") << "ok";
    QTest::newRow("CAP_PERFMON") << 1000U << QByteArray("CapEff:\t0000004000000000\n") << "ok";
    QTest::newRow("user") << 1000U << QByteArray() << "limited";
}

void TestChecks::countersOfAdministrators() {
    QFETCH(uint32_t, user);
    QFETCH(QByteArray, status);
    QFETCH(QString, state);
    const auto machine = goodMachine();
    machine->system.user = user;
    machine->system.files["/proc/driver/nvidia/params"] = "RmProfilingAdminOnly: 1\n";
    if (!status.isEmpty()) {
        machine->system.files["/proc/self/status"] = "Name:\tx\n" + status.toStdString();
    }
    QCOMPARE(machine->state("counters"), state);
    if (user == 0 && state == "limited") {
        QVERIFY(machine->check("counters").fix.find("--cap-add=SYS_ADMIN") != std::string::npos);
    }
}

void TestChecks::countersHeldByAnother() {
    const auto machine = goodMachine();
    machine->system.addProcess(77, {"nv-hostengine"});
    QCOMPARE(machine->state("counters"), "limited");
    QVERIFY(machine->found("counters").find("nv-hostengine (process 77) is DCGM") != std::string::npos);
}

void TestChecks::otherClient() {
    const auto machine = goodMachine();
    machine->system.addProcess(4711, {"/opt/nsys", "profile"});
    machine->system.addProcess(13, {"a"});
    machine->system.files.erase("/proc/13/environ");
    const Check clients = machine->check("other_clients");
    QCOMPARE(clients.state, CheckState::Limited);
    QCOMPARE(clients.found,
             std::string("nsys (process 4711) is Nsight Systems; the environment of 1 may not be read by "
                         "this user"));
    QVERIFY(clients.fix.find("one profiler at a time") != std::string::npos);
}

void TestChecks::injectionSetInThisShell() {
    const auto machine = goodMachine();
    machine->system.variables["CUDA_INJECTION64_PATH"] = "/opt/tool.so";
    const Check clients = machine->check("other_clients");
    QCOMPARE(clients.state, CheckState::Limited);
    QCOMPARE(clients.fix, std::string("unset CUDA_INJECTION64_PATH"));
}

void TestChecks::recordingGoingOn() {
    const auto machine = goodMachine(2);
    machine->holder = GpuLockHolder{4711, "train.py", 1779005700};
    QCOMPARE(machine->state("recordings"), "limited");
    QCOMPARE(machine->found("recordings"), std::string("GPU 0 is being recorded: `train.py` (process 4711, since "
                                                       "2026-05-17 08:15:00 UTC)"));
}

void TestChecks::lockedClocks() {
    const auto machine = goodMachine();
    QVERIFY(machine->notes().write("GPU-0", {1830, {}, 1779005700}).ok());
    QCOMPARE(machine->state("clocks"), "ok");
    QCOMPARE(machine->found("clocks"),
             std::string("SM at 1830 MHz of 1980, locked by warpline at 1830 MHz since 2026-05-17 08:15:00 UTC"));
    machine->nvml.devices[0].state.smClockMhz = of(1980U);
    QCOMPARE(machine->state("clocks"), "limited");
    QCOMPARE(machine->check("clocks").fix, std::string("warpline clocks lock --device 0, or reset"));
}

void TestChecks::throttled_data() {
    QTest::addColumn<uint>("bits");
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("found");
    QTest::addColumn<QString>("fix");
    QTest::newRow("idle") << 1U << "ok"
                          << "idle"
                          << "";
    QTest::newRow("set by the user") << 2U << "ok"
                                     << "application clocks setting"
                                     << "";
    QTest::newRow("power") << 4U << "limited"
                           << "power cap at 41 °C, 698 W"
                           << "short of power";
    QTest::newRow("heat") << 0x24U << "limited"
                          << "power cap, thermal slowdown by the driver at 41 °C, 698 W"
                          << "too hot";
}

void TestChecks::throttled() {
    QFETCH(uint, bits);
    QFETCH(QString, state);
    QFETCH(QString, found);
    QFETCH(QString, fix);
    const auto machine = goodMachine();
    machine->nvml.devices[0].state.throttleReasons = of(uint64_t{bits});
    QCOMPARE(machine->state("throttling"), state);
    QCOMPARE(QString::fromStdString(machine->found("throttling")), found);
    const QString given = QString::fromStdString(machine->check("throttling").fix);
    QVERIFY2(fix.isEmpty() ? given.isEmpty() : given.startsWith(fix), qPrintable(given));
}

void TestChecks::persistenceOff() {
    const auto machine = goodMachine(3);
    machine->nvml.devices[0].state.persistence = of(false);
    machine->nvml.devices[2].state.persistence = of(false);
    QCOMPARE(machine->state("persistence"), "limited");
    QVERIFY(machine->found("persistence").find("GPU 0: off; GPU 1: on; GPU 2: off") == 0);
    QCOMPARE(machine->check("persistence").fix, std::string("sudo nvidia-smi -i 0,2 -pm 1"));
}

void TestChecks::migOn() {
    const auto machine = goodMachine(2);
    machine->nvml.devices[1].state.mig = of(true);
    QCOMPARE(machine->state("mig"), "limited");
    QVERIFY(machine->found("mig").find("GPU 0: off; GPU 1: on: timeline works") == 0);
    QCOMPARE(machine->check("mig").fix, std::string("to use the GPU as one: sudo nvidia-smi -i 1 -mig 0"));
}

void TestChecks::gpuWithoutMig() {
    const auto machine = goodMachine();
    machine->nvml.devices[0].state.mig = Reading<bool>::none("this device does not have it", true);
    QCOMPARE(machine->state("mig"), "ok");
    QCOMPARE(machine->found("mig"), std::string("not on this GPU"));
}

void TestChecks::readingsThatFail() {
    const auto machine = goodMachine();
    DeviceState& state = machine->nvml.devices[0].state;
    state.smClockMhz = Reading<uint32_t>::none("Unknown Error");
    state.throttleReasons = Reading<uint64_t>::none("Unknown Error");
    state.persistence = state.mig = Reading<bool>::none("Unknown Error");
    for (const char* id : {"clocks", "throttling", "persistence", "mig"}) {
        QCOMPARE(machine->state(id), "not_available");
        QVERIFY2(machine->found(id).find("not known: Unknown Error") != std::string::npos, machine->found(id).c_str());
    }
}

void TestChecks::mps() {
    const auto machine = goodMachine();
    machine->system.files["/tmp/nvidia-mps/control"] = "";
    QCOMPARE(machine->state("mps"), "limited");
    QVERIFY(machine->found("mps").find("its pipe is at /tmp/nvidia-mps") == 0);
    machine->system.variables["CUDA_MPS_PIPE_DIRECTORY"] = "/elsewhere";
    QCOMPARE(machine->state("mps"), "ok");
    machine->system.addProcess(99, {"nvidia-cuda-mps-control", "-d"});
    QCOMPARE(machine->found("mps"), std::string("nvidia-cuda-mps-control (process 99) is MPS control: timeline works, "
                                                "counters of shared GPUs do not"));
}

void TestChecks::virtualization() {
    const auto machine = goodMachine();
    machine->nvml.devices[0].identity.virtualization = of(VirtualizationMode::PassThrough);
    QCOMPARE(machine->state("virtualization"), "ok");
    QCOMPARE(machine->found("virtualization"), std::string("a virtual machine, the GPU is passed through"));
    machine->nvml.devices[0].identity.virtualization = of(VirtualizationMode::Vgpu);
    QCOMPARE(machine->state("virtualization"), "limited");
    machine->system.files["/proc/version"] = "Linux version 5.15.90.1-microsoft-standard-WSL2";
    QCOMPARE(machine->found("virtualization"), std::string("WSL: timeline works, counters are limited"));
}

void TestChecks::container() {
    const auto machine = goodMachine();
    machine->system.files["/proc/1/cgroup"] = "12:pids:/kubepods/besteffort/pod1\n";
    QCOMPARE(machine->state("container"), "limited");
    machine->system.files.erase("/proc/1/cgroup");
    machine->system.files["/.dockerenv"] = "";
    QCOMPARE(machine->state("container"), "limited");
}

QTEST_GUILESS_MAIN(TestChecks)
#include "tst_checks.moc"
