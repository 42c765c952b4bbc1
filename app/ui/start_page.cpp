// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/start_page.h"

#include <QEvent>
#include <QFileInfo>
#include <QFocusEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/ui/entry_button.h"
#include "app/ui/samples.h"
#include "widgets/support/format_text.h"
#include "widgets/support/recent_files.h"

namespace warpline::ui {

namespace {

constexpr int kPageWidth = 920;
constexpr int kLogoSize = 52;
constexpr int kShownRecent = 6;

void clearLayout(QVBoxLayout* layout) {
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

}  // namespace

StartPage::StartPage(RecentFiles& recent, QWidget* parent)
    : QWidget(parent),
      m_recent(recent),
      m_logo(new QLabel(this)),
      m_open(new QPushButton(tr("Open a trace…"), this)),
      m_record(new QPushButton(tr("Record a program…"), this)) {
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    auto* title = new QLabel(QStringLiteral("Warpline"), this);
    title->setProperty("role", "title");
    auto* tagline = new QLabel(tr("See where the time of your GPU kernels goes."), this);
    tagline->setProperty("role", "muted");
    auto* titles = new QVBoxLayout;
    titles->setSpacing(0);
    titles->addWidget(title);
    titles->addWidget(tagline);
    m_open->setProperty("primary", true);
    m_open->setDefault(true);
    m_open->setAutoDefault(true);
    connect(m_open, &QPushButton::clicked, this, &StartPage::openRequested);
    m_record->setAutoDefault(true);
    m_record->setToolTip(tr("Record the GPU work of a program or of a sample kernel, and see it live"));
    connect(m_record, &QPushButton::clicked, this, &StartPage::recordRequested);
    auto* head = new QHBoxLayout;
    head->setSpacing(16);
    head->addWidget(m_logo);
    head->addLayout(titles, 1);
    head->addWidget(m_record, 0, Qt::AlignVCenter);
    head->addWidget(m_open, 0, Qt::AlignVCenter);

    auto* lists = new QHBoxLayout;
    lists->setSpacing(20);
    m_recentCard = makeCard(tr("Recent"), &m_recentEntries);
    lists->addWidget(makeCard(tr("Samples"), &m_sampleEntries), 1, Qt::AlignTop);
    lists->addWidget(m_recentCard, 1, Qt::AlignTop);

    auto* drop = new QLabel(tr("Or drop files anywhere in this window. Several files share one time axis.\nReads: %1.")
                                .arg(formatsInBrief()),
                            this);
    drop->setProperty("role", "muted");
    drop->setAlignment(Qt::AlignCenter);
    drop->setWordWrap(true);

    auto* column = new QWidget(this);
    column->setMaximumWidth(kPageWidth);
    auto* columnLayout = new QVBoxLayout(column);
    columnLayout->setContentsMargins(24, 24, 24, 24);
    columnLayout->setSpacing(24);
    columnLayout->addStretch(2);
    columnLayout->addLayout(head);
    columnLayout->addLayout(lists);
    columnLayout->addWidget(drop);
    columnLayout->addStretch(3);
    auto* inside = new QWidget(this);
    auto* insideLayout = new QHBoxLayout(inside);
    insideLayout->setContentsMargins(0, 0, 0, 0);
    insideLayout->addStretch(1);
    insideLayout->addWidget(column, 100);
    insideLayout->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->viewport()->setAutoFillBackground(false);
    inside->setAutoFillBackground(false);
    scroll->setWidget(inside);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);

    connect(&m_recent, &RecentFiles::changed, this, &StartPage::fillRecent);
    fillSamples();
    fillRecent();
    paintLogo();
}

QWidget* StartPage::makeCard(const QString& title, QVBoxLayout** entries) {
    auto* card = new QFrame(this);
    card->setProperty("role", "card");
    auto* heading = new QLabel(title, card);
    heading->setProperty("role", "heading");
    heading->setContentsMargins(10, 0, 0, 4);
    *entries = new QVBoxLayout;
    (*entries)->setSpacing(2);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(8, 14, 8, 8);
    layout->setSpacing(4);
    layout->addWidget(heading);
    layout->addLayout(*entries);
    return card;
}

void StartPage::fillSamples() {
    clearLayout(m_sampleEntries);
    const QList<Sample> samples = bundledSamples();
    for (const Sample& sample : samples) {
        auto* entry = new EntryButton(Icon::Timeline, sample.title, sample.sentence, this);
        connect(entry, &EntryButton::clicked, this, [this, path = sample.path] { emit filesChosen({path}); });
        m_sampleEntries->addWidget(entry);
    }
    if (samples.isEmpty()) {
        auto* none = new QLabel(tr("The sample traces are not installed."), this);
        none->setProperty("role", "muted");
        none->setContentsMargins(10, 4, 10, 10);
        m_sampleEntries->addWidget(none);
    }
}

void StartPage::fillRecent() {
    clearLayout(m_recentEntries);
    const QStringList paths = m_recent.paths().mid(0, kShownRecent);
    m_recentCard->setVisible(!paths.isEmpty());
    for (const QString& path : paths) {
        const QFileInfo info(path);  // its name alone: look() asks the disk
        const bool there = !m_recent.isMissing(path);
        auto* entry = new EntryButton(Icon::File, info.fileName(),
                                      there ? info.path() : tr("Not there any more: %1").arg(info.path()), this);
        entry->setElideMode(Qt::ElideMiddle);
        entry->setEnabled(there);
        connect(entry, &EntryButton::clicked, this, [this, path] { emit filesChosen({path}); });
        auto* remove = new QToolButton(this);
        remove->setIcon(icon(Icon::Remove));
        remove->setProperty("flat", true);
        remove->setToolTip(tr("Remove from this list"));
        remove->setAccessibleName(tr("Remove %1 from this list").arg(info.fileName()));
        connect(remove, &QToolButton::clicked, this, [this, path] { m_recent.remove(path); });
        auto* row = new QWidget(this);
        auto* rowLayout = new QHBoxLayout(row);
        rowLayout->setContentsMargins(0, 0, 0, 0);
        rowLayout->setSpacing(2);
        rowLayout->addWidget(entry, 1);
        rowLayout->addWidget(remove);
        m_recentEntries->addWidget(row);
    }
}

QList<EntryButton*> StartPage::recentEntries() const {
    QList<EntryButton*> entries;
    for (int i = 0; i < m_recentEntries->count(); ++i) {
        if (QWidget* row = m_recentEntries->itemAt(i)->widget()) {
            entries += row->findChildren<EntryButton*>();
        }
    }
    return entries;
}

QList<EntryButton*> StartPage::sampleEntries() const {
    QList<EntryButton*> entries;
    for (int i = 0; i < m_sampleEntries->count(); ++i) {
        if (auto* entry = qobject_cast<EntryButton*>(m_sampleEntries->itemAt(i)->widget())) {
            entries.append(entry);
        }
    }
    return entries;
}

void StartPage::paintLogo() {
    m_logo->setPixmap(icon(Icon::App).pixmap(QSize(kLogoSize, kLogoSize), devicePixelRatioF()));
}

void StartPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        paintLogo();
    }
    QWidget::changeEvent(event);
}

/// Not by a focus proxy: on the way from the other buttons Tab would take this page for the next one, and come back.
void StartPage::focusInEvent(QFocusEvent* event) {
    m_open->setFocus(event->reason());
}

void StartPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    // Files come and go while the window shows something else.
    m_recent.look();
}

}  // namespace warpline::ui
