#!/bin/bash
# From nothing to a picture: installs what is needed (Debian, Ubuntu), builds, packs the model of a
# ball that bounces, slides and rolls into an FMU, and simulates that through FMPy.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source scripts/setup.sh

setup_packages $build_packages
setup_python requirements.txt

headline "Building"
quietly cmake --preset release
quietly cmake --build --preset release --target clatter

model=resources/models/rotating_ball.xml
fmu=build/demo/rotating_ball.fmu
plot=build/demo/rotating_ball.png
mkdir -p build/demo

headline "Packing $model"
build/release/clatter pack "$model" -o "$fmu"

headline "Simulating the FMU with FMPy"
.venv/bin/python scripts/demo_plot.py "$fmu" "$plot"

headline "Done"
echo "FMU:   $PWD/$fmu"
echo "Plot:  $PWD/$plot"
echo "Next:  edit $model and run this again, or build/release/clatter --help"
