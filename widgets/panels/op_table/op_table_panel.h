// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The op table as a dock: the shared table panel around the analysis of the same name.

#include <memory>

#include "widgets/panels/panel.h"

namespace warpline::panels::op_table {

std::unique_ptr<PanelFactory> make();

}  // namespace warpline::panels::op_table
