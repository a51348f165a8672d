#!/bin/bash
# Gets the sources of the libraries that the FMU is linked with, for platforms that Debian has no
# built ones for: into build/sources/NAME, from the distribution's own source packages, which apt
# checks by its signatures. Needs no root. A second run finds them there.
#   scripts/get_sources.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Source package, and the package installed here whose upstream version it must have, so that all
# platforms run the same code. musl gives the mathematical functions of Windows alone.
wanted="expat:libexpat1-dev lapack:liblapacke-dev suitesparse:libsuitesparse-dev zlib:zlib1g-dev
    cmocka:libcmocka-dev musl:"

target=$PWD/build/sources
versions=$target/versions.txt

version_of() {
    [ -z "$1" ] || dpkg-query -W -f '${source:Upstream-Version}' "$1"
}

up_to_date() {
    local entry
    [ -f "$versions" ] || return 1
    for entry in $wanted; do
        grep -q "^${entry%%:*} $(version_of "${entry#*:}")" "$versions" || return 1
    done
}

! up_to_date || exit 0
rm -rf "$target"
mkdir -p "$target/apt/lists/partial" "$target/apt/archives/partial"

# The places of source packages are those of the binary ones, whatever file of apt's they stand in.
apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Identifier: Packages' | sort -u |
    sed -nE 's,^(Debian|Ubuntu) ([^ ]+) ([^ ]+) ([^ ]+)$,deb-src \2 \3 \4,p' > "$target/apt/sources.list"
if [ ! -s "$target/apt/sources.list" ]; then
    echo "apt knows no archive of Debian or Ubuntu: apt-get update?" >&2
    exit 1
fi
grep -v -- '-security ' "$target/apt/sources.list" > "$target/apt/without-security.list"
private=(-q -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$target/apt/lists"
    -o "Dir::Cache=$target/apt" -o Acquire::Languages=none -o APT::Sandbox::User=)
apt-get "${private[@]}" -o "Dir::Etc::SourceList=$target/apt/sources.list" update

# The newest that can be had: an archive of security updates may list what it no longer has.
download() {
    local list
    for list in sources.list without-security.list; do
        (cd "$target/apt" && apt-get "${private[@]}" -o "Dir::Etc::SourceList=$target/apt/$list" \
            --download-only source "$1") && return
        rm -f "$target/apt/$1"_*
    done
    return 1
}

unpack() {
    case $1 in
        suitesparse)  # 40 MB, of which AMD is used
            mkdir "$target/$1"
            tar -xf "$target/apt/$1"_*.orig.tar.* -C "$target/$1" --strip-components=1 \
                --wildcards '*/AMD/Include' '*/AMD/Source' '*/SuiteSparse_config/*.[ch]'
            ;;
        *) dpkg-source --no-copy -x "$target/apt/$1"_*.dsc "$target/$1" > /dev/null ;;
    esac
}

for entry in $wanted; do
    name=${entry%%:*}
    version=$(version_of "${entry#*:}")
    download "$name"
    got=$(sed -n 's/^Version: *//p' "$target/apt/$name"_*.dsc | head -n 1 | sed 's/^[0-9]*://')
    if [ -n "$version" ] && [ "${got%-*}" != "$version" ]; then
        echo "The source of $name is $got, but $version is installed: apt-get upgrade?" >&2
        exit 1
    fi
    unpack "$name"
    echo "$name $got" >> "$target/apt/versions.txt"
done
mv "$target/apt/versions.txt" "$versions"
rm -rf "$target/apt"
