#!/usr/bin/env bash
# What a user meets on each engine: a deadlock, a slow run, Ctrl-C, and how far the engines lie apart; whole texts.
# Usage: engines.sh ORRERY SOURCE SCRATCH
set -uo pipefail
orrery=$1 source=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch" || exit 1
export ORRERY_DATA=$source
failures=0

# same WHAT EXPECTED GOT
same() {
  [[ $2 == "$3" ]] && return
  printf '%s\n  expected %s\n  got      %s\n' "$1" "$2" "$3"
  failures=$((failures + 1))
}

all=flow
if [[ $("$orrery" simulate --help) == *'both|flow|simgrid'* ]]; then all="simgrid flow both"; fi  # else built without SimGrid

# A deadlock is found, with one report whatever the engine.
printf '%s\n' '0 send 1 1 8000000' '0 recv 1 1 8000000' '0 barrier' '1 send 0 1 8000000' '1 recv 0 1 8000000' '1 barrier' \
  '2 barrier' >deadlock.ti
for engine in $all; do
  said=$("$orrery" simulate --platform fermi --network infiniband --kernel trace --param file=deadlock.ti --ranks 3 \
    --per-node 1 --engine $engine 2>&1 >/dev/null)
  same "exit code of a deadlock on $engine" 4 $?
  same "report of a deadlock on $engine" "rank 0 waits for rank 1 to receive tag 1 (8 MB)
rank 1 waits for rank 0 to receive tag 1 (8 MB)
rank 2 waits for tag 0 in communicator 1 from rank 0
cycle: 0 -> 1 -> 0 (trace, p=3, t=1.4e-06s)" "$said"
done

# A terminal sends Ctrl-C to the whole group, children too. A run that will be slow on SimGrid is announced.
notice="engine simgrid: 35982843 messages, up to 1024 ranks: about 6 min while the ranks stay in step, 2 h once they \
drift apart. Faster: --engine flow"
for engine in $all; do
  rm -f said.txt
  setsid "$orrery" simulate --platform dahu --network omnipath --kernel wave2d --ranks 1024 --param points=4096 \
    --param iterations=9000 --engine $engine >/dev/null 2>said.txt &
  pid=$!
  for _ in $(seq 1200); do
    grep -qs "messages/s" said.txt && break
    sleep 0.05
  done
  kill -INT -- -$pid
  wait $pid
  same "exit code of Ctrl-C on $engine" 130 $?
  # At once, by what it counts and not by a clock that a busy machine shares: two seconds of work, not half of it all.
  reached=$(sed -nE 's/^interrupted: .*, ([0-9]+) messages$/\1/p' said.txt)
  ((${reached:-99999999} < 35982843 / 2)) || same "Ctrl-C on $engine" "before half of all messages" "after ${reached:-?}"
  if [[ $engine == flow ]]; then
    grep -q '^engine simgrid' said.txt && same "notice on flow" "" "$(head -1 said.txt)"
  else
    same "notice on $engine" "$notice" "$(head -1 said.txt)"
  fi
  unknown=$(grep -Evx "engine simgrid: .*|simulating on (simgrid|flow): t=[0-9.e-]+ s, .*|" said.txt)
  grep -Eqx 'interrupted: the simulation had reached t=[0-9.e-]+s, [0-9]+ messages' <<<"$unknown" ||
    same "Ctrl-C on $engine says how far simulated time got and nothing else" "interrupted: ..." "$unknown"
done

if [[ $all == flow ]]; then
  said=$("$orrery" simulate --platform fermi --network infiniband --kernel pingpong --engine simgrid 2>&1 >/dev/null)
  same "exit code of an engine that was not built" 2 $?
  same "an engine that was not built" "orrery simulate: --engine: 'simgrid' is not in this program, which was built without SimGrid (known: flow). \
Use 'flow'?
See 'orrery simulate --help'." "$said"
  exit $((failures > 0))
fi

# How far the engines lie apart, phase by phase. Here every event is at a date of its own: to the last bit.
"$orrery" simulate --platform fermi --network infiniband --kernel pingpong --engine both >said.txt 2>&1
same "exit code of both engines" 0 $?
same "difference of the engines" "Difference of the two engines, phase by phase" "$(sed -n '/^Difference/p' said.txt)"
same "phases of the difference" "makespan 0 0 0" \
  "$(sed -n '/^Difference/,$p' said.txt | grep -oE 'makespan .*' | tr -s ' ' | sed 's/ $//')"
same "the difference in words" "the engines agree to the last bit" "$(grep '^the engines' said.txt)"
exit $((failures > 0))
