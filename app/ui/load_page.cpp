// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/load_page.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

#include "core/base/units.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/theme.h"

namespace warpline::ui {

namespace {
constexpr int kSteps = 1000;
constexpr int kCardWidth = 520;
}  // namespace

QString shortNames(const QStringList& paths) {
    if (paths.isEmpty()) {
        return {};
    }
    const QString first = paths.first() == "-" ? QCoreApplication::translate("LoadPage", "Standard input")
                                               : QFileInfo(paths.first()).fileName();
    return paths.size() == 1
               ? first
               : QCoreApplication::translate("LoadPage", "%1 and %2 more").arg(first).arg(paths.size() - 1);
}

LoadPage::LoadPage(QWidget* parent)
    : QWidget(parent),
      m_title(new QLabel(this)),
      m_progress(new QLabel(this)),
      m_bar(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)) {
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    m_title->setProperty("role", "heading");
    m_title->setWordWrap(true);
    m_title->setTextFormat(Qt::PlainText);
    m_progress->setProperty("role", "muted");
    m_progress->setFont(tabularFont());
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Loading"));
    m_cancel->setToolTip(tr("Stop loading (Esc). What was open before stays open."));
    connect(m_cancel, &QPushButton::clicked, this, &LoadPage::cancelRequested);

    auto* card = new QFrame(this);
    card->setProperty("role", "card");
    card->setMaximumWidth(kCardWidth);
    auto* bottom = new QHBoxLayout;
    bottom->addWidget(m_progress, 1);
    bottom->addWidget(m_cancel);
    auto* cardLayout = new QVBoxLayout(card);
    cardLayout->setContentsMargins(24, 22, 24, 20);
    cardLayout->setSpacing(14);
    cardLayout->addWidget(m_title);
    cardLayout->addWidget(m_bar);
    cardLayout->addLayout(bottom);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(card, 100);
    row->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->addStretch(2);
    layout->addLayout(row);
    layout->addStretch(3);
    setFocusProxy(m_cancel);
}

void LoadPage::start(const QStringList& paths) {
    m_title->setText(tr("Opening %1").arg(shortNames(paths)));
    m_title->setToolTip(paths.join('\n'));
    m_bar->setRange(0, 0);
    m_progress->setText(tr("Starting…"));
}

void LoadPage::setProgress(const QString& phase, quint64 doneBytes, quint64 totalBytes) {
    QString text = phase.isEmpty() ? tr("Loading") : phase.left(1).toUpper() + phase.mid(1);
    const QString done = fromUtf8(formatBytes(static_cast<double>(doneBytes)));
    if (totalBytes > 0) {
        const double ratio = std::clamp(static_cast<double>(doneBytes) / static_cast<double>(totalBytes), 0.0, 1.0);
        m_bar->setRange(0, kSteps);
        m_bar->setValue(static_cast<int>(ratio * kSteps));
        text += tr(": %1 of %2, %3 %")
                    .arg(done, fromUtf8(formatBytes(static_cast<double>(totalBytes))))
                    .arg(static_cast<int>(ratio * 100));
    } else {
        m_bar->setRange(0, 0);
        if (doneBytes > 0) {
            text += ": " + done;
        }
    }
    m_progress->setText(text);
}

QString LoadPage::progressText() const {
    return m_progress->text();
}

}  // namespace warpline::ui
