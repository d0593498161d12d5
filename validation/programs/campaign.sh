#!/usr/bin/env bash
# Linpack and FFT on two cores of this machine: predicted from one rank and a ping-pong, simulated, measured. And the functional
# performance model of dgemm, on sizes that it was not made of. Four minutes on a quiet machine; writes a campaign.
# Usage: validation/programs/campaign.sh [FOLDER]       programs from ORRERY_BIN (build/release/bin): orrery, orrery-mpi, orrery-rates
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${ORRERY_BIN:-$here/../../build/release/bin}
out=${1:-$here/$(date -u +%F)}
mkdir -p "$out" && cd "$out"
export ORRERY_DATA=${ORRERY_DATA:-$here/../..} OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
first=$(command -v chrt >/dev/null && chrt -r 10 true 2>/dev/null && echo "chrt -r 10" || true)  # ahead of what else runs, where permitted
often="--repeat ${REPEAT:-15} --warm-up 3"
{ date -u +'%F %H:%M UTC'; uptime; } >machine.txt

echo "1/5 dgemm by size"
$first "$bin/orrery-rates" sizes dgemm --from 64KiB --to 16MiB -o dgemm.csv >dgemm.txt
echo "2/5 one rank"
for program in linpack fourier; do
  cp "$here/$program.yaml" "$here/$program-one.yaml" .
done
cp "$here/two-cores.yaml" .
for program in linpack fourier; do
  $first mpirun -n 1 "$bin/orrery-mpi" $program-one.yaml --compute real $often -o $program-one.csv --steps $program-steps.csv >$program-one.txt
done
echo "3/5 ping-pong"
sizes=1B,64B,256B,1KiB,4KiB,16KiB,64KiB,256KiB,1MiB,4MiB
printf 'pingpong/shared-memory/node\tpingpong\t0:0 0:1\tsizes=%s\n' $sizes >experiments.txt
printf 'overhead-by-size/shared-memory/node\toverhead\t0:0 0:1\tsizes=1B\tmessages=8\n' >>experiments.txt
$first mpirun -n 2 "$bin/orrery-mpi" --benchmarks experiments.txt $often -o benchmarks.csv >benchmarks.txt
echo "4/5 two ranks"
for program in linpack fourier; do
  $first mpirun -n 2 "$bin/orrery-mpi" $program.yaml --compute real $often -o $program.csv >$program.txt
done
uptime >>machine.txt
echo "5/5 simulated and predicted"
python3 "$here/figures.py" .
declare -A models=([fourier]="taulop, loggp" [linpack]="")  # models predict messages: those of a transform stand by themselves
for program in linpack fourier; do
  sed -e "s|^engine: flow|engine: flow\nmodels: [${models[$program]}]\ncompute: {model: polynomial, parameters: figures.csv}\nmeasured: $program.csv|" "$here/$program.yaml" >$program-compare.yaml
  "$bin/orrery" run $program-compare.yaml --out "$(mktemp -d)" >$program-table.txt 2>run.err || { cat run.err; exit 1; }
done
rm -f run.err *-one.txt benchmarks.txt
{
  printf '# Linpack and FFT on two cores\n\nWritten by [campaign.sh](../campaign.sh), which does it again. What the columns are worth: [README](../README.md).\n\n```text\n'
  cat machine.txt
  sed -n 's/^# //p' linpack.csv | sed -n 1,4p
  printf '\ndgemm by size\n' && sed -n '/held out/p' dgemm.txt
  for program in linpack fourier; do printf '\n' && sed '/^bottleneck/,$d; /^The longest collective/,$d' $program-table.txt; done
  printf '```\n'
} >README.md
cat README.md
