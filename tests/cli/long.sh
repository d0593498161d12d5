#!/usr/bin/env bash
# Long work shows progress in any width and stops when told, also while steps are counted and phases are built; the files of a
# large run stay small unless --full asks for everything.
# Usage: long.sh ORRERY SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2 scratch=$3
begin_in "$scratch" "$source"
trap 'jobs -p | xargs -r kill -KILL 2>/dev/null' EXIT

# stops NAME PROGRESS COMMAND...: once the progress is there, SIGINT and SIGTERM end it with 130.
stops() {
  local name=$1 progress=$2 signal child code
  shift 2
  for signal in INT TERM; do
    "$orrery" "$@" >/dev/null 2>"$name.txt" &
    child=$!
    for _ in $(seq 1200); do
      grep -Eq "$progress" "$name.txt" && break
      kill -0 $child 2>/dev/null || break
      sleep 0.05
    done
    grep -Eq "$progress" "$name.txt" || fail "$name shows no progress: $(cat "$name.txt")"
    kill -$signal $child
    code=0
    wait $child || code=$?
    [[ $code == 130 ]] || fail "$name: SIG$signal ends it with $code: $(cat "$name.txt")"
  done
}
fermi="--platform fermi --network infiniband --ranks 8 --kernel wave2d"
stops predict '^predicting \[\.*\] 0/1  [0-9]+ iterations read$' predict $fermi --model hockney --param iterations=100000000
# tau-Lop asks for the greatest concurrency first, which is read from the whole program.
stops survey '^reading the points of wave2d \[\.*\] 0/1  [0-9]+ iterations read$' predict $fermi --model taulop --param iterations=100000000
stops export '^reading the program: [0-9.]+M steps$' export --format ti --platform fermi --ranks 8 --kernel wave2d --param iterations=100000000 -o endless
[[ ! -e endless ]] || fail "an export that was stopped leaves a folder"
stops simulate '^simulating on flow: t=[0-9.e-]+ s, [0-9.kM]+ messages, [0-9.kM]+ messages/s$' \
  simulate --platform dahu --network omnipath --ranks 1024 --kernel wave2d --engine flow --param iterations=10000000

# In a terminal of 80, 60 or 40 columns every line fits, and is not cut. Some containers have no terminals to give.
if script -qec 'stty cols 40 && test -t 2' /dev/null </dev/null >no-terminal.txt 2>&1; then
  for columns in 80 60 40; do
    for seconds in 4 30; do # a busy machine needs longer
      script -qec "stty cols $columns; timeout -s INT $seconds $orrery simulate $fermi --engine flow --param iterations=10000000" \
        /dev/null >terminal.txt </dev/null || true
      tr '\r' '\n' <terminal.txt | sed 's/\x1b\[K//' | grep -E 't=[0-9.e-]+ s' | grep -v interrupted >lines.txt && break
    done
    [[ -s lines.txt ]] || fail "no progress at $columns columns: $(cat terminal.txt)"
    awk -v columns=$columns 'length($0) >= columns { exit 1 }' lines.txt || fail "too wide for $columns columns: $(cat lines.txt)"
    awk '!/(messages|\/s|%|[0-9kM])$/ && !/left$/ { exit 1 }' lines.txt || fail "cut at $columns columns: $(cat lines.txt)"
  done
else
  echo "long.sh: the widths of terminals were not tried: $(head -1 no-terminal.txt)"
fi

# A point of many phases and resources: below a megabyte, what is left out is said in both places.
cat >large.yaml <<'END'
source: a test
platform: fermi
network: infiniband
engine: flow
layout: {ranks: 8}
kernel: {name: wave2d, points: 128, iterations: 1600}
sweep: {kernel.points: [64, 128]}
END
"$orrery" run large.yaml --out large >/dev/null 2>large.txt
"$orrery" run large.yaml --out full --full >/dev/null 2>full.txt
said=$(sed -n 's/^result.json leaves out //p' large.txt)
[[ $said == *' phase records (their sums are kept)'*'; --full writes them' ]] || fail "what is left out is not said: $(cat large.txt)"
grep -qF "\"left_out\": \"$said\"" large/result.json || fail "what is left out is not in the file"
awk 'length($0) >= 1000000 { exit 1 }' large/result.json || fail "a point takes more than a megabyte"
! grep -q '"left_out"' full/result.json || fail "--full leaves something out"
! grep -q 'leaves out' full.txt || fail "--full says that it leaves something out"
cmp <(cut -d, -f1-12 large/table.csv) <(cut -d, -f1-12 full/table.csv) || fail "--full changes a number"

# Several hundred points: their times stay, whatever else is in the store.
{
  sed '/^sweep/d; s/iterations: 1600/iterations: 2/' large.yaml
  printf 'sweep: {kernel.points: [%s]}\n' "$(seq -s ', ' 16 16 3600)"
} >many.yaml
"$orrery" run many.yaml --out many >/dev/null 2>many.txt
[[ $(wc -l <many/table.csv) == 226 ]] || fail "not all of 225 points are in the table"
awk 'length($0) >= 10000 { exit 1 }' many/result.json || fail "a point of many takes more than 10 KB"
