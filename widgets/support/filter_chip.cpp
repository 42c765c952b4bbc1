// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/filter_chip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "widgets/support/icons.h"
#include "widgets/support/save_file.h"
#include "widgets/support/session.h"

namespace warpline {

FilterChip::FilterChip(Session& session, QWidget* parent)
    : QFrame(parent),
      m_session(session),
      m_text(new QLabel(this)),
      m_show(new QPushButton(tr("Show"), this)),
      m_remove(new QPushButton(tr("Remove filter"), this)) {
    setProperty("role", "bar");
    setAccessibleName(tr("Filter of all panels"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setToolTip(tr(
        "Tables count only what begins in this part of the trace and lasts long enough; the timeline fades the rest. "
        "Undo and redo apply."));
    m_show->setToolTip(tr("Brings this part into view"));
    m_remove->setIcon(icon(Icon::Remove));
    m_remove->setToolTip(tr("The whole trace counts again; undo brings the filter back"));
    auto* sign = new QLabel(this);
    sign->setPixmap(icon(Icon::Filter).pixmap(fontMetrics().height()));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 4, 8, 4);
    layout->addWidget(sign);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_show);
    layout->addWidget(m_remove);
    connect(m_show, &QPushButton::clicked, this, [this] {
        if (m_session.filter().area) {
            m_session.setVisibleRange(m_session.filter().area->range);
        }
    });
    connect(m_remove, &QPushButton::clicked, this, [this] { m_session.applyFilter({}); });
    connect(&m_session, &Session::filterChanged, this, &FilterChip::refresh);
    connect(&m_session, &Session::traceChanged, this, &FilterChip::refresh);
    refresh();
}

QString FilterChip::text() const {
    return m_text->text();
}

void FilterChip::refresh() {
    const bool isShown = m_session.trace() != nullptr && !m_session.filter().empty();
    m_text->setText(isShown ? tr("Only this part counts: %1").arg(filterText(*m_session.trace(), m_session.filter()))
                            : QString());
    m_show->setVisible(m_session.filter().area.has_value());
    setVisible(isShown);
}

}  // namespace warpline
