// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The parts of a slice's page that tell of the host: what it launched, what it waited for, where an annotation stands
// on the devices. Pure; any thread. What takes long is left pending unless the page is full.

#include "widgets/panels/details/event_page.h"

namespace warpline::event_page {

/// What this call, or the calls inside of it, put on the device. REQUIRES: a slice of the host.
void addLaunched(const Page& page, Fact& section);
/// Of a call that waits, and of a slice with such calls inside.
void addWaits(const Page& page);
/// Of an annotation.
void addProjection(const Page& page);

}  // namespace warpline::event_page
