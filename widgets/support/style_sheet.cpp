// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/style_sheet.h"

#include <QColor>
#include <QList>

#include <utility>

#include "widgets/support/theme.h"

namespace warpline {

namespace {

// Names in braces with @ are replaced by colours.
constexpr auto kSheet = R"(
QMainWindow::separator { background: @window; width: 6px; height: 6px; }
QMainWindow::separator:hover { background: @accent; }
QMenuBar { background: @window; padding: 2px 6px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @hovered; }
QMenu { background: @overlay; border: 1px solid @border; padding: 5px; }
QMenu::item { padding: 5px 26px 5px 26px; border-radius: 4px; }
QMenu::item:selected { background: @selection; }
QMenu::item:disabled { color: @disabledText; }
QMenu::separator { height: 1px; background: @border; margin: 5px 8px; }
QMenu::icon { padding-left: 6px; }
QToolTip { background: @overlay; color: @text; border: 1px solid @border; padding: 5px 7px; }
QStatusBar { background: @window; }
QStatusBar::item { border: none; }
QStatusBar QToolButton { min-height: 14px; padding: 1px 8px; }

QDockWidget > QWidget#dockTitle { background: @raised; border: 1px solid @border; border-bottom: none; }
QTabBar { qproperty-drawBase: 0; background: transparent; }
QTabBar::tab { background: transparent; color: @mutedText; padding: 6px 14px 5px 14px; border: none;
    border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; }
QTabBar::tab:hover:!selected { color: @text; background: @hovered; border-top-left-radius: 5px; border-top-right-radius: 5px; }
QTabBar::tab:focus { color: @link; }

QAbstractItemView { background: @surface; alternate-background-color: @alternate; border: none;
    selection-background-color: @selection; selection-color: @text; outline: none; }
QAbstractItemView::item:hover { background: @hovered; }
QAbstractItemView::item:selected { background: @selection; color: @text; }
QHeaderView { background: @raised; }
QHeaderView::section { background: @raised; color: @mutedText; border: none; border-right: 1px solid @border;
    border-bottom: 1px solid @border; padding: 5px 5px 5px 8px; }
QHeaderView::section:hover { background: @hovered; color: @text; }
QTreeView::item { min-height: 22px; }
QTableCornerButton::section { background: @raised; border: none; }

QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QLineEdit, QComboBox { background: @surface; border: 1px solid @border; border-radius: 5px; padding: 3px 7px;
    min-height: 20px; selection-background-color: @accent; selection-color: @accentText; }
QAbstractSpinBox { background: @surface; border: 1px solid @mutedText; border-radius: 4px; padding: 2px 4px; min-height: 20px;
    min-width: 160px; }
QAbstractSpinBox:focus { border: 1px solid @accent; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { background: transparent; border: none; width: 18px; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: @hovered; }
QAbstractSpinBox::up-arrow, QAbstractSpinBox::down-arrow { width: 0; height: 0; border-left: 4px solid @surface;
    border-right: 4px solid @surface; }
QAbstractSpinBox::up-arrow { border-bottom: 5px solid @mutedText; }
QAbstractSpinBox::down-arrow { border-top: 5px solid @mutedText; }
QLineEdit:focus, QComboBox:focus { border: 1px solid @accent; }
QLineEdit[invalid="true"] { border: 1px solid @error; }
QComboBox:hover, QLineEdit:hover { border-color: @mutedText; }
QLineEdit:focus:hover, QComboBox:focus:hover { border-color: @accent; }
QLineEdit[invalid="true"]:hover { border-color: @error; }
QLineEdit > QToolButton { min-height: 0; padding: 0; border: none; background: transparent; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox QAbstractItemView { background: @overlay; border: 1px solid @border; padding: 4px; }

QPushButton, QToolButton { background: @raised; border: 1px solid @border; border-radius: 5px; padding: 4px 10px;
    min-height: 20px; }
QToolButton { padding: 3px 6px; }
QPushButton:hover, QToolButton:hover { background: @hovered; }
QPushButton:pressed, QToolButton:pressed, QToolButton:checked { background: @selection; }
QPushButton:focus, QToolButton:focus { border: 1px solid @accent; }
QPushButton:disabled, QToolButton:disabled { color: @disabledText; }
QPushButton[primary="true"] { background: @accent; color: @accentText; border: 1px solid @accent; padding: 6px 18px; }
QPushButton[primary="true"]:hover { background: @link; border-color: @link; }
QPushButton[primary="true"]:focus { border: 2px solid @text; padding: 5px 17px; }
QPushButton[primary="true"]:disabled { background: @raised; color: @disabledText; border: 1px solid @border; }
QPushButton[flat="true"], QToolButton[flat="true"] { background: transparent; border: 1px solid transparent; }
QPushButton[flat="true"]:hover, QToolButton[flat="true"]:hover { background: @hovered; }
QPushButton[flat="true"]:focus, QToolButton[flat="true"]:focus { border: 1px solid @accent; }
QLineEdit[role="compact"] { min-height: 16px; padding: 1px 5px; }
QToolButton[role="compact"] { min-height: 14px; padding: 1px; }
QToolButton[role="foot"] { min-height: 14px; padding: 2px 8px; border: none; border-top: 1px solid @border;
    border-radius: 0; color: @mutedText; text-align: left; }
QToolButton::menu-indicator { image: none; width: 0; }
QToolButton[popupMode="2"] { padding-right: 8px; }

QLabel[role="title"] { font-size: 20pt; font-weight: 600; }
QLabel[role="heading"] { font-size: 12pt; font-weight: 600; }
QLabel[role="signature"] { font-weight: 600; }
QLabel[role="muted"] { color: @mutedText; }
QLabel[role="error"] { color: @error; }
QLabel[role="badge"] { background: @raised; border: 1px solid @border; border-radius: 7px; padding: 0 6px; }
QFrame[role="card"] { background: @surface; border: 1px solid @border; border-radius: 8px; }
QFrame[role="popup"] { background: @overlay; border: 1px solid @border; border-radius: 9px; }
QFrame[role="popup"] QListView, QFrame[role="popup"] QScrollBar:vertical { background: @overlay; }
QFrame[role="bar"] { background: @raised; border: none; border-bottom: 1px solid @border; }
QFrame[role="footer"] { background: @raised; border: none; border-top: 1px solid @border; }
QWidget[role="page"] { background: @window; }
QWidget[role="surface"] { background: @surface; }
QScrollArea { border: none; background: transparent; }

QProgressBar { background: @raised; border: 1px solid @border; border-radius: 5px; min-height: 8px; max-height: 8px; }
QProgressBar::chunk { background: @accent; border-radius: 4px; }
QScrollBar:vertical { background: @surface; width: 12px; margin: 0; }
QScrollBar:horizontal { background: @surface; height: 12px; margin: 0; }
QScrollBar::handle { background: @border; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @mutedText; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: @surface; }
)";

}  // namespace

QString styleSheetOf(const Theme& t) {
    // Longer names first where one begins another.
    const QList<std::pair<const char*, QColor>> colors = {
        {"@window", t.window},       {"@surface", t.surface},
        {"@alternate", t.alternate}, {"@raised", t.raised},
        {"@hovered", t.hovered},     {"@border", t.border},
        {"@overlay", t.overlay},     {"@text", t.text},
        {"@mutedText", t.mutedText}, {"@disabledText", t.disabledText},
        {"@link", t.link},           {"@accentText", t.accentText},
        {"@accent", t.accent},       {"@selection", t.selection},
        {"@error", t.error},
    };
    QString sheet = QString::fromUtf8(kSheet);
    for (const auto& [name, color] : colors) {
        sheet.replace(QLatin1String(name), color.name());
    }
    return sheet;
}

}  // namespace warpline
