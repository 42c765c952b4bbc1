// SPDX-License-Identifier: MIT
#pragma once
// The recording side as a service on two streams: commands come in as lines of JSON, capture frames go out. So a window
// records on any machine to which it has a pipe, ssh's too.
//
// Commands: {"do": "start", "program": ["python", "train.py"], "environment": {"A": "1"}, "folder": "/work",
// "options": "api=1\n…"} (options as toText() writes them; what is left out is as it is by default), {"do": "pause"},
// {"do": "resume"}, {"do": "stop"} (the program goes on, unrecorded), {"do": "signal", "number": 2} (to the program),
// {"do": "quit"}.
// Each recording's frames begin with a Begin frame of source 0. What the service itself has to say comes in Facts
// frames of source 0 with the fact "state": "ready", "started", "progress" (twice a second, with counts), "failed"
// (with "error"), "ended" (with "exit_code"); what the program prints in Output frames.

namespace warpline::record {

/// Serves until the commands end or say so; then the program is sent SIGHUP, as by a terminal that closes. Returns the
/// exit code of the service. REQUIRES: descriptors that are open; nothing else writes to `out`.
int serveAgent(int in, int out);

}  // namespace warpline::record
