// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/about_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "core/base/version.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/icons.h"

namespace warpline::ui {

namespace {
constexpr int kTextWidth = 420;
}

AboutDialog::AboutDialog(QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("About Warpline"));
    auto* logo = new QLabel(this);
    logo->setPixmap(icon(Icon::App).pixmap(QSize(56, 56), devicePixelRatioF()));
    auto* title = new QLabel(QStringLiteral("Warpline"), this);
    title->setProperty("role", "title");
    auto* version = new QLabel(tr("Version %1, Qt %2").arg(fromUtf8(kVersion), QString::fromLatin1(qVersion())), this);
    version->setProperty("role", "muted");
    version->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* text =
        new QLabel(tr("A profiler for GPU kernels. Everything stays on this machine: nothing is sent anywhere.\n\n"
                      "The window is free software under the GNU General Public License, version 3 or later; "
                      "its core and the command line are under the MIT licence."),
                   this);
    text->setWordWrap(true);
    text->setFixedWidth(kTextWidth);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* titles = new QVBoxLayout;
    titles->setSpacing(0);
    titles->addWidget(title);
    titles->addWidget(version);
    auto* head = new QHBoxLayout;
    head->setSpacing(16);
    head->addWidget(logo);
    head->addLayout(titles, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 22, 24, 18);
    layout->setSpacing(16);
    layout->addLayout(head);
    layout->addWidget(text);
    layout->addWidget(buttons);
    layout->setSizeConstraint(QLayout::SetFixedSize);
}

}  // namespace warpline::ui
