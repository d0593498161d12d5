#!/usr/bin/env bash
# What goes wrong around a run: killed at random moments, interrupted, streams closed, disk full, no files or memory left.
#
#   tests/faults/run.sh ORRERY SCRATCH [-n TIMES] [-s SEED]     TIMES tries of each random fault (3); the seed is printed
#
# After each fault: an exit code that docs/command-line.md documents (or the signal that was sent), no file half written, and the same
# command run again gives what an undisturbed run gives. Ends with 1 and a line for each fault that did not.
set -uo pipefail
orrery=$(realpath "$1") scratch=$2
shift 2
times=3 seed=$RANDOM
while getopts n:s: option; do
  case $option in
    n) times=$OPTARG ;;
    s) seed=$OPTARG ;;
    *) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
RANDOM=$seed
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" || exit 2
echo "seed $seed, $times of each random fault"

cat >points.yaml <<'YAML'
title: Broadcasts of many sizes
source: made up for the test
platform: fermi
network: infiniband
engine: flow
layout: {ranks: 64, per-node: 4}
kernel: {name: broadcast, message: 64KiB, repetitions: 20}
models: [hockney]
sweep: {kernel.message: [1B, 64B, 1KiB, 4KiB, 16KiB, 64KiB, 256KiB, 1MiB], layout.ranks: [16, 32, 64]}
YAML
run=("$orrery" run points.yaml)
tried=0 failed=0
bad() { echo "FAULT $*"; failed=$((failed + 1)); }

# A result is whole when the JSON is closed and the table has a line for every point.
whole() {
  [[ ! -e $1/result.json ]] || [[ $(tail -c 2 "$1/result.json" | tr -d '\n') == "}" ]] || return 1
  [[ ! -e $1/report.html ]] || tail -c 20 "$1/report.html" | grep -q '</html>'
}
no_leftovers() { [[ -z $(find "$1" -name '*.tmp*' -o -name '.orrery-*' 2>/dev/null) ]]; }
documented() { [[ " 0 2 3 4 5 77 130 141 " == *" $1 "* ]]; }  # 141: a reader of our output that went away

"${run[@]}" --out calm >calm.txt 2>calm.err || { cat calm.err; echo "the scenario itself does not run"; exit 1; }
same_as_calm() { cmp -s calm/table.csv "$1/table.csv"; }

begin=$(date +%s%N)
"${run[@]}" --out timed >/dev/null 2>&1
took_ms=$((($(date +%s%N) - begin) / 1000000))

for signal in KILL INT TERM HUP PIPE; do
  for ((i = 0; i < times; ++i)); do
    tried=$((tried + 1))
    out=$signal-$i after=$((RANDOM * took_ms / 32768))
    "${run[@]}" --out "$out" >"$out.txt" 2>"$out.err" &
    pid=$!
    sleep "$(printf '0.%03d' $((after % 1000)))"
    kill -"$signal" $pid 2>/dev/null
    wait $pid 2>/dev/null
    code=$?
    case $signal in
      KILL) [[ $code == 137 || $code == 0 ]] || bad "$out after $after ms: exit code $code" ;;
      *) documented $code || [[ $code == $((128 + $(kill -l $signal))) ]] || bad "$out after $after ms: exit code $code" ;;
    esac
    if [[ -d $out ]] && ! whole "$out"; then bad "$out after $after ms: a file is half written"; fi
    "${run[@]}" --out "$out" >/dev/null 2>"$out.again" || bad "$out: cannot be run again: $(tail -1 "$out.again")"
    same_as_calm "$out" || bad "$out: run again it gives another table"
    no_leftovers "$out" || bad "$out: temporary files stay behind: $(ls -A "$out" | tr '\n' ' ')"
  done
done

# How a command ends when something is missing from the start: name, then a command that disturbs itself.
disturbed() {
  tried=$((tried + 1))
  local name=$1
  shift
  (eval "$*") >"$name.txt" 2>"$name.err"
  local code=$?
  documented $code || bad "$name: exit code $code: $(tail -1 "$name.err")"
  [[ ! -d $name ]] || whole "$name" || bad "$name: a file is half written"
}
command="'$orrery' run '$PWD/points.yaml' --out"
disturbed no-stdin "$command no-stdin <&-"
disturbed no-stdout "$command no-stdout >&-"
disturbed no-stderr "$command no-stderr 2>&-"
disturbed no-streams "$command no-streams <&- >&- 2>&-"
disturbed stdout-full "$command stdout-full >/dev/full"
disturbed stderr-full "$command stderr-full 2>/dev/full"
disturbed stdout-closed-early "$command stdout-closed-early | head -c 10"
for limit in 8 16 32; do disturbed files-$limit "ulimit -n $limit; $command files-$limit"; done
for limit in 1 8 64 256; do disturbed size-$limit "ulimit -f $limit; $command size-$limit"; done
for limit in 80 120 160 250 500; do disturbed memory-$limit "ulimit -v $((limit * 1024)); $command memory-$limit"; done
disturbed threads "ulimit -u 1; exec $command threads"  # nor may the shell start a process
mkdir read-only && chmod a-w read-only
disturbed read-only "$command read-only/out"
echo file >in-the-way
disturbed in-the-way "$command in-the-way"
if ((EUID == 0)) && mkdir -p disk && mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null; then
  disturbed full-disk "$command disk/out"
  umount disk
fi

echo "$tried faults, $failed not survived"
((failed == 0))
