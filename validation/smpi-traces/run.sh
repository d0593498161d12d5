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

# Other networks of the same nodes. CM02 shares a link by latency, so all of it is in the NICs: any two nodes lie alike.
routed() {
  sed "s|    topology: {kind: star}|    link-bandwidth: 100Gbps\n    link-latency: 0us\n    topology: $2|" "$platform" >"$1.yaml"
}
routed fat-tree '{kind: fat-tree, down: [8, 8], up: [1, 4], parallel: [1, 1]}'
routed torus '{kind: torus, dimensions: [4, 4, 4]}'

point() { printf -- '--platform %s --kernel trace --param file=%s --param speed=1Gflop/s --param collectives=smpi-openmpi' "$1" "$2"; }

play() { # PLATFORM TRACE ENGINE: the simulated time
  "$orrery" simulate $(point "$1" "$2") --network network --engine "$3" --format json |
    python3 -c 'import json, sys; print(repr(json.load(sys.stdin)["points"][0]["run"]["makespan_s"]))'
}

broken=0
compare() { # NAME PLATFORM TRACE: one row
  local ranks calls command theirs
  ranks=$(awk '$1 != "#orrery" && !($1 in seen) { seen[$1] = 1; ++n } END { print n }' "$3")
  calls=$(grep -vc '^#' "$3")
  command=$("$orrery" export --format ti $(point "$2" "$3") -o "replay-$1" 2>export.log) || { cat export.log; exit 1; }
  theirs=$(bash -c "${command/-replay/--log=root.fmt:%m%n -replay}" 2>&1 | tee smpirun.log |
    sed -n 's/.*Simulated time: \([0-9.e+-]*\) .*/\1/p')
  [[ $theirs ]] || { echo "smpirun said no simulated time of $3:" && cat smpirun.log && exit 1; }
  python3 - "$1" "$ranks" "$calls" "$theirs" "$(play "$2" "$3" simgrid)" "$(play "$2" "$3" flow)" <<'ROW' || broken=1
import sys
name, ranks, calls, *times = sys.argv[1:]
theirs, simgrid, flow = map(float, times)
difference = max((ours / theirs - 1 for ours in (simgrid, flow)), key=abs)
print(f"| {name} | {ranks} | {calls} | {theirs * 1e3:.6g} | {simgrid * 1e3:.6g} | {flow * 1e3:.6g} | {100 * difference:+.4f} % |")
sys.exit(abs(difference) >= 1e-3)
ROW
}

printf '| trace | ranks | calls | smpirun -replay, ms | engine simgrid, ms | engine flow, ms | largest difference |\n|---|---|---|---|---|---|---|\n'
for trace in traces/*.ti; do
  compare "$(basename "$trace" .ti)" "$platform" "$trace"
done
for network in fat-tree torus; do
  for name in halo-64-ranks any-order-mixed alltoall; do
    compare "$name-$network" "$network.yaml" "traces/$name.ti"
  done
done
exit $broken
