// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The part of the record dialog that says how much is recorded, and which of it. GUI thread.

#include <QMap>
#include <QWidget>

#include "app/ui/recording/record_request.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace warpline::ui {

class FormField;

class LevelForm : public QWidget {
    Q_OBJECT

public:
    explicit LevelForm(QWidget* parent = nullptr);

    void fill(const RecordRequest& request);
    void read(RecordRequest& request) const;
    void showProblems(const QMap<QString, QString>& problems);
    /// A sample kernel brings the range that is recorded with it.
    void setKernelChosen(bool isKernel);

    QComboBox* modeBox() const { return m_mode; }
    QComboBox* apiBox() const { return m_api; }
    QCheckBox* memoryBox() const { return m_memory; }
    QLineEdit* patternEdit() const { return m_pattern; }
    QLineEdit* rangeEdit() const { return m_range; }
    QLineEdit* scheduleEdit() const { return m_schedule; }
    QSpinBox* countBox() const { return m_count; }
    FormField* field(const QString& name) const { return m_fields.value(name); }

signals:
    void changed();

private:
    void makeLevel(QFormLayout* form);
    void makeFilters(QFormLayout* form);
    void refreshEnabled();

    QComboBox* m_mode;
    QComboBox* m_api;
    QComboBox* m_graph;
    QCheckBox* m_memory;
    QCheckBox* m_allocationSource;
    QCheckBox* m_code;
    QCheckBox* m_children;
    QCheckBox* m_python;
    QLineEdit* m_pattern;
    QSpinBox* m_skip;
    QSpinBox* m_count;
    QLineEdit* m_range;
    QLineEdit* m_schedule;
    QDoubleSpinBox* m_delay;
    QDoubleSpinBox* m_duration;
    QCheckBox* m_profilerRange;
    QMap<QString, FormField*> m_fields;
};

}  // namespace warpline::ui
