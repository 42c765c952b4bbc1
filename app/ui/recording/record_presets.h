// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Named requests, the last one that was recorded, and the hosts that were recorded on, as settings keep them. GUI
// thread.

#include <QStringList>

#include "app/ui/recording/record_request.h"

namespace warpline::ui::presets {

QStringList names();
RecordRequest preset(const QString& name);
void save(const QString& name, const RecordRequest& request);
void remove(const QString& name);

RecordRequest last();
/// And its host goes to the front of hosts().
void setLast(const RecordRequest& request);
QStringList hosts();

}  // namespace warpline::ui::presets
