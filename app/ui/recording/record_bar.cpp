// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/record_bar.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <cstring>

#include "app/ui/recording/recording_link.h"
#include "core/base/units.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/theme.h"

namespace warpline::ui {

namespace {

constexpr int kSecondMs = 1000;
constexpr qint64 kWithheldAfterMs = 1000;
constexpr int kSignalBase = 128;

QString trBar(const char* text) {
    return QCoreApplication::translate("RecordBar", text);
}

QString separator() {
    return QStringLiteral("  \u00b7  ");
}

QString whereText(const RecordingLink& link) {
    const QString name = nameOf(link.request());
    return link.request().host.isEmpty() ? name : trBar("%1 on %2").arg(name, link.request().host);
}

}  // namespace

QString clockText(qint64 ms) {
    constexpr qint64 kMinute = 60;
    const qint64 seconds = ms / kSecondMs;
    const qint64 minutes = seconds / kMinute;
    const QString tail = QStringLiteral(":%1").arg(seconds % kMinute, 2, 10, QLatin1Char('0'));
    return minutes < kMinute
               ? QString::number(minutes) + tail
               : QStringLiteral("%1:%2").arg(minutes / kMinute).arg(minutes % kMinute, 2, 10, QLatin1Char('0')) + tail;
}

QString exitText(int code) {
    if (code <= kSignalBase) {
        return trBar("exited with %1").arg(code);
    }
    const char* name = ::sigdescr_np(code - kSignalBase);
    const QString number = QString::number(code - kSignalBase);
    return name == nullptr ? trBar("ended by signal %1").arg(number)
                           : trBar("ended by signal %1 (%2)").arg(number, QString::fromLatin1(name));
}

QString withheldText(quint64 waitingLaunches, qint64 behindMs) {
    if (waitingLaunches == 0 || behindMs < kWithheldAfterMs) {
        return {};
    }
    return trBar("withheld behind a running kernel: complete up to %1 s ago, %2 outstanding")
        .arg(static_cast<double>(behindMs) / kSecondMs, 0, 'f', 1)
        .arg(countText(waitingLaunches, "launch", "launches"));
}

QString figuresText(const RecordingLink& link) {
    const RecordingProgress& now = link.progress();
    return QStringList{countText(now.kernels, "kernel"), countText(now.events, "event"),
                       trBar("%1 kernels/s").arg(fromUtf8(formatCount(static_cast<uint64_t>(now.kernelsPerSecond)))),
                       trBar("%1 lost").arg(fromUtf8(formatCount(now.lost))),
                       fromUtf8(formatBytes(static_cast<double>(now.bytes)))}
        .join(separator());
}

RecordBar::RecordBar(QWidget* parent)
    : QFrame(parent),
      m_light(new QLabel(this)),
      m_text(new QLabel(this)),
      m_detail(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_pause(addButton(tr("Pause"), tr("Record nothing until it is resumed; the program goes on"))),
      m_follow(addButton(tr("Follow"), tr("Keep the view at the end of what is recorded"))),
      m_stop(addButton(tr("Stop recording"), tr("End the recording; the program goes on, unrecorded"))),
      m_interrupt(addButton(tr("Interrupt program"), tr("Send the program SIGINT, as Ctrl+C in a terminal does"))),
      m_kill(addButton(tr("Kill"), tr("End the program at once (SIGKILL); what was recorded is kept"))),
      m_cancel(addButton(tr("Cancel"), tr("Do not record"))),
      m_upload(addButton(tr("Copy it there…"), tr("Copy the recorder to the host; asks first"))),
      m_change(addButton(tr("Change…"), tr("Back to what is to be recorded, with everything as it was"))),
      m_open(addButton(tr("Open"), tr("Open what was recorded"))),
      m_dismiss(addButton(tr("Dismiss"), tr("Hide this line; the recording stays in the list of recordings"))) {
    setProperty("role", "bar");
    setAccessibleName(tr("Recording"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);  // a narrow window stays narrow
    m_detail->setTextFormat(Qt::PlainText);
    m_detail->setProperty("role", "muted");
    m_detail->setWordWrap(true);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    constexpr int kProgressWidth = 140;
    m_progress->setFixedWidth(kProgressWidth);
    m_progress->setTextVisible(false);
    m_progress->hide();
    auto* texts = new QVBoxLayout;
    texts->setSpacing(1);
    texts->addWidget(m_text);
    texts->addWidget(m_detail);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 4, 8, 4);
    layout->addWidget(m_light);
    layout->addLayout(texts, 1);
    layout->addWidget(m_progress);
    for (QPushButton* button :
         {m_follow, m_pause, m_stop, m_interrupt, m_kill, m_cancel, m_upload, m_open, m_change, m_dismiss}) {
        layout->addWidget(button);
    }
    connect(m_pause, &QPushButton::clicked, this, [this] { emit pauseRequested(!m_isPaused); });
    connect(m_stop, &QPushButton::clicked, this, &RecordBar::stopRequested);
    connect(m_interrupt, &QPushButton::clicked, this, &RecordBar::interruptRequested);
    connect(m_kill, &QPushButton::clicked, this, &RecordBar::killRequested);
    connect(m_follow, &QPushButton::clicked, this, &RecordBar::followRequested);
    connect(m_cancel, &QPushButton::clicked, this, &RecordBar::cancelRequested);
    connect(m_upload, &QPushButton::clicked, this, &RecordBar::uploadRequested);
    connect(m_change, &QPushButton::clicked, this, &RecordBar::changeRequested);
    connect(m_open, &QPushButton::clicked, this, &RecordBar::openRequested);
    connect(m_dismiss, &QPushButton::clicked, this, [this] {
        hide();
        emit dismissed();
    });
    hide();
}

QPushButton* RecordBar::addButton(const QString& text, const QString& toolTip) {
    auto* button = new QPushButton(text, this);
    button->setToolTip(toolTip);
    button->setAutoDefault(true);
    button->hide();
    return button;
}

void RecordBar::showOnly(std::initializer_list<QPushButton*> buttons) {
    for (QPushButton* button :
         {m_follow, m_pause, m_stop, m_interrupt, m_kill, m_cancel, m_upload, m_open, m_change, m_dismiss}) {
        button->setVisible(std::find(buttons.begin(), buttons.end(), button) != buttons.end());
    }
    m_progress->hide();
    show();
}

void RecordBar::setTexts(const QString& text, const QString& detail) {
    m_text->setText(text);
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
}

QString RecordBar::text() const {
    return m_text->text();
}

QString RecordBar::detail() const {
    return m_detail->text();
}

void RecordBar::setRunning(const RecordingLink& link, bool isShown, bool follows) {
    using State = RecordingLink::State;
    m_isPaused = link.state() == State::Paused;
    m_pause->setText(m_isPaused ? tr("Resume") : tr("Pause"));
    m_pause->setToolTip(m_isPaused ? tr("Go on recording")
                                   : tr("Record nothing until it is resumed; the program goes on"));
    m_follow->setText(isShown ? tr("Follow") : tr("Show live"));
    m_follow->setToolTip(isShown ? tr("Keep the view at the end of what is recorded")
                                 : tr("Show what is being recorded, in place of what is open"));
    m_lightState = link.state() == State::Recording ? Light::Recording : Light::Waiting;
    update();
    const QString where = whereText(link);
    if (link.state() == State::Connecting) {
        setTexts(link.request().host.isEmpty() ? tr("Starting %1…").arg(where)
                                               : tr("Connecting to %1…").arg(link.request().host),
                 {});
        showOnly({m_cancel});
        return;
    }
    const QString what = m_isPaused                        ? tr("Paused: %1")
                         : link.state() == State::Stopping ? tr("Ending the recording of %1")
                                                           : tr("Recording %1");
    QString detail = withheldText(link.progress().waitingLaunches, link.progress().behindMs);
    if (!link.progress().refusals.isEmpty()) {
        const RecordingProblem problem = problemOfRefusals(link.progress().refusals, false);
        detail = QStringList{problem.title, detail}.join(detail.isEmpty() ? "" : "; ");
    }
    setTexts(what.arg(where) + separator() + clockText(link.elapsedMs()) + separator() + figuresText(link), detail);
    const bool canFollow = !isShown || !follows;
    if (link.state() == State::Stopping) {
        showOnly({m_cancel});
        return;
    }
    if (canFollow) {
        showOnly({m_follow, m_pause, m_stop, m_interrupt, m_kill});
    } else {
        showOnly({m_pause, m_stop, m_interrupt, m_kill});
    }
}

void RecordBar::setEnded(const RecordingLink& link, bool canOpen) {
    const RecordingProgress& last = link.progress();
    const RecordingProblem& problem = link.problem();
    if (problem.isThere() && last.events == 0 && link.exitCode()) {
        // That the program went well is not what matters.
        RecordingProblem shown = problem;
        shown.title += separator() + whereText(link) + ' ' + exitText(*link.exitCode());
        setProblem(shown, false);
        return;
    }
    const bool isWhole = !link.problem().isThere() && last.lost == 0;
    m_lightState = isWhole ? Light::Good : Light::Bad;
    update();
    const QString how = link.exitCode()            ? tr("the program %1").arg(exitText(*link.exitCode()))
                        : link.problem().isThere() ? link.problem().title
                                                   : tr("the recording was ended; the program goes on");
    QString text = tr("Recorded %1: %2").arg(whereText(link), how) + separator() + clockText(link.elapsedMs());
    text += separator() + countText(last.kernels, "kernel") + separator() +
            tr("%1 lost").arg(fromUtf8(formatCount(last.lost))) + separator() +
            fromUtf8(formatBytes(static_cast<double>(last.bytes)));
    QStringList details;
    if (problem.isThere()) {
        details << (link.exitCode() ? problem.title + ". " : QString()) + problem.advice;
        if (!problem.detail.isEmpty()) {
            details << problem.detail;
        }
    } else if (last.isKnown && last.sources == 0) {
        details << tr("No process used CUDA, so the recording has no GPU work.");
    }
    if (last.lost != 0) {
        details << tr("What was lost, and when, is in the import report and marked in the timeline.");
    }
    setTexts(text, details.join('\n'));
    if (canOpen) {
        showOnly({m_open, m_change, m_dismiss});
    } else {
        showOnly({m_change, m_dismiss});
    }
}

void RecordBar::setUploading(const QString& host, int percent, const QString& detail) {
    m_lightState = Light::Waiting;
    update();
    setTexts(tr("Copying the recorder to %1…").arg(host), detail);
    showOnly({m_cancel});
    m_progress->setValue(percent);
    m_progress->show();
}

void RecordBar::setProblem(const RecordingProblem& problem, bool canUpload) {
    m_lightState = Light::Bad;
    update();
    setTexts(problem.title, problem.detail.isEmpty() || problem.detail == problem.title
                                ? problem.advice
                                : problem.advice + '\n' + problem.detail);
    if (canUpload) {
        showOnly({m_upload, m_change, m_dismiss});
    } else {
        showOnly({m_change, m_dismiss});
    }
}

void RecordBar::paintEvent(QPaintEvent* event) {
    const Theme& look = theme();
    const QColor color = m_lightState == Light::Recording || m_lightState == Light::Bad ? look.error
                         : m_lightState == Light::Good                                  ? look.good
                                                                                        : look.warning;
    const QString sign = m_lightState == Light::Bad ? QStringLiteral("\u26a0") : QStringLiteral("\u25cf");
    if (color.name() != m_lightColor || m_light->text() != sign) {
        m_lightColor = color.name();
        m_light->setText(sign);
        m_light->setStyleSheet("color: " + m_lightColor);
    }
    QFrame::paintEvent(event);
}

}  // namespace warpline::ui
