# SPDX-License-Identifier: MIT
# Precompiled headers: most of the time that a file with Qt code takes to compile is Qt's own headers, and a third of that
# of any other the standard library's.

# warpline_precompile(NAME LINK targets… HEADERS headers…): a header set that warpline_reuse_precompiled() can name.
# Link what its users link: a macro that differs makes the compiler refuse the set (and say so).
function(warpline_precompile name)
    cmake_parse_arguments(arg "" "" "LINK;DEFINITIONS;HEADERS" ${ARGN})
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "// Only here to make the precompiled header.\n" @ONLY)
    add_library(${name} OBJECT "${source}")
    target_link_libraries(${name} PRIVATE ${arg_LINK})
    target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
    target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

function(warpline_reuse_precompiled target name)
    if(TARGET ${name})
        target_precompile_headers(${target} REUSE_FROM ${name})
    endif()
endfunction()

set(WARPLINE_PRECOMPILED_STANDARD
    <algorithm> <array> <cstdint> <functional> <memory> <optional> <span> <string> <string_view> <unordered_map> <utility>
    <vector>)
set(WARPLINE_PRECOMPILED_WIDGETS
    <QAbstractItemModel> <QAction> <QApplication> <QBoxLayout> <QComboBox> <QDockWidget> <QFileDialog> <QHash> <QHeaderView>
    <QLabel> <QLineEdit> <QMainWindow> <QMenu> <QMouseEvent> <QPainter> <QPointer> <QSettings>
    <QSortFilterProxyModel> <QString> <QTableView> <QTimer> <QToolBar> <QToolButton> <QWidget>)
