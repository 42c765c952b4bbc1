#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# format.sh ROOT: every C++ file has the layout of .clang-format. Exits 77 (skipped) without clang-format 14, since other
# versions lay some code out differently.
set -euo pipefail
cd "$1"

formatter=
for candidate in clang-format-14 clang-format; do
    if command -v "$candidate" >/dev/null && "$candidate" --version | grep -q 'version 14\.'; then
        formatter=$candidate
        break
    fi
done
if [[ -z $formatter ]]; then
    echo "format: skipped, clang-format 14 is not here"
    exit 77
fi

folders=()
for folder in core kernels widgets app tests; do
    [[ -d $folder ]] && folders+=("$folder")
done
mapfile -t files < <(find "${folders[@]}" -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' | sort)
if ((${#files[@]} == 0)); then
    echo "format: no sources below $1"
    exit 1
fi
mapfile -t wrong < <(printf '%s\0' "${files[@]}" |
    xargs -0 -n 16 -P "$(nproc)" "$formatter" --dry-run --ferror-limit=1 2>&1 |
    sed -n 's/^\([^: ]*\):[0-9]*:[0-9]*: warning: code should be clang-formatted.*/\1/p' | sort -u)
if ((${#wrong[@]})); then
    printf 'not laid out by .clang-format: %s\n' "${wrong[@]}"
    echo "mend with: $formatter -i ${wrong[*]}"
    exit 1
fi
echo "format: ${#files[@]} files"
