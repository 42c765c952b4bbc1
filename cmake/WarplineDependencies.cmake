# SPDX-License-Identifier: MIT
# Finds what the build uses. What is optional and absent is said once, and the rest is built.

find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
# zstd comes without CMake's package file in some distributions.
find_library(WARPLINE_ZSTD_LIBRARY zstd REQUIRED)
find_path(WARPLINE_ZSTD_INCLUDE zstd.h REQUIRED)
mark_as_advanced(WARPLINE_ZSTD_LIBRARY WARPLINE_ZSTD_INCLUDE)
add_library(warpline_zstd INTERFACE)
target_link_libraries(warpline_zstd INTERFACE "${WARPLINE_ZSTD_LIBRARY}")
target_include_directories(warpline_zstd SYSTEM INTERFACE "${WARPLINE_ZSTD_INCLUDE}")

# Sums of the cache of traces. No distribution has a package file for it.
find_library(WARPLINE_XXHASH_LIBRARY xxhash REQUIRED)
find_path(WARPLINE_XXHASH_INCLUDE xxhash.h REQUIRED)
mark_as_advanced(WARPLINE_XXHASH_LIBRARY WARPLINE_XXHASH_INCLUDE)
add_library(warpline_xxhash INTERFACE)
target_link_libraries(warpline_xxhash INTERFACE "${WARPLINE_XXHASH_LIBRARY}")
target_include_directories(warpline_xxhash SYSTEM INTERFACE "${WARPLINE_XXHASH_INCLUDE}")

# ISA-L reads gzip two to three times as fast as zlib; without it zlib does.
find_library(WARPLINE_ISAL_LIBRARY isal)
find_path(WARPLINE_ISAL_INCLUDE isa-l/igzip_lib.h)
mark_as_advanced(WARPLINE_ISAL_LIBRARY WARPLINE_ISAL_INCLUDE)
add_library(warpline_isal INTERFACE)
set(WARPLINE_HAS_ISAL FALSE)
if(WARPLINE_ISAL_LIBRARY AND WARPLINE_ISAL_INCLUDE)
    target_link_libraries(warpline_isal INTERFACE "${WARPLINE_ISAL_LIBRARY}")
    target_include_directories(warpline_isal SYSTEM INTERFACE "${WARPLINE_ISAL_INCLUDE}")
    set(WARPLINE_HAS_ISAL TRUE)
else()
    message(STATUS "ISA-L is not here: gzip files are read with zlib, at less than half the speed")
endif()
find_package(SQLite3 3.36 REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json 3.9 REQUIRED)
find_package(CLI11 2.1 REQUIRED)

# Distributions ship PCRE2 without CMake's package file.
find_package(PCRE2 10.34 QUIET COMPONENTS 8BIT CONFIG)
if(NOT TARGET PCRE2::8BIT)
    find_library(WARPLINE_PCRE2_LIBRARY pcre2-8)
    find_path(WARPLINE_PCRE2_INCLUDE pcre2.h)
    mark_as_advanced(WARPLINE_PCRE2_LIBRARY WARPLINE_PCRE2_INCLUDE)
    if(NOT WARPLINE_PCRE2_LIBRARY OR NOT WARPLINE_PCRE2_INCLUDE)
        message(FATAL_ERROR "PCRE2 (8-bit, with headers; Debian's libpcre2-dev) is not here")
    endif()
    add_library(PCRE2::8BIT UNKNOWN IMPORTED)
    set_target_properties(PCRE2::8BIT PROPERTIES IMPORTED_LOCATION "${WARPLINE_PCRE2_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${WARPLINE_PCRE2_INCLUDE}")
endif()

# Qt's package files use this to choose namespaced targets; nothing in core links them.
set(QT_NO_CREATE_VERSIONLESS_FUNCTIONS ON)

# What is wanted and absent, for scripts/common.sh: installed later, it is seen only if CMake runs again.
set(missing)

if(WARPLINE_GUI)
    set(modules Core Gui Widgets DBus)
    # Charts alone need QCustomPlot, which includes Qt's printing.
    file(GLOB charts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/widgets/plot/*.cpp")
    if(charts)
        list(APPEND modules PrintSupport)
        find_package(QCustomPlotQt6 QUIET)
        if(NOT TARGET QCustomPlotQt6::QCustomPlotQt6)
            find_library(WARPLINE_QCUSTOMPLOT_LIBRARY NAMES QCustomPlotQt6 qcustomplot-qt6 qcustomplot)
            find_path(WARPLINE_QCUSTOMPLOT_INCLUDE qcustomplot.h)
            mark_as_advanced(WARPLINE_QCUSTOMPLOT_LIBRARY WARPLINE_QCUSTOMPLOT_INCLUDE)
        endif()
    endif()
    find_package(Qt6 6.4 QUIET COMPONENTS ${modules})
    if(NOT Qt6_FOUND)
        message(STATUS "Qt 6.4 (${modules}) is not here: the window (warpline-ui) is not built")
        set(WARPLINE_GUI OFF)
    elseif(charts AND NOT TARGET QCustomPlotQt6::QCustomPlotQt6 AND
           NOT (WARPLINE_QCUSTOMPLOT_LIBRARY AND WARPLINE_QCUSTOMPLOT_INCLUDE))
        message(STATUS "QCustomPlot for Qt 6 is not here: the window (warpline-ui) is not built")
        set(WARPLINE_GUI OFF)
    endif()
    if(NOT WARPLINE_GUI)
        list(APPEND missing window)
    endif()
endif()

if(WARPLINE_TESTS)
    find_package(Qt6 6.4 QUIET COMPONENTS Core Test)
    if(NOT Qt6Test_FOUND)
        message(STATUS "Qt Test is not here: the tests are not built")
        set(WARPLINE_TESTS OFF)
        list(APPEND missing tests)
    endif()
endif()

if(WARPLINE_CUDA)
    find_package(CUDAToolkit QUIET)
    if(CUDAToolkit_FOUND)
        message(STATUS "CUDA Toolkit ${CUDAToolkit_VERSION} found")
    else()
        message(STATUS "The CUDA Toolkit is not here: the recorder and the sample kernels are not built")
        set(WARPLINE_CUDA OFF)
        list(APPEND missing cuda)
    endif()
endif()

# The recorder needs CUPTI's headers alone; it finds the library in the process that it records.
find_path(WARPLINE_CUPTI_INCLUDE cupti.h HINTS ${CUDAToolkit_INCLUDE_DIRS} /usr/local/cuda/include /usr/local/cuda/extras/CUPTI/include)
mark_as_advanced(WARPLINE_CUPTI_INCLUDE)

list(JOIN missing "\n" missing)
file(WRITE "${PROJECT_BINARY_DIR}/missing.txt" "${missing}\n")
