// SPDX-License-Identifier: MIT
// What the versions of gemm are made of: instructions counted in their machine code for compute capability 9.0.
#include <elf.h>
#include <QFile>
#include <QTest>
#include <cstring>
#include <map>

#include "kernels/registry.h"

namespace {

// Opcodes are the low bits of each 16-byte instruction; bits 9 to 11 say where the operands come from.
const std::map<int, QString> kOpcodes = {{0x023, "FFMA"}, {0x03C, "HMMA"},  {0x183, "LDL"},
                                         {0x187, "STL"},  {0x1F0, "HGMMA"}, {0x1B4, "UTMALDG"}};

template <class Value>
Value valueAt(const QByteArray& bytes, qsizetype at) {
    Value value = {};
    if (at >= 0 && at + qsizetype(sizeof value) <= bytes.size()) {
        std::memcpy(&value, bytes.constData() + at, sizeof value);
    }
    return value;
}

/// Counts in the section of gemm_kernel of the first ELF file (a cubin) in the fatbin.
QMap<QString, int> instructionsOf(const QString& name) {
    QFile file(QStringLiteral(WARPLINE_GPU_CODE_DIR "/gemm/gemm_%1.fatbin").arg(name));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray fatbin = file.readAll();
    const QByteArray elf = fatbin.mid(fatbin.indexOf(QByteArray(ELFMAG, SELFMAG)));
    const auto header = valueAt<Elf64_Ehdr>(elf, 0);
    const auto section = [&](int index) {
        return valueAt<Elf64_Shdr>(elf, qsizetype(header.e_shoff) + index * qsizetype(sizeof(Elf64_Shdr)));
    };
    const auto names = section(header.e_shstrndx);
    QMap<QString, int> counts;
    for (int i = 0; i < header.e_shnum; ++i) {
        const auto one = section(i);
        if (QByteArray(elf.constData() + names.sh_offset + one.sh_name) != ".text.gemm_kernel") {
            continue;
        }
        for (Elf64_Xword at = 0; at < one.sh_size; at += 16) {
            const auto known = kOpcodes.find(valueAt<uint16_t>(elf, qsizetype(one.sh_offset + at)) & 0x1FF);
            if (known != kOpcodes.end()) {
                ++counts[known->second];
            }
        }
    }
    return counts;
}

}  // namespace

class TestMachineCode : public QObject {
    Q_OBJECT

private slots:
    void gemm_data();
    void gemm();
};

void TestMachineCode::gemm_data() {
    QTest::addColumn<QString>("version");
    QTest::addColumn<QStringList>("has");
    QTest::newRow("naive") << "naive" << QStringList{"FFMA"};
    QTest::newRow("tiled") << "tiled" << QStringList{"FFMA"};
    QTest::newRow("spilling") << "spilling" << QStringList{"FFMA", "LDL", "STL"};
    QTest::newRow("tensor_core") << "tensor_core" << QStringList{"HMMA"};
    QTest::newRow("tensor_core_pipelined") << "tensor_core_pipelined" << QStringList{"HGMMA", "UTMALDG"};
}

void TestMachineCode::gemm() {
    QFETCH(QString, version);
    QFETCH(QStringList, has);
    if (warpline::kernels::all().empty()) {
        QSKIP("built without the CUDA Toolkit");
    }
    // No other of the opcodes either: tiles on the CUDA cores use no tensor core, and nothing but `spilling` spills.
    QCOMPARE(QStringList(instructionsOf(version).keys()), has);
}

QTEST_GUILESS_MAIN(TestMachineCode)
#include "tst_machine_code.moc"
