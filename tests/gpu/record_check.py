#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records programs whose work is known and holds the recordings to it. Prints a short table; exits 1 if one is wrong.

record_check.py --warpline BIN --sample RECORD_SAMPLE [--keep FOLDER] [--only NAME,…]
"""
import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--warpline", required=True)
    parser.add_argument("--sample", required=True)
    parser.add_argument("--keep", help="folder in which the captures stay")
    parser.add_argument("--only", default="")
    parser.add_argument("--soak", type=int, default=0, help="graph launches of 50 nodes in the long case")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp()
    only = [name for name in options.only.split(",") if name]
    os.environ["WARPLINE_CACHE_LIMIT"] = "off"

    def record(name, program, more=(), code=0):
        path = os.path.join(folder, name + ".wcap")
        done = subprocess.run([options.warpline, "record", "-o", path, *more, "--", *program], capture_output=True, text=True)
        if done.returncode != code:
            raise AssertionError("exit code %d, not %d: %s" % (done.returncode, code, done.stderr[-400:]))
        said = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        return path, said, done.stderr

    def info(path):
        return json.loads(subprocess.run([options.warpline, "info", "--json", path], capture_output=True, text=True, check=True).stdout)

    def kernels(path):
        return json.loads(subprocess.run([options.warpline, "kernels", "--json", path], capture_output=True, text=True, check=True).stdout)["rows"]

    def issues(path, *allowed):
        return [i["code"] for i in info(path)["issues"] if i["severity"] in ("data_loss", "error") or
                i["code"] in ("orphan_kernel", "no_timestamp", "dropped_records") and i["code"] not in allowed]

    def equal(what, got, wanted):
        if got != wanted:
            raise AssertionError("%s: %s, not %s" % (what, got, wanted))

    def case(name):
        def run(body):
            if only and name not in only:
                return
            begin = time.monotonic()
            try:
                ROWS.append((name, "ok", body() or "", time.monotonic() - begin))
            except Exception as error:
                ROWS.append((name, "WRONG", "%s: %s" % (type(error).__name__, error), time.monotonic() - begin))
        return run

    sample = options.sample

    def counted(name, program, more=()):
        path, said, _ = record(name, program, more)
        got = info(path)["by_category"]
        wanted = {key: sum(s[key] for s in said) for key in ("kernels", "copies", "sets", "nodes")}
        equal("kernels", got.get("kernel", 0), wanted["kernels"] + wanted["nodes"])
        equal("copies", got.get("gpu_memcpy", 0), wanted["copies"])
        equal("sets", got.get("gpu_memset", 0), wanted["sets"])
        equal("issues", issues(path), [])
        return path, said

    @case("empty")
    def _():
        _, said = counted("empty", [sample, "empty", "200000"])
        return "%d kernels" % said[0]["kernels"]

    @case("mixed")
    def _():
        path, said = counted("mixed", [sample, "mixed", "50"])
        equal("ranges", info(path)["by_category"].get("user_annotation", 0), said[0]["ranges"])
        return "%d kernels, %d copies, %d sets, %d ranges" % tuple(said[0][k] for k in ("kernels", "copies", "sets", "ranges"))

    @case("all calls")
    def _():
        counted("all_calls", [sample, "mixed", "20"], ["--mode", "nsys"])

    @case("graph nodes")
    def _():
        counted("graph", [sample, "graph", "20"])

    @case("graph launches")
    def _():
        path, said, _ = record("graph_launch", [sample, "graph", "20"], ["--graph", "launch"])
        equal("graphs", info(path)["by_category"].get("kernel", 0), said[0]["launches"])

    @case("threads")
    def _():
        counted("threads", [sample, "threads", "5000"])

    @case("forks")
    def _():
        _, said = counted("forks", [sample, "forks", "50"])
        return "%d processes" % len(said)

    @case("durations against events")
    def _():
        path, said, _ = record("events", [sample, "events", "200"])
        rows = [r for r in kernels(path) if "scale_kernel" in r["name"]]
        ratio = rows[0]["median_ns"] / 1000 / said[0]["event_us_per_kernel"]
        if not 0.98 <= ratio <= 1.02:
            raise AssertionError("kernel over event time %.4f" % ratio)
        return "kernel over event time %.4f" % ratio

    @case("selection")
    def _():
        path, _, _ = record("select", [sample, "mixed", "50"], ["--kernel", "scale_kernel<2>", "--skip", "10", "--count", "7"])
        equal("kernels", [(r["count"], "<2>" in r["name"]) for r in kernels(path)], [(7, True)])
        path, _, _ = record("range", [sample, "mixed", "50"], ["--nvtx", "odd step"])
        equal("kernels in a range", info(path)["by_category"].get("kernel", 0), 50)
        equal("copies in a range", info(path)["by_category"].get("gpu_memcpy", 0), 50)

    @case("killed")
    def _():
        path = os.path.join(folder, "killed.wcap")
        recorder = subprocess.Popen([options.warpline, "record", "-o", path, "--", sample, "endless"],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2.5)
        child = subprocess.run(["pgrep", "-P", str(recorder.pid)], capture_output=True, text=True).stdout.split()[0]
        os.kill(int(child), signal.SIGKILL)
        out, _ = recorder.communicate(timeout=30)
        launched = [json.loads(line)["launched"] for line in out.splitlines() if line.startswith("{")][-1]
        equal("exit code", recorder.returncode, 137)
        got = info(path)["by_category"]["kernel"]
        if got < launched * 0.9:
            raise AssertionError("%d of at least %d kernels" % (got, launched))
        return "%d kernels, at least %d launched" % (got, launched)

    @case("behind a long kernel")
    def _():
        counted("behind", [sample, "behind", "100"])

    @case("torch ops")
    def _():
        path, said, _ = record("torch_ops", [sys.executable, os.path.join(HERE, "torch_sample.py"), "ops", "500"])
        count = max(r["count"] for r in kernels(path) if "elementwise" in r["name"])
        equal("kernels of add_", count, 500)
        equal("issues", issues(path), [])

    @case("torch train, with Python")
    def _():
        path, said, _ = record("torch_train", [sys.executable, os.path.join(HERE, "torch_sample.py"), "train", "10"], ["--python"])
        equal("issues", issues(path), [])
        ranges = [r for r in json.loads(subprocess.run([options.warpline, "ops", "--json", path], capture_output=True, text=True, check=True).stdout)["rows"] if r["key"] == "step"]
        equal("steps", sum(r["count"] for r in ranges if r["kind"] == "annotation"), 10)
        dump = json.loads(subprocess.run([options.warpline, "dump", "--json", path], capture_output=True, text=True, check=True).stdout)
        levels = [m for m in dump["memory_counters"] if m["device"] == 0]
        equal("allocated peak", max(v for m in levels for _, v in m["allocated"]), said[0]["max_memory_allocated"])
        equal("reserved peak", max(v for m in levels for _, v in m["reserved"]), said[0]["max_memory_reserved"])
        return "allocated %d, reserved %d" % (said[0]["max_memory_allocated"], said[0]["max_memory_reserved"])

    @case("triton")
    def _():
        path, said, _ = record("triton", [sys.executable, os.path.join(HERE, "torch_sample.py"), "triton", "300"])
        equal("kernels", sum(r["count"] for r in kernels(path) if r["name"] == "add_one"), 300)
        equal("issues", issues(path), [])

    @case("sample kernels")
    def _():
        listed = json.loads(subprocess.run([options.warpline, "run", "--list", "--json"], capture_output=True, text=True, check=True).stdout)
        total, wrong = 0, []
        for kernel in listed["kernels"]:
            for version in kernel["versions"]:
                name = kernel["id"] + ":" + version["id"]
                path = os.path.join(folder, "sample.wcap")
                ledger = os.path.join(folder, "sample.json")
                more = ["--param", "M=2048", "N=2048", "K=2048"] if kernel["id"] == "gemm" else []
                done = subprocess.run([options.warpline, "run", name, "--repetitions", "20", "--no-check", "--result", ledger, "-o", path, *more],
                                      capture_output=True, text=True)
                if done.returncode != 0:
                    wrong.append("%s: exit %d: %s" % (name, done.returncode, done.stderr[-300:]))
                    continue
                with open(ledger) as file:
                    launched = json.load(file)["measured"]["kernels"]
                recorded = {}
                for row in kernels(path):
                    if not row["name"].startswith("Mem"):
                        recorded[row["short_name"]] = recorded.get(row["short_name"], 0) + row["count"]
                if recorded != launched or issues(path):
                    wrong.append("%s: recorded %s, launched %s, issues %s" % (name, recorded, launched, issues(path)))
                total += sum(launched.values())
                os.remove(path)
        if wrong:
            raise AssertionError("; ".join(wrong))
        return "%d launches" % total

    if options.soak:
        @case("soak")
        def _():
            _, said = counted("soak", [sample, "graph", str(options.soak)])
            return "%d kernels" % said[0]["nodes"]

    print("| case | | what | s |\n|---|---|---|---|")
    for row in ROWS:
        print("| %s | %s | %s | %.1f |" % row)
    sys.exit(any(row[1] != "ok" for row in ROWS))


main()
