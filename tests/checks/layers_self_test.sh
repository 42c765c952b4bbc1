#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# layers_self_test.sh: layers.sh finds each kind of offence in a small tree that has them all, and accepts a clean tree.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

put() { # FILE LINE…
    mkdir -p "$tree/$(dirname "$1")"
    printf '%s\n' "${@:2}" >"$tree/$1"
}

put core/base/a.h '#include <vector>'
put core/trace/b.cpp '#include "core/base/a.h"' '#include <string>'
put core/loaders/x/x.cpp '#include "core/loaders/loader.h"' '#include "core/loaders/x/x.h"' '#include <simdjson.h>'
put core/pattern/p.cpp '#include <pcre2.h>'
put widgets/plot/p.h '#include <qcustomplot.h>'
put widgets/panels/t/t.cpp '#include "widgets/support/s.h"' '#include "core/trace/b.h"' '#include "t.moc"' '#include <QWidget>'
put app/ui/m.cpp '#include "widgets/panels/t/t.h"'
if ! output=$("$here/layers.sh" "$tree"); then
    printf 'a clean tree was refused:\n%s\n' "$output"
    exit 1
fi

put core/base/bad.h '#include "core/trace/b.h"'
put core/base/bad2.h '#include <unistd.h>'
put core/pattern/bad.h '#include <pcre2.h>'
put core/base/bad3.cpp '#include <pcre2.h>'
put core/trace/bad.cpp '#include "a.h"'
put core/trace/bad2.cpp '  #  include <QString>'
put core/loaders/x/bad.cpp '#include "core/loaders/y/y.h"'
put core/loaders/x/bad.h '#include <nlohmann/json.hpp>'
put core/analyses/z/bad.cpp '#include "core/loaders/loader.h"'
put widgets/plot/bad.cpp '#include "widgets/support/s.h"'
put widgets/panels/t/bad.cpp '#include "widgets/panels/u/u.h"'
put widgets/support/bad.cpp '#include <qcustomplot.h>'
put app/cli/bad.cpp '#include "widgets/support/s.h"'
put app/ui/bad.cpp '#include "../cli/x.h"'
put core/other/bad.cpp '#include <vector>'
if output=$("$here/layers.sh" "$tree"); then
    echo "a tree full of offences was accepted"
    exit 1
fi
status=0
while read -r file; do
    if ! grep -q "^${file#"$tree"/}:" <<<"$output"; then
        echo "not found: the offence in ${file#"$tree"/}"
        status=1
    fi
done < <(find "$tree" -name 'bad*')
if grep -v '/bad' <<<"$output" | grep -q ':[0-9]*: '; then
    printf 'a clean file was refused:\n%s\n' "$output"
    status=1
fi
exit $status
