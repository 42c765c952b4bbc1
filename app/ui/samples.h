// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The sample traces that come with the program.

#include <QList>
#include <QString>

namespace warpline::ui {

struct Sample {
    QString title;
    QString sentence;
    QString path;
};

/// Those that are there: beside the program as installed or built, else where WARPLINE_SHARE_DIR points.
QList<Sample> bundledSamples();

}  // namespace warpline::ui
