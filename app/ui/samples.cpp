// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/samples.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace warpline::ui {

QList<Sample> bundledSamples() {
    const auto tr = [](const char* text) { return QCoreApplication::translate("Samples", text); };
    const QString set = qEnvironmentVariable("WARPLINE_SHARE_DIR");
    const QDir share(set.isEmpty() ? QCoreApplication::applicationDirPath() + "/../share/warpline" : set);
    const QList<Sample> all = {
        {tr("Quickstart"), tr("A Triton GEMM and torch's matmul, 20 times each."), "quickstart"},
        {tr("Worked example"), tr("Five kernels in one trace, good and bad ones."), "worked_example"},
        {tr("Multiple streams"), tr("Three streams, and copies in both directions."), "multi_stream"},
    };
    QList<Sample> found;
    for (Sample sample : all) {
        sample.path = QDir::cleanPath(share.filePath("samples/" + sample.path + ".trace.json.gz"));
        if (QFileInfo::exists(sample.path)) {
            found.append(sample);
        }
    }
    return found;
}

}  // namespace warpline::ui
