// SPDX-License-Identifier: MIT
#pragma once
// Traces written as text, so that a test shows what it is about:
//
//     cpu main: forward 0..100 (ext=1) { matmul 10..40 (ext=2) { cudaLaunchKernel 12..15 (corr=7) } relu 50..60 }
//     cpu worker: step 0..50 (kind=annotation)
//     gpu 0 stream 7: sgemm 20..80 (corr=7 ext=2 grid=4,1,1 block=256,1,1 regs=64 shared=0)
//
// One line a track; times are whole nanoseconds, "10..?" is a slice without an end. Names are words or "quoted".
//   cpu THREAD: …            a thread of process 100; `main` has tid 100; `cpu PID/TID: …` names both
//   gpu DEVICE stream N: …   a stream of process DEVICE ("0")
//   overhead: …              the profiler's own track (pid -1)
//   track PID/TID: …         any other; slices are of kind other
//   instant THREAD: NAME TIME …        counter NAME: TIME=VALUE …
//   memory cpu|gpuN TIME BYTES [TOTAL] oom cpu|gpuN TIME BYTES
//   device N sm_90           device N with the properties of an H200
//   name process PID "TEXT"            name thread PID/TID "TEXT"
// A line ends at a newline outside of { }; `#` begins a comment. Attributes of a slice, in ( ):
//   kind=WORD (of `ops --json`) cat=WORD corr=N ext=N shapes=JSON grid=X,Y,Z block=X,Y,Z regs=N shared=N local=N
//   bytes=N
// Without `kind`: operators on cpu tracks ("cuda…" is a runtime call, "cuXyz" a driver call, "ProfilerStep#…" and
// "## …" annotations), kernels on streams ("Memcpy…", "Memset…" are those, "… Sync" is a sync), else other.
// `cat` follows from the kind as Kineto writes it.

#include <memory>
#include <string_view>

#include "core/trace/trace.h"

namespace warpline::test {

/// Throws std::runtime_error with the place of a mistake in the text.
std::shared_ptr<const Trace> traceFromText(std::string_view text);

}  // namespace warpline::test
