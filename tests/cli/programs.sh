#!/usr/bin/env bash
# Kernels that compute for real on one and two MPI ranks, their results checked, and their phases beside the simulated ones.
# Usage: programs.sh ORRERY ORRERY_MPI SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
orrery=$1 mpi=$2 source=$3 scratch=$4
begin_in "$scratch" "$source"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
command -v mpirun >/dev/null || skip "no mpirun (on Debian: apt-get install openmpi-bin)"
mpirun -n 2 true >launch.txt 2>&1 || skip "mpirun cannot start two processes here: $(head -3 launch.txt)"

head='source: a test
platform: fermi
network: infiniband
engine: flow
'
run() {  # RANKS NAME KERNEL: measures the kernel, which is refused where a library is missing
  local ranks=$1 name=$2 kernel=$3
  printf '%slayout: {ranks: %s}\nkernel: {%s}\n' "$head" "$ranks" "$kernel" >"$name.yaml"
  if timeout 120 mpirun -n "$ranks" "$mpi" "$name.yaml" --compute real --repeat 3 --warm-up 1 -o "$name.csv" >"$name.txt" 2>"$name.err"; then
    grep -q '^# result right: ' "$name.csv" || fail "$name: the table does not say that the result is right: $(cat "$name.csv")"
    grep -q ',run,\|^run,' "$name.csv" || fail "$name: no row for the run: $(cat "$name.csv")"
  else
    grep -q 'computes with' "$name.err" || fail "$name on $ranks: $(cat "$name.txt" "$name.err")"
    echo "programs.sh: $(head -1 "$name.err")"
    return 1
  fi
}
for ranks in 1 2; do
  run $ranks wave2d-$ranks 'name: wave2d, points: 48, iterations: 5' || fail "wave2d needs no library"
  run $ranks stencil-$ranks 'name: stencil, points: 48, iterations: 6, border: 3, form: mpi' || fail "stencil needs no library"
  run $ranks summa-$ranks 'name: summa, blocks: 6, block: 8' || true
  run $ranks hpl-$ranks "name: hpl, order: 100, block: 16, p: 1, q: $ranks, marks: panels" || true
  run $ranks fft-$ranks 'name: fft, log2-points: 12' || true
  run $ranks slab-$ranks 'name: fft, form: slab, nx: 8, ny: 6, nz: 10' || true
done

# SUMMA on the uneven rectangles of a file, which the simulation reads, too.
if [[ -f summa-2.csv ]]; then
  printf '#size 2\n#N 6\n#kb 8\n#host rank_intra i j x y w h w*h mem time\nn0 0 0 0 0 0 6 2 12 0 0\nn0 1 1 0 0 2 6 4 24 0 0\n' >uneven.2dist
  run 2 uneven $'name: summa, blocks: 6, block: 8}\npartition: {file: uneven.2dist' || fail "the partition is not taken"
  "$orrery" run uneven.yaml --set measured=uneven.csv --out uneven >uneven.run 2>&1 || fail "$(cat uneven.run)"
fi

# Phases beside what was simulated of them.
"$orrery" run wave2d-2.yaml --set measured=wave2d-2.csv --out out >table.txt 2>run.err || fail "$(cat run.err)"
grep -q 'Phases, simulated against measured' table.txt || fail "no table of phases: $(cat table.txt)"
grep -q "whole run" table.txt || fail "the whole run is not in it: $(cat table.txt)"
grep -q '"measured_times"' out/result.json || fail "measured phases are not in result.json"
sed 's/,communication,/,comunication,/; s/^communication,/comunication,/' wave2d-2.csv >wrong.csv
if "$orrery" run wave2d-2.yaml --set measured=wrong.csv --out wrong >wrong.txt 2>&1; then fail "an unknown phase is taken"; fi
grep -q "nothing is compared with phase 'comunication' (known: communication, computation, program, run). Did you mean 'communication'?" wrong.txt ||
  fail "an unknown phase is not named: $(cat wrong.txt)"

# What compute steps took, to fit a compute model to.
if [[ -f hpl-1.csv ]]; then
  mpirun -n 1 "$mpi" hpl-1.yaml --compute real --repeat 2 --warm-up 1 -o again.csv --steps steps.csv >steps.txt 2>&1 || fail "$(cat steps.txt)"
  awk -F, '$1 == "update" && $2 == "dgemm" && $3 > 0 && $4 > 0 && $6 > 0 { found = 1 } END { exit !found }' steps.csv ||
    fail "no dgemm among the steps: $(cat steps.csv)"
fi
code=0
mpirun -n 1 "$mpi" wave2d-1.yaml --steps steps.csv -o again.csv >steps.txt 2>&1 || code=$?
[[ $code == 2 ]] && grep -q 'only with --compute real' steps.txt || fail "--steps without real work ends with $code: $(cat steps.txt)"

# What has no data is refused once.
printf '%slayout: {ranks: 2}\nkernel: {name: ring}\n' "$head" >ring.yaml
code=0
timeout 60 mpirun -n 2 "$mpi" ring.yaml --compute real -o ring.csv >ring.txt 2>ring.err || code=$?
[[ $code == 2 && $(grep -cF "orrery-mpi: ring: this kernel has no data to compute with (fft, hpl, stencil, summa and wave2d have). Write '--compute spin'?" ring.err) == 1 ]] ||
  fail "a kernel without data ends with $code: $(cat ring.err)"
