// SPDX-License-Identifier: MIT
#include "app/cli/cli.h"
#include "core/base/page_memory.h"

int main(int argc, char** argv) {
    warpline::returnLargeBlocksWhenFreed();
    return warpline::cli::run(argc, argv);
}
