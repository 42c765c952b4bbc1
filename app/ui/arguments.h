// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The window's command line. Pure.

#include <QMap>
#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

#include "widgets/support/theme.h"

namespace warpline::ui {

struct Arguments {
    QStringList files;
    QMap<int, qint64> offsets;  ///< ns, by the number of the file, from 1; see FileOffsets
    QString screenshotPath;     ///< "" opens a window
    QSize size;                 ///< invalid: as remembered, or 1280x720 for a picture
    QString panel;              ///< id of the panel to raise; "" for the usual layout
    std::optional<ThemeChoice> theme;
    bool help = false;
    bool version = false;
    QString error;  ///< what is wrong with the arguments; "" if nothing is
};

/// `arguments` without the program's name. Qt's own -platform and -style are accepted.
Arguments parseArguments(const QStringList& arguments);
QString helpText();

}  // namespace warpline::ui
