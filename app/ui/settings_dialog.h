// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The settings that have no better place: limits that hold hostile files in bounds. They count from the next load on.

#include <QDialog>

#include "core/loaders/load_trace.h"

class QSpinBox;

namespace warpline::ui {

class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    explicit SettingsDialog(QWidget* parent = nullptr);

    LoadOptions options() const;

private:
    void fill(const LoadOptions& options);

    QSpinBox* m_argsDepth;
    QSpinBox* m_eventMiB;
    QSpinBox* m_pipedGiB;
    QSpinBox* m_traceGiB;
    QSpinBox* m_threads;
};

}  // namespace warpline::ui
