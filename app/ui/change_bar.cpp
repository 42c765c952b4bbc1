// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/change_bar.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "core/base/units.h"
#include "widgets/support/cell_text.h"

namespace warpline::ui {

QString changeText(const QStringList& paths, const std::vector<FileStamp>& loaded,
                   const std::vector<FileStamp>& current) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("ChangeBar", text); };
    std::vector<qsizetype> which;
    for (qsizetype i = 0; i < paths.size(); ++i) {
        if (loaded[static_cast<size_t>(i)] != current[static_cast<size_t>(i)]) {
            which.push_back(i);
        }
    }
    if (which.empty()) {
        return {};
    }
    const QString name = QFileInfo(paths[which.front()]).fileName();
    if (which.size() > 1) {
        return tr("%1 and %2 more have changed on disk").arg(name).arg(which.size() - 1);
    }
    const FileStamp& was = loaded[static_cast<size_t>(which.front())];
    const FileStamp& is = current[static_cast<size_t>(which.front())];
    if (is.bytes < 0) {
        return tr("%1 is no longer on disk; what was loaded stays open").arg(name);
    }
    const qint64 more = is.bytes - was.bytes;
    if (was.bytes < 0 || more == 0) {
        return tr("%1 has changed on disk").arg(name);
    }
    return (more > 0 ? tr("%1 has grown by %2") : tr("%1 has become shorter by %2"))
        .arg(name, fromUtf8(formatBytes(static_cast<double>(more > 0 ? more : -more))));
}

ChangeBar::ChangeBar(QWidget* parent)
    : QFrame(parent),
      m_text(new QLabel(this)),
      m_reload(new QPushButton(tr("Reload"), this)),
      m_follow(new QPushButton(this)),
      m_dismiss(new QPushButton(tr("Dismiss"), this)) {
    setProperty("role", "bar");
    m_text->setTextFormat(Qt::PlainText);
    m_reload->setToolTip(tr("Load the files again; view, selection, filters and layout stay (F5)"));
    m_dismiss->setToolTip(tr("Go on with what was loaded; says so again at the next change"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 4, 8, 4);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_reload);
    layout->addWidget(m_follow);
    layout->addWidget(m_dismiss);
    connect(m_reload, &QPushButton::clicked, this, &ChangeBar::reloadRequested);
    connect(m_follow, &QPushButton::clicked, this, [this] { emit followRequested(!m_isFollowing); });
    connect(m_dismiss, &QPushButton::clicked, this, [this] {
        hide();
        emit dismissed();
    });
    hide();
}

QString ChangeBar::text() const {
    return m_text->text();
}

void ChangeBar::offer(const QString& text, bool canReload) {
    m_isFollowing = false;
    m_text->setText(text);
    m_follow->setText(tr("Follow"));
    m_follow->setToolTip(tr("Reload whenever the file has changed and writing has paused for a second"));
    m_reload->setVisible(canReload);
    m_follow->setVisible(canReload);
    m_dismiss->show();
    show();
}

void ChangeBar::following(const QString& text) {
    m_isFollowing = true;
    m_text->setText(text);
    m_follow->setText(tr("Stop following"));
    m_follow->setToolTip(tr("Go on with what is loaded now"));
    m_reload->show();
    m_follow->show();
    m_dismiss->hide();
    show();
}

}  // namespace warpline::ui
