#!/usr/bin/env bash
# What --json prints parses; the same run twice, and with one job or two, gives the same bits apart from wall-clock fields.
# Usage: results.sh ORRERY SOURCE SCRATCH CMAKE
set -euo pipefail
orrery=$1 source=$2 scratch=$3 cmake=$4
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"
export ORRERY_DATA=$source

parses() { "$cmake" -DFILE="$PWD/$1" -P "$source/tests/cli/json.cmake"; }
without_clock() { sed -E 's/"wall_clock": *\{[^}]*\}//g' "$1"; }
tables=$source/docs/models/taulop-example
"$orrery" show platform fermi --json >platform.json && parses platform.json
"$orrery" partition --platform fermi --kernel summa --param blocks=16 --ranks 4 --json >partition.json && parses partition.json
"$orrery" taulop --parameters "$tables" --network IB --json 'T(1,65536)' >taulop.json && parses taulop.json
"$orrery" run rico-gallego16-m10 --jobs 1 --out one --format json >run.json 2>/dev/null && parses run.json
"$orrery" run rico-gallego16-m10 --jobs 2 --out two >/dev/null 2>&1
"$orrery" run rico-gallego16-m10 --jobs 2 --out again >/dev/null 2>&1
parses one/result.json
parses one/trace.json
for folder in two again; do
  for file in result.json table.csv; do
    cmp <(without_clock "one/$file") <(without_clock "$folder/$file")
  done
done
