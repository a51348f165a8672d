#!/bin/bash
# Clatter beside the programs that a user would otherwise pick, on the same mechanisms: installs the
# peers that can be had (Debian, Ubuntu, the Python package index), builds the release and one driver
# per program, prints the comparison and writes bench/results.json. bench/METHOD.md says how.
#   bench/compare.sh [CASE...]        everything, or the cases named
#   bench/compare.sh --clatter ...    without the peers
#   bench/compare.sh --smoke BUILD    a few steps of each case with the driver in BUILD; no peers
#   bench/compare.sh --instructions   instructions per fmi2DoStep of three models (valgrind), also
#                                     written to bench/instructions.txt: a later change shows
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/setup.sh

drivers=build/compare
driver_flags="-O2 -Ibench/compare"

# --- peers: each one optional ---

setup_siconos() {
    setup_packages g++ libsiconos-kernel-dev || return 1
    local include=/usr/include/siconos version
    version=$(dpkg-query -W -f '${Version}' libsiconos-kernel-dev)
    quietly g++ -std=c++17 $driver_flags -w "-DSICONOS_PACKAGE=\"Siconos $version\"" \
        -I$include -I$include/kernel -I$include/numerics -I$include/externals \
        -I/usr/include/suitesparse bench/compare/siconos.cpp $drivers/driver.o \
        -o $drivers/siconos -lsiconos_kernel -lsiconos_numerics -lsiconos_externals -lpthread
}

setup_ode() {
    setup_packages g++ libode-dev || return 1
    quietly g++ -std=c++17 $driver_flags "-DODE_PACKAGE=\"ODE $(dpkg-query -W -f '${Version}' libode-dev)\"" \
        bench/compare/ode.cpp $drivers/driver.o -o $drivers/ode -lode -lpthread
}

# An environment of a peer's own, made anew if its requirements have changed
setup_environment() {
    local environment=$1 requirements=$2 wanted
    wanted=$(sha256sum < "$requirements")
    if ! { [ -f "$environment/requirements.sha256" ] &&
           [ "$(cat "$environment/requirements.sha256")" = "$wanted" ]; }; then
        quietly python3 -m venv --clear "$environment" || return 1
        quietly "$environment/bin/python" -m pip install --quiet --disable-pip-version-check \
            --no-deps -r "$requirements" || return 1
        echo "$wanted" > "$environment/requirements.sha256"
    fi
}

setup_mujoco() {
    local home
    setup_packages g++ || return 1
    setup_environment $drivers/venv bench/compare/requirements.txt || return 1
    home=$(echo "$PWD"/$drivers/venv/lib/python3*/site-packages/mujoco)
    quietly g++ -std=c++17 $driver_flags -I"$home/include" bench/compare/mujoco.cpp $drivers/driver.o \
        -o $drivers/mujoco "$home"/libmujoco.so.* "-Wl,-rpath,$home" -lpthread
}

# Exudyn is a Python module: its driver is a script.
setup_exudyn() {
    local environment=$drivers/exudyn-venv
    setup_environment $environment bench/compare/requirements-exudyn.txt || return 1
    printf '#!/bin/sh\nexec "%s" -W ignore "%s" "$@"\n' "$PWD/$environment/bin/python" \
        "$PWD/bench/compare/exudyn_driver.py" > $drivers/exudyn
    chmod +x $drivers/exudyn
}

setup_peers() {
    local peer
    headline "Peers"
    mkdir -p $drivers
    gcc -std=c17 $driver_flags -c bench/compare/driver.c -o $drivers/driver.o
    for peer in siconos mujoco ode exudyn; do
        rm -f "$drivers/$peer"
        setup_$peer || echo "$peer: absent" >&2
    done
}

# --- Clatter ---

build_clatter() {
    setup_packages $build_packages
    setup_python requirements.txt
    quietly cmake --preset release
    quietly cmake --build --preset release --target clatter_shared bench_clatter
}

# Instructions per fmi2DoStep, which do not depend on the machine's load, into bench/instructions.txt
count_instructions() {
    setup_packages valgrind
    local name scheme dt stop steps counts
    counts=$(mktemp)
    printf '%-14s %-18s %12s\n' model scheme instructions
    while read -r name dt stop steps; do
        for scheme in moreau_jean generalized_alpha; do
            quietly valgrind --tool=callgrind --callgrind-out-file="$counts" \
                --toggle-collect=fmi2DoStep build/release/bench/clatter variants=$scheme.shared \
                dt="$dt" stop="$stop" model=resources/models/"$name".xml \
                library=build/release/clatter.so
            awk -v steps="$steps" -v name="$name" -v scheme="$scheme" \
                '/^(summary|totals):/ {n = $2}
                 END {printf "%-14s %-18s %12.0f\n", name, scheme, n / steps}' "$counts"
        done
    done << 'END'
rotating_ball 2e-3 1.5 750
tippe_top 1e-3 2 2000
slider_crank 1e-4 0.1 1000
END
    rm -f "$counts"
}

compare() {
    .venv/bin/python bench/compare/compare.py --build build/release --drivers $drivers "$@"
}

case ${1-} in
    --smoke)
        python=.venv/bin/python
        [ -x $python ] || python=python3
        $python -c 'import numpy' 2> /dev/null || exit 77  # skipped: there is no environment yet
        exec $python bench/compare/compare.py --smoke --build "${2:?the build directory}"
        ;;
    --instructions)
        build_clatter
        count_instructions | tee bench/instructions.txt
        ;;
    --clatter)
        build_clatter
        compare "$@"
        ;;
    -*)
        sed -n '2,9s/^# *//p' "$0"
        exit 2
        ;;
    *)
        build_clatter
        setup_peers
        if [ $# -eq 0 ]; then
            compare --json bench/results.json
        else
            compare "$@"
        fi
        ;;
esac
