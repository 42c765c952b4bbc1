// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/trace/category_counts.h"
#include "core/trace/trace_builder.h"

using namespace warpline;

class tst_CategoryCounts : public QObject {
    Q_OBJECT

private slots:
    void slicesAndInstantsByName() {
        TraceBuilder builder;
        const FileId file = builder.addFile({});
        const TrackId track = builder.track(builder.process(file, "1"), "1");
        for (const char* category : {"kernel", "", "cpu_op", "kernel"}) {
            SliceRecord slice;
            slice.track = track;
            slice.category = builder.intern(category);
            builder.addSlice(slice);
        }
        Instant instant;
        instant.track = track;
        instant.category = builder.intern("cpu_op");
        builder.addInstant(instant);
        JobControl job;
        const auto trace = builder.seal(job).value();
        const auto counts = countCategories(*trace, job).value();
        QStringList lines;
        for (const CategoryCount& count : counts) {
            lines << QString::fromStdString(count.category) + " " + QString::number(count.count);
        }
        QCOMPARE(lines, (QStringList{" 1", "cpu_op 2", "kernel 2"}));
    }
};

QTEST_APPLESS_MAIN(tst_CategoryCounts)
#include "tst_category_counts.moc"
