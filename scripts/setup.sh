# Sourced by demo.sh and test.sh, from the top directory: installs what is missing on Debian or
# Ubuntu and makes the Python environment .venv. A second run finds everything there and is quick.
#   setup_packages PACKAGE...   setup_python REQUIREMENTS   setup_platforms   setup_emulators
#   setup_locale   setup_hosts   headline TEXT

build_packages="cmake ninja-build gcc libc6-dev libexpat1-dev liblapacke-dev liblapack-dev
    libblas-dev libsuitesparse-dev zlib1g-dev libjs-three python3 python3-venv"
c_test_packages="libcmocka-dev binutils locales"
test_packages="clang clang-format clang-tidy cppcheck valgrind libxml2-utils chromium chromium-driver
    libtbb12 openjdk-17-jre-headless"

# Compilers for the other platforms that FMUs run on, sources of the libraries there, and what runs
# their programs here
cross_packages="gcc-mingw-w64-x86-64-win32 gfortran-mingw-w64-x86-64-win32
    gcc-aarch64-linux-gnu gfortran-aarch64-linux-gnu libc6-dev-arm64-cross dpkg-dev"
emulator_packages="wine64 qemu-user"

# A command whose output matters only when it fails.
quietly() {
    local log status=0
    log=$(mktemp)
    "$@" > "$log" 2>&1 || status=$?
    [ "$status" -eq 0 ] || cat "$log" >&2
    rm -f "$log"
    return "$status"
}

lists_are_new=
setup_packages() {
    local package missing=()
    if ! command -v dpkg-query > /dev/null; then
        echo "Not Debian or Ubuntu: please see to the equivalents of these packages:" $* >&2
        return 0
    fi
    for package in $*; do
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2> /dev/null | grep -qx installed ||
            missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0

    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        as_root=(sudo -n)
        if ! sudo -n true 2> /dev/null; then
            echo "Packages are missing and only root can install them. Please run:" >&2
            echo "  sudo apt-get install --no-install-recommends ${missing[*]}" >&2
            return 1
        fi
    fi
    headline "Installing ${missing[*]}"
    [ -n "$lists_are_new" ] || quietly "${as_root[@]}" apt-get -q update || return 1
    lists_are_new=yes
    quietly "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -qy install --no-install-recommends "${missing[@]}"
}

# Packages of requirements.txt, or of another file that includes it. What is there already is not
# taken away: the demonstration runs in the environment of the tests, too. Python compiles what it
# imports, when it does: a fraction of what there is.
setup_python() {
    local requirements=$1 stamp=.venv/requirements.sha256 wanted light
    light=$(sha256sum < requirements.txt)
    wanted=$(cat requirements.txt "$requirements" | sha256sum)
    [ "$requirements" != requirements.txt ] || wanted=$light
    if grep -qsxF "$wanted" "$stamp" && .venv/bin/python -c '' 2> /dev/null; then
        return 0
    fi
    if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
        echo "Python 3.11 or newer is needed, but python3 is $(python3 --version)." >&2
        return 1
    fi
    headline "Setting up Python packages in .venv"
    if ! grep -qsxF "$light" "$stamp" || ! .venv/bin/python -c '' 2> /dev/null; then
        quietly python3 -m venv --clear .venv || return 1
    fi
    quietly .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile \
        -r "$requirements" || return 1
    printf '%s\n' "$light" "$wanted" > "$stamp"
}

# What FMUs for Windows and ARM need. Without it there are FMUs for this machine alone, and a word.
setup_platforms() {
    if ! setup_packages $cross_packages; then
        echo "No compilers for other platforms: FMUs will run on this one alone." >&2
        return 0
    fi
    if ! quietly scripts/get_sources.sh; then
        echo "No sources of libraries for other platforms: FMUs will run on this one alone." >&2
    fi
}

setup_emulators() {
    setup_packages $emulator_packages ||
        echo "No emulators: programs for other platforms are built, but not run." >&2
}

# A locale with a decimal comma for the tests, in build/locale: nothing is added to the system's.
# LC_ALL=de_DE.UTF-8 then works wherever LOCPATH is set.
setup_locale() {
    export LOCPATH=$PWD/build/locale
    [ ! -d "$LOCPATH/de_DE.UTF-8" ] || return 0
    mkdir -p "$LOCPATH"
    quietly localedef -i de_DE -f UTF-8 "$LOCPATH/de_DE.UTF-8"
}

# Hosts that no registry of packages has; the tests skip those that are missing.
setup_hosts() {
    quietly python3 scripts/get_maestro.py ||
        echo "Maestro cannot be fetched: the tests go on without it." >&2
    quietly python3 scripts/get_fmi4j.py ||
        echo "FMI4j cannot be fetched: the tests go on without it." >&2
    quietly .venv/bin/python scripts/get_windows_python.py ||
        echo "Python for Windows cannot be fetched: the tests go on without it." >&2
}

headline() {
    printf '\n== %s\n' "$*"
}
