#!/bin/bash
# Runs clang-tidy on every source file that has changed since it was last found clean.
#   scripts/tidy.sh BUILD_DIRECTORY     (one that was configured for clang)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1
stamps=$build/tidy
mkdir -p "$stamps"

# A changed header or configuration makes every file suspect.
newest=$(find src fmi api modelDescription view .clang-tidy "$build/CMakeCache.txt" \
    \( -name '*.h' -o -name .clang-tidy -o -name CMakeCache.txt \) -printf '%T@ %p\n' |
    sort -n | tail -n 1 | cut -d ' ' -f 2-)

check() {
    local stamp=$stamps/${1//\//_} log
    if [ "$stamp" -nt "$1" ] && [ "$stamp" -nt "$newest" ]; then
        return 0
    fi
    rm -f "$stamp"
    if log=$(clang-tidy --quiet -p "$build" "$1" 2>&1); then
        touch "$stamp"
    else
        printf '%s\n' "$log" | grep -v 'warnings\? generated\|^Suppressed\|^Use -header' >&2
        return 1
    fi
}
export -f check
export build stamps newest

# What is for Windows alone is no part of the build. The longest first: no core waits for the last.
find src fmi api modelDescription view bench -name '*.c' ! -name '*_windows.c' -printf '%s %p\0' |
    sort -z -rn | cut -z -d ' ' -f 2- |
    xargs -0 -n 1 -P "$(nproc)" bash -c 'check "$1" || exit 1' tidy
