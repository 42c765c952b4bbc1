// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline as a picture in a file.

#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPainter>
#include <QSaveFile>

#include "widgets/panels/timeline/minimap.h"
#include "widgets/panels/timeline/svg_paint_device.h"
#include "widgets/panels/timeline/svg_picture.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/save_file.h"
#include "widgets/support/settings.h"

namespace warpline::timeline {

QByteArray TimelineWidget::svg() {
    if (!m_trace || !m_model) {
        return {};
    }
    View view = currentView();
    view.scale = 1;
    view.width = lanesRect().width();
    view.height = lanesRect().height();
    Geometry geometry;
    const DerivedView derived = m_derived->view();
    computeGeometry({*m_trace, *m_model, m_layout, *m_highlight, !m_highlight->empty(), view, m_session.selectedEvent(),
                     &derived, m_looks, m_session.filter().leastDuration},
                    m_nameColors, geometry);
    ensureCanvas();
    SvgPaintDevice around(QSize(lanesRect().right() + 1, height()));
    QPainter painter(&around);
    paintAround(painter, true);
    painter.translate(m_minimap->pos());
    m_minimap->paint(painter);
    painter.end();
    return timelineSvg({*m_trace, m_layout, geometry, rulerTicks(), theme(), lanesRect(), m_labelFont,
                        placeArrows(*m_trace, m_layout, view, flowLinksFor(view)), m_model.get(), around.elements()});
}

QString TimelineWidget::savePicture(const QString& path) {
    QSaveFile file(path);
    if (!m_trace || !m_model || !file.open(QIODevice::WriteOnly)) {
        return m_trace ? file.errorString() : tr("No trace is open");
    }
    bool isWritten = false;
    if (QFileInfo(path).suffix().toLower() == "svg") {
        const QByteArray text = svg();
        isWritten = file.write(text) == text.size();
    } else {
        clearHover();  // the pointer is no part of the picture
        const QRect all(0, 0, lanesRect().right() + 1, height());
        isWritten = grab(all).toImage().save(&file, "PNG");
    }
    return isWritten && file.commit() ? QString() : file.errorString();
}

void TimelineWidget::exportPicture() {
    const QString folder = settings::store().value(settings::kExportFolder).toString();
    const QString path =
        askSavePath(this, tr("Export the visible timeline"), suggestedPath(m_trace.get(), folder, {}, ".png"),
                    {{tr("PNG, as it is on the screen"), ".png"}, {tr("SVG, sharp at any size"), ".svg"}});
    if (path.isEmpty()) {
        return;
    }
    settings::store().setValue(settings::kExportFolder, QFileInfo(path).absolutePath());
    if (const QString problem = savePicture(path); !problem.isEmpty()) {
        QMessageBox::warning(this, tr("Export the visible timeline"),
                             tr("%1 could not be written: %2").arg(path, problem));
    } else {
        m_session.tell(tr("Picture saved as %1").arg(QDir::toNativeSeparators(path)));
    }
}

}  // namespace warpline::timeline
