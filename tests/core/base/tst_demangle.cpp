// SPDX-License-Identifier: MIT
#include <QtTest>

#include "core/base/demangle.h"

using namespace warpline;

class tst_Demangle : public QObject {
    Q_OBJECT
private slots:
    void demangled() {
        QCOMPARE(demangledName("_Z4reluPf"), std::string("relu(float*)"));
        QCOMPARE(demangledName("relu"), std::string("relu"));
        QCOMPARE(demangledName("_Zwhat"), std::string("_Zwhat"));
        QCOMPARE(demangledName("_Z"), std::string("_Z"));
        QCOMPARE(demangledName(""), std::string());
        // A name that only looks like a type's mangling ("i" is int) is left alone.
        QCOMPARE(demangledName("i"), std::string("i"));
    }
    void shortened_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* tag, const char* name, const char* expected) {
            QTest::newRow(tag) << name << expected;
        };
        row("plain", "gemm_kernel", "gemm_kernel");
        row("mangled", "_Z4reluPf", "relu");
        row("mangled in a namespace", "_ZN2at6native4reluEPf", "relu");
        row("template",
            "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>(at::native::ReduceOp<float>)",
            "reduce_kernel");
        row("anonymous namespace", "void at::native::(anonymous namespace)::softmax<float>(float*, int)", "softmax");
        row("lambda among the arguments",
            "void at::native::elementwise<128, at::f(at::It&)::{lambda()#3}::operator()() const::{lambda(long)#1}>"
            "(int, at::f(at::It&)::{lambda()#3}::operator()() const::{lambda(long)#1})",
            "elementwise");
        row("arrow among the arguments", "void k<decltype(a->b)>(int)", "k");
        row("long return type", "std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int>(int)",
            "kernel");
        row("template without parameters", "ncclDevKernel<float>", "ncclDevKernel");
        row("nccl", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
            "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
        row("clone", "void f(int) [clone .cold]", "f");
        row("member", "a::B::run(int) const", "run");
        row("copy", "Memcpy HtoD (Pinned -> Device)", "Memcpy HtoD (Pinned -> Device)");
        row("words", "forward pass", "forward pass");
        row("unbalanced", "k<int", "k<int");
        row("unbalanced too", "k>int)", "k>int)");
        row("empty", "", "");
    }
    void shortened() {
        QFETCH(QString, name);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(shortName(name.toStdString())), expected);
    }
};

QTEST_APPLESS_MAIN(tst_Demangle)
#include "tst_demangle.moc"
