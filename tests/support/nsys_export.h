// SPDX-License-Identifier: MIT
#pragma once
// Databases as `nsys export --type sqlite` writes them, made from its published schema with SQLite itself: no real
// export is at hand.

#include <QByteArray>

namespace warpline::test {

/// The file that results from running `sql` on an empty database. Ends the test program if that fails.
QByteArray sqliteFile(const QByteArray& sql);

/// CREATE TABLE of all tables that the loader knows, with the columns of schema version 3.16, and the ENUM_ tables
/// filled.
QByteArray nsysSchema();

/// A global id: machine, process and thread in one number.
constexpr qint64 globalId(qint64 pid, qint64 tid = 0, qint64 machine = 0) {
    return machine << 48 | pid << 24 | tid;
}

}  // namespace warpline::test
