#!/usr/bin/env bash
# A scenario is measured with real MPI on two ranks, every message checked, and the times stand beside the simulated ones.
# Usage: mpi.sh ORRERY ORRERY_MPI SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
orrery=$1 mpi=$2 source=$3 scratch=$4
begin_in "$scratch" "$source"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
command -v mpirun >/dev/null || skip "no mpirun (on Debian: apt-get install openmpi-bin)"
mpirun -n 2 true >launch.txt 2>&1 || skip "mpirun cannot start two processes here: $(head -3 launch.txt)"

cat >scenario.yaml <<'END'
source: a test
platform: fermi
network: infiniband
engine: flow
layout: {ranks: 2}
kernel: {name: pingpong, sizes: 8B}
sweep:
  kernel:
    - {name: pingpong, sizes: 8B}
    - {name: pingpong, sizes: 256KiB}
    - {name: wave2d, points: 64, iterations: 3, barrier: linear}
    - {name: summa, blocks: 4}
    - {name: collective, operation: allreduce, message: 4KiB}
    - {name: collective, operation: allgatherv, message: 4KiB}
    - {name: hpl, order: 32, block: 8, p: 2, q: 1}
    - {name: fft, log2-points: 12}
    - {name: nbody-ring}
END
quick="--repeat 2 --warm-up 1 --compute none"
for collectives in ours library; do
  timeout 120 mpirun -n 2 "$mpi" scenario.yaml $quick --collectives $collectives -o $collectives.csv >$collectives.txt 2>$collectives.err ||
    fail "collectives $collectives: $(cat $collectives.txt $collectives.err)"
  [[ $(grep -vc '^#' $collectives.csv) == 10 ]] || fail "not all nine points are in the table: $(cat $collectives.csv)"
done
grep -q '^# scenario measured by orrery-mpi' ours.csv || fail "the table does not say what it is"
grep -q '2 messages checked' ours.txt || fail "messages were not checked: $(cat ours.txt)"

# The third number.
"$orrery" run scenario.yaml --set measured=ours.csv --out out >table.txt 2>run.txt || fail "$(cat run.txt)"
grep -q 'measured' table.txt || fail "no measured times in the table: $(cat table.txt)"
[[ $(awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "measured_s") column = i; next } $column > 0' out/table.csv | wc -l) == 9 ]] ||
  fail "not all points have a measured time: $(cat out/table.csv)"

# What cannot be measured is said once.
refused() {
  local code=0 message=$1
  shift
  timeout 60 mpirun -n 2 "$mpi" "$@" >refused.out 2>refused.err || code=$?
  [[ $code == 2 ]] || fail "'$*' ends with $code: $(cat refused.err)"
  [[ $(grep -cF "orrery-mpi: $message" refused.err) == 1 ]] || fail "'$*' does not say once '$message': $(cat refused.err)"
}
refused "none.yaml: cannot be read (No such file or directory). Check the path?" none.yaml
sed 's/ranks: 2/ranks: 3/' scenario.yaml >three.yaml
sed -i '/p: 2, q: 1/d; /name: fft/d' three.yaml
refused "7 of 7 points need more than the 2 ranks here and were left out. Start more with mpirun -n?" three.yaml

# On this machine: more ranks than cores take turns, and root is told what to say, in our words.
cat >here.yaml <<'END_OF_FILE'
source: a test
platform: lab
network: ethernet
engine: flow
layout: {ranks: 5, per-node: 2}
kernel: {name: barrier, algorithm: tree}
END_OF_FILE
here() { env -u OMPI_MCA_rmaps_base_oversubscribe "$@" "$orrery" measure here.yaml --out here --on here --repeat 2 --warm-up 1 --sizes 1B,1KiB; }
here >here.txt 2>here.err || fail "five ranks here: $(cat here.err)"
grep -qE 'communication: +[0-9.]+ us \([0-9.]+ \.\. [0-9.]+\)   in a run of +[0-9.]+ us' here.txt || fail "no line of the run: $(cat here.txt)"
[[ $(nproc) -ge 5 ]] || grep -q "^measure: 5 ranks on $(nproc) cores\?: they take turns" here.err || fail "nobody says that ranks take turns: $(cat here.err)"
if [[ $EUID == 0 && $(mpirun --version) == *"Open MPI"* ]]; then
  code=0
  rm -r here
  here -u OMPI_ALLOW_RUN_AS_ROOT >root.txt 2>&1 || code=$?
  [[ $code == 2 && $(wc -l <root.txt) == 1 ]] && grep -q "^measure: Open MPI starts no programs of root .*'export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1'?$" root.txt ||
    fail "root is told ($code): $(cat root.txt)"
  [[ ! -e here ]] || fail "files of a campaign that was refused: $(ls here)"
fi

# What cannot be measured is refused before anything is started or written.
never() { # MESSAGE ARGUMENTS...
  local said=$1 code=0
  shift
  "$orrery" measure here.yaml --out never --on here --sizes 1B,1KiB "$@" >never.txt 2>&1 || code=$?
  [[ $code == 2 && $(cat never.txt) == "$said" && ! -e never ]] || fail "'$*' is refused first ($code): $(cat never.txt; ls never 2>&1)"
}
never "--warm-up: '-1' is outside 1..1000 (the first run checks every byte). Write '--warm-up 3'?" --warm-up -1
never "--repeat: '0' is outside 1..100000. Write '--repeat 21'?" --repeat 0
never "barrier: this kernel has no data to compute with (fft, hpl, stencil, summa and wave2d have). Write '--compute spin'?" --compute real
