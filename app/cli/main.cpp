// SPDX-License-Identifier: MIT
#include "app/cli/cli.h"

int main(int argc, char** argv) {
    return warpline::cli::run(argc, argv);
}
