#!/bin/bash
# Checks a binary that goes into every FMU: what it needs, what it shows, its size.
#   scripts/check_binary.sh clatter.so          Linux, any processor, FMI 2.0
#   scripts/check_binary.sh clatter.dll         Windows
#   scripts/check_binary.sh clatter_fmi3.so 3   of FMI 3.0
set -euo pipefail
export LC_ALL=C

max_glibc=2.31    # of Debian 11 and Ubuntu 20.04
max_bytes=2700000

# All that the FMI 2.0 standard has a co-simulation FMU export.
functions_2="
fmi2GetTypesPlatform fmi2GetVersion fmi2SetDebugLogging fmi2Instantiate fmi2FreeInstance
fmi2SetupExperiment fmi2EnterInitializationMode fmi2ExitInitializationMode fmi2Terminate fmi2Reset
fmi2GetReal fmi2GetInteger fmi2GetBoolean fmi2GetString
fmi2SetReal fmi2SetInteger fmi2SetBoolean fmi2SetString
fmi2GetFMUstate fmi2SetFMUstate fmi2FreeFMUstate
fmi2SerializedFMUstateSize fmi2SerializeFMUstate fmi2DeSerializeFMUstate
fmi2GetDirectionalDerivative fmi2SetRealInputDerivatives fmi2GetRealOutputDerivatives
fmi2DoStep fmi2CancelStep
fmi2GetStatus fmi2GetRealStatus fmi2GetIntegerStatus fmi2GetBooleanStatus fmi2GetStringStatus
"

# All that fmi3Functions.h declares: hosts look for all of it.
functions_3="
fmi3GetVersion fmi3SetDebugLogging
fmi3InstantiateModelExchange fmi3InstantiateCoSimulation fmi3InstantiateScheduledExecution
fmi3FreeInstance fmi3EnterInitializationMode fmi3ExitInitializationMode fmi3EnterEventMode
fmi3Terminate fmi3Reset
fmi3GetFloat32 fmi3GetFloat64 fmi3GetInt8 fmi3GetUInt8 fmi3GetInt16 fmi3GetUInt16 fmi3GetInt32
fmi3GetUInt32 fmi3GetInt64 fmi3GetUInt64 fmi3GetBoolean fmi3GetString fmi3GetBinary fmi3GetClock
fmi3SetFloat32 fmi3SetFloat64 fmi3SetInt8 fmi3SetUInt8 fmi3SetInt16 fmi3SetUInt16 fmi3SetInt32
fmi3SetUInt32 fmi3SetInt64 fmi3SetUInt64 fmi3SetBoolean fmi3SetString fmi3SetBinary fmi3SetClock
fmi3GetNumberOfVariableDependencies fmi3GetVariableDependencies
fmi3GetFMUState fmi3SetFMUState fmi3FreeFMUState
fmi3SerializedFMUStateSize fmi3SerializeFMUState fmi3DeserializeFMUState
fmi3GetDirectionalDerivative fmi3GetAdjointDerivative
fmi3EnterConfigurationMode fmi3ExitConfigurationMode
fmi3GetIntervalDecimal fmi3GetIntervalFraction fmi3GetShiftDecimal fmi3GetShiftFraction
fmi3SetIntervalDecimal fmi3SetIntervalFraction fmi3SetShiftDecimal fmi3SetShiftFraction
fmi3EvaluateDiscreteStates fmi3UpdateDiscreteStates
fmi3EnterContinuousTimeMode fmi3CompletedIntegratorStep fmi3SetTime fmi3SetContinuousStates
fmi3GetContinuousStateDerivatives fmi3GetEventIndicators fmi3GetContinuousStates
fmi3GetNominalsOfContinuousStates fmi3GetNumberOfEventIndicators fmi3GetNumberOfContinuousStates
fmi3EnterStepMode fmi3GetOutputDerivatives fmi3DoStep fmi3ActivateModelPartition
"

fmi=${2:-2}
if [ $# -lt 1 ] || [ $# -gt 2 ] || [ ! -f "$1" ] || [[ ! $fmi =~ ^[23]$ ]]; then
    echo "usage: $0 FILE.so | FILE.dll [2|3]" >&2
    exit 2
fi
file=$1
functions=$functions_2
[ "$fmi" = 2 ] || functions=$functions_3
failures=0

fail() {
    echo "$file: $*" >&2
    failures=$((failures + 1))
}

# --- Linux; readelf knows all processors, nm and objdump only some ---

check_needs_elf() {
    local library
    for library in $(readelf -dW "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
        case $library in
            libc.so.6 | libm.so.6) ;;
            ld-linux-aarch64.so.1) ;;  # has the address of thread-local data there; part of libc
            *) fail "needs $library; only libc and libm may be needed" ;;
        esac
    done
    newest=$(readelf -VW "$file" | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -uV | tail -n 1)
    if [ "$(printf '%s\n' "$newest" "$max_glibc" | sort -V | tail -n 1)" != "$max_glibc" ]; then
        fail "needs glibc $newest; at most $max_glibc is allowed; because of:"
        readelf --dyn-syms -W "$file" | grep -F "GLIBC_$newest" >&2
    fi
    if readelf -lW "$file" | grep -q 'GNU_STACK.*RWE'; then
        fail "wants an executable stack"
    fi
    if readelf -dW "$file" | grep -q TEXTREL; then
        fail "has text relocations"
    fi
    needs="glibc $newest"
}

visible_elf() {
    readelf --dyn-syms -W "$file" |
        awk '$5 != "LOCAL" && $7 != "UND" && $7 != "ABS" && $1 ~ /^[0-9]+:$/ { print $8 }' |
        sed 's/@.*//'
}

# --- Windows ---

check_needs_pe() {
    local library
    needs=
    export TZ=UTC
    for library in $(objdump -p "$file" | sed -n 's/.*DLL Name: //p'); do
        case ${library,,} in
            kernel32.dll | msvcrt.dll | api-ms-win-crt-*.dll) needs="$needs $library" ;;
            *) fail "needs $library; only KERNEL32 and the C library may be needed" ;;
        esac
    done
    needs=${needs# }
    if ! objdump -p "$file" | grep '^Time/Date.* 00:00:00 1970' > /dev/null; then
        fail "has the time when it was built"
    fi
}

visible_pe() {
    objdump -p "$file" | sed -n '/\[Ordinal\/Name Pointer\] Table/,/^$/s/^\s*\[ *[0-9]*\] *\(+base\[ *[0-9]*\] *[0-9a-f]* *\)\?//p'
}

# --- both ---

format=elf
if [ "$(head -c 2 "$file")" = MZ ]; then
    format=pe
fi
check_needs_$format

wanted=$(printf '%s\n' $functions | sort)
visible=$(visible_$format | sort)
for name in $(comm -23 <(echo "$wanted") <(echo "$visible")); do
    fail "does not export $name"
done
for name in $(comm -13 <(echo "$wanted") <(echo "$visible")); do
    fail "shows $name, which is no function of FMI $fmi.0"
done

bytes=$(stat -c %s "$file")
if [ "$bytes" -ge "$max_bytes" ]; then
    fail "has $bytes bytes; fewer than $max_bytes are allowed"
fi

[ "$failures" -eq 0 ] || exit 1
echo "$file: $bytes bytes, $(wc -w <<< "$functions") functions, $needs"
