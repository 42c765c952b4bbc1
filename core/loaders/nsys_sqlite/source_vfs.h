// SPDX-License-Identifier: MIT
#pragma once
// The file system that SQLite sees: one database that cannot change, and nothing else. So nothing is ever written, no
// lock is taken, no journal is looked for or made beside the user's file, and a database inside gzip reads the same.

#include <memory>
#include <string>

#include "core/loaders/nsys_sqlite/source_bytes.h"

struct sqlite3_vfs;

namespace warpline::loaders::nsys_sqlite {

/// Registered with SQLite under a name of its own while it lives; it has to outlive the connection.
class SourceVfs {
public:
    explicit SourceVfs(SourceBytes& bytes);
    ~SourceVfs();
    SourceVfs(const SourceVfs&) = delete;
    SourceVfs& operator=(const SourceVfs&) = delete;

    const char* name() const { return m_name.c_str(); }

private:
    std::string m_name;
    std::unique_ptr<sqlite3_vfs> m_vfs;
};

}  // namespace warpline::loaders::nsys_sqlite
