#!/bin/sh
# Builds the release and measures what fmi2DoStep of the rotating ball costs, and how the cost of a
# step of the elastic bar grows with its number of elements.
#   bench/run.sh [--instructions] [REPETITIONS]
# --instructions counts instructions per step, too (needs valgrind).
set -eu
cd "$(dirname "$0")/.."
instructions=no
repetitions=1000
for argument; do
    case $argument in
    --instructions) instructions=yes ;;
    [1-9]*) repetitions=$argument ;;
    *)
        sed -n '2,5s/^# *//p' "$0"
        exit 2
        ;;
    esac
done

[ -f build/release/CMakeCache.txt ] || cmake --preset release
cmake --build --preset release --target clatter_shared fmi_step bar_growth
set -- resources/models/rotating_ball.xml build/release/clatter.so
build/release/bench/fmi_step "$@" "$repetitions"
build/release/bench/bar_growth resources/models/bouncing_bar.xml 20

if [ $instructions = yes ]; then
    if ! command -v valgrind >/dev/null; then
        echo "bench/run.sh: valgrind is not installed: instructions are not counted" >&2
        exit 1
    fi
    counts=$(mktemp)
    trap 'rm -f "$counts"' EXIT
    steps=$(valgrind --quiet --tool=callgrind --callgrind-out-file="$counts" \
        --toggle-collect=fmi2DoStep build/release/bench/fmi_step "$@" 0 2>/dev/null)
    awk -v steps="${steps%% *}" '/^(summary|totals):/ {n = $2}
        END {printf "instructions: %.0f per fmi2DoStep, mean of %d\n", n / steps, steps}' "$counts"
fi
