// SPDX-License-Identifier: MIT
#pragma once
// What the commands that print an analysis as a table share: filters, order, and the four forms of output.

#include <string>
#include <vector>

#include "app/cli/command.h"

namespace warpline::cli {

struct TableCommand {
    std::string name;         ///< of the command
    std::string description;  ///< a line
    std::string analysisId;   ///< as in analyses::all()
    /// The columns by which the analysis orders its rows; a narrow terminal keeps them.
    std::vector<std::string> defaultOrder;
    std::string example;
};

void addTableCommand(CLI::App& app, Choice& choice, const TableCommand& table);

}  // namespace warpline::cli
