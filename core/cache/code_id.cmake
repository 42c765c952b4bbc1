# SPDX-License-Identifier: MIT
# cmake -DROOT=… -DLIST=… -DOUTPUT=… -P code_id.cmake: a header with a number of the sources that LIST names.

file(STRINGS "${LIST}" files)
set(sums)
foreach(file IN LISTS files)
    file(SHA256 "${ROOT}/${file}" sum)
    string(APPEND sums "${file} ${sum}\n")
endforeach()
string(SHA256 id "${sums}")
string(SUBSTRING "${id}" 0 16 id)
file(WRITE "${OUTPUT}" "// SPDX-License-Identifier: MIT
#pragma once
// Made by code_id.cmake: changes with the sources that make and read traces.

#include <cstdint>

namespace warpline {

inline constexpr uint64_t kCodeId = 0x${id};

}  // namespace warpline
")
