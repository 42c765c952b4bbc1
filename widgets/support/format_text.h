// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The formats that can be opened, in the words of the window. Derived from the loaders; any thread.

#include <QString>
#include <QStringList>

namespace warpline {

/// "Chrome trace, Nsight Systems export, …; plain, gzip or zstd"
QString formatsInBrief();
/// A line each, with what is meant in parentheses.
QStringList formatTitles();
/// For QFileDialog: what can be opened, and all files, since the content decides.
QString openFilter();

}  // namespace warpline
