// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/loaders/registry.h"
#include "widgets/support/format_text.h"

using namespace warpline;

class TestFormatText : public QObject {
    Q_OBJECT

private slots:
    void theFilterListsWhatCanBeOpened();
    void everyLoaderIsNamed();
};

void TestFormatText::theFilterListsWhatCanBeOpened() {
    const QStringList filters = openFilter().split(";;");
    QCOMPARE(filters.size(), 2);
    QCOMPARE(filters.last(), "All files (*)");
    QStringList patterns = filters.first().section('(', 1).chopped(1).split(' ');
    patterns.sort();
    QCOMPARE(patterns, (QStringList{"*.chrome_trace", "*.gz", "*.hatchet", "*.json", "*.perfetto-trace", "*.pftrace",
                                    "*.sqlite", "*.warpline-session", "*.wcap", "*.zst"}));
}

void TestFormatText::everyLoaderIsNamed() {
    const auto loaders = loaders::all();
    QCOMPARE(formatTitles().size(), static_cast<int>(loaders.size()));
    for (const auto& loader : loaders) {
        QVERIFY2(!loader->info().endings.empty(), loader->info().id.c_str());
        for (const std::string& ending : loader->info().endings) {
            QVERIFY2(ending.size() > 1 && ending.front() == '.', ending.c_str());
        }
    }
    for (const char* name : {"Chrome trace", "Nsight Systems export", "Perfetto trace", "PyTorch memory timeline",
                             "Triton Proton profile", "gzip", "zstd"}) {
        QVERIFY2(formatsInBrief().contains(name), qPrintable(formatsInBrief()));
    }
}

QTEST_APPLESS_MAIN(TestFormatText)
#include "tst_format_text.moc"
