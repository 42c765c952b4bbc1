// SPDX-License-Identifier: MIT
#pragma once
// Readable names from compilers' mangled ones. Pure; any thread.

#include <string>
#include <string_view>

namespace warpline {

/// The full C++ signature of a name that starts with "_Z"; any other name, and one that does not demangle, unchanged.
std::string demangledName(std::string_view name);

/// The bare function of a C++ signature, for narrow columns: demangled, without return type, namespaces, template
/// arguments and parameters: "void at::native::reduce_kernel<512, 1>(float*)" -> "reduce_kernel". A name that is no
/// signature ("Memcpy HtoD (Pinned -> Device)") stays as it is. Never empty unless `name` is.
std::string shortName(std::string_view name);

}  // namespace warpline
