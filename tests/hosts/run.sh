#!/bin/bash
# Hosts that no registry of packages has, as far as they are on the PATH, on FMUs of the models; what
# each says, one line per model. docs/hosts.md has a table of such runs. Without arguments, the tests
# that need fmusim, OMSimulator or PyFMI follow: all schemes, and the closed loop.
#   tests/hosts/run.sh [MODEL.xml...]      CLATTER_BUILD: where clatter is (default build/release)
#                                          PYFMI_PYTHON: a Python that has PyFMI
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
clatter=${CLATTER_BUILD:-$PWD/build/release}/clatter
python=.venv/bin/python
[ -x $python ] || python=python3
models=("$@")
[ $# -gt 0 ] || models=(resources/models/{bouncing_ball,parcel_pusher,rotating_ball,slider_crank}.xml)
step=0.0078125 stop=0.375 # s; a power of two: no host rounds its times
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# host_NAME FMU CSV: runs an FMU, its words to standard output, its result to CSV if it makes one.
# fmuCheck exits with 0 whatever it finds: its counts are read.
host_fmuCheck() {
    "$1" -h $step -s $stop -o "$3" "$2" 2>&1 | tee "$work/words"
    [ "$(grep -cE '^\s*0 (Warning|Error)\(s\)|^\s*0 warning\(s\) and error\(s\)' "$work/words")" = 3 ]
}
host_VDMCheck2() { "$1" "$2" 2>&1 | tee "$work/words" && grep -q "No errors found" "$work/words"; }
host_fmi_sim() { "$1" --model "$2" -o "$3" co-simulation --output-interval $step -f $stop 2>&1; }
# Versions after 0.0.x have subcommands.
host_fmusim() {
    local simulate=simulate
    [[ $("$1" --version) != *" 0.0."* ]] || simulate=
    "$1" $simulate --interface-type cs --output-interval $step --stop-time $stop --output-file "$3" \
        "$2" 2>&1
}
host_OMSimulator() {
    "$1" --stopTime=$stop --stepSize=$step --resultFile="$3" --tempDir="$work" "$2" 2>&1 |
        tee "$work/words"
    [ "${PIPESTATUS[0]}" = 0 ] && ! grep -qE '^(warning|error):' "$work/words"
}
host_MasterSim() {
    cat > "$work/plant.msim" <<EOF
tStart         0 s
tEnd           $stop s
hMax           $step s
hMin           1e-06 s
hFallBackLimit 1e-05 s
hStart         $step s
hOutputMin     $step s
adjustStepSize no
preventOversteppingOfEndTime yes
absTol         1e-06
relTol         1e-05
MasterMode     GAUSS_JACOBI
maxIterations  1
simulator 0 0 plant #ff4682b4 "$2"
EOF
    "$1" --verbosity-level=1 --working-dir="$work/out" "$work/plant.msim" 2>&1
    local made=$?
    cp "$work/out/results/values.csv" "$3" 2> /dev/null
    return $made
}

# How far the last row of a result is from that of clatter run, over the columns that both have;
# relative where values are larger than 1.
difference() {
    "$python" - "$1" "$2" <<'EOF'
import csv, re, sys
def last_row(path):
    text = open(path).read()
    rows = list(csv.reader(text.splitlines(), delimiter="\t" if "\t" in text else ","))
    names = [re.sub(r"^plant\.|^.*\.root\.[^.]*\.| \[.*\]$", "", name.strip()) for name in rows[0]]
    return dict(zip(names, rows[-1]))
def number(text):
    return {"true": 1.0, "false": 0.0}.get(text.lower()) if text[:1].isalpha() else float(text)
theirs, ours = map(last_row, sys.argv[1:])
both = [name for name in ours if name in theirs and name != "time"]
pairs = [(number(theirs[name]), number(ours[name])) for name in both]
worst = max((abs(a - b) / max(1.0, abs(b)) for a, b in pairs), default=None)
print(f"{len(both)} columns, largest difference {worst}")
EOF
}

# run_host NAME OPTIONS PROGRAM...: all models, packed with these options, in the first of the programs
# that is there.
run_host() {
    local name=$1 model fmu words outcome
    local -a options
    read -ra options <<< "$2"
    shift 2
    local program=
    for candidate in "$@"; do
        program=$(command -v "$candidate") && break
    done
    if [ -z "$program" ]; then
        echo "$name: not on the PATH"
        return
    fi
    for model in "${models[@]}"; do
        fmu=$work/$(basename "$model" .xml).fmu
        rm -f "$work/theirs.csv"
        if ! { "$clatter" pack "$model" "${options[@]}" -o "$fmu" &&
            "$clatter" run "$model" --interval $step --stop $stop -o "$work/ours.csv"; } > /dev/null; then
            failed=1
            continue
        fi
        outcome=good
        words=$("host_${name//-/_}" "$program" "$fmu" "$work/theirs.csv") || outcome=BAD
        [ ! -s "$work/theirs.csv" ] ||
            outcome="$outcome, $(difference "$work/theirs.csv" "$work/ours.csv")"
        echo "$name: $(basename "$model" .xml) ${options[*]}: $outcome"
        if [[ $outcome = BAD* ]]; then
            failed=1
            tail -n 20 <<< "$words"
        fi
    done
}

run_host fmuCheck '--fmi 2' fmuCheck fmuCheck.linux64
run_host VDMCheck2 '--fmi 2' VDMCheck2.sh vdmcheck2
run_host fmi-sim '--fmi 2' fmi-sim
run_host fmi-sim '--fmi 3 --no-vectors --no-enumerations' fmi-sim
run_host fmusim '--fmi 2' fmusim
run_host fmusim '--fmi 3' fmusim
run_host OMSimulator '--fmi 2' OMSimulator
run_host OMSimulator '--fmi 3 --no-vectors' OMSimulator
run_host MasterSim '--fmi 2' mastersim MasterSimulator
if [ $# = 0 ]; then
    "$python" -m pytest -q -rs tests/python/test_hosts.py tests/python/test_ssp.py \
        -k 'fmusim or omsimulator or pyfmi' || failed=1
fi
exit $failed
