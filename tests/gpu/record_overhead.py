#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What recording costs: interleaved processes, medians, one table.

record_overhead.py --warpline BIN --sample RECORD_SAMPLE [--cupti-only LIB] [--rounds 5] [--launches 200000] [--ops 20000]
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--warpline", required=True)
    parser.add_argument("--sample", required=True)
    parser.add_argument("--cupti-only")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--launches", type=int, default=200000)
    parser.add_argument("--ops", type=int, default=20000)
    parser.add_argument("--no-torch", action="store_true")
    options = parser.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    folder = tempfile.mkdtemp()
    capture = os.path.join(folder, "overhead.wcap")
    # A core for the program and others for what records it.
    pin = ["taskset", "-c", "2"]
    record = [options.warpline, "record", "-o", capture]
    empty = pin + [options.sample, "empty", str(options.launches)]
    torch = pin + [sys.executable, os.path.join(here, "torch_sample.py")]

    def run(command, environment=None):
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})})
        lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
        if done.returncode != 0 or not lines:
            sys.exit("%s: exit %d\n%s%s" % (" ".join(command), done.returncode, done.stdout, done.stderr))
        return json.loads(lines[-1])

    cases = {
        "launch: none": lambda: run(empty)["ns_per_launch"],
        "launch: recorded": lambda: run(record + ["--"] + empty)["ns_per_launch"],
        "launch: recorded, mode event": lambda: run(record + ["--mode", "event", "--"] + empty)["ns_per_launch"],
        "launch: recorded, all calls": lambda: run(record + ["--api", "all", "--"] + empty)["ns_per_launch"],
    }
    if options.cupti_only:
        cases["launch: CUPTI alone"] = lambda: run(empty, {"CUDA_INJECTION64_PATH": options.cupti_only})["ns_per_launch"]
        cases["launch: CUPTI alone, kernels"] = lambda: run(
            empty, {"CUDA_INJECTION64_PATH": options.cupti_only, "CUPTI_ONLY_KERNELS": "1"})["ns_per_launch"]
    if not options.no_torch:
        ops = str(options.ops)
        cases["op: none"] = lambda: run(torch + ["time", ops])["us_per_op"] * 1000
        cases["op: recorded"] = lambda: run(record + ["--"] + torch + ["time", ops])["us_per_op"] * 1000
        if options.cupti_only:
            cases["op: CUPTI alone"] = lambda: run(torch + ["time", ops], {"CUDA_INJECTION64_PATH": options.cupti_only})["us_per_op"] * 1000
        cases["op: torch.profiler CUDA"] = lambda: run(torch + ["profiler_cuda", ops])["us_per_op"] * 1000
        cases["op: torch.profiler CPU+CUDA"] = lambda: run(torch + ["profiler", ops])["us_per_op"] * 1000

    times = {name: [] for name in cases}
    for _ in range(options.rounds):
        for name, case in cases.items():
            times[name].append(case())
    print("| case | median ns | min - max | added |\n|---|---|---|---|")
    for name, values in times.items():
        median = statistics.median(values)
        base = statistics.median(times[name.split(":")[0] + ": none"])
        print("| %s | %.0f | %.0f - %.0f | %+.0f |" % (name, median, min(values), max(values), median - base))


main()
