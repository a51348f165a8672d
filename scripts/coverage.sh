#!/bin/bash
# Which lines of src/ do the C tests reach? Builds with gcc --coverage in build/coverage, runs the C
# tests, prints a line for each file and fails if one of them was not reached at all.
#   scripts/coverage.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=build/coverage
mkdir -p $build

cmake -G Ninja -B $build -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=gcc -DCLATTER_LTO=OFF \
    -DCMAKE_C_FLAGS="--coverage -Og -fprofile-update=atomic" > $build.log 2>&1
if ! cmake --build $build >> $build.log 2>&1; then
    tail -n 40 $build.log >&2
    exit 1
fi
find $build -name '*.gcda' -delete
# test_allocation counts allocations, and the counters of gcov make some.
if ! ctest --test-dir $build -E test_allocation --output-on-failure -j "$(nproc)" \
    > $build.log 2>&1; then
    tail -n 40 $build.log >&2
    exit 1
fi

# gcov prints "File 'PATH'" and "Lines executed:12.3% of 45" for each file that an object is made of;
# a file of src/ that is in several objects counts with the best of them.
find $build -name '*.gcno' -print0 | xargs -0 -n 16 gcov --no-output --relative-only \
    --source-prefix "$PWD" 2> /dev/null | awk '
    /^File/ { path = substr($2, 2, length($2) - 2) }
    /^Lines executed/ && path ~ /^src\/.*\.c$/ {
        split($2, part, ":"); percent = part[2] + 0
        if (!(path in best) || percent > best[path]) best[path] = percent
        lines[path] = $NF
        path = ""
    }
    /^No executable lines/ { path = "" }
    END { for (path in best) printf "%6.1f %% of %4d lines  %s\n", best[path], lines[path], path }
' | sort -k6 > $build/summary.txt
cat $build/summary.txt

missing=0
for file in $(git ls-files 'src/*.c'); do
    grep -q '^[a-zA-Z].*) {$' "$file" || continue  # tables only: nothing to reach
    if ! awk -v file="$file" '$NF == file && $1 > 0 { found = 1 } END { exit !found }' \
        $build/summary.txt; then
        echo "not reached by any C test: $file" >&2
        missing=1
    fi
done
exit $missing
