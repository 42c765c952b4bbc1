# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2034  # its variables are read by the scripts that source it
# Sourced by the scripts beside it: finds the project's root, installs what the build needs, configures and builds.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
me="scripts/$(basename "$0")"

say() { printf '%s: %s\n' "$me" "$*" >&2; }
die() {
    say "$*"
    exit 1
}

build_packages=(g++ cmake ninja-build zlib1g-dev libzstd-dev libxxhash-dev libsqlite3-dev libpcre2-dev
    libsimdjson-dev nlohmann-json3-dev libcli11-dev qt6-base-dev)
# Quicker rebuilds; gzip at more than twice the speed; what Qt loads at run time for Wayland and text. The build does without.
helpful_packages=(ccache mold libisal-dev qt6-wayland fontconfig fonts-dejavu-core)
test_packages=(clang-format-14)
fuzz_packages=(clang-16 libclang-rt-16-dev)
fuzz_preset=asan-ubsan-fuzz
fuzz_folder=$root/build/$fuzz_preset/fuzz
has_fuzzer() { command -v clang++-16 >/dev/null; }

print_packages_elsewhere() {
    cat >&2 <<'END'

Warpline builds itself without questions on Debian 12. Elsewhere, install this and start the script again:

  Ubuntu 24.04  sudo apt install g++ cmake ninja-build ccache zlib1g-dev libzstd-dev libisal-dev libxxhash-dev libsqlite3-dev \
                    libpcre2-dev libsimdjson-dev nlohmann-json3-dev libcli11-dev qt6-base-dev qt6-wayland fonts-dejavu-core
  Fedora        sudo dnf install gcc-c++ cmake ninja-build ccache zlib-devel libzstd-devel isa-l-devel xxhash-devel sqlite-devel \
                    pcre2-devel simdjson-devel json-devel cli11-devel qt6-qtbase-devel dejavu-sans-fonts
  Arch          sudo pacman -S --needed gcc cmake ninja ccache zlib zstd isa-l xxhash sqlite pcre2 simdjson nlohmann-json cli11 \
                    qt6-base qt6-wayland ttf-dejavu

Needed at least: GCC 12 or Clang 16, CMake 3.25, Qt 6.4, simdjson 3.0, nlohmann/json 3.9, CLI11 2.1, PCRE2 10.34, SQLite 3.36, zlib,
zstd 1.4, xxHash 0.8.
Without Qt the command line is built, without the CUDA Toolkit all but the recorder; the check of the code's layout wants
clang-format 14.
END
}

is_debian_12() {
    # shellcheck source=/dev/null
    [[ -r /etc/os-release ]] && (. /etc/os-release && [[ ${ID:-} == debian && ${VERSION_ID:-0} -ge 12 ]])
}

missing_packages() {
    local package state
    for package in "$@"; do
        state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
        [[ $state == installed ]] || printf '%s\n' "$package"
    done
}

# What only helps may have another name in a newer Debian; asked for, it would keep apt from installing the rest.
needed_or_known() {
    local package
    for package in "$@"; do
        if [[ " ${build_packages[*]} " == *" $package "* ]] || apt-cache show "$package" >/dev/null 2>&1; then
            printf '%s\n' "$package"
        else
            say "this Debian has no $package: going on without"
        fi
    done
}

# ensure_packages ALLOWED HELPFUL…: installs what the build needs and what is helpful. ALLOWED is yes or no. Ends the
# script if something needed cannot be had; without what is helpful, it says so and goes on. Sets `packages_changed`.
packages_changed=no
ensure_packages() {
    local allowed=$1 list command
    shift
    is_debian_12 || return 0
    mapfile -t list < <(missing_packages "${build_packages[@]}" "$@")
    ((${#list[@]})) || return 0

    local as_root=()
    if ((EUID != 0)); then
        as_root=(sudo)
    fi
    command="${as_root[*]:+sudo }apt-get install --no-install-recommends ${list[*]}"
    if [[ $allowed == no ]]; then
        go_on_without "--no-install forbids to install what is missing" "$command" "${list[@]}"
        return 0
    fi
    if ((EUID != 0)) && ! command -v sudo >/dev/null; then
        go_on_without "packages are missing, and there is no sudo to install them with" "as root: $command" "${list[@]}"
        return 0
    fi
    say "installing with apt: ${list[*]}"
    "${as_root[@]}" apt-get update -q || say "apt-get update failed (above); going on with the package lists that are here"
    mapfile -t list < <(needed_or_known "${list[@]}")
    ((${#list[@]})) || return 0
    if "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${list[@]}"; then
        packages_changed=yes
    else
        mapfile -t list < <(missing_packages "${build_packages[@]}" "$@")
        go_on_without "apt-get could not install all (its own words stand above; is the network up, and does /etc/apt name a
  Debian mirror?)" "$command" "${list[@]}"
    fi
}

# go_on_without REASON COMMAND PACKAGE…
go_on_without() {
    local needed
    mapfile -t needed < <(missing_packages "${build_packages[@]}")
    say "$1:
  $2"
    ((${#needed[@]} == 0)) || die "it cannot be built without: ${needed[*]}"
    say "going on without: ${*:3}"
}

# may_find_more PRESET: whether something was missing when CMake ran last that may have been installed since.
may_find_more() {
    local missing
    missing=$(cat "$root/build/$1/missing.txt" 2>/dev/null) || return 0
    case $missing in
        *window* | *tests*) return 0 ;;
        *cuda*) command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]] ;;
        *) return 1 ;;
    esac
}

# configure PRESET [cmake arguments…]
configure() {
    local preset=$1
    shift
    if ! command -v cmake >/dev/null || ! command -v ninja >/dev/null; then
        say "cmake or ninja is missing"
        print_packages_elsewhere
        exit 1
    fi
    # A build tree that is there looks after itself: ninja runs CMake again when it has to.
    if [[ -f $root/build/$preset/build.ninja && $packages_changed == no && $# -eq 0 ]] && ! may_find_more "$preset"; then
        return 0
    fi
    if ! (cd "$root" && cmake --preset "$preset" "$@"); then
        say "CMake could not configure build/$preset (its own words stand above)"
        is_debian_12 || print_packages_elsewhere
        exit 1
    fi
}

# build PRESET [targets…]
build() {
    local preset=$1
    shift
    local targets=()
    if (($#)); then
        targets=(--target "$@")
    fi
    NINJA_STATUS="[$preset %f/%t] " cmake --build "$root/build/$preset" "${targets[@]}" ||
        die "the build of build/$preset failed (the compiler's words stand above)"
}

# has_target PRESET NAME: whether the configured tree builds it.
has_target() {
    ninja -C "$root/build/$1" -t query "$2" >/dev/null 2>&1
}
