// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/panel.h"

#include <QAction>

namespace warpline {

QList<QAction*> PanelFactory::actions(QWidget* /*panel*/) const {
    return {};
}

QString PanelFactory::statusText(QWidget* /*panel*/) const {
    return {};
}

}  // namespace warpline
