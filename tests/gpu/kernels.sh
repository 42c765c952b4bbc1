#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kernels.sh WARPLINE [FOLDER]: runs every version of every sample kernel on the GPU of this machine: checks its result,
# times it by CUDA events, and counts what it launches. Prints a short table; the exit code is 0 if all was right. The JSON
# documents go to FOLDER.
set -euo pipefail

warpline=$1
folder=${2:-$(mktemp -d)}
mkdir -p "$folder"

# Slow versions get a smaller size, so that all of it takes less than a minute.
options_of() {
    case $1 in
        gemm:naive | gemm:spilling) echo "--param M=2048 N=2048 K=2048" ;;
        streams:*) echo "--samples 20 --no-flush-l2" ;;
        allocation_churn:*) echo "--samples 20 --no-flush-l2" ;;
        *) echo "" ;;
    esac
}

"$warpline" run --list --json >"$folder/list.json"
mapfile -t names < <(python3 - "$folder/list.json" <<'END'
import json, sys
for kernel in json.load(open(sys.argv[1]))["kernels"]:
    for version in kernel["versions"]:
        print(kernel["id"] + ":" + version["id"])
END
)

failed=0
for name in "${names[@]}"; do
    file=$folder/${name/:/_}
    read -r -a options <<<"$(options_of "$name")"
    if ! "$warpline" run "$name" --mode event --json "${options[@]}" >"$file.json" 2>"$file.txt"; then
        echo "$name failed: $(cat "$file.txt")"
        failed=1
        continue
    fi
    # The size alone is the same for both.
    if [[ ${options[0]:-} == --samples ]]; then
        options=()
    fi
    if ! "$warpline" kernel-process "$name" "${options[@]}" --repetitions 20 --no-check --result "$file.run.json" 2>"$file.txt"; then
        echo "$name failed to run: $(cat "$file.txt")"
        failed=1
    fi
done

python3 - "$folder" "${names[@]}" <<'END' || failed=1
import json, os, sys
folder, names = sys.argv[1], sys.argv[2:]
wrong, speeds = 0, {}
print(f"{'kernel':32} {'median us':>11} {'IQR us':>8} {'TFLOP/s':>8} {'GB/s':>8}  launches in 20 runs")
for name in names:
    base = os.path.join(folder, name.replace(":", "_"))
    try:
        timed, ran = (json.load(open(base + end)) for end in (".json", ".run.json"))
    except (OSError, ValueError):
        wrong = 1
        continue
    one, all_runs = timed["run"], ran["measured"]
    counts = {key: all_runs[key] for key in all_runs if key not in ("runs", "kernels", "kernel_count") and all_runs[key]}
    counts = {**all_runs["kernels"], **counts}
    fits = timed["check"]["passed"] and all(all_runs[key] == 20 * one[key] for key in one if key != "kernels")
    wrong |= not fits
    rate = lambda value, unit: "n/a" if value is None else f"{value / unit:.1f}"
    print(f"{name:32} {timed['median_ns'] / 1e3:11.2f} {timed['iqr_ns'] / 1e3:8.2f} {rate(timed['flops_per_s'], 1e12):>8}"
          f" {rate(timed['bytes_per_s'], 1e9):>8}  {', '.join(f'{count} {key}' for key, count in counts.items())}"
          f"{'' if fits else '  WRONG'}")
    speeds[name] = timed["bytes_per_run"], timed["bytes_per_s"]
copied, added = speeds.get("device_copy:memcpy"), speeds.get("vector_add:vectorised")
if copied and added and copied[0] == added[0]:
    print(f"vector_add:vectorised reaches {100 * added[1] / copied[1]:.1f} % of a copy of the same bytes")
sys.exit(wrong)
END
exit $failed
