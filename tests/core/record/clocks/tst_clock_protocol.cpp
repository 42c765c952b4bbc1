// SPDX-License-Identifier: MIT
// Which clocks are chosen, what nvidia-smi is told, what is noted.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/record/clocks/clock_facts.h"
#include "core/record/clocks/clock_protocol.h"
#include "core/record/clocks/run_tool.h"

using namespace warpline::record;
using warpline::Status;

namespace {

const std::string kSmi = WARPLINE_SOURCE_DIR "/tests/support/stand_in/nvidia_smi.sh";
const std::string kUuid = "GPU-1";

template <class T>
Reading<T> of(T value) {
    return Reading<T>::of(std::move(value));
}

DeviceIdentity deviceWith(uint32_t defaultMhz, uint32_t maxMhz) {
    DeviceIdentity device;
    device.maxMemoryClockMhz = of(3201U);
    device.maxSmClockMhz = maxMhz != 0 ? of(maxMhz) : Reading<uint32_t>::none("not told");
    device.defaultSmClockMhz = defaultMhz != 0 ? of(defaultMhz) : Reading<uint32_t>::none("not told");
    return device;
}

const auto kSupported = of(std::vector<uint32_t>{1980, 1965, 1950, 345});
const auto kMemory = of(std::vector<uint32_t>{3201, 1593});
const auto kUnknown = Reading<std::vector<uint32_t>>::none("not told");

}  // namespace

class TestClockProtocol : public QObject {
    Q_OBJECT

private slots:
    void init();
    void choiceWithoutAWish_data();
    void choiceWithoutAWish();
    void choiceByWish_data();
    void choiceByWish();
    void deviceThatTellsNothing();
    void lockIsNotedAndResetForgets();
    void memoryLock();
    void withoutPermissionNothingIsNoted();
    void failureKeepsTheFormerNote();
    void memoryThatCannotBeLocked();
    void resetWhereMemoryCannotBeLocked();
    void folderThatCannotBeWritten();
    void noteOfAFormerStart();
    void damagedNote();
    void noTool();
    void textOfTheLock();
    void facts();

private:
    QByteArray toldToSmi() const;

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<ClockNotes> m_notes;
};

void TestClockProtocol::init() {
    m_dir = std::make_unique<QTemporaryDir>();
    m_notes = std::make_unique<ClockNotes>(m_dir->filePath("state").toStdString(), "boot-1");
    qputenv("WARPLINE_STAND_IN_SMI_LOG", m_dir->filePath("log").toUtf8());
    qunsetenv("WARPLINE_STAND_IN_SMI");
}

QByteArray TestClockProtocol::toldToSmi() const {
    QFile log(m_dir->filePath("log"));
    return log.open(QIODevice::ReadOnly) ? log.readAll() : QByteArray();
}

void TestClockProtocol::choiceWithoutAWish_data() {
    QTest::addColumn<uint32_t>("defaultMhz");
    QTest::addColumn<uint32_t>("maxMhz");
    QTest::addColumn<uint32_t>("chosen");
    QTest::addColumn<QString>("why");
    QTest::newRow("default below the highest") << 1830U << 1980U << 1830U << "keeps up under load";
    QTest::newRow("default is the highest") << 1980U << 1980U << 1980U << "its highest too";
    QTest::newRow("no default") << 0U << 1980U << 1980U << "names no default application clock";
}

void TestClockProtocol::choiceWithoutAWish() {
    QFETCH(uint32_t, defaultMhz);
    QFETCH(uint32_t, maxMhz);
    QFETCH(uint32_t, chosen);
    QFETCH(QString, why);
    const auto choice = chooseClocks(deviceWith(defaultMhz, maxMhz), kSupported, kMemory, {});
    QVERIFY(choice.ok());
    QCOMPARE(choice.value().smMhz, chosen);
    QVERIFY(!choice.value().memoryMhz);
    QVERIFY2(QString::fromStdString(choice.value().why).contains(why), choice.value().why.c_str());
}

void TestClockProtocol::choiceByWish_data() {
    QTest::addColumn<uint32_t>("wish");
    QTest::addColumn<bool>("isListed");
    QTest::addColumn<uint32_t>("chosen");  // 0: refused
    QTest::addColumn<QString>("text");
    QTest::newRow("as it is") << 1965U << true << 1965U << "as asked for";
    QTest::newRow("between") << 1960U << true << 1965U << "the nearest to 1960 MHz that can be set";
    QTest::newRow("half way: the lower") << 1957U << true << 1950U << "the nearest to 1957 MHz that can be set";
    QTest::newRow("too high") << 1981U << true << 0U << "SM clock 1981 MHz is out of range: 345 MHz to 1980 MHz";
    QTest::newRow("too low") << 344U << true << 0U << "SM clock 344 MHz is out of range: 345 MHz to 1980 MHz";
    QTest::newRow("no list") << 1234U << false << 1234U << "as asked for";
    QTest::newRow("no list, too high") << 1981U << false << 0U << "SM clock 1981 MHz is above the highest, 1980 MHz";
}

void TestClockProtocol::choiceByWish() {
    QFETCH(uint32_t, wish);
    QFETCH(bool, isListed);
    QFETCH(uint32_t, chosen);
    QFETCH(QString, text);
    const auto choice = chooseClocks(deviceWith(1830, 1980), isListed ? kSupported : kUnknown, kMemory, {wish, {}});
    QCOMPARE(choice.ok(), chosen != 0);
    if (choice.ok()) {
        QCOMPARE(choice.value().smMhz, chosen);
        QCOMPARE(QString::fromStdString(choice.value().why), text);
    } else {
        QCOMPARE(QString::fromStdString(choice.error().message), text);
        QCOMPARE(choice.error().code, std::string("out_of_range"));
    }
}

void TestClockProtocol::deviceThatTellsNothing() {
    const auto choice = chooseClocks(deviceWith(0, 0), kUnknown, kUnknown, {});
    QVERIFY(!choice.ok());
    QCOMPARE(choice.error().message,
             std::string("the device does not tell its clocks (not told); give one with --sm-mhz"));
}

void TestClockProtocol::lockIsNotedAndResetForgets() {
    QVERIFY(lockClocks(kSmi, *m_notes, kUuid, {1830, {}, ""}, 1779005700).ok());
    QCOMPARE(toldToSmi(), QByteArray("-i GPU-1 -lgc 1830,1830\n"));
    const auto note = m_notes->find(kUuid);
    QVERIFY(note);
    QCOMPARE(note->smMhz, 1830U);
    QVERIFY(!note->memoryMhz);
    QCOMPARE(note->sinceSeconds, int64_t{1779005700});
    QVERIFY(!m_notes->find("GPU-2"));
    // Whoever records may be another user than root.
    QVERIFY(QFile::permissions(m_dir->filePath("state/clocks-GPU-1")).testFlag(QFile::ReadOther));

    QVERIFY(resetClocks(kSmi, *m_notes, kUuid).ok());
    QCOMPARE(toldToSmi(), QByteArray("-i GPU-1 -lgc 1830,1830\n-i GPU-1 -rgc\n-i GPU-1 -rmc\n"));
    QVERIFY(!m_notes->find(kUuid));
    QVERIFY(resetClocks(kSmi, *m_notes, kUuid).ok());
}

void TestClockProtocol::memoryLock() {
    QVERIFY(lockClocks(kSmi, *m_notes, kUuid, {1830, 3201, ""}, 5).ok());
    QCOMPARE(toldToSmi(), QByteArray("-i GPU-1 -lgc 1830,1830\n-i GPU-1 -lmc 3201,3201\n"));
    QCOMPARE(*m_notes->find(kUuid)->memoryMhz, 3201U);
    // A second lock of the SM clock alone leaves the memory's as it is.
    QVERIFY(lockClocks(kSmi, *m_notes, kUuid, {1500, {}, ""}, 6).ok());
    QCOMPARE(m_notes->find(kUuid)->smMhz, 1500U);
    QCOMPARE(*m_notes->find(kUuid)->memoryMhz, 3201U);
}

void TestClockProtocol::withoutPermissionNothingIsNoted() {
    qputenv("WARPLINE_STAND_IN_SMI", "no_permission");
    const Status lock = lockClocks(kSmi, *m_notes, kUuid, {1830, {}, ""}, 5);
    QVERIFY(!lock.ok());
    QCOMPARE(lock.error().code, std::string(kNeedsRoot));
    QVERIFY(!m_notes->find(kUuid));
    const Status reset = resetClocks(kSmi, *m_notes, kUuid);
    QVERIFY(!reset.ok());
    QCOMPARE(reset.error().code, std::string(kNeedsRoot));
}

void TestClockProtocol::failureKeepsTheFormerNote() {
    QVERIFY(lockClocks(kSmi, *m_notes, kUuid, {1830, {}, ""}, 5).ok());
    qputenv("WARPLINE_STAND_IN_SMI", "fail");
    const Status lock = lockClocks(kSmi, *m_notes, kUuid, {1500, {}, ""}, 6);
    QVERIFY(!lock.ok());
    QCOMPARE(lock.error().message,
             "`" + kSmi +
                 " -i GPU-1 -lgc 1500,1500` failed (9): Unable to determine the device handle for GPU0: Unknown Error");
    QCOMPARE(m_notes->find(kUuid)->smMhz, 1830U);
    QVERIFY(!resetClocks(kSmi, *m_notes, kUuid).ok());
    QCOMPARE(m_notes->find(kUuid)->smMhz, 1830U);
}

void TestClockProtocol::memoryThatCannotBeLocked() {
    qputenv("WARPLINE_STAND_IN_SMI", "no_memory_lock");
    const Status lock = lockClocks(kSmi, *m_notes, kUuid, {1830, 3201, ""}, 5);
    QVERIFY(!lock.ok());
    QVERIFY2(lock.error().message.find("the SM clock is locked at 1830 MHz, the memory clock could not be: ") == 0,
             lock.error().message.c_str());
    QCOMPARE(m_notes->find(kUuid)->smMhz, 1830U);
    QVERIFY(!m_notes->find(kUuid)->memoryMhz);
}

void TestClockProtocol::resetWhereMemoryCannotBeLocked() {
    qputenv("WARPLINE_STAND_IN_SMI", "no_memory_lock");
    QVERIFY(lockClocks(kSmi, *m_notes, kUuid, {1830, {}, ""}, 5).ok());
    QVERIFY(resetClocks(kSmi, *m_notes, kUuid).ok());
    QVERIFY(!m_notes->find(kUuid));
}

void TestClockProtocol::folderThatCannotBeWritten() {
    const ClockNotes notes("/proc/warpline", "boot-1");
    const Status lock = lockClocks(kSmi, notes, kUuid, {1830, {}, ""}, 5);
    QVERIFY(!lock.ok());
    QVERIFY2(lock.error().message.find("/proc/warpline: ") == 0, lock.error().message.c_str());
    QCOMPARE(toldToSmi(), QByteArray());
}

void TestClockProtocol::noteOfAFormerStart() {
    QVERIFY(m_notes->write(kUuid, {1830, {}, 5}).ok());
    QVERIFY(m_notes->find(kUuid));
    QVERIFY(!ClockNotes(m_notes->folder(), "boot-2").find(kUuid));
}

void TestClockProtocol::damagedNote() {
    QVERIFY(m_notes->write(kUuid, {1830, {}, 5}).ok());
    for (const char* text : {"", "sm_mhz=\nboot=boot-1\n", "sm_mhz=-5\nboot=boot-1\n", "\0\xff\n"}) {
        QFile file(m_dir->filePath("state/clocks-GPU-1"));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
        file.close();
        QVERIFY(!m_notes->find(kUuid));
    }
}

void TestClockProtocol::noTool() {
    const Status lock = lockClocks("/nowhere/nvidia-smi", *m_notes, kUuid, {1830, {}, ""}, 5);
    QVERIFY(!lock.ok());
    QCOMPARE(lock.error().code, std::string("no_tool"));
    QVERIFY(!m_notes->find(kUuid));
    const auto run = runTool("sh", {"-c", "echo one; echo two >&2; kill -9 $$"});
    QVERIFY(run.ok());
    QCOMPARE(run.value().code, 137);
    QCOMPARE(run.value().output, std::string("one\ntwo\n"));
}

void TestClockProtocol::textOfTheLock() {
    const ClockNote note{1830, 3201, 1779005700};
    QCOMPARE(clockLockText({}, of(1980U)), std::string("not locked by warpline"));
    const std::string locked = "locked by warpline at 1830 MHz, memory at 3201 MHz since 2026-05-17 08:15:00 UTC";
    QCOMPARE(clockLockText(note, of(1830U)), locked);
    QCOMPARE(clockLockText(note, of(1845U)), locked);
    QCOMPARE(clockLockText(note, of(345U)), locked);
    QCOMPARE(clockLockText(note, Reading<uint32_t>::none("lost")), locked);
    QCOMPARE(clockLockText(note, of(1980U)),
             locked + "; but it runs at 1980 MHz now: something else has undone the lock");
}

void TestClockProtocol::facts() {
    QVERIFY(m_notes->write(kUuid, {1830, {}, 1779005700}).ok());
    NvmlSnapshot snapshot;
    snapshot.driverVersion = of(std::string("580.95.05"));
    DeviceSnapshot device;
    device.identity.index = 3;
    device.identity.uuid = of(kUuid);
    device.identity.name = of(std::string("NVIDIA H200"));
    device.state.smClockMhz = of(1830U);
    device.state.throttleReasons = of(uint64_t{4});
    device.state.powerLimitWatts = of(700.0);
    device.state.persistence = of(true);
    device.state.mig = Reading<bool>::none("this device does not have it");
    snapshot.devices = {device};
    const auto facts = clockFacts(snapshot, *m_notes);
    const auto fact = [&](const std::string& key) {
        for (const auto& [name, value] : facts) {
            if (name == key) {
                return QString::fromStdString(value);
            }
        }
        return QString("absent");
    };
    QCOMPARE(fact("nvml"), "580.95.05");
    QCOMPARE(fact("gpu.3.uuid"), "GPU-1");
    QCOMPARE(fact("gpu.3.sm_clock_mhz"), "1830");
    QCOMPARE(fact("gpu.3.clock_lock"), "locked by warpline at 1830 MHz since 2026-05-17 08:15:00 UTC");
    QCOMPARE(fact("gpu.3.throttle"), "power cap");
    QCOMPARE(fact("gpu.3.power_limit_watts"), "700");
    QCOMPARE(fact("gpu.3.persistence"), "on");
    QCOMPARE(fact("gpu.3.mig"), "n/a: this device does not have it");
    NvmlSnapshot none;
    none.error = warpline::Error::failed("the NVIDIA driver is not loaded");
    const auto noFacts = clockFacts(none, *m_notes);
    QCOMPARE(noFacts.size(), size_t{1});
    QCOMPARE(noFacts[0].second, std::string("n/a: the NVIDIA driver is not loaded"));
}

QTEST_GUILESS_MAIN(TestClockProtocol)
#include "tst_clock_protocol.moc"
