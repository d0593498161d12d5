#!/usr/bin/env bash
# A run that is stopped or killed at any moment loses no finished point: --resume goes on, and its results are bit for bit
# those of a run that was never stopped. A store that is damaged or not ours is set aside, and said. The files of a run are
# one set: what an older run left and this one has not is gone, what a person put beside them stays.
# Usage: resume.sh ORRERY SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2 scratch=$3
begin_in "$scratch" "$source"
without_clock() { sed -E 's/"wall_clock": *\{[^}]*\}//g' "$1"; }
same_results() {
  local file
  for file in result.json table.csv; do
    cmp <(without_clock "$1/$file") <(without_clock "$2/$file") || fail "$2/$file differs from $1/$file ($3)"
  done
  for file in "$1"/parameters-*.yaml; do [[ ! -e $file ]] || cmp "$file" "$2/${file##*/}" || fail "$2/${file##*/} differs ($3)"; done
}

cat >sweep.yaml <<'END'
source: a test
platform: fermi
network: infiniband
engine: flow
layout: {ranks: 8}
kernel: {name: wave2d, points: 128, iterations: 300}
compute: {model: constant, noise: 0.05, seed: 7}
models: [taulop, hockney]
calibrate: {sizes: [1B, 64KiB], concurrency: 8}
sweep: {network: [infiniband, ethernet], layout.ranks: [6, 8], kernel.points: [64, 128, 256]}
END

began=$(date +%s%N)
"$orrery" run sweep.yaml --jobs 2 --out whole >whole.txt 2>/dev/null
took_ms=$((($(date +%s%N) - began) / 1000000))

# Killed (-9) ten times at moments that a fixed seed draws, and on where a busy machine has let no point end by then
# (each time later); then left to end.
RANDOM=20261122
found_again() { grep -q '^resuming sweep: \([1-9]\|1[0-2]\) of 12 points finished' killed.txt; }
for round in {1..40}; do
  if ((round > 10)); then
    found_again && break
    took_ms=$((took_ms * 5 / 4))
  fi
  "$orrery" run sweep.yaml --jobs 2 --out killed --resume >/dev/null 2>>killed.txt &
  child=$!
  sleep "$(awk -v ms=$took_ms -v part=$((RANDOM % 100)) 'BEGIN { printf "%.3f", ms * (1 + part) / 400000 }')"
  kill -9 $child 2>/dev/null || true
  wait $child 2>/dev/null || true
done
"$orrery" run sweep.yaml --jobs 2 --out killed --resume >killed.table 2>>killed.txt
same_results whole killed "killed ten times"
cmp <(grep -v ' s)$' whole.txt) <(grep -v ' s)$' killed.table) || fail "the table differs after ten kills"
found_again || fail "nothing was ever found again"
"$orrery" run sweep.yaml --jobs 1 --out killed --resume >/dev/null 2>again.txt
grep -q '^resuming sweep: 12 of 12 points finished, 0 left$' again.txt || fail "a finished run was played again: $(cat again.txt)"
for network in infiniband ethernet; do
  grep -q "^resuming sweep: \([0-9]*\) of \1 benchmarks on $network were measured before\$" again.txt || fail "calibrated again on $network: $(cat again.txt)"
done
same_results whole killed "nothing left to play"
[[ -z $(find killed -name '.*-*') ]] || fail "something was left behind: $(ls -A killed)"

# A search plays a part of the points, and after three kills the same part.
"$orrery" search sweep.yaml --jobs 2 --out searched >/dev/null 2>&1
for round in 1 2 3; do
  "$orrery" search sweep.yaml --jobs 2 --out search-killed --resume >/dev/null 2>&1 &
  child=$!
  sleep "$(awk -v ms=$took_ms -v part=$((RANDOM % 100)) 'BEGIN { printf "%.3f", ms * (1 + part) / 400000 }')"
  kill -9 $child 2>/dev/null || true
  wait $child 2>/dev/null || true
done
"$orrery" search sweep.yaml --jobs 1 --out search-killed --resume >/dev/null 2>&1
same_results searched search-killed "a search killed three times"

# Ctrl-C and SIGTERM: exit code 130, and the very command that goes on. SimGrid plays in children.
for signal in INT TERM; do
  for engine in $(engines_of "$orrery"); do
    folder=stopped-$signal-$engine
    "$orrery" run sweep.yaml --engine $engine --set 'models=[]' --set 'kernel.points=[64, 128]' --jobs 1 --out "$folder" >/dev/null 2>"$folder.txt" &
    child=$!
    for _ in $(seq 600); do
      [[ -s $folder/points.sqlite-wal && $(stat -c %s "$folder/points.sqlite-wal") -gt 30000 ]] && break
      kill -0 $child 2>/dev/null || break
      sleep 0.02
    done
    kill -$signal $child 2>/dev/null || true
    code=0
    wait $child || code=$?
    [[ $code == 0 ]] && continue # it was quicker than we
    [[ $code == 130 ]] || fail "SIG$signal on $engine ended with $code: $(cat "$folder.txt")"
    grep -q "^[1-8] of 8 points of sweep.yaml are kept in $folder/points.sqlite. Go on with:$" "$folder.txt" ||
      fail "SIG$signal on $engine does not say what is kept: $(cat "$folder.txt")"
    command=$(tail -1 "$folder.txt")
    [[ $command == "  orrery run sweep.yaml --engine $engine --set 'models=[]' --set 'kernel.points=[64, 128]' --jobs 1 --out $folder --resume" ]] ||
      fail "SIG$signal on $engine: the command is '$command'"
    [[ ! -e $folder/result.json ]] || fail "SIG$signal on $engine left half a result"
    (orrery() { "$orrery" "$@"; }; eval "$command" >/dev/null 2>&1) || fail "the command does not go on: $command"
    "$orrery" run sweep.yaml --engine $engine --set 'models=[]' --set 'kernel.points=[64, 128]' --out "$folder-whole" >/dev/null 2>&1
    same_results "$folder-whole" "$folder" "SIG$signal on $engine"
  done
done

# Stopped while its models are measured: what was measured is kept and found again.
"$orrery" run sweep.yaml --set 'calibrate.concurrency=16' --jobs 1 --out measured >/dev/null 2>measured.txt &
child=$!
for _ in $(seq 1200); do
  [[ -s measured/points.sqlite-wal && $(stat -c %s measured/points.sqlite-wal) -gt 30000 ]] && break
  kill -0 $child 2>/dev/null || break
  sleep 0.01
done
kill -INT $child 2>/dev/null || true
code=0
wait $child || code=$?
if [[ $code == 130 ]]; then
  grep -Eq '^(No point of sweep.yaml was finished; [0-9]+ benchmarks of its models|[0-9]+ of 12 points of sweep.yaml) are kept in measured/points.sqlite. Go on with:$' measured.txt ||
    fail "what was measured is not said: $(cat measured.txt)"
  (orrery() { "$orrery" "$@"; }; eval "$(tail -1 measured.txt)" >/dev/null 2>measured.txt)
  grep -Eq '^resuming sweep: [0-9]+ of [0-9]+ benchmarks on infiniband were measured before$' measured.txt || fail "all was measured again: $(cat measured.txt)"
  "$orrery" run sweep.yaml --set 'calibrate.concurrency=16' --out measured-whole >/dev/null 2>&1
  same_results measured-whole measured "stopped while models were measured"
elif [[ $code != 0 ]]; then fail "SIGINT while models are measured ended with $code: $(cat measured.txt)"; fi

# Without --resume everything is played again, and a stopped run is named. An axis that grew plays what is new.
cp -r whole grown
"$orrery" run sweep.yaml --set 'kernel.points=[64, 96, 128, 256]' --out grown --resume >/dev/null 2>grown.txt
grep -q '^resuming sweep: 12 of 16 points finished, 4 left$' grown.txt || fail "grown: $(cat grown.txt)"

# Damage: another file, a file cut short, bytes changed inside it. Each is said or mended; the results are the same.
for damage in other cut changed; do
  rm -rf $damage
  cp -r whole $damage
  case $damage in
    other) echo 'my notes, not a store' >other/points.sqlite ;;
    cut) truncate -s 9000 cut/points.sqlite ;;
    changed) size=$(stat -c %s changed/points.sqlite)
      for part in $(seq 3 40); do # inside the results, which take nearly all of the file
        printf 'damage' | dd of=changed/points.sqlite bs=1 seek=$((size / 41 / 4096 * 4096 * part + 2000)) conv=notrunc status=none
      done ;;
  esac
  "$orrery" run sweep.yaml --out $damage --resume >/dev/null 2>$damage.txt || fail "$damage: $(cat $damage.txt)"
  same_results whole $damage "$damage store"
done
grep -q '^other/points.sqlite: is no store of this version (file is not a database). Its finished points are not used; it was renamed to other/points.sqlite.unreadable$' other.txt ||
  fail "other: $(cat other.txt)"
grep -q 'my notes' other/points.sqlite.unreadable || fail "a file that is not ours was not kept"
grep -q '^cut/points.sqlite: is no store of this version' cut.txt || fail "cut: $(cat cut.txt)"

# One set of files: no stale parameters, a swap that was cut short is ended, what is not ours stays.
echo 'mine' >whole/notes.txt
echo 'platform: mine' >whole/parameters-mine.yaml
mkdir whole/.complete-99999999
echo 'of the run that was killed' >whole/.complete-99999999/report.html
"$orrery" run sweep.yaml --set network=ethernet --set 'kernel.points=[64]' --out whole >/dev/null 2>&1
[[ -e whole/parameters-fermi-ethernet.yaml && ! -e whole/parameters-fermi-infiniband.yaml ]] || fail "stale parameters stayed"
[[ $(cat whole/notes.txt) == mine && -e whole/parameters-mine.yaml ]] || fail "a file that is not ours was touched"
[[ ! -e whole/.complete-99999999 ]] || fail "the swap was not ended"
grep -q '<html' whole/report.html || fail "the older report came last"
