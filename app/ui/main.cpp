// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/run.h"

int main(int argc, char** argv) {
    return warpline::ui::run(argc, argv);
}
