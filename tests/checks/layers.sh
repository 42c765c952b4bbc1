#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# layers.sh ROOT: every #include of the sources follows the arrows that ARCHITECTURE.md allows, and is written from the
# root. Prints each offence as file:line and exits 1 if there was one.
set -euo pipefail
cd "$1"

folders=()
for folder in core kernels widgets app; do
    [[ -d $folder ]] && folders+=("$folder")
done
mapfile -t files < <(find "${folders[@]}" -name '*.h' -o -name '*.cpp' | sort)
if ((${#files[@]} == 0)); then
    echo "layers: no sources below $1"
    exit 1
fi

awk '
# from: a folder; to: the folders that it may include from, as regular expressions. The first match holds. %OWN stands for
# the component folder that the file is in, so that no loader, analysis or panel sees another one.
BEGIN {
    allow("core/base/", "core/base/")
    allow("core/pattern/", "core/(base|pattern)/")
    allow("core/capture/", "core/(base|capture)/")
    allow("core/loaders/capture/", "core/(base|capture|trace|table)/|core/loaders/[a-z0-9_]+\\.h|%OWN")
    allow("core/trace/", "core/(base|trace)/")
    allow("core/table/", "core/(base|table)/")
    allow("core/loaders/[a-z0-9_]+/", "core/(base|trace|table)/|core/loaders/[a-z0-9_]+\\.h|%OWN")
    allow("core/loaders/", "core/(base|trace|table)/|core/loaders/[a-z0-9_]+\\.h")
    allow("core/cache/", "core/(base|trace|cache)/|core/loaders/[a-z0-9_]+\\.h")
    allow("core/analyses/[a-z0-9_]+/", "core/(base|pattern|trace|table|devices)/|core/analyses/[a-z0-9_]+\\.h|%OWN")
    allow("core/analyses/", "core/(base|pattern|trace|table)/|core/analyses/[a-z0-9_]+\\.h")
    allow("core/exporters/[a-z0-9_]+/", "core/(base|trace|table)/|core/exporters/[a-z0-9_]+\\.h|%OWN")
    allow("core/exporters/", "core/(base|trace|table)/|core/exporters/[a-z0-9_]+\\.h")
    allow("core/(compare|devices)/", "core/(base|trace|table)/|%OWN")
    allow("core/record/", "core/(base|capture|pattern)/|%OWN")
    allow("kernels/device/", "core/base/|kernels/[a-z0-9_]+\\.h|%OWN")
    allow("kernels/[a-z0-9_]+/", "core/base/|kernels/[a-z0-9_]+\\.h|kernels/device/|%OWN")
    allow("kernels/", "core/base/|kernels/[a-z0-9_]+\\.h")
    allow("widgets/support/", "core/|widgets/support/")
    allow("widgets/plot/", "widgets/plot/")
    allow("widgets/panels/[a-z0-9_]+/", "core/|widgets/(support|plot)/|widgets/panels/[a-z0-9_]+\\.h|%OWN")
    allow("widgets/panels/", "core/|widgets/(support|plot)/|widgets/panels/[a-z0-9_]+\\.h")
    allow("app/cli/", "core/|kernels/|app/cli/")
    allow("app/ui/", "core/|kernels/|widgets/|app/ui/")
}
function allow(from, to) { rules++; from_of[rules] = from; to_of[rules] = to }
function offence(text) { print FILENAME ":" FNR ": " text; offences++ }

FNR == 1 {
    own = FILENAME
    sub(/[^\/]*$/, "", own)
    allowed = ""
    for (i = 1; i <= rules && allowed == ""; i++)
        if (FILENAME ~ "^" from_of[i]) {
            allowed = to_of[i]
            component = own
            if (match(FILENAME, "^" from_of[i])) component = substr(FILENAME, 1, RLENGTH)
            gsub(/%OWN/, component, allowed)
        }
    if (allowed == "") offence("no rule says what this folder may include; add it to tests/checks/layers.sh")
    in_qt = FILENAME ~ /^(widgets|app\/ui)\//
    is_header = FILENAME ~ /\.h$/
}
/^[ \t]*#[ \t]*include/ {
    name = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", name)
    quoted = substr(name, 1, 1) == "\""
    sub(/^["<]/, "", name)
    sub(/[">].*$/, "", name)
    if (quoted) {
        if (name ~ /\.moc$/ || name ~ /^moc_/) next
        if (name !~ /^(core|kernels|widgets|app)\//) offence("\"" name "\" is not written from the root")
        else if (allowed != "" && name !~ "^(" allowed ")") offence(own " may not include \"" name "\"")
        next
    }
    if (!in_qt && name ~ /^(Q[A-Z]|Qt[A-Z])/) offence("Qt is not for " own ": <" name ">")
    if (name ~ /^qcustomplot/ && FILENAME !~ /^widgets\/plot\//) offence("only widgets/plot includes <" name ">")
    if (name ~ /^cuda/ && FILENAME !~ /^(core\/record|kernels\/[a-z0-9_]+)\//) offence("only core/record and kernels include <" name ">")
    if (name ~ /^cupti/ && FILENAME !~ /^core\/record\//) offence("only core/record includes <" name ">")
    if (name ~ /^(nlohmann|simdjson)/) {
        if (is_header) offence("JSON libraries stay in .cpp files: <" name ">")
        if (FILENAME ~ /^core\/(base|trace|table|analyses)\//) offence(own " may not include <" name ">")
    }
    if (name ~ /^pcre2/ && FILENAME !~ /^core\/pattern\/[a-z0-9_]+\.cpp$/) offence("only sources of core/pattern include <" name ">")
    # Memory by pages comes from the system; one file asks for it.
    if (FILENAME == "core/capture/frame.cpp" && name == "xxhash.h") next
    if (FILENAME == "core/base/page_memory.cpp" && name ~ /^(malloc\.h|sys\/mman\.h|unistd\.h)$/) next
    if (FILENAME ~ /^core\/(base|capture|trace|table|analyses)\// && name !~ /^([a-z_0-9]+|cxxabi\.h|pcre2\.h)$/)
        offence(own " uses the standard library only: <" name ">")
}
END {
    if (offences) print "layers: " offences " offence(s)"
    exit offences > 0
}' "${files[@]}"
echo "layers: ${#files[@]} files follow the arrows"
