#!/usr/bin/env bash
# Measures what no one's measurements could be found for: real MPI on an emulated cluster of four nodes, and how much equal steps on one core
# differ. Writes four CSV files beside itself, a minute in all; ../rows.py makes the labs' rows of them. Needs an MPI, root and /dev/net/tun.
# Usage: labs/measured/own/measure.sh          programs from ORRERY_BIN (build/release/bin): orrery, orrery-mpi
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
bin=$(realpath "${ORRERY_BIN:-../../../build/release/bin}")
export ORRERY_DATA=${ORRERY_DATA:-$(realpath ../../..)} OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PATH=$bin:$PATH
first=$(command -v chrt >/dev/null && chrt -r 10 true 2>/dev/null && echo "chrt -r 10" || true)  # ahead of what else runs, where permitted

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
on_cluster() {  # NAME SCENARIO WORDS...: three campaigns, one after the other in one file
  for campaign in 1 2 3; do
    $first orrery cluster exec cluster.yaml -- mpirun "${@:3}" "$2" --repeat 15 -o "$scratch/$campaign.csv" >/dev/null
  done
  cat "$scratch"/[123].csv | sed "/^# result right/d; s|$scratch/||" >"$1.csv"
}
on_cluster ranks-per-node ranks-per-node.yaml -n 16 orrery-mpi --compute none
on_cluster stencil-apart stencil.yaml -n 4 --map-by ppr:1:node orrery-mpi --compute real --phases
on_cluster stencil-together stencil.yaml -n 4 orrery-mpi --compute real --phases  # all four in the first node

cc -O2 steps.c -lm -o "$scratch/steps"
{
  echo "# $(date -u +'%F %H:%M UTC'), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort -u | head -1), $(nproc) virtual cores, load $(cut -d' ' -f1 /proc/loadavg)${first:+, real-time priority}; $(cc --version | head -1), -O2"
  echo "ranks,time_s"
  for _ in 1 2 3 4 5; do $first "$scratch/steps" 20000; done
} >steps.csv
