// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/arguments.h"

#include <QCommandLineOption>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QRegularExpression>

#include "core/base/time_text.h"
#include "widgets/support/format_text.h"

namespace warpline::ui {

namespace {

constexpr int kSmallest = 200;
constexpr int kLargest = 16384;

QSize sizeFrom(const QString& text) {
    static const QRegularExpression kSize("^(\\d{1,5})[xX](\\d{1,5})$");
    const QRegularExpressionMatch match = kSize.match(text);
    if (!match.hasMatch()) {
        return {};
    }
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    const bool fits = size.width() >= kSmallest && size.height() >= kSmallest && size.width() <= kLargest &&
                      size.height() <= kLargest;
    return fits ? size : QSize();
}

/// Adds "2:-1.5ms"; says what is wrong with it, "" if nothing is.
QString takeOffset(const QString& text, int files, QMap<int, qint64>& offsets) {
    const qsizetype colon = text.indexOf(':');
    bool isNumber = false;
    const int number = text.left(colon).toInt(&isNumber);
    const auto time = parseOffsetText(text.mid(colon + 1).toStdString());
    if (colon < 0 || !isNumber || !time) {
        return QStringLiteral("--offset takes NUMBER:TIME, such as 2:-1.5ms; '%1' is not that").arg(text);
    }
    if (number < 2 || number > files) {
        return QStringLiteral("--offset %1: only the second file and those after it can be placed, and there are %2")
            .arg(text)
            .arg(files);
    }
    if (offsets.contains(number)) {
        return QStringLiteral("--offset %1 places file %2 a second time").arg(text).arg(number);
    }
    offsets.insert(number, *time);
    return {};
}

}  // namespace

Arguments parseArguments(const QStringList& given) {
    QCommandLineParser parser;
    const QCommandLineOption help(QStringList{"h", "help"});
    const QCommandLineOption version("version");
    const QCommandLineOption offset("offset", {}, "number:time");
    const QCommandLineOption screenshot("screenshot", {}, "file");
    const QCommandLineOption size("size", {}, "size");
    const QCommandLineOption panel("panel", {}, "name");
    const QCommandLineOption theme("theme", {}, "theme");
    const QCommandLineOption platform("platform", {}, "name");
    const QCommandLineOption style("style", {}, "name");
    parser.addOptions({help, version, offset, screenshot, size, panel, theme, platform, style});
    parser.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);

    Arguments out;
    if (!parser.parse(QStringList("warpline-ui") + given)) {
        out.error = parser.errorText();
        return out;
    }
    out.help = parser.isSet(help);
    out.version = parser.isSet(version);
    out.files = parser.positionalArguments();
    out.screenshotPath = parser.value(screenshot);
    out.panel = parser.value(panel);
    if (parser.isSet(screenshot) && out.screenshotPath.isEmpty()) {
        out.error = QStringLiteral("--screenshot needs the name of a file");
    }
    if (const QString ending = QFileInfo(out.screenshotPath).suffix();
        !ending.isEmpty() && ending.compare("png", Qt::CaseInsensitive) != 0) {
        out.error = QStringLiteral("--screenshot writes PNG: the name '%1' should end in .png").arg(out.screenshotPath);
    }
    for (const QString& text : parser.values(offset)) {
        const QString problem = takeOffset(text, static_cast<int>(out.files.size()), out.offsets);
        out.error = out.error.isEmpty() ? problem : out.error;
    }
    if (parser.isSet(size)) {
        out.size = sizeFrom(parser.value(size));
        if (!out.size.isValid()) {
            out.error = QStringLiteral("--size takes WIDTHxHEIGHT in pixels, each from %1 to %2; '%3' is not that")
                            .arg(kSmallest)
                            .arg(kLargest)
                            .arg(parser.value(size));
        }
    }
    if (parser.isSet(theme)) {
        const QString name = parser.value(theme);
        if (name == "light") {
            out.theme = ThemeChoice::Light;
        } else if (name == "dark") {
            out.theme = ThemeChoice::Dark;
        } else if (name == "system") {
            out.theme = ThemeChoice::System;
        } else {
            out.error = QStringLiteral("--theme takes light, dark or system; '%1' is none of them").arg(name);
        }
    }
    return out;
}

QString helpText() {
    const QString text = QStringLiteral(R"(Usage: warpline-ui [options] [FILE...]

Opens the window with the traces in FILE (several share one time axis), or with
a start page without any; - is standard input. FILE may be a session saved by
Warpline (.warpline-session) instead. Reads, plain, gzip or zstd, by
content whatever the ending:
  %1

Options:
  --offset NUMBER:TIME        place the NUMBERth FILE by hand, not by its clock:
                              TIME (ns, or with us, ms, s) is added to its times,
                              which then count on the clock of the first FILE;
                              repeatable, remembered for these files
  --theme light|dark|system   how the window looks, this time
  --panel NAME                raise this panel (timeline, op_table, ...)
  --size WIDTHxHEIGHT         of the window, in pixels
  --screenshot OUT.png        write a picture of the window and exit: needs no
                              display; 1280x720 and light without other options
  --version                   print the version
  -h, --help                  print this

Exit codes: 0 done, 1 a picture could not be made or there is no display,
2 wrong arguments.

Example: warpline-ui trace.json.gz --screenshot trace.png --theme dark
)");
    return text.arg(formatTitles().join("\n  "));
}

}  // namespace warpline::ui
