#!/bin/bash
# Clatter beside the programs that a user would otherwise pick, on the same mechanisms: installs the
# peers that can be had (Debian, Ubuntu, the Python package index), builds the release and one driver
# per program, prints the comparison and writes bench/results.json. bench/METHOD.md says how.
#   bench/compare.sh [CASE...]        everything, or the cases named
#   bench/compare.sh --clatter ...    without the peers
#   bench/compare.sh piles [...]      piles of spheres, beside other peers, into bench/piles.json
#                                     (bench/compare/piles.py has the options, such as sizes)
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

# --- peers of the piles: each one optional, too; driver.o and pile.o are linked with all ---

link_pile() {
    local name=$1
    shift
    quietly g++ -std=c++17 $driver_flags "bench/compare/pile_${name%_single}.cpp" $drivers/driver.o \
        $drivers/pile.o -o "$drivers/pile_$name" "$@" -lpthread -lm
}

version_of() {
    dpkg-query -W -f '${Version}' "$1"
}

setup_pile_ode() {
    setup_packages g++ libode-dev || return 1
    link_pile ode "-DODE_PACKAGE=\"ODE $(version_of libode-dev)\"" -lode
}

setup_pile_bullet() {
    setup_packages g++ libbullet-dev || return 1
    local name="Bullet $(version_of libbullet-dev)" include="-I/usr/include/bullet" of=-float64
    link_pile bullet "-DBULLET_PACKAGE=\"$name\"" -DBT_USE_DOUBLE_PRECISION $include \
        -lBulletDynamics$of -lBulletCollision$of -lLinearMath$of || return 1
    link_pile bullet_single "-DBULLET_PACKAGE=\"$name, single precision\"" $include \
        -lBulletDynamics -lBulletCollision -lLinearMath
}

setup_pile_mujoco() {
    local home
    setup_packages g++ || return 1
    setup_environment $drivers/venv bench/compare/requirements.txt || return 1
    home=$(echo "$PWD"/$drivers/venv/lib/python3*/site-packages/mujoco)
    link_pile mujoco -I"$home/include" "$home"/libmujoco.so.* "-Wl,-rpath,$home"
}

setup_pile_siconos() {
    local include=/usr/include/siconos
    setup_packages g++ libsiconos-mechanics-dev libsiconos-kernel-dev || return 1
    link_pile siconos -w "-DSICONOS_PACKAGE=\"Siconos $(version_of libsiconos-mechanics-dev)\"" \
        -I$include -I$include/kernel -I$include/numerics -I$include/externals -I$include/mechanics \
        -I/usr/include/bullet -I/usr/include/suitesparse \
        -lsiconos_mechanics -lsiconos_kernel -lsiconos_numerics -lsiconos_externals
}

setup_pile_rapier() {
    local precision directory=$PWD/$drivers
    setup_packages gcc || return 1
    command -v cargo > /dev/null || setup_packages cargo || return 1
    for precision in double single; do
        (cd bench/compare/pile_rapier &&
            CARGO_TARGET_DIR=$directory/rapier-$precision \
            RUSTFLAGS="-C link-arg=$directory/driver.o -C link-arg=$directory/pile.o -C link-arg=-lm" \
            quietly cargo build --quiet --locked --release --features $precision) || return 1
    done
    cp "$directory/rapier-double/release/pile_rapier" "$directory/pile_rapier"
    cp "$directory/rapier-single/release/pile_rapier" "$directory/pile_rapier_single"
}

# Jolt's sources come in a crate, from which its own CMake build makes the library.
setup_pile_jolt() {
    local build=$drivers/jolt sources flags
    setup_packages g++ cmake ninja-build || return 1
    command -v cargo > /dev/null || setup_packages cargo || return 1
    mkdir -p $build
    quietly cargo vendor --quiet --locked --manifest-path bench/compare/pile_jolt/Cargo.toml \
        $build/vendor || return 1
    sources=$build/vendor/joltc-sys/JoltC/JoltPhysics
    quietly cmake -G Ninja -S $sources/Build -B $build/library -DCMAKE_BUILD_TYPE=Distribution \
        -DDOUBLE_PRECISION=ON -DINTERPROCEDURAL_OPTIMIZATION=OFF -DENABLE_ALL_WARNINGS=OFF \
        -DGENERATE_DEBUG_SYMBOLS=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
        $(for target in UNIT_TESTS HELLO_WORLD PERFORMANCE_TEST SAMPLES VIEWER; do
            echo -DTARGET_$target=OFF; done) || return 1
    quietly cmake --build $build/library --target Jolt || return 1
    # its headers need the definitions and instruction sets that the library was built with
    flags=$(grep -o -m 1 '"command": .*RegisterTypes.cpp' $build/library/compile_commands.json |
        grep -oE -- '-DJPH_[A-Z0-9_]+|-DNDEBUG|-m[a-z0-9=]+' | sort -u)
    link_pile jolt "-DJOLT_PACKAGE=\"Jolt $(jolt_version $build/vendor/joltc-sys), single precision\"" -I$sources \
        $flags $build/library/libJolt.a
}

jolt_version() {
    sed -n 's/^version = ".*Jolt-\(.*\)"/\1/p' "$1/Cargo.toml"
}

# Drake is driven as a Python module: its driver is a script.
setup_pile_drake() {
    local environment=$drivers/drake-venv
    setup_environment $environment bench/compare/requirements-drake.txt || return 1
    printf '#!/bin/sh\nexec "%s" -W ignore "%s" "$@"\n' "$PWD/$environment/bin/python" \
        "$PWD/bench/compare/pile_drake.py" > $drivers/pile_drake
    chmod +x $drivers/pile_drake
}

setup_pile_peers() {
    local peer source
    headline "Peers"
    mkdir -p $drivers
    for source in driver pile; do
        gcc -std=c17 $driver_flags -c bench/compare/$source.c -o $drivers/$source.o
    done
    for peer in ode bullet mujoco siconos rapier jolt drake; do
        rm -f "$drivers/pile_$peer" "$drivers/pile_${peer}_single"
        setup_pile_$peer || echo "$peer: absent" >&2
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
    piles)
        shift
        build_clatter
        setup_pile_peers
        .venv/bin/python bench/compare/piles.py --build build/release --drivers $drivers \
            --json bench/piles.json "$@"
        ;;
    -*)
        sed -n '2,11s/^# *//p' "$0"
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
