// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/run.h"

#include <QApplication>
#include <QTimer>

#include <cstdio>
#include <memory>

#include "app/ui/arguments.h"
#include "app/ui/main_window.h"
#include "app/ui/screenshot.h"
#include "app/ui/termination.h"
#include "app/ui/workspace.h"
#include "core/base/version.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

namespace warpline::ui {

namespace {

constexpr int kFailed = 1;
constexpr int kWrongArguments = 2;
/// To which shells add the number of the signal that ended a program.
constexpr int kEndedBySignal = 128;

void print(std::FILE* to, const QString& text) {
    const QByteArray bytes = text.toUtf8();
    std::fwrite(bytes.constData(), 1, static_cast<size_t>(bytes.size()), to);
}

ThemeChoice rememberedTheme() {
    const QString name = settings::store().value(settings::kTheme).toString();
    return name == "light" ? ThemeChoice::Light : name == "dark" ? ThemeChoice::Dark : ThemeChoice::System;
}

bool displayIsThere() {
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

QtMessageHandler g_handlerBefore = nullptr;

/// Qt's platform without a screen says the first of each window that is shown, Qt the second where nobody has logged
/// in; a picture loses nothing by either.
void dropSizeHintMessages(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    if (message != QLatin1String("This plugin does not support propagateSizeHints()") &&
        !message.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set"))) {
        g_handlerBefore(type, context, message);
    }
}

/// All panels there are, for who named one that is not.
QString panelNames(const Workspace& workspace) {
    QStringList names;
    for (const Workspace::Dock& entry : workspace.docks()) {
        names << entry.factory->info().id;
    }
    return names.join(", ");
}

}  // namespace

int run(int argc, char** argv) {
    QStringList given;
    bool platformGiven = false;
    for (int i = 1; i < argc; ++i) {
        given << QString::fromLocal8Bit(argv[i]);
        platformGiven = platformGiven || given.last().startsWith("-platform") || given.last().startsWith("--platform");
    }
    const Arguments arguments = parseArguments(given);
    if (!arguments.error.isEmpty()) {
        print(stderr, QStringLiteral("warpline-ui: %1; --help lists what there is\n").arg(arguments.error));
        return kWrongArguments;
    }
    if (arguments.help) {
        print(stdout, helpText());
        return 0;
    }
    if (arguments.version) {
        print(stdout, QStringLiteral("warpline-ui %1\n").arg(fromUtf8(kVersion)));
        return 0;
    }
    const bool picture = !arguments.screenshotPath.isEmpty();
    if (picture && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM") && !platformGiven) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    if (picture) {
        g_handlerBefore = qInstallMessageHandler(dropSizeHintMessages);
    }
    if (!picture && !platformGiven && !displayIsThere()) {
        print(stderr, QStringLiteral("warpline-ui: there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set); "
                                     "--screenshot OUT.png works without one\n"));
        return kFailed;
    }

    QApplication app(argc, argv);
    QApplication::setApplicationName("warpline-ui");
    QApplication::setApplicationDisplayName("Warpline");
    QApplication::setApplicationVersion(fromUtf8(kVersion));
    QApplication::setDesktopFileName("warpline");
    if (picture) {
        settings::useTemporary();
        settings::store().setValue(settings::kKeepTraces, false);  // nor does it leave anything with the user
    }
    applyTheme(arguments.theme.value_or(picture ? ThemeChoice::Light : rememberedTheme()));

    MainWindow window;
    if (!arguments.panel.isEmpty() && window.workspace()->findDock(arguments.panel) == nullptr) {
        print(stderr, QStringLiteral("warpline-ui: there is no panel '%1'; there are %2\n")
                          .arg(arguments.panel, panelNames(*window.workspace())));
        return kWrongArguments;
    }
    if (arguments.size.isValid()) {
        window.resize(arguments.size);
    } else if (picture) {
        window.resize(1280, 720);
    }
    std::unique_ptr<Screenshot> screenshot;
    if (picture) {
        window.setAttribute(Qt::WA_DontShowOnScreen);
        screenshot = std::make_unique<Screenshot>(window, arguments.screenshotPath, [](const QString& error) {
            if (!error.isEmpty()) {
                print(stderr, QStringLiteral("warpline-ui: %1\n").arg(error));
            }
            // What fails at once does so before the event loop runs, which exit() would not end then.
            QTimer::singleShot(0, qApp, [code = error.isEmpty() ? 0 : kFailed] { QApplication::exit(code); });
        });
    }
    std::unique_ptr<Termination> termination;
    if (!picture) {
        termination = std::make_unique<Termination>();
        QObject::connect(termination.get(), &Termination::requested, &window, [&window](int signal) {
            window.close();
            QApplication::exit(kEndedBySignal + signal);
        });
    }
    window.show();
    if (arguments.offsets.isEmpty()) {
        window.openFiles(arguments.files);
    } else {
        settings::Placement placement;
        for (auto offset = arguments.offsets.cbegin(); offset != arguments.offsets.cend(); ++offset) {
            placement.insert(arguments.files[offset.key() - 1], offset.value());
        }
        window.openPlaced(arguments.files, placement);
    }
    if (!arguments.panel.isEmpty()) {
        if (picture) {
            window.workspace()->showOnly(arguments.panel);
        } else {
            window.workspace()->raisePanel(arguments.panel);
        }
    }
    if (screenshot) {
        screenshot->start(!arguments.files.isEmpty());
    }
    return QApplication::exec();
}

}  // namespace warpline::ui
