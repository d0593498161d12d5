#!/usr/bin/env bash
# `orrery barrier` as a user meets it, and its C functions compiled and run with threads for ranks (with MPI: barrier_mpi.sh).
# Usage: barrier.sh ORRERY SOURCE SCRATCH CXX
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2 scratch=$3 cxx=$4
begin_in "$scratch" "$source"

# A hybrid of 13 ranks on two nodes, saved, proved, played and written as C.
"$orrery" barrier --platform ntnu-12x2x6 --ranks 13 --per-node 7 --order round-robin -o hybrid.txt --svg hybrid.svg \
  --emit-c hybrid.c --name tested_barrier >table.txt 2>said.txt
grep -q '^hybrid .* 1$' table.txt || fail "the hybrid synchronises: $(cat table.txt)"
grep -q 'level 0: .* among 0-12 by 2 (' table.txt || fail "clusters are the nodes"
grep -q '<svg' hybrid.svg || fail "the picture is SVG"
"$orrery" barrier --pattern hybrid.txt >proof.txt
grep -q '^hybrid.txt .* 1$' proof.txt || fail "a saved pattern is proved when it is read: $(cat proof.txt)"
"$orrery" simulate --platform ntnu-12x2x6 --network gigabit --ranks 13 --kernel barrier --param algorithm=pattern \
  --param pattern=hybrid.txt --engine flow >played.txt

# Matrices from a file, as 'orrery calibrate' writes them by nodes: the same hybrid as with what the engine measures.
"$orrery" calibrate --platform ntnu-8x2x4 --model barrier-matrix --pairs nodes --engine flow --sizes 1B,1KiB -o nodes.yaml \
  >/dev/null 2>&1
"$orrery" barrier --platform ntnu-8x2x4 --ranks 20 --order round-robin --matrices nodes.yaml -o nodes.txt >/dev/null 2>&1
"$orrery" barrier --platform ntnu-8x2x4 --ranks 20 --order round-robin -o engine.txt >/dev/null 2>&1
cmp nodes.txt engine.txt || fail "matrices by nodes make another hybrid than types of node"

# What is wrong with a matrix is said with file and line.
refuse() { # what is to be changed in nodes.yaml, what is to be said
  sed "$1" nodes.yaml >bad.yaml
  "$orrery" barrier --platform ntnu-8x2x4 --ranks 60 --order round-robin --matrices bad.yaml >bad.out 2>bad.err && fail "accepted: $1"
  grep -q -- "$2" bad.err || fail "$1: $(cat bad.err)"
}
refuse '32s/, [^,]*$/]/' "bad.yaml:32:13: barrier-matrix, matrix 'L': row 0 of 8 has 7 numbers (square: 8). Complete it?"
refuse '32d' "matrix 'L': row 0 of 7 has 8 numbers (square: 7)"
refuse '33s/\[[^,]*,/[-1e-6,/' "bad.yaml:33:14: barrier-matrix, matrix 'L': from 1 to 0 it is -1e-06 (0..1000 s). Correct it?"
refuse '33s/\[[^,]*,/[,/' "bad.yaml:33:14: 'values\[2\]\[1\]' is empty (a number expected)"
refuse '33s/\[[^,]*,/[1e-2,/' "bad.yaml:33:13: matrix 'L', node 1 to node 0: a signal between ranks 0 and 1 costs 10.04 ms, by way of rank 2 only 140 us (costs that are a metric)"
refuse '/name: L/,$d' "matrix 'O' stands alone (O and L, both by nodes or both by cores). Add matrix 'L'?"

"$orrery" barrier --platform ntnu-8x2x4 --ranks 3 --json >three.json
grep -q '"cheapest of at most 3 stages"' three.json || fail "three ranks are compared with all patterns of at most 3 stages"

# A pattern that is no barrier is refuted by a pair and not written as C.
printf 'ranks 3\nstage\n1: 0\n2: 0\nstage\n0: 1\n' >half.txt
"$orrery" barrier --pattern half.txt >refuted.txt
grep -q '^half.txt .* 0$' refuted.txt || fail "the refuted pattern has its row: $(cat refuted.txt)"
grep -q 'failed: .*half.txt.*: 2 does not know of 0' refuted.txt || fail "the pair is named: $(cat refuted.txt)"
"$orrery" barrier --pattern half.txt --emit-c half.c >half.out 2>half.err && fail "half a barrier was written"
grep -q -- '--emit-c: rank 2 leaves without knowing that rank 0 has arrived' half.err || fail "$(cat half.err)"
"$orrery" barrier --pattern half.txt --goal reduce >reduce.txt
grep -q '^half.txt .* 1$' reduce.txt || fail "it is a reduce"
"$orrery" simulate --platform ntnu-12x2x6 --network gigabit --ranks 3 --kernel barrier --param algorithm=pattern \
  --param pattern=half.txt >half.out 2>half.err && fail "half a barrier was played"
grep -q "barrier: pattern 'half.txt' is no barrier: rank 2 leaves without knowing that rank 0 has arrived" half.err || fail "$(cat half.err)"
"$orrery" simulate --platform ntnu-12x2x6 --network gigabit --ranks 3 --kernel barrier --param algorithm=pattern \
  --param pattern=half.txt --param goal=reduce >half.out
"$orrery" barrier --pattern half.txt --goal bcast --root 1 >bcast.txt
grep -q 'failed: .*half.txt.*: 2 does not know of 1' bcast.txt || fail "it is no bcast from 1: $(cat bcast.txt)"

# Many ranks: proofs and costs stay sparse (100,000 take seconds in a release build; a debug build has its limits).
timeout -k 5 120 "$orrery" barrier --platform ntnu-12x2x6 --ranks 2400 --per-node 200 --order round-robin >many.txt
grep -q '^dissemination .* 1$' many.txt || fail "2,400 ranks: $(cat many.txt)"

# The C function, with threads for ranks.
for pattern in hybrid; do
  "$cxx" -x c -std=c11 -Wall -Wextra -Wno-unused-function -D_GNU_SOURCE -DRANKS=13 "-DBARRIER=\"$scratch/$pattern.c\"" \
    -I "$source/tests/cli/mpi_of_threads" "$source/tests/cli/mpi_of_threads/late.c" -o threads -pthread
  timeout 60 ./threads || fail "somebody left early"
done
