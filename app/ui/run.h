// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The window program from its arguments to its exit code.

namespace warpline::ui {

int run(int argc, char** argv);

}  // namespace warpline::ui
