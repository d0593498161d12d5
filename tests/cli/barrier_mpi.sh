#!/usr/bin/env bash
# The barrier that `orrery barrier --emit-c` writes, compiled with an MPI and run: nobody leaves before the last has entered.
# Usage: barrier_mpi.sh ORRERY SOURCE SCRATCH    ends with 77 where there is no MPI
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2 scratch=$3
begin_in "$scratch" "$source"
command -v mpicc >/dev/null && command -v mpirun >/dev/null || skip "no MPI (mpicc, mpirun) to run the C function with"
echo '#include <mpi.h>' | mpicc -fsyntax-only -x c - 2>/dev/null || skip "no mpi.h (on Debian: apt-get install libopenmpi-dev)"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
  OMPI_MCA_mpi_yield_when_idle=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
timeout 20 mpirun -np 1 true >/dev/null 2>&1 || skip "mpirun starts nothing here"
"$orrery" barrier --platform ntnu-12x2x6 --ranks 13 --per-node 7 --order round-robin -o hybrid.txt \
  --emit-c hybrid.c --name tested_barrier >/dev/null 2>&1
for standard in 11 20; do # a C++ program may include it as it is
  mpicxx -std=c++$standard -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -Wall -Wextra -Werror -x c++ -c hybrid.c -o as_cxx.o ||
    fail "no C++ $standard"
done
mpicc -std=c99 -D_GNU_SOURCE -Wall -Wextra hybrid.c "$source/tests/cli/mpi_of_threads/late_mpi.c" -o with_mpi
timeout 100 mpirun -np 14 ./with_mpi >mpi.txt 2>&1 || fail "with MPI: $(cat mpi.txt)"
grep '13 ranks, 0 early' mpi.txt
