// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/run.h"
#include "core/base/page_memory.h"

int main(int argc, char** argv) {
    warpline::returnLargeBlocksWhenFreed();
    return warpline::ui::run(argc, argv);
}
