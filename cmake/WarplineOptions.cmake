# SPDX-License-Identifier: MIT
# Compiler, output and sanitizer settings for the whole tree.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
# core also goes into a library that is loaded into other programs.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT multi_config AND NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()
# -g1 keeps function names and lines for backtraces at little cost in build time and size.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")

# The build tree has the shape of an installation, so that programs find their data the same way in both.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

# GCC 12 also complains about members that a designated initializer leaves to their defaults.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers)
if(WARPLINE_WERROR)
    add_compile_options(-Werror)
endif()

if(WARPLINE_SANITIZE)
    string(REPLACE ";" "," sanitizers "${WARPLINE_SANITIZE}")
    add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    # Instrumented code leads GCC 12 to see uninitialised members in the standard library where there are none.
    add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    add_link_options(-fsanitize=${sanitizers})
    if("thread" IN_LIST WARPLINE_SANITIZE)
        add_compile_definitions(WARPLINE_THREAD_SANITIZER)
    endif()
endif()

# For folders whose code runs for less time than it takes to optimise it.
macro(warpline_quick_to_build)
    add_compile_options(-O0)
endmacro()

if(WARPLINE_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# A hundred test programs are linked, each with all of core.
find_program(WARPLINE_MOLD mold)
mark_as_advanced(WARPLINE_MOLD)
if(WARPLINE_MOLD)
    add_link_options(-fuse-ld=mold)
endif()

find_program(WARPLINE_CCACHE ccache)
mark_as_advanced(WARPLINE_CCACHE)
if(WARPLINE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Without this sloppiness ccache never hits for files that use a precompiled header; with paths relative to the
    # source tree, build folders of the same depth share what they compile.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        "${CMAKE_COMMAND}" -E env "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
        "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${WARPLINE_CCACHE}")
endif()
