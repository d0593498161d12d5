#!/usr/bin/env bash
# A sweep played in shards and merged gives every file of the run of one process, bit for bit: with repetitions, a point
# that fails, both engines. What is missing, of another scenario or of a changed one is named. Merging again changes nothing.
# Usage: shards.sh ORRERY SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2 scratch=$3
begin_in "$scratch" "$source"
without_clock() { sed -E 's/"wall_clock": *\{[^}]*\}//g; s/"wall_s": *[0-9.e+-]+//g' "$1"; }
same_results() { # ONE OTHER WHY
  local file
  for file in "$1"/*; do
    [[ $file == *.sqlite* ]] || cmp <(without_clock "$file") <(without_clock "$2/${file##*/}") || fail "$2/${file##*/} differs from $file ($3)"
  done
}
refused() { # WORDS COMMAND...: exit code 2, and these words
  local words=$1 code=0
  shift
  "$orrery" "$@" >refused.out 2>refused.txt || code=$?
  [[ $code == 2 ]] || fail "'$*' ends with $code: $(cat refused.txt)"
  grep -qF -- "$words" refused.txt || fail "'$*' does not say '$words': $(cat refused.txt)"
}

cat >deadlock.ti <<'END'
0 init
0 send 1 0 10000000
0 recv 1 1 10000000
0 finalize
1 init
1 send 0 1 10000000
1 recv 0 0 10000000
1 finalize
END
cat >sweep.yaml <<'END'
source: a test
platform: fermi
network: infiniband
engine: flow
layout: {ranks: 2}
kernel: {name: wave2d, points: 128, iterations: 30}
compute: {model: constant, noise: 0.05, seed: 7}
models: [taulop, hockney]
calibrate: {sizes: [1B, 64KiB], concurrency: 2}
sweep:
  network: [infiniband, ethernet]
  kernel:
    - {name: wave2d, points: 64, iterations: 30}
    - {name: wave2d, points: 128, iterations: 30}
    - {name: trace, file: deadlock.ti}
    - {name: summa, blocks: 8}
END

play_and_merge() { # NAME SHARDS OPTIONS...: a whole run in NAME, shards of the same merged in NAME-all
  local name=$1 of=$2 code=0 number
  shift 2
  "$orrery" run sweep.yaml "$@" --jobs 2 --out "$name" >"$name.txt" 2>"$name.err" || code=$?
  for number in $(seq "$of" -1 1); do
    "$orrery" run sweep.yaml "$@" --jobs 1 --shard "$number/$of" --out "$name" >/dev/null 2>>shards.err || [[ $? == 4 ]] || fail "shard $number: $(cat shards.err)"
  done
  local merged=0
  "$orrery" merge "$name"-*-of-"$of" -o "$name-all" --jobs 2 >"$name-all.txt" 2>"$name-all.err" || merged=$?
  [[ $merged == "$code" ]] || fail "$name ends with $code and merged with $merged: $(cat "$name-all.err")"
  same_results "$name" "$name-all" "$* in $of shards"
  cmp "$name.txt" "$name-all.txt" || fail "the table of $name differs"
}
play_and_merge failing 3
grep -q 'rank 0 waits for rank 1' failing-all.err || fail "the merge does not say why a point failed: $(cat failing-all.err)"
fine='kernel=[{name: wave2d, points: 64, iterations: 30}, {name: wave2d, points: 96, iterations: 30}, {name: summa, blocks: 8}]'
play_and_merge fine 4 --set "$fine"
play_and_merge more 9 --set "$fine" # than there are points
play_and_merge repeated 2 --set "$fine" --repeat 3
play_and_merge both 2 --set "$fine" --engine both

# Again, by name, into the folder of the whole run, and as JSON.
"$orrery" merge fine -o fine --jobs 1 >/dev/null 2>&1
same_results fine fine-all "merged twice"
"$orrery" merge fine-all fine -o fine-all >/dev/null 2>refused.txt && fail "a folder that is no shard was merged"
"$orrery" merge fine --out fine-all --format csv 2>/dev/null | cmp - fine/table.csv || fail "--format csv"

# How far.
"$orrery" status failing >status.txt
grep -q '^sweep: 8 points in 3 shards: 6 done, 0 left, 2 failed$' status.txt || fail "status says $(cat status.txt)"
[[ $(grep -c ' ended$' status.txt) == 3 ]] || fail "status says $(cat status.txt)"
"$orrery" status failing-?-of-3 --format csv >status.csv
[[ $(awk -F, 'NR > 1 { points += $4; failed += $7 } END { print points, failed }' status.csv) == "8 2" ]] || fail "$(cat status.csv)"

# A shard that was stopped goes on, one that is not there is named, with the command that plays it.
mv fine-2-of-4 away
"$orrery" status fine >status.txt
grep -qE '^ *2/4 +not begun$' status.txt || fail "status says $(cat status.txt)"
refused "sweep: not all shards are there; missing: 2/4. Go on with:" merge fine -o fine-all
command=$(tail -1 refused.txt)
(orrery() { "$orrery" "$@"; }; eval "$command" >/dev/null 2>again.txt) || fail "the command does not go on: $command: $(cat again.txt)"
"$orrery" merge fine/ -o fine-all >/dev/null 2>&1
same_results fine fine-all "a missing shard played"
"$orrery" run sweep.yaml --set "$fine" --shard 2/4 --out fine/ --resume >/dev/null 2>again.txt
grep -q '^shard 2/4 of sweep: \([0-9]\) of \1 points finished, 0 left$' again.txt || fail "a finished shard was played again: $(cat again.txt)"
sed -i 's/"ended": true/"ended": false/' fine-2-of-4/shard.json
refused "missing: 2/4 (" merge fine -o fine-all
rm -r fine-2-of-4
mv away fine-2-of-4

# A store that lost its points is found out, and what it had is named.
cp -r fine-1-of-4 kept
rm fine-1-of-4/points.sqlite
refused "fine-1-of-4/points.sqlite: is not there" merge fine -o empty
cp fine-3-of-4/points.sqlite fine-1-of-4/points.sqlite
refused 'of 6 points have no result; missing: 1/4 (' merge fine -o empty
echo 'my notes' >fine-1-of-4/points.sqlite
refused "fine-1-of-4/points.sqlite: cannot be used (file is not a database)" merge fine -o empty
grep -q 'my notes' fine-1-of-4/points.sqlite || fail "a merge changed a shard"
[[ ! -e empty/result.json ]] || fail "a merge without all points wrote a result"
rm -r fine-1-of-4
mv kept fine-1-of-4

# Others' shards, another division, a scenario that has changed since.
refused "is a shard of another run" merge fine repeated -o empty
"$orrery" run sweep.yaml --set "$fine" --shard 1/5 --out fine >/dev/null 2>&1
refused "one of 4. Leave the others out of 'orrery merge'?" merge fine -o empty
rm -r fine-1-of-5
cp sweep.yaml kept.yaml
echo '# a note' >>sweep.yaml
refused "sweep.yaml: has changed since" merge fine -o empty
mv kept.yaml sweep.yaml
refused "nothing: holds no shard, and no folder 'nothing-K-of-N' does" merge nothing -o empty
refused "nothing: holds no shard, and no folder 'nothing-K-of-N' does" status nothing
refused "--shard: '5/4' is no shard" run sweep.yaml --shard 5/4
refused "--slurm: '--shard 1/4' is given too" run sweep.yaml --shard 1/4 --slurm
refused "--nodes: is an option of --slurm, which is not given. Add --slurm?" run sweep.yaml --nodes 4
refused "--of: is missing, or 0 (how many shards, 1..100000). Write '--of 4'?" show shards sweep.yaml
refused "--of: 100001 lies outside 1..100000 (how many shards). Choose one inside?" show shards sweep.yaml --of 100001
refused "--check: is of a whole result" run sweep.yaml --shard 1/4 --check
refused "--predict: the merge asks the models" run sweep.yaml --shard 1/4 --predict

# From another folder: the scenario is found where it lay.
mkdir elsewhere
(cd elsewhere && "$orrery" merge ../fine -o merged >/dev/null 2>&1) || fail "merged from another folder"
cmp fine/table.csv elsewhere/merged/table.csv
