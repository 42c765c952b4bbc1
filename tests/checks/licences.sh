#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# licences.sh ROOT: the first line of every source file (the second after #!) names its licence, and the right one.
set -euo pipefail
cd "$1"

status=0
count=0
folders=()
for folder in core kernels widgets app tests cmake scripts; do
    [[ -d $folder ]] && folders+=("$folder")
done
while read -r file; do
    case $file in
        widgets/* | app/ui/* | tests/widgets/* | tests/app/ui/* | tests/support/widgets/*) wanted=GPL-3.0-or-later ;;
        tests/bench/*) wanted='(MIT|GPL-3.0-or-later)' ;;
        *) wanted=MIT ;;
    esac
    if ! head -n 2 "$file" | grep -Eq "^(//|#) SPDX-License-Identifier: $wanted\$"; then
        echo "$file: its first lines lack 'SPDX-License-Identifier: $wanted'"
        status=1
    fi
    count=$((count + 1))
done < <(find "${folders[@]}" -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.sh' -o -name '*.cmake' -o -name CMakeLists.txt | sort)
((count > 0)) || status=1
echo "licences: $count files"
exit $status
