#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# no_qt.sh PROGRAM QT_PROGRAM: PROGRAM loads no Qt library, not even through another one. QT_PROGRAM is known to load it
# and shows that the check can see it.
set -euo pipefail

qt_libraries_of() {
    local all
    all=$(ldd "$1")
    grep -o 'libQt[0-9A-Za-z]*' <<<"$all" || true
}

if [[ -z $(qt_libraries_of "$2") ]]; then
    echo "no Qt library is seen in $2, so this check sees nothing"
    exit 1
fi
found=$(qt_libraries_of "$1")
if [[ -n $found ]]; then
    printf '%s loads Qt:\n%s\n' "$1" "$found"
    exit 1
fi
echo "no_qt: $1 loads no Qt"
