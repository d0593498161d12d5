#!/usr/bin/env bash
# `orrery selftest`: holds in seconds without compiler and network, leaves nothing behind, and is broken by a number that changed.
# Usage: selftest.sh ORRERY SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2 scratch=$3
begin_in "$scratch" "$source"
mkdir temporary
export TMPDIR=$PWD/temporary

alone=(env PATH=/nowhere)
if unshare -rn true 2>/dev/null; then alone=("$(command -v unshare)" -rn env PATH=/nowhere); fi
before=$SECONDS
"${alone[@]}" "$orrery" selftest >said.txt
((SECONDS - before < 20)) || fail "took $((SECONDS - before)) s"
[[ $(grep -c '^ok  ' said.txt) == 4 ]] || fail "not four checks: $(<said.txt)"
grep -qE '^orrery [0-9.]+[^ ]* works: 4 checks hold on engines? ' said.txt
[[ -z $(ls temporary) ]] || fail "left behind: $(ls temporary)"

# Data in which a latency is wrong.
mkdir data
cp -r "$source/platforms" "$source/scenarios" data
sed -i 's/value: 1.1us/value: 1.4us/' data/platforms/fermi.yaml
! cmp -s data/platforms/fermi.yaml "$source/platforms/fermi.yaml" || fail "fermi.yaml has no 1.1us any more"
code=0
ORRERY_DATA=$PWD/data "$orrery" selftest >broken.txt 2>why.txt || code=$?
[[ $code == 5 ]] || fail "exit code $code with a wrong latency: $(<broken.txt)"
grep -q '^BROKEN  scenario rico-gallego16-m10: ' broken.txt
grep -q 'selftest: 1 of 4 checks are broken' why.txt
rm data/scenarios/belikov12-fig1.yaml
ORRERY_DATA=$PWD/data "$orrery" selftest >broken.txt 2>why.txt || true
grep -q '^BROKEN  scenario belikov12-fig1: ' broken.txt

# A folder that cannot be used is refused by its name.
for folder in "" "$PWD/nowhere" /dev/null "$(printf 'x%.0s' {1..5000})"; do
  code=0
  TMPDIR=$folder "$orrery" selftest >said.txt 2>why.txt || code=$?
  [[ $code == 2 && $(<why.txt) == "selftest: no folder can be made in '"*"which TMPDIR names ("*"). Set TMPDIR to one that can be written?" ]] ||
    fail "TMPDIR='${folder:0:60}': exit code $code, $(<why.txt)"
done
