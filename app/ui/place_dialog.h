// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// "Place files in time…": where each of several files stands on the one time axis, by its clock or by hand.

#include <QDialog>
#include <QString>
#include <QStringList>

#include <memory>

#include "core/trace/trace.h"
#include "widgets/support/load_settings.h"

class QLabel;
class QPushButton;
class QTableWidget;

namespace warpline::ui {

class PlaceDialog : public QDialog {
    Q_OBJECT

public:
    /// `trace` is what was loaded of `paths`, or null if that failed: then ranks and base times are not known.
    PlaceDialog(const QStringList& paths, const settings::Placement& placement,
                const std::shared_ptr<const Trace>& trace, QWidget* parent = nullptr);

    /// What stands in the table. REQUIRES: accepted.
    const settings::Placement& placement() const { return m_placement; }
    QTableWidget* table() const { return m_table; }
    QString problem() const;
    QPushButton* applyButton() const { return m_apply; }

private:
    /// Reads the offsets; says what is wrong with the first that is none.
    void check();

    QStringList m_paths;
    settings::Placement m_placement;
    QTableWidget* m_table;
    QLabel* m_problem;
    QPushButton* m_apply;
};

}  // namespace warpline::ui
