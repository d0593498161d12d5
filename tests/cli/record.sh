#!/usr/bin/env bash
# Programs are recorded by a preloaded library, and their traces played: every kind of call, Fortran, a kernel that
# orrery-mpi performs, programs that die, and what a trace cannot hold. Usage: record.sh ORRERY SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2 scratch=$3
begin_in "$scratch" "$source"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
  OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
command -v mpicxx >/dev/null && command -v mpirun >/dev/null || skip "no MPI (mpicxx, mpirun) to record a program of"
echo '#include <mpi.h>' | mpicxx -fsyntax-only -x c++ - 2>/dev/null || skip "no mpi.h (on Debian: apt-get install libopenmpi-dev)"
timeout 30 mpirun -n 2 true >launch.txt 2>&1 || skip "mpirun cannot start two processes here: $(head -3 launch.txt)"
play="--platform fermi --network infiniband --per-node 1"

record() { # FOLDER RANKS PROGRAM ARGUMENTS...
  local folder=$1 ranks=$2
  shift 2
  timeout 120 "$orrery" record -o "$folder" -- mpirun -n "$ranks" "$@" >"$folder.txt" 2>"$folder.err" ||
    fail "recording '$*' ends with $?: $(cat "$folder.err")"
}
# How often a rank calls what, but for computing.
calls_in() { grep -v '^#' "$1" | awk '$2 != "compute" { print $2 }' | sort | uniq -c | awk '{ printf "%s %s, ", $1, $2 }'; }

# Every kind of call, on an even and an odd number of ranks; the reader checks that all belongs together.
mpicxx -O1 -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX "$source/tests/record/every_call.cpp" -o every_call
for ranks in 2 3; do
  record every-$ranks $ranks ./every_call unheld
  "$orrery" simulate --replay every-$ranks/index.txt $play >played.txt || fail "the trace of $ranks ranks does not play"
done
grep -q 'trace: every-3/index.txt' every-3.txt || fail "it is not said where the trace is: $(cat every-3.txt)"
awk '/^#orrery/ { skip = 1; next } skip { skip = 0; next } { print }' every-3/rank-1.ti >world.ti  # collectives of the world
expected="1 allgather, 1 allgatherv, 2 allreduce, 1 alltoall, 1 alltoallv, 1 barrier, 2 bcast, 1 exscan, 1 finalize, "
expected+="1 gather, 1 gatherv, 1 init, 9 irecv, 10 isend, 3 recv, 1 reduce, 2 reducescatter, 1 scan, 1 scatter, "
expected+="1 scatterv, 18 wait, "
[[ $(calls_in world.ti) == "$expected" ]] || fail "rank 1 calls $(calls_in world.ti)"
[[ $(grep -c '^#orrery 2 on .* 2,0$' every-3/rank-2.ti) == 18 ]] || fail "collectives of half of the ranks are not marked"
grep -q '^1 recv 0 5 8000$' every-3/rank-1.ti || fail "a receive from any rank has not the message that came"
for words in 'one-sided calls: left out' 'calls of MPI I/O: left out' 'non-blocking collectives: written where' 'communicators made'; do
  grep -q "^[0-9]* $words" every-3/notes.txt || fail "'$words' is not in the notes: $(cat every-3/notes.txt)"
  grep -q "orrery-record: [0-9]* $words" every-3.err || fail "'$words' was not said: $(cat every-3.err)"
done
[[ $(head -1 every-3/calls.csv) == rank,call,count,time_s ]] || fail "calls.csv begins with $(head -1 every-3/calls.csv)"
grep -q '^2,MPI_Wait,[0-9]' every-3/calls.csv || fail "no times of calls: $(cat every-3/calls.csv)"

# The recorded time beside the simulated one.
cat >compare.yaml <<'YAML'
source: a recording
platform: fermi
network: infiniband
layout: {per-node: 1}
kernel: {name: trace, file: every-3/index.txt}
measured: every-3/measured.csv
YAML
"$orrery" run compare.yaml --out out >table.txt 2>run.txt || fail "$(cat run.txt)"
grep -q measured table.txt || fail "no measured time: $(cat table.txt)"

# Phases that a program names are phases of the trace, and their times stand beside the simulated ones.
mpicxx -O1 -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX "$source/tests/record/phases.cpp" -o names_phases
timeout 30 mpirun -n 2 ./names_phases || fail "a program that names phases does not run without a recorder"
record phases 2 ./names_phases
[[ $(grep -c '^#orrery 1 phase exchange-of-halos$' phases/rank-1.ti) == 3 ]] ||
  fail "a phase that was named three times is not in the trace: $(grep phase phases/rank-1.ti)"
[[ $(grep -v '^#' phases/measured.csv | cut -d, -f1 | tr '\n' ' ') == 'phase exchange-of-halos level-1007 program run ' ]] ||
  fail "other phases have times: $(cat phases/measured.csv)"
awk -F, '$1 == "level-1007" && !($2 > 0.055 && $2 < 5) { exit 1 }' phases/measured.csv ||
  fail "three times 20 ms of computing on the slower rank are another time: $(cat phases/measured.csv)"
sed 's/every-3/phases/g' compare.yaml >phases.yaml
"$orrery" run phases.yaml --out phases-out >phases.run 2>&1 || fail "$(cat phases.run)"
for row in "phase 'exchange-of-halos'" "phase 'level-1007'" 'whole run'; do
  grep -q "$row" phases.run || fail "no measured '$row' beside the simulated: $(cat phases.run)"
done

# Given a speed, computing is flops of the host and not seconds.
timeout 60 "$orrery" record -o flops --flops 2Gflop/s -- mpirun -n 2 ./every_call >flops.txt 2>&1 || fail "$(cat flops.txt)"
! grep -q '#orrery 0 speed' flops/rank-0.ti || fail "flops of hosts, and yet a speed: $(head -3 flops/rank-0.ti)"

# A program that dies leaves lines that nobody takes for a trace.
code=0
timeout 60 "$orrery" record -o dead -- mpirun -n 2 ./every_call dies >dead.txt 2>dead.err || code=$?
[[ $code == 3 && ! -e dead/index.txt && -s dead/rank-0.ti.part ]] || fail "code $code; $(ls dead) $(cat dead.err)"
grep -q 'ended without MPI_Finalize' dead.err || fail "it is not said that ranks ended early: $(cat dead.err)"
grep -q 'record: the program ended with code 3 before MPI_Finalize: 2 ranks have left' dead.err || fail "$(cat dead.err)"
code=0
"$orrery" record -o none -- true >none.txt 2>none.err || code=$?
[[ $code == 4 ]] && grep -q 'no rank of it was recorded' none.err || fail "code $code: $(cat none.err)"

# Names of phases that are none, a message that nobody receives, a recorder that is killed.
mpicxx -O1 -pthread -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX "$source/tests/record/odd.cpp" -o odd
record unnamed 2 ./odd unnamed
grep -q '^#orrery 0 phase -$' unnamed/rank-0.ti || fail "a phase without a name: $(cat unnamed/rank-0.ti)"
# Names that are taken, or become one word.
record names 2 ./odd phases
[[ $(grep -v '^#' names/measured.csv | cut -d, -f1 | tr '\n' ' ') == 'phase a-b a-b.2 phase-program phase-run program x-y run ' ]] ||
  fail "phases of odd names have other rows: $(cat names/measured.csv)"
for words in "2 phase called 'run': written as 'phase-run', since measured.csv has a row 'run' of its own" \
  "2 phase called 'program': written as 'phase-program', since measured.csv has a row 'program' of its own" \
  "2 phase called 'a-b': written as 'a-b.2', since 'a-b' is 'a b'" \
  "1 phases 'x y' and 'x-y' of different ranks: both written as 'x-y'"; do
  grep -qxF "$words" names/notes.txt || fail "'$words' is not in the notes: $(cat names/notes.txt)"
done
sed 's/every-3/names/g' compare.yaml >names.yaml
"$orrery" run names.yaml --out names-out >names.run 2>&1 || fail "$(cat names.run)"

# Threads that take turns leave a trace; those that are in MPI at once leave none, and it is said.
record turns 2 ./odd turns
"$orrery" simulate --replay turns/index.txt $play >turns.run 2>&1 || fail "threads that take turns: $(cat turns.run)"
code=0
timeout 60 "$orrery" record -o at-once -- mpirun -n 2 ./odd at-once >at-once.txt 2>at-once.err || code=$?
[[ $code == 4 && ! -e at-once/index.txt && -s at-once/rank-0.ti.part ]] && ! grep -q simulate at-once.txt ||
  fail "threads in MPI at once: code $code; $(ls at-once) $(cat at-once.txt at-once.err)"
grep -qxE "record: [1-9][0-9]* calls began while another thread of their rank was in MPI \(a trace has one order of each rank's calls, and these have none\): the lines in at-once/rank-\*.ti.part are no trace. Let one thread at a time call MPI\?" at-once.err ||
  fail "it is not said that threads were in MPI at once: $(cat at-once.err)"

code=0
timeout 60 "$orrery" record -o lost -- mpirun -n 2 ./odd lost >lost.txt 2>lost.err || code=$?
[[ $code == 4 ]] && grep -q 'record: the trace in lost cannot be played: lost/rank-0.ti:' lost.err && ! grep -q simulate lost.txt ||
  fail "a message that nobody receives: code $code, $(cat lost.txt lost.err)"
"$orrery" record -o killed -- mpirun -n 2 ./odd waits "$PWD/waiting" >killed.txt 2>&1 &
recorder=$!
for _ in $(seq 200); do [[ -s waiting ]] && break; sleep 0.1; done
[[ -s waiting ]] || fail "the program that waits has not begun: $(cat killed.txt)"
kill -KILL "$recorder"
wait "$recorder" 2>/dev/null || true
for _ in $(seq 100); do kill -0 "$(cat waiting)" 2>/dev/null || break; sleep 0.1; done
! kill -0 "$(cat waiting)" 2>/dev/null || fail "a rank is at work after its recorder was killed"

# Kernels that orrery-mpi performs: what was recorded is what the kernel's own program sends.
mpi=$(dirname "$orrery")/orrery-mpi
sent() { cat "$1"/rank-* | awk '$2 == "send" || $2 == "isend" { print $1, $3, $4, $5 }' | sort; }
kernel() { # NAME PARAMETERS FLAGS...
  local name=$1 parameters=$2
  shift 2
  printf 'source: a test\nplatform: fermi\nnetwork: infiniband\nlayout: {ranks: 2, per-node: 1}\nkernel: {name: %s%s}\n' \
    "$name" "$parameters" >"$name.yaml"
  record "of-$name" 2 "$mpi" "$name.yaml" --repeat 2 --warm-up 1 --compute none
  "$orrery" export --format ti --platform fermi --kernel "$name" --ranks 2 --per-node 1 "$@" -o "own-$name" >export.txt 2>&1 || fail "$(cat export.txt)"
}
for one in "wave2d|, points: 64, iterations: 3, barrier: linear|--param points=64 --param iterations=3 --param barrier=linear" \
  "nbody-ring||" "collective|, operation: allreduce, message: 64KiB|--param operation=allreduce --param message=64KiB"; do
  IFS='|' read -r name parameters flags <<<"$one"
  kernel "$name" "$parameters" $flags
  bytes() { awk '{ print $1, $2, $4 }' | sort; }  # communicators have other numbers there
  diff <(sent "of-$name" | bytes) <(sent "own-$name" | bytes) >difference.txt ||
    fail "$name: what was recorded is not what it sends: $(head -5 difference.txt)"
  [[ $(sent "of-$name" | wc -l) -gt 0 ]] || fail "$name sends nothing"
done

# Fortran, by either of its interfaces.
if command -v mpif90 >/dev/null; then
  for interface in mpif mpi_f08; do
    mpif90 "$source/tests/record/ring_$interface.f90" -o ring_$interface 2>fortran.txt || fail "$(cat fortran.txt)"
    record ring-$interface 2 ./ring_$interface
    [[ $(calls_in ring-$interface/rank-0.ti) == "1 allreduce, 1 finalize, 1 init, 1 irecv, 1 isend, 2 wait, " ]] ||
      fail "Fortran with $interface: $(calls_in ring-$interface/rank-0.ti)"
  done
else
  echo "no mpif90: Fortran was not tried"
fi
