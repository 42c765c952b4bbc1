// SPDX-License-Identifier: MIT
#include "core/loaders/damage_report.h"

namespace warpline {

void reportDamage(const TextSource& source, bool endedEarly, FileId file, ImportReport& report) {
    for (const TextSource::Damage& damage : source.damage()) {
        if (damage.losesText) {
            report.setIncomplete();
        }
        if (endedEarly && damage.code == "truncated") {
            continue;  // the same thing
        }
        report.add(file, damage.code, damage.losesText ? Severity::DataLoss : Severity::Warning, damage.storedOffset,
                   OffsetSpace::File, damage.detail, damage.count);
    }
}

}  // namespace warpline
