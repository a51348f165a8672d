#!/bin/bash
# Installs what is needed (Debian, Ubuntu), builds with gcc and clang, runs all tests and checks.
# Some phases run beside others, so that no core waits; what they say comes when they are through.
#   ./test.sh           everything
#   ./test.sh --quick   gcc build, C tests, Python tests
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source scripts/setup.sh

quick=no
case "$#:${1-}" in
    0:) ;;
    1:--quick) quick=yes ;;
    *)
        echo "usage: $0 [--quick]" >&2
        exit 2
        ;;
esac

n_jobs=$(nproc)
code="src fmi api modelDescription view tools tests bench examples"

# Runs one phase, named by its headline, and says how long it took.
phase() {
    local name=$1 began=$SECONDS
    shift
    headline "$name"
    if ! "$@"; then
        printf '== FAILED: %s (%d s)\n' "$name" $((SECONDS - began)) >&2
        exit 1
    fi
    printf -- '-- %s: %d s\n' "$name" $((SECONDS - began))
}

# Runs a function of phases beside what comes next, in a process group that can be ended as one.
beside=
run_beside() {
    mkdir -p build
    set -m
    "$1" > build/beside.log 2>&1 < /dev/null &
    set +m
    beside=$!
}

# Waits for it and shows what it said; all ends here if one of its phases has failed.
wait_beside() {
    local status=0
    wait "$beside" || status=$?
    beside=
    cat build/beside.log
    [ "$status" -eq 0 ] || exit 1
}

# However the script ends: nothing goes on beside it, and the last line says how it was.
passed=no
finish() {
    if [ -n "$beside" ]; then
        kill -- "-$beside" 2> /dev/null || true
        cat build/beside.log
    fi
    if [ $passed = yes ]; then
        headline "All passed in $SECONDS s"
    else
        headline "FAILED after $SECONDS s, see above" >&2
    fi
}
trap finish EXIT

# What the build with gcc and its C tests need
set_up() {
    setup_packages $build_packages $c_test_packages || return 1
    setup_python requirements.txt &
    local python=$!
    setup_platforms && setup_locale && wait $python
}

# What takes long to install and what they do not need
set_up_more() {
    setup_packages $test_packages && setup_emulators && setup_python requirements-test.txt &&
        setup_hosts
}

check_format() {
    find $code -name '*.[ch]' -print0 | xargs -0 clang-format --dry-run -Werror
}

build() {
    quietly cmake --preset "$1" && quietly cmake --build --preset "$1"
}

build_and_test() {
    build "$1" && quietly ctest --preset "$1" && ctest --preset "$1" -N | tail -n 1
}

# C tests of the other platforms, in emulators; those of hosts are in tests/python/test_platforms.py.
test_platforms() {
    local platform
    for platform in win64 aarch64-linux; do
        if [ ! -s "build/ci/fmu/$platform.gz" ]; then
            echo "$platform: not built, see set-up"
            continue
        fi
        # configured again: when it was built there may have been no emulator yet
        quietly cmake "build/ci/$platform" &&
            quietly cmake --build "build/ci/$platform" --target platform_tests || return 1
        if ! grep -q '^CLATTER_EMULATOR:FILEPATH=/' "build/ci/$platform/CMakeCache.txt"; then
            echo "$platform: built, but there is no emulator to run it"
            continue
        fi
        [ "$platform" != win64 ] || start_wine
        quietly ctest --test-dir "build/ci/$platform" -j "$n_jobs" --output-on-failure || return 1
        echo "$platform: $(ctest --test-dir "build/ci/$platform" -N | tail -n 1)"
    done
    quietly cmake --build --preset ci --target platform_tests
}

# Wine's server goes on for a while, or every program would start it anew; it has a home of its own.
start_wine() {
    export WINEPREFIX=$PWD/build/wine WINEDEBUG=-all
    mkdir -p "$WINEPREFIX"
    quietly "$(command -v wineserver || echo /usr/lib/wine/wineserver)" -p60 &&
        quietly "$(sed -n 's/^CLATTER_EMULATOR:FILEPATH=//p' build/ci/win64/CMakeCache.txt)" wineboot -i
}

check_memory() {
    for test in tests/c/test_*.c; do
        printf 'build/ci/tests/%s\0' "$(basename "$test" .c)"
    done | CLATTER_BUILD=$PWD/build/ci xargs -0 -n 1 -P "$n_jobs" scripts/memcheck.sh
}

# constStatement does not understand the generic macros of vec3.h; gcc's -Wunused-value finds the same.
# Without a macro it would check everything twice, once for compilers that know no attributes.
check_with_cppcheck() {
    local fmi_headers
    fmi_headers=$(sed -n 's/^FMI2_INCLUDE_DIR:PATH=//p' build/ci/CMakeCache.txt)
    mkdir -p build/cppcheck
    cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
        --error-exitcode=1 --cppcheck-build-dir=build/cppcheck -j "$n_jobs" \
        --suppress=missingIncludeSystem --suppress=constStatement --suppress="*:$fmi_headers/*" \
        -D__GNUC__=12 -D__x86_64__=1 \
        -I src -I . -I "$fmi_headers" src fmi api modelDescription view tools bench
}

run_python_tests() {
    local debug=
    [ $quick = yes ] || debug=$PWD/build/debug  # models are fuzzed with the sanitizers, too
    CLATTER_BUILD=$PWD/build/ci CLATTER_BUILD_DEBUG=$debug .venv/bin/python -m pytest -q \
        -n $((n_jobs + 1)) --dist worksteal tests/python  # some wait, for browsers and the like
}

phases_beside_build() {
    phase "Set-up of tools, Python packages and hosts" set_up_more
    [ $quick = yes ] || phase "Format" check_format
}

phases_beside_tests() {
    phase "valgrind: C tests" check_memory
    phase "clang: build and C tests" build_and_test ci-clang
    phase "clang-tidy" scripts/tidy.sh build/ci-clang
    phase "cppcheck" check_with_cppcheck
}

phase "Set-up" set_up
run_beside phases_beside_build
phase "gcc: build and C tests" build_and_test ci
[ $quick = yes ] || phase "Sanitizers: build and C tests" build_and_test debug
wait_beside
[ $quick = yes ] || run_beside phases_beside_tests
phase "Other platforms: C tests" test_platforms
phase "Python tests" run_python_tests
[ $quick = yes ] || wait_beside
passed=yes
