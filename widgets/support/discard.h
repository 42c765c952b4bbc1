// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Lets large things go off the GUI thread: freeing millions of rows takes longer than a frame.

#include <memory>
#include <utility>

namespace warpline {

/// Drops this reference on a worker thread. If it is not the last one, whoever holds the last one frees.
void discard(std::shared_ptr<const void> reference);

/// A pointer to `value` that is freed on the worker, whoever lets it go last.
template <class T>
std::shared_ptr<const T> makeDiscarded(T value) {
    return std::shared_ptr<const T>(new T(std::move(value)), [](const T* last) {
        discard(std::shared_ptr<const void>(last, [](const void* p) { delete static_cast<const T*>(p); }));
    });
}

/// Things that still wait to be freed. For who waits until nothing moves any more.
int pendingDiscards();

}  // namespace warpline
