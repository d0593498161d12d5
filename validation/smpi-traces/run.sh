#!/usr/bin/env bash
# The same trace on the same platform through `smpirun -replay` and through Orrery: a table of simulated times.
# Usage: run.sh [ORRERY] [SCRATCH]      exit code 1 when a row differs by 0.1 % or more
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
orrery=$(realpath "${1:-$here/../../orrery}") scratch=${2:-$(mktemp -d)}
mkdir -p "$scratch" && cd "$scratch"
platform=$here/cluster.yaml

python3 "$here/make_traces.py" traces
seq -f 'node-%g' 0 63 >hosts.txt

# Real programs, recorded by SMPI while it runs them.
"$orrery" export --format simgrid-xml --platform "$platform" --kernel pingpong --ranks 2 -o platform.xml >options.txt 2>/dev/null
for program in jacobi lu; do
  smpicxx -O2 "$here/$program.cpp" -o $program
  smpirun -np 12 -platform platform.xml -hostfile hosts.txt --cfg=smpi/host-speed:1e9 -trace-ti -trace-file $program.txt ./$program >/dev/null 2>&1
  # The recorder cuts amounts to six digits and compute to 'compute 0' at times: both players read the same file.
  "$orrery" import $program.txt -o traces/recorded-$program.ti >/dev/null 2>&1
done

# Kernels of ours, written as traces.
kernel() { "$orrery" export --format ti --platform "$platform" --kernel "$@" >/dev/null 2>&1; }
kernel wave2d --ranks 12 --param points=512 --param iterations=10 --param barrier=none -o wave2d
kernel summa --ranks 12 --param blocks=24 --param barrier=none -o summa
kernel hpl --ranks 6 --param p=2 --param q=3 --param order=1000 --param block=64 -o hpl
kernel hpl --ranks 6 --param p=2 --param q=3 --param order=1000 --param block=64 --param depth=1 -o hpl-lookahead
for exported in wave2d summa hpl hpl-lookahead; do
  "$orrery" import $exported/index.txt -o traces/kernel-$exported.ti >/dev/null 2>&1
done

play() { # TRACE ENGINE: the simulated time
  "$orrery" simulate --platform "$platform" --network network --kernel trace --param "file=$1" --param speed=1e9 \
    --param collectives=smpi-openmpi --engine "$2" --format json |
    python3 -c 'import json, sys; print(repr(json.load(sys.stdin)["points"][0]["run"]["makespan_s"]))'
}

broken=0
printf '| trace | ranks | calls | smpirun -replay, ms | engine simgrid, ms | engine flow, ms | largest difference |\n|---|---|---|---|---|---|---|\n'
for trace in traces/*.ti; do
  name=$(basename "$trace" .ti)
  ranks=$(awk '$1 != "#orrery" && !($1 in seen) { seen[$1] = 1; ++n } END { print n }' "$trace")
  command=$("$orrery" export --format ti --platform "$platform" --kernel trace --param "file=$trace" --param speed=1e9 \
    --param collectives=smpi-openmpi -o "replay-$name" 2>export.log) || { cat export.log; exit 1; }
  theirs=$(bash -c "${command/-replay/--log=root.fmt:%m%n -replay}" 2>&1 | tee smpirun.log |
    sed -n 's/.*Simulated time: \([0-9.e+-]*\) .*/\1/p')
  [[ $theirs ]] || { echo "smpirun said no simulated time of $trace:" && cat smpirun.log && exit 1; }
  python3 - "$name" "$ranks" "$(grep -vc '^#' "$trace")" "$theirs" "$(play "$trace" simgrid)" "$(play "$trace" flow)" <<'ROW' || broken=1
import sys
name, ranks, calls, *times = sys.argv[1:]
theirs, simgrid, flow = map(float, times)
difference = max((ours / theirs - 1 for ours in (simgrid, flow)), key=abs)
print(f"| {name} | {ranks} | {calls} | {theirs * 1e3:.6g} | {simgrid * 1e3:.6g} | {flow * 1e3:.6g} | {100 * difference:+.4f} % |")
sys.exit(abs(difference) >= 1e-3)
ROW
done
exit $broken
