// SPDX-License-Identifier: MIT
#include "core/base/physical_memory.h"

#include <unistd.h>

namespace warpline {

uint64_t physicalMemoryBytes() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long pageBytes = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && pageBytes > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(pageBytes)
                                      : uint64_t{1} << 62;
}

}  // namespace warpline
