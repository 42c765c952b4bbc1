#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shell.sh ROOT: shellcheck has nothing to say about the scripts. Exits 77 (skipped) where it is not installed.
set -euo pipefail
cd "$1"
if ! command -v shellcheck >/dev/null; then
    echo "shell: skipped, shellcheck is not here"
    exit 77
fi
shellcheck -x scripts/* .ci/run tests/checks/*.sh tests/gpu/*.sh
