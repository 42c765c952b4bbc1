// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/error_page.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFileInfo>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/ui/load_page.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/format_text.h"
#include "widgets/support/icons.h"

namespace warpline::ui {

namespace {
constexpr int kCardWidth = 640;
constexpr int kIconSize = 36;
}  // namespace

QString adviceFor(const QStringList& paths, const Error& error) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("ErrorPage", text); };
    for (const QString& path : paths) {
        const QFileInfo info(path);
        if (path != "-" && !info.exists()) {
            return tr("Check the path: there is no such file. It may have been moved, renamed or deleted.");
        }
        if (info.isDir()) {
            return tr("This is a folder. Choose the trace files inside of it, such as *.json or *.json.gz.");
        }
        if (path != "-" && !info.isReadable()) {
            return tr("Check the file's permissions: it may not be read by you.");
        }
        if (info.isFile() && info.size() == 0) {
            return tr("The file is empty. The program that recorded it may not have finished, or the disk was full.");
        }
    }
    if (error.code == kMissingFiles) {
        return tr("Show where they are now: the session opens with them. Others of it are looked for beside them.");
    }
    if (error.code == "clock_mismatch") {
        return tr(
            "The files do not say how their clocks relate. Place them in time by hand, or open them in windows of "
            "their own.");
    }
    if (error.code == "truncated" || error.code == "invalid_gzip" || error.code == "invalid_zstd" ||
        error.code == "bad_checksum") {
        return tr(
            "The file is cut off or damaged before anything usable. Copy it again, or record it again and let the "
            "program finish.");
    }
    return tr("Warpline reads, plain, gzip or zstd: %1. With torch, prof.export_chrome_trace(\"trace.json.gz\") writes "
              "a "
              "Chrome trace.")
        .arg(formatTitles().join(", "));
}

ErrorPage::ErrorPage(QWidget* parent)
    : QWidget(parent),
      m_icon(new QLabel(this)),
      m_title(new QLabel(this)),
      m_path(new QLabel(this)),
      m_reason(new QLabel(this)),
      m_advice(new QLabel(this)),
      m_retry(new QPushButton(tr("Try again"), this)),
      m_open(new QPushButton(tr("Open another…"), this)),
      m_place(new QPushButton(tr("Place files in time…"), this)),
      m_locate(new QPushButton(tr("Locate…"), this)),
      m_back(new QPushButton(this)) {
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    m_title->setProperty("role", "heading");
    m_path->setProperty("role", "muted");
    for (QLabel* label : {m_title, m_path, m_reason, m_advice}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto* whatToTry = new QLabel(tr("What to try"), this);
    QFont bold = whatToTry->font();
    bold.setWeight(QFont::DemiBold);
    whatToTry->setFont(bold);
    m_back->setProperty("primary", true);
    connect(m_retry, &QPushButton::clicked, this, &ErrorPage::retryRequested);
    connect(m_open, &QPushButton::clicked, this, &ErrorPage::openRequested);
    connect(m_place, &QPushButton::clicked, this, &ErrorPage::placeRequested);
    connect(m_locate, &QPushButton::clicked, this, &ErrorPage::locateRequested);
    connect(m_back, &QPushButton::clicked, this, &ErrorPage::backRequested);

    auto* card = new QFrame(this);
    card->setProperty("role", "card");
    card->setMaximumWidth(kCardWidth);
    auto* titles = new QVBoxLayout;
    titles->setSpacing(2);
    titles->addWidget(m_title);
    titles->addWidget(m_path);
    auto* head = new QHBoxLayout;
    head->setSpacing(14);
    head->addWidget(m_icon, 0, Qt::AlignTop);
    head->addLayout(titles, 1);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_locate);
    buttons->addWidget(m_place);
    buttons->addWidget(m_retry);
    buttons->addWidget(m_open);
    buttons->addStretch(1);
    buttons->addWidget(m_back);
    auto* cardLayout = new QVBoxLayout(card);
    cardLayout->setContentsMargins(24, 22, 24, 20);
    cardLayout->setSpacing(12);
    cardLayout->addLayout(head);
    cardLayout->addWidget(m_reason);
    cardLayout->addSpacing(2);
    cardLayout->addWidget(whatToTry);
    cardLayout->addWidget(m_advice);
    cardLayout->addSpacing(8);
    cardLayout->addLayout(buttons);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(card, 100);
    row->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->addStretch(2);
    layout->addLayout(row);
    layout->addStretch(3);
    setFocusProxy(m_back);
    paintIcon();
}

void ErrorPage::setError(const QStringList& paths, const Error& error, const QString& stillOpen) {
    m_title->setText(tr("%1 could not be opened").arg(shortNames(paths)));
    m_path->setText(paths.join('\n'));
    m_reason->setText(fromUtf8(error.message));
    m_advice->setText(adviceFor(paths, error));
    // What came through a pipe cannot be read again.
    const bool canRetry = !paths.contains("-");
    m_retry->setVisible(canRetry);
    m_place->setVisible(canRetry && error.code == "clock_mismatch");
    m_locate->setVisible(error.code == kMissingFiles);
    m_back->setText(stillOpen.isEmpty() ? tr("Back to start") : tr("Back to %1").arg(stillOpen));
    setAccessibleName(m_title->text());
    setAccessibleDescription(m_reason->text());
}

QString ErrorPage::reason() const {
    return m_reason->text();
}

QString ErrorPage::advice() const {
    return m_advice->text();
}

void ErrorPage::paintIcon() {
    m_icon->setPixmap(icon(Icon::Error).pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
}

void ErrorPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        paintIcon();
    }
    QWidget::changeEvent(event);
}

}  // namespace warpline::ui
