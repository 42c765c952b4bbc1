// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPalette>
#include <QStringList>

#include "widgets/support/indicator_style.h"
#include "widgets/support/style_sheet.h"
#include "widgets/support/system_look.h"

namespace warpline {

namespace {

const Theme* g_theme = nullptr;
ThemeChoice g_choice = ThemeChoice::System;

bool digitsAreTabular(const QFont& font) {
    const QFontMetricsF metrics(font);
    const qreal width = metrics.horizontalAdvance('0');
    for (char digit = '1'; digit <= '9'; ++digit) {
        if (qAbs(metrics.horizontalAdvance(digit) - width) > 0.01) {
            return false;
        }
    }
    return true;
}

void use(const Theme& look) {
    if (g_theme == &look && qApp->palette() == paletteOf(look)) {
        return;
    }
    g_theme = &look;
    qApp->setPalette(paletteOf(look));
    qApp->setStyleSheet(styleSheetOf(look));
}

/// Lives as long as the application, as the connection to the desktop does.
SystemLook& systemLook() {
    static SystemLook* const look = [] {
        auto* made = new SystemLook(qApp->palette(), qApp);
        QObject::connect(made, &SystemLook::changed, qApp, [made] {
            if (g_choice == ThemeChoice::System) {
                use(made->prefersDark() ? darkTheme() : lightTheme());
            }
        });
        return made;
    }();
    return *look;
}

}  // namespace

const Theme& theme() {
    return g_theme != nullptr ? *g_theme : lightTheme();
}

void applyTheme(ThemeChoice choice) {
    SystemLook& system = systemLook();
    if (g_theme == nullptr) {
        QApplication::setStyle(new IndicatorStyle);
    }
    g_choice = choice;
    const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && system.prefersDark());
    use(dark ? darkTheme() : lightTheme());
}

ThemeChoice themeChoice() {
    return g_choice;
}

QPalette paletteOf(const Theme& t) {
    QPalette p;
    p.setColor(QPalette::Window, t.window);
    p.setColor(QPalette::WindowText, t.text);
    p.setColor(QPalette::Base, t.surface);
    p.setColor(QPalette::AlternateBase, t.alternate);
    p.setColor(QPalette::Text, t.text);
    p.setColor(QPalette::PlaceholderText, t.mutedText);
    p.setColor(QPalette::Button, t.raised);
    p.setColor(QPalette::ButtonText, t.text);
    p.setColor(QPalette::BrightText, t.error);
    p.setColor(QPalette::ToolTipBase, t.overlay);
    p.setColor(QPalette::ToolTipText, t.text);
    p.setColor(QPalette::Highlight, t.selection);
    p.setColor(QPalette::HighlightedText, t.text);
    p.setColor(QPalette::Link, t.link);
    p.setColor(QPalette::LinkVisited, t.link);
    p.setColor(QPalette::Light, t.dark ? t.border : t.surface);
    p.setColor(QPalette::Midlight, t.raised);
    p.setColor(QPalette::Mid, t.border);
    p.setColor(QPalette::Dark, t.dark ? t.window : t.border);
    p.setColor(QPalette::Shadow, t.dark ? QColor(0, 0, 0) : t.mutedText);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        p.setColor(QPalette::Disabled, role, t.disabledText);
    }
    return p;
}

QFont tabularFont() {
    const QFont own = QApplication::font();
    if (digitsAreTabular(own)) {
        return own;
    }
    const QStringList families = QFontDatabase::families();
    for (const char* name : {"Noto Sans", "DejaVu Sans", "Liberation Sans", "Ubuntu"}) {
        QFont other = own;
        other.setFamily(name);
        if (families.contains(QString(name)) && digitsAreTabular(other)) {
            return other;
        }
    }
    return QFontDatabase::systemFont(QFontDatabase::FixedFont);
}

QFont monospaceFont() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QApplication::font().pointSizeF());
    return font;
}

}  // namespace warpline
