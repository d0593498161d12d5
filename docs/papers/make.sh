#!/usr/bin/env bash
# Plays every scenario that holds printed numbers of the five papers and prints docs/papers.md.
# Usage: docs/papers/make.sh [ORRERY [FOLDER [SCENARIO...]]] >docs/papers.md    (all take about five minutes of one core)
# Points that this build has finished in FOLDER before are taken from there: what was stopped goes on.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
orrery=${1:-$root/orrery} folder=${2:-$root/out/papers}
shift $(($# < 2 ? $# : 2))
scenarios=("$@")
((${#scenarios[@]} > 0)) || scenarios=(
  rico-gallego16-table2 rico-gallego16-measured
  lastovetsky12-table2 lastovetsky12-table4 lastovetsky12-table5
  belikov12-fig1 belikov12-fig3
  meyer12-table8-2 meyer12-stencil-b1 meyer12-fig6-4
  ichikawa-himeno ichikawa-fem ichikawa-hpl ichikawa-fft
  ichikawa-hpl-small-buffers ichikawa-fft-small-buffers)
for name in "${scenarios[@]}"; do
  "$orrery" run "$name" --engine flow --critical-path off --check --resume --out "$folder/$name" >/dev/null
done
"$orrery" show papers "${scenarios[@]/#/$folder/}"
