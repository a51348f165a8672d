#!/bin/bash
# From nothing to a picture that moves: installs what is needed (Debian, Ubuntu), builds, packs the
# model of a ball that bounces, slides and rolls into an FMU, simulates that through FMPy, and makes a
# page that plays the motion.
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
page=build/demo/rotating_ball.html
mkdir -p build/demo

headline "Packing $model"
build/release/clatter pack "$model" -o "$fmu"

headline "Simulating the FMU with FMPy"
.venv/bin/python scripts/demo_plot.py "$fmu" "$plot"

headline "Making a page that plays the motion"
build/release/clatter view "$model" -o "$page"

headline "Done"
echo "FMU:   $PWD/$fmu"
echo "Plot:  $PWD/$plot"
echo "Page:  $PWD/$page"
echo "       open it in a browser: xdg-open $page, or drag it into one; space plays, ? tells the keys"
echo "Next:  build/release/clatter view resources/models/slider_crank.xml -o build/demo/slider_crank.html"
echo "       or edit $model and run this again; build/release/clatter --help"
