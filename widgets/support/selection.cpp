// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/selection.h"

namespace warpline {

bool Selection::isIn(const Trace& trace) const {
    switch (kind) {
        case Kind::None:
            return true;
        case Kind::Slice:
            return index < trace.sliceCount();
        case Kind::AsyncSlice:
            return index < trace.asyncSlices().size();
        case Kind::AsyncInstant:
            return index < trace.asyncInstants().size();
        case Kind::Instant:
            return index < trace.instants().size();
        case Kind::CounterSample:
            return index < trace.counters().size() && series < trace.counters()[index].series.size() &&
                   sample < trace.counters()[index].series[series].time.size();
    }
    return false;
}

}  // namespace warpline
