// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the open files are: shown while nothing is selected. Pure; any thread.

#include <memory>

#include "core/trace/trace.h"
#include "widgets/panels/details/fact_tree.h"

namespace warpline {

std::shared_ptr<const FactTree> fileFacts(const Trace& trace);

}  // namespace warpline
