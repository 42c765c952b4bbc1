// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/kind_title.h"

namespace warpline {

QString kindTitle(EventKind kind) {
    switch (kind) {
        case EventKind::CpuOp:
            return QStringLiteral("CPU op");
        case EventKind::Python:
            return QStringLiteral("Python function");
        case EventKind::Annotation:
            return QStringLiteral("Annotation");
        case EventKind::GpuAnnotation:
            return QStringLiteral("GPU annotation");
        case EventKind::Runtime:
            return QStringLiteral("CUDA runtime call");
        case EventKind::Driver:
            return QStringLiteral("CUDA driver call");
        case EventKind::Kernel:
            return QStringLiteral("Kernel");
        case EventKind::Memcpy:
            return QStringLiteral("Copy");
        case EventKind::Memset:
            return QStringLiteral("Memset");
        case EventKind::Sync:
            return QStringLiteral("Synchronization");
        case EventKind::Overhead:
            return QStringLiteral("Profiler overhead");
        case EventKind::Other:
            return QStringLiteral("Other");
    }
    return QStringLiteral("Other");
}

}  // namespace warpline
