#!/bin/bash
# Runs one test program under valgrind; prints its output only if something is wrong.
# CLATTER_SLOW tells the program that it runs some thirty times slower than by itself.
#   scripts/memcheck.sh PROGRAM
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! CLATTER_SLOW=1 timeout 600 valgrind --quiet --leak-check=full \
    --show-leak-kinds=definite,possible --errors-for-leak-kinds=definite,possible \
    --error-exitcode=99 "$1" > "$log" 2>&1; then
    printf '%s under valgrind:\n' "$1" >&2
    cat "$log" >&2
    exit 1
fi
