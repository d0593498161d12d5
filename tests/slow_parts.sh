#!/usr/bin/env bash
# The slow tests in parts of at most eight minutes on two cores. .ci/run plays one part a run.
#   slow_parts.sh BUILD PART     prints a regular expression of the names of that part, for ctest -R
#   slow_parts.sh BUILD parts    prints how many parts there are
#   slow_parts.sh BUILD check    fails when a slow test of BUILD is in no part or in two, or when a part names no test
# The file slow_parts.txt beside this script has a line a test: the part and the name.
set -euo pipefail
build=$1 part=$2
listed=$(dirname "$0")/slow_parts.txt
fail() { printf 'slow_parts.sh: %s\n' "$*" >&2; exit 1; }
rows() { grep -vE '^(#|$)' "$listed"; }

case $part in
  parts) rows | cut -d' ' -f1 | sort -un | tail -1 ;;
  check)
    slow=$(ctest --test-dir "$build" -N -L slow | sed -nE 's/^ *Test +#[0-9]+: //p' | sort)
    [[ -n $slow ]] || fail "'$build' has no slow test. Build 'all' first?"
    names=$(rows | cut -d' ' -f2- | sort)
    difference=$(diff <(printf '%s\n' "$slow") <(printf '%s\n' "$names") || true)
    [[ -z $difference ]] || fail "these slow tests of the build (<) and of slow_parts.txt (>) differ. Put each slow test into one part?
$difference"
    ;;
  *)
    rows | grep -q "^$part " || fail "slow_parts.txt has no part '$part'"
    # Only letters, digits, points, colons, commas, dashes and blanks are in a test's name but for brackets, which are escaped.
    printf '^(%s)$\n' "$(rows | sed -n "s/^$part //p" | sed 's/[][().*+?^$|\\]/\\&/g' | paste -sd'|')"
    ;;
esac
