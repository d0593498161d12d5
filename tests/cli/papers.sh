#!/usr/bin/env bash
# Whether docs/papers.md says what the runs say: words exactly, numbers to 2 % (same_output.awk).
# Usage: papers.sh ORRERY SOURCE SCRATCH [SCENARIO...]    without scenarios the whole page, else their sections of it
#
# All play into SCRATCH/runs and go on from the points that this build has finished there. So tests of some sections each
# leave the whole page little to play, and one that was stopped on a loaded machine loses nothing.
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2 scratch=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
runs=$scratch/runs
scratch=$scratch/${1:-whole}  # of this test alone
rm -rf "$scratch"
mkdir -p "$scratch" "$runs"
export ORRERY_DATA=$source
"$source/docs/papers/make.sh" "$orrery" "$runs" "$@" >"$scratch/made.md"

section() { awk -v name="$2" '/^#/ { inside = $0 == "### " name } inside' "$1"; }
failures=0
compare() {
  if ! awk -f "$here/same_output.awk" "$scratch/shown" "$scratch/found"; then
    echo "docs/papers.md: $1 is not what the runs say now. Make it anew: docs/papers/make.sh >docs/papers.md"
    failures=$((failures + 1))
  fi
}
if (($# == 0)); then
  cp "$source/docs/papers.md" "$scratch/shown"
  cp "$scratch/made.md" "$scratch/found"
  compare "the page"
fi
for name in "$@"; do
  section "$source/docs/papers.md" "$name" >"$scratch/shown"
  section "$scratch/made.md" "$name" >"$scratch/found"
  [[ -s $scratch/shown ]] || { echo "docs/papers.md: has no section '$name'"; failures=$((failures + 1)); }
  compare "section '$name'"
done
exit $((failures > 0))
