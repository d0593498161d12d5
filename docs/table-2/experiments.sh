#!/bin/sh
# Every experiment of docs/table-2.md, and some around them: docs/table-2/experiments.sh [FOLDER]. Some ten minutes on two cores.
set -e
cd "$(dirname "$0")/../.."
out=${1:-out/table-2}
mkdir -p "$out"
out=$(cd "$out" && pwd)
orrery=${ORRERY:-./orrery}
all=scenarios/rico-gallego16-table2.yaml
tools="python3 docs/table-2/tools.py"

play() {  # play NAME SCENARIO OPTION...: run and print the averages
  name=$1
  shift
  $orrery run "$@" --engine flow --out "$out/$name" > "$out/$name.log" 2>&1
  $tools averages "$out/$name"
}
edited() {  # edited NAME FROM SUB-COMMAND...: parameter files of run FROM, changed
  name=$1 from=$2
  shift 2
  for network in infiniband ethernet; do
    $tools "$@" "$out/$from/parameters-fermi-$network.yaml" > "$out/$name-$network.yaml"
  done
}
files() { echo "calibrate={files: [$out/$1-infiniband.yaml, $out/$1-ethernet.yaml]}"; }
platform() {  # platform NAME SED-SCRIPT: fermi, changed
  sed -E "s/^name: fermi/name: $1/; $2" platforms/fermi.yaml > "$out/$1.yaml"
}
each_kernel() {  # each_kernel OPTIONS: the four kernels with more parameters
  echo "kernel=[{name: summa, blocks: 128, $1}, {name: summa, blocks: 256, $1}, {name: wave2d, points: 256, $1}, {name: wave2d, points: 512, $1}]"
}
timeline='models=[taulop, {name: taulop, overhead: per-slice}]'

play base $all

# when overheads are paid
play overheads $all --set 'models=[taulop, {name: taulop, overhead: per-slice}, {name: taulop, overhead: none-on-network}, {name: taulop, mode: algebra}, {name: taulop, mode: algebra, overhead: once}, {name: taulop, mode: algebra, overhead: none-on-network}]'
$tools wave2d-chart "$out/base" > "$out/wave2d.svg"

# SUMMA's stages, and equal processes
play separate $all --set 'kernel=[{name: summa, blocks: 128, stages: separate}, {name: summa, blocks: 256, stages: separate}]'
play fig16 scenarios/rico-gallego16-fig16.yaml
play fig16-separate scenarios/rico-gallego16-fig16.yaml --set 'kernel=[{name: summa, blocks: 128, stages: separate}, {name: summa, blocks: 256, stages: separate}]'

play tau1 $all --set calibrate.concurrency=1

# measured point-to-point times
play measured $all --set platform=fermi-measured

# barriers, concurrency of the tables, figures of the platform
for barrier in dissemination tree linear; do play $barrier $all --set "$(each_kernel "barrier: $barrier")" --set "$timeline"; done
for tau in 8 12; do play tau$tau $all --set calibrate.concurrency=$tau --set "$timeline"; done
platform slow 's/value: 0\.3us/value: 0.9us/; s/value: 1\.1us/value: 3.3us/; s/value: 4us/value: 12us/; s/value: 25us/value: 75us/; s/value: 0\.2us/value: 0.6us/; s/value: 0\.22us/value: 0.66us/; s/value: 0\.4us/value: 1.2us/'
platform eager 's/eager: \{value: [0-9]+KiB/eager: {value: 1GiB/'
platform rendezvous 's/eager: \{value: [0-9]+KiB/eager: {value: 0B/'
for change in slow eager rendezvous; do play $change $all --set "platform=$out/$change.yaml" --set "$timeline"; done

# HLogGP and LogGP
for factor in 10 100; do
  edited times$factor base scale-processes $factor
  play times$factor $all --set 'models=[hloggp]' --set "$(files times$factor)"
done
play several-nodes $all --set 'models=[loggp]' --set 'layout.row=[M2, M3, M4, M5, M6, M7, M8, M9, M10, M11, M12, M13, M14, M15, M16]'

# without a barrier
play fig15 scenarios/rico-gallego16-fig15.yaml
play fig15-infiniband-256 scenarios/rico-gallego16-fig15.yaml --set network=infiniband --set kernel.blocks=256
