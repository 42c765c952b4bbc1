// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The parts of a slice's page that tell of device work: who launched it and how long that took, its shape, its
// occupancy, its rate. Pure; any thread.

#include "widgets/panels/details/event_page.h"

namespace warpline::event_page {

/// REQUIRES: a slice on the device's side.
void addLaunch(const Page& page);
/// Of a kernel, or of a copy or memset.
void addLaunchConfiguration(const Page& page);
void addTransfer(const Page& page);

}  // namespace warpline::event_page
