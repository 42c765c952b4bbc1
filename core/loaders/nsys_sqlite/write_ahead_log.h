// SPDX-License-Identifier: MIT
#pragma once
// The log ("NAME-wal") that an SQLite database in write-ahead mode has beside it until all of it is in the database.
// Its changes are not read; this tells whether there are any.
// Layout: https://www.sqlite.org/fileformat2.html#the_write_ahead_log

#include <cstdint>
#include <string>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/loaders/nsys_sqlite/source_bytes.h"

namespace warpline::loaders::nsys_sqlite {

/// How many pages of the database are written anew, and committed, in the log `path`, and are not what `database` has.
/// 0 where there is no log. Frames that SQLite would not take (an older turn of the log, a broken checksum, no commit
/// behind them) are none. Fails if there is a log that cannot be read, or when stopped.
Result<uint64_t> pagesOnlyInLog(const std::string& path, SourceBytes& database, const JobControl& job);

}  // namespace warpline::loaders::nsys_sqlite
