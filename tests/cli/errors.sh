#!/usr/bin/env bash
# Every exit code of the command line, with its whole message. Usage: errors.sh ORRERY SOURCE SCRATCH
set -uo pipefail
orrery=$1 source=$2 scratch=$3
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch" || exit 1
export ORRERY_DATA=$source
failures=0
cp "$source/platforms/fermi.yaml" .
types=$(grep -n "^node-types:" fermi.yaml | cut -d: -f1)

# expect CODE MESSAGE ARGUMENTS...: stderr must be MESSAGE, whole.
expect() {
  local code=$1 message=$2 said got
  shift 2
  said=$("$orrery" "$@" 2>&1 >/dev/null)
  got=$?
  if [[ $got != "$code" || $said != "$message" ]]; then
    printf 'orrery %s\n  exit code %s (expected %s)\n  says     %s\n  expected %s\n' "$*" "$got" "$code" "$said" "$message"
    failures=$((failures + 1))
  fi
}

all="allocate, barrier, calibrate, chart, check, cluster down, cluster enter, cluster exec, cluster status, cluster up, compare, export, fit, import, lab check, lab show, lab take, list, loggp, measure, merge, new collective, new kernel, new lab, new layout, new model, new platform, new scenario, page, partition, predict, record, run, search, selftest, show completion, show compute-model, show kernel, show man, show model, show network, show papers, show phases, show platform, show reference, show scenario, show shards, show trace, simulate, status, taulop, tune, validate"
expect 0 ""
expect 0 "" --help
expect 2 "orrery: unknown command 'rnu' (known: $all). Did you mean 'run'?
See 'orrery --help'." rnu
expect 2 "orrery: unknown option '--bogus' (known: --help, --version).
See 'orrery --help'." --bogus
expect 2 "orrery show: a word is missing (known: completion, compute-model, kernel, man, model, network, papers, phases, platform, reference, scenario, shards, trace). Write 'orrery show trace halo-ti/index.txt'?
See 'orrery show --help'." show
expect 2 "orrery show: unknown word 'platfrom' (known: completion, compute-model, kernel, man, model, network, papers, phases, platform, reference, scenario, shards, trace). Did you mean 'platform'?
See 'orrery show --help'." show platfrom fermi
expect 2 "orrery show platform: NAME is missing. Write 'orrery show platform fermi'?
See 'orrery show platform --help'." show platform
expect 2 "show platform: 'femri' is neither a file nor a name in 'platforms' ($(ls "$source"/platforms/*.yaml | wc -l) names, see 'orrery list platforms'). Did you mean 'fermi'?" \
  show platform femri
expect 2 "show completion: unknown shell 'fsh' (known: bash, fish, zsh). Did you mean 'fish'?" show completion fsh
expect 2 "show reference: unknown kind of file 'plattform' (known: lab, layout, platform, scenario). Did you mean 'platform'?" \
  show reference plattform
expect 2 "new kernel: name '2d-heat' (a letter, then up to 63 characters of a-z, 0-9 and '-'). Choose another?" new kernel ./2d-heat.cpp
expect 2 "new collective: name 'my-ring' (a letter, then up to 63 characters of a-z, 0-9 and '_'). Choose another?" new collective ./my-ring.cpp
expect 2 "new kernel: there is no folder 'kernels' here (a name is for the source tree of Orrery). Go there, or write a path: './heat.cpp'?" new kernel heat
expect 2 "new model: 'drafts/heat' is neither a name nor a path that ends in '.cpp'. Write 'drafts/heat.cpp'?" new model drafts/heat
expect 2 "new kernel: there is a kernel 'summa' already (names are unique). Choose another?" new kernel ./summa.cpp
expect 2 "new collective: there is a bcast 'flattree' already (names are unique). Choose another?" new collective ./flattree.cpp
touch heat.cpp
expect 2 "./heat.cpp: already exists (never overwritten). Choose another name?" new model ./heat.cpp
expect 2 "orrery new collective: --operation: unknown value 'bcst' (known: allgather, allreduce, alltoall, alltoallv, barrier, bcast, gather, reduce, reduce_scatter, scatter). Did you mean 'bcast'?
See 'orrery new collective --help'." new collective ring --operation bcst
expect 2 "show network: platform 'fermi' has no network 'infinband' (known: ethernet, infiniband). Did you mean 'infiniband'?" \
  show network fermi infinband
expect 2 "orrery list: unexpected argument 'models'. Remove it?
See 'orrery list --help'." list kernels models
expect 2 "list: nothing called 'colectives' (known: collectives, compute-models, kernels, labs, layout-rows, layouts, models, networks, partitioners, platforms, scenarios). Did you mean 'collectives'?" \
  list colectives
expect 0 "" list
expect 0 "" list --names
expect 0 "" help
expect 0 "" help show platform
expect 2 "orrery: unknown command 'nope' (known: $all).
See 'orrery --help'." help nope
expect 0 "" show scenario rico-gallego16-m10
expect 2 "show scenario: 'rico' is neither a file nor a name in 'scenarios' ($(ls "$source"/scenarios/*.yaml | wc -l) names, see 'orrery list scenarios')." show scenario rico
expect 2 "--network: platform 'fermi' has 2 networks (infiniband, ethernet). Name one with --network infiniband?" \
  simulate --platform fermi --kernel wave2d --ranks 4
expect 2 "--param: 'speed' is '1Gflops' with unknown unit 'Gflops' (flop/s, Mflop/s, Gflop/s, Tflop/s, Pflop/s). Write '1Gflop/s'?" \
  simulate --platform fermi --network infiniband --replay "$source"/scenarios/traces/jacobi.ti --param speed=1Gflops
expect 2 "--set taper: a scenario has no 'taper' of its own (paths name what it is of). Write '--set platform.networks.infiniband.topology.taper=1'?" \
  run rico-gallego16-m10 --set taper=1
hcl="--platform hcl --ranks 4 --per-node 1 --kernel matmul-1d"
expect 2 "orrery record: no command. Add '-- mpirun -n 4 PROGRAM'?" record -o kept
expect 2 "--flops is 'fast' which is not a number with a unit (flop/s, Mflop/s, Gflop/s, Tflop/s, Pflop/s). Write for example '1.5Gflop/s'?" \
  record -o kept --flops fast -- true
expect 2 "--flops: '0flop/s' is outside 1flop/s..1e18flop/s. Correct it?" record -o kept --flops 0flop/s -- true
mkdir -p lone && cp "$orrery" lone/orrery
said=$(lone/orrery record -o kept -- true 2>&1 >/dev/null)
got=$?
here=$(pwd -P)
[[ $got == 77 && $said == "record: $here/lone/liborrery-record.so does not exist (it is built where an MPI is; on Debian: apt-get install libopenmpi-dev openmpi-bin). Build again?" ]] ||
  { echo "record without its library: $got, $said"; failures=$((failures + 1)); }
rm -r lone
expect 2 "--partition: kernel 'ring' has no grid, so 'rows' would have no effect. Remove it?" \
  simulate --platform fermi --network ethernet --kernel ring --ranks 2 --partition rows
expect 2 "--rounds: 'even' measures nothing, so there are no rounds to draw. Use 'dfpa-1d'?" partition $hcl --algorithm even --rounds r.svg
expect 2 "--accuracy: '-1' is outside 0..100 percent. Write '--accuracy 2.5'?" partition $hcl --algorithm dfpa-1d --accuracy=-1
expect 3 "cm1: nobody says 'cache_B' of rank 0 (a positive parameter). Name 'processors' with that column?" partition $hcl --algorithm cm1
expect 2 "--processors: 'hlc' is neither a file nor a name in 'platforms/processors' (known: hcl, heriot-watt). Did you mean 'hcl'?" \
  partition $hcl --algorithm cm1 --processors hlc
options="--approximate, --chart, --check, --critical-path, --engine, --format, --full, --help, --ignore-memory, --jobs, --nodes, --out, --partition, --pdf, --png, --predict, --repeat, --resume, --sbatch, --set, --shard, --slurm, --submit, --svg, --tasks, --time, --trace-ranks, --trace-time"
expect 2 "orrery run: unknown option '--jbos' (known: $options). Did you mean '--jobs'?
See 'orrery run --help'." run rico-gallego16-m10 --jbos 2
expect 2 "orrery run: --jobs: 'x' is not a whole number. Write '--jobs 2'?
See 'orrery run --help'." run rico-gallego16-m10 --jobs x
expect 2 "orrery run: --jobs: '100000000000' is beyond what a whole number may be here (-2147483648..2147483647). Write '--jobs 2'?
See 'orrery run --help'." run rico-gallego16-m10 --jobs 100000000000
expect 2 "--jobs: '-1' is negative (0 means all cores). Write '--jobs 2'?" run rico-gallego16-m10 --jobs -1
expect 2 "orrery run: --format: unknown value 'tabel' (known: csv, json, table). Did you mean 'table'?
See 'orrery run --help'." run rico-gallego16-m10 --format tabel
expect 2 "orrery run: --out: its value is missing. Write '--out ...'?
See 'orrery run --help'." run rico-gallego16-m10 --out
expect 2 "orrery run: --out: given twice (at most once). Keep one?
See 'orrery run --help'." run rico-gallego16-m10 --out a --out b
expect 2 "--out: '/dev/null' cannot be written (Not a directory). Choose another folder?" run rico-gallego16-m10 --out /dev/null
expect 2 "orrery run: --resume: 'x' is given, but the option takes no value. Write '--resume' alone?
See 'orrery run --help'." run rico-gallego16-m10 --resume=x
expect 2 "orrery run: --full: 'x' is given, but the option takes no value. Write '--full' alone?
See 'orrery run --help'." run rico-gallego16-m10 --full=x
expect 2 "orrery run: 'rico-galego16-m10' is neither a file nor a name in 'scenarios' ($(ls "$source"/scenarios/*.yaml | wc -l) names, see 'orrery list scenarios'). Did you mean 'rico-gallego16-m10'?" \
  run rico-galego16-m10
expect 2 "--repeat: '0' is outside 1..10000. Write '--repeat 10'?" run rico-gallego16-m10 --repeat 0
expect 2 "--chart x=ranks: there is no folder for it (--svg, --pdf, --png). Add '--pdf figures'?" run rico-gallego16-m10 --chart x=ranks
expect 2 "--chart: x 'rank' is no axis of the sweep (known: kernel, model, network)." run rico-gallego16-m10 --svg figures --chart x=rank
expect 2 "--chart: series 'layout' is no axis of the sweep (known: kernel, model, network)." run rico-gallego16-m10 --svg figures --chart series=layout
expect 2 "--chart: network 'ethernt' is in no point (known: ethernet, infiniband). Did you mean 'ethernet'?" \
  run rico-gallego16-m10 --svg figures --chart network=ethernt
expect 2 "--chart: unknown y 'times' (known: error, makespan, mu, phase:NAME, time). Did you mean 'time'?" \
  run rico-gallego16-m10 --svg figures --chart y=times
expect 2 "orrery chart: no folder to write to (--svg, --pdf, --png). Add '--pdf figures'?" chart no-run
expect 2 "--with: 'network' is not 'name=value'. Write '--with network=...'?" compare rico-gallego16-m10 --with network
expect 2 "--with network: platform 'fermi' has no network 'ethernt' (known: ethernet, infiniband). Did you mean 'ethernet'?" \
  compare rico-gallego16-m10 --with network=ethernt
expect 2 "--set network: platform 'fermi' has no network 'ethernt' (known: ethernet, infiniband). Did you mean 'ethernet'?" \
  compare rico-gallego16-m10 --set network=ethernt --with kernel.blocks=64
expect 2 "--out: '/dev/null' cannot be written (Not a directory). Choose another folder?" compare rico-gallego16-m10 --with network=ethernet --out /dev/null
expect 2 "orrery compare: only 'rico-gallego16-m10' is given (two are compared). Add '--with network=...', or another run?" \
  compare rico-gallego16-m10
mkdir -p no-run
expect 2 "no-run: the folder has no result.json ('orrery run --out no-run' writes one). Is it another folder?" compare no-run no-run
expect 2 "--with network=ethernet: 'no-run' is a finished run (only a scenario is played). Name the scenario?" \
  compare no-run --with network=ethernet
expect 2 "--set platform.networks.ib.bandwidth: platform 'fermi' has no section 'networks.ib' (known: ethernet, infiniband)." \
  run rico-gallego16-m10 --set platform.networks.ib.bandwidth=1Gbps
expect 2 "--set: 'network' is not 'name=value'. Write '--set network=...'?" run rico-gallego16-m10 --set network
expect 2 "--set network: platform 'fermi' has no network 'ib' (known: ethernet, infiniband)." \
  run rico-gallego16-m10 --set network=ib
expect 2 "--set kernel.blocks: 'kernel' is a sweep axis and would overwrite this value (only the whole axis can be set). Write --set 'kernel=...'?" \
  run rico-gallego16-m10 --set kernel.blocks=64
expect 2 "--set netwrok: the file has an unknown key 'netwrok' (known: alike, approximate, average-over, calibrate, choose, compute, engine, failures, gpu-staging, ignore-memory, jobs, kernel, layout, measured, models, network, only, partition, platform, published, search, source, speed-up-over, steady, sweep, title, tolerance, validate, what-if). Did you mean 'network'?" \
  run rico-gallego16-m10 --set netwrok=fabric
expect 2 "--set layout: 3 GPU ranks to a node, but no node of 'fermi' has more than 2 GPUs. Use fewer?" \
  run rico-gallego16-m10 --set 'layout={gpus: 3}'
expect 2 "--ranks with --gpus: 5 GPU ranks to a node, but no node of 'fermi' has more than 2 GPUs. Use fewer?" \
  simulate --platform fermi --network infiniband --kernel ring --ranks 16 --gpus 5
expect 2 "--gpus: --layout is given too (it says how many ranks run where). Remove --gpus?" \
  simulate --platform fermi --network ethernet --kernel ring --layout rico-gallego16-table1:M1 --gpus 2
expect 2 "--kernel: unknown kernel 'MPI_Allreduce' (an operation of kernel 'collective'). Write '--kernel collective --param operation=allreduce', or in a file 'kernel: {name: collective, operation: allreduce}'?" \
  simulate --platform fermi --network ethernet --kernel MPI_Allreduce --ranks 4
expect 2 "--param: 'message' is '1G' with unknown unit 'G' (B, KiB, MiB, GiB, TiB, kB, MB, GB, TB, PB, EB). Write '1GiB' or '1GB'?" \
  simulate --platform fermi --network ethernet --kernel collective --ranks 4 --param message=1G
expect 2 "fermi.yaml: already exists (never overwritten). Choose another name?" new scenario fermi.yaml
[[ $(COLUMNS=80 "$orrery" list scenarios | wc -L) -le 80 && $("$orrery" list scenarios | wc -L) -le 80 ]] ||
  { echo "'list scenarios' is wider than 80 columns"; failures=$((failures + 1)); }
expect 2 "--set kernel: axis 'kernel' is empty. List its values?" run rico-gallego16-m10 --set 'kernel=[]'
expect 2 "--set network: '' is no value. Write '--set network=...'?" run rico-gallego16-m10 --set network=
values=$(seq -s, 400)
expect 2 "--set sweep: the sweep has 2 x 400 x 400 = 320000 points (at most 100000). Shorten an axis, or write several scenarios?" \
  run rico-gallego16-m10 --set 'sweep={network: [infiniband, ethernet]}' --set kernel.name=wave2d \
  --set "kernel.points=[$values]" --set "kernel.iterations=[$values]"
expect 2 "nosuch.yaml: cannot be read (No such file or directory). Check the path?" check nosuch.yaml
expect 2 "fermi.yaml:$types: is a platform, not a scenario. Look at it with 'orrery show platform fermi.yaml'?" run fermi.yaml
expect 2 "fermi.yaml:$types: is a platform, not a scenario. Look at it with 'orrery show platform fermi.yaml'?" show phases fermi.yaml
expect 2 "fermi.yaml:$types: is a platform, not a scenario. Look at it with 'orrery show platform fermi.yaml'?" compare fermi.yaml --with network=ethernet

# Traces and platforms of other simulators.
printf '0 init\n0 send 1 0\n' >cut.ti
printf '0 init\n0 compute 1\n0 finalize\n' >one.ti
printf 'rank-0.txt\nrank-1.txt\n' >index.txt
expect 2 "nosuch.ti: cannot be read (No such file or directory). Check the path?" import nosuch.ti -o out.ti
expect 2 "cut.ti:2: 'send' has 2 arguments (3 to 4). Is the line cut off?" import cut.ti -o out.ti
printf '0 init\n0 isned 1 0 8\n' >unknown.ti
expect 2 "unknown.ti:2: unknown call 'isned' (known: allgather, allgatherv, allreduce, alltoall, alltoallv, barrier, bcast, comm_dup, comm_size, comm_split, compute, exscan, finalize, gather, gatherv, init, irecv, isend, location, recv, reduce, reducescatter, scan, scatter, scatterv, send, sendRecv, sleep, test, wait, waitall). Did you mean 'isend'?" \
  import unknown.ti -o out.ti
printf '0 init\n0 send 1 7 8\n0 finalize\n1 init\n1 finalize\n' >unmatched.ti
expect 2 "unmatched.ti:2: rank 0 sends tag 7 to rank 1, which never receives it (every send needs a receive). Is the trace cut off?" \
  simulate --platform fermi --network ethernet --replay unmatched.ti
printf '0 init\n0 compute 1e6\n' >truncated.ti
expect 2 "truncated.ti:2: rank 0 has no 'finalize' after this line (its trace begins with 'init'). Is the file cut off?" \
  show trace truncated.ti
printf 'num_ranks 2\nrank 0 {\nsend 8b to 1 tag 0\n' >cut.goal
expect 2 "cut.goal:3: rank 0 is not closed ('}' ends it). Is the file cut off?" import cut.goal -o out.ti
printf '<platform version="4.1">\n<zone id="z" routing="Vivaldi"/>\n</platform>\n' >vivaldi.xml
expect 2 "vivaldi.xml:2: zone 'z' has routing 'Vivaldi' (known: Full, Floyd, Dijkstra, DijkstraCache, Cluster, None). Replace it by static routes?" \
  import vivaldi.xml -o out.yaml
expect 2 "orrery export: --format: unknown value 'smpi-ti' (known: chrome-trace, goal, simgrid-xml, ti).
See 'orrery export --help'." export --format smpi-ti --platform fermi --kernel ring --ranks 2
expect 2 "index.txt:1: the trace of rank 0, 'rank-0.txt', does not exist (looked for as written and beside the index). Is it missing?" \
  import index.txt -o out.ti
expect 2 "/dev/null/out.ti: cannot be written (Not a directory). Choose another path with --out or -o?" \
  import one.ti -o /dev/null/out.ti
expect 2 "--kernel: not given, and neither is --replay (either a kernel or a recorded program). Write '--kernel wave2d'?" \
  simulate --platform fermi --network ethernet
expect 2 "--kernel: 'summa' and --replay are both given (either a kernel or a recorded program). Write '--kernel wave2d'?" \
  simulate --platform fermi --network ethernet --kernel summa --replay one.ti
expect 2 "--replay: trace: 'one.ti' has 1 ranks, the layout places 2 (they must agree). Write '--ranks 1'?" \
  simulate --platform fermi --network ethernet --replay one.ti --ranks 2

printf '0 init\n0 send 1 0 100\n0 finalize\n1 init\n1 recv 0 0 10\n1 finalize\n' >short.ti
expect 2 "short.ti:5: rank 1 receives 10 B of tag 0 from rank 0, which sends 100 B (a receive holds its message). Write the same size?" \
  show trace short.ti
network='<link id="l" bandwidth="1GBps" latency="1us"/><route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>'
printf '<platform version="4.1"><zone id="z" routing="Full">\n<host id="a" speed="1Gf"/>\n<host id="a" speed="1Gf"/>\n%s' "$network" >two.xml
expect 2 "two.xml:3: host 'a' appears twice (ids are unique). Rename one?" import two.xml -o out.yaml
sed 's/1GBps/0GBps/; 3s/id="a"/id="b"/' two.xml >zero.xml
expect 2 "zero.xml:4: the bandwidth is '0GBps' (more than 0). Correct it?" import zero.xml -o out.yaml
sed '3s/id="a" speed="1Gf"/id="b" speed="0f"/' two.xml >still.xml
expect 2 "still.xml:3: the speed is '0f' (more than 0). Correct it?" import still.xml -o out.yaml

# Names that are longer than the system allows.
long=$(printf 'x%.0s' {1..5000})
cut=$(printf 'x%.0s' {1..60})...
expect 2 "$cut/y: cannot be read (File name too long). Check the path?" calibrate --platform fermi --network infiniband --from "$long/y"

# Paths that the system cannot follow, and colons in a path.
ln -s loop loop
expect 2 "orrery run: 'loop' cannot be read (Too many levels of symbolic links). Check the path?" run loop
expect 2 "loop: cannot be read (Too many levels of symbolic links). Check the path?" check loop
mkdir a:b && cp "$source/scenarios/layouts/rico-gallego16-table1.yaml" a:b/rows.yaml
printf 'name: one\nsource: a test\nrows:\n  A: {ranks: 2}\n' >a:b/one.yaml
expect 0 "" simulate --platform fermi --network ethernet --kernel ring --layout a:b/rows.yaml:M2
expect 0 "" simulate --platform fermi --network ethernet --kernel ring --layout a:b/one.yaml
cp "$source/docs/hpl/HPL.dat" a:b/
printf 'source: x\nplatform: fermi\nnetwork: ethernet\nlayout: {ranks: 4}\nkernel: {name: hpl, hpl-dat: HPL.dat}\n' >a:b/hpl.yaml
said=$("$orrery" check a:b/hpl.yaml 2>&1)
[[ $said != *"HPL.dat: cannot be read"* ]] || { echo "a file beside a scenario in a folder with a colon: $said"; failures=$((failures + 1)); }

# Shares of the ranks.
printf 'source: a test\nplatform: fermi\nnetwork: infiniband\nlayout: {ranks: 4}\nkernel: {name: nbody-ring}\n' >shares.yaml
printf 'partition: {algorithm: rows, speeds: [1, 2, 5]}\n' >>shares.yaml
expect 2 "shares.yaml:6:24: 'speeds' has 3 numbers, but the layout places 4 ranks. Write one for each?" run shares.yaml

# 5: a tolerance that breaks counts only under --check.
small=$source/tests/cli/tolerance.yaml
"$orrery" run "$small" >/dev/null 2>&1 || { echo "a broken tolerance without --check must exit with 0"; failures=$((failures + 1)); }
"$orrery" run "$small" --check >/dev/null 2>said.txt
[[ $? == 5 ]] || { echo "a broken tolerance with --check must exit with 5"; failures=$((failures + 1)); }
expected="$small:10:5: hockney predicts 531 us, simulated is 244 us: mu 2.176 (tolerance 1.0001) at wave2d on 4 ranks
$small:11:5: simulated is 244 us, published is 1 s: 100 % apart (tolerance 5 %) at wave2d on 4 ranks
$small:12:5: makespan is 345.2 us, reference is 3600 s: 100 % apart (tolerance 0.3 %) at wave2d on 4 ranks
3 of the stated tolerances are broken (see above)"
[[ $(tail -4 said.txt) == "$expected" ]] || { printf 'broken tolerances say\n%s\n' "$(cat said.txt)"; failures=$((failures + 1)); }

engines=flow
if [[ $("$orrery" simulate --help) == *'both|flow|simgrid'* ]]; then engines="simgrid flow"; fi  # else built without SimGrid

# 4: a simulation that is killed costs its point, is named, and is not mistaken for a result. SimGrid plays in a child.
if [[ $engines != flow ]]; then
  "$orrery" simulate --platform fermi --network infiniband --kernel wave2d --ranks 100 --param points=512 \
    --param iterations=3000 >/dev/null 2>said.txt &
  pid=$!
  child=""
  for _ in $(seq 200); do
    child=$(cat /proc/$pid/task/$pid/children 2>/dev/null)
    [[ -n $child ]] && break
    sleep 0.02
  done
  kill -KILL $child
  wait $pid
  got=$?
  if [[ $got != 4 || $(tail -n 1 said.txt) != "wave2d: the simulation was killed by signal 9 (Killed)" ]]; then  # a slow machine shows progress before
    echo "a killed simulation: exit code $got, said: $(cat said.txt)"
    failures=$((failures + 1))
  fi
fi

# 130: Ctrl-C ends a long run where it is and leaves nothing but what is finished (cli/resume.sh goes on from there).
cat >minutes.yaml <<EOF
source: "a run that takes minutes on any machine"
platform: fermi
network: infiniband
layout: {ranks: 100}
kernel: {name: wave2d, points: 512, iterations: 30000}
sweep: {kernel.points: [512, 1024, 2048, 4096, 8192, 16384]}
EOF
"$orrery" run minutes.yaml --out interrupted >/dev/null 2>said.txt &
pid=$!
for _ in $(seq 600); do  # until it listens, which takes long on a busy machine
  (( 0x$(awk '/^SigCgt/ { print $2 }' /proc/$pid/status) & 2 )) && break
  sleep 0.05
done
sleep 1
kill -INT $pid
wait $pid
got=$?
read -r played points <<<"$(sed -nE 's/^interrupted: ([0-9]+) of ([0-9]+) simulations .*/\1 \2/p' said.txt)"
left=$(find interrupted -type f ! -name points.sqlite 2>/dev/null)
none="No point of minutes.yaml was (finished|played)[.] Run the same command again[?]"
some="  orrery run minutes.yaml --out interrupted --resume"
if [[ $got != 130 || -n $left || ! $(tail -1 said.txt) =~ ^($none|$some)$ ]] || ((${played:-0} >= ${points:-2} / 2)); then
  echo "Ctrl-C: exit code $got; left: '$left'; said: $(cat said.txt)"
  failures=$((failures + 1))
fi

# Approximate sharing: of the flow engine, within bounds.
ring="--platform fermi --network infiniband --kernel ring --ranks 4"
expect 2 "--kernel: kernel 'hpl' needs at least 72 TB on node dahu-0 for 32 ranks, which has 206.2 GB. Use more nodes or less data, or --ignore-memory?" \
  simulate --platform dahu --network omnipath --kernel hpl --param order=3000000 --ranks 32
[[ $engines == flow ]] ||
  expect 2 "--approximate: engine 'simgrid' only shares resources exactly. Add '--engine flow'?" simulate $ring --approximate 0.01
expect 2 "--approximate: 3 is not within 0..0.1 (a share of a resource's load). Write '--approximate 0.01'?" \
  simulate $ring --engine flow --approximate 3
expect 3 "np-t: size 8192 lies outside the fitted range 256..4096 of node, 1 to a core (no extrapolation). Fit to it too, or set 'extrapolate: true'?" \
  run "$source/tests/cli/np-t.yaml" --set 'kernel.points=[256, 512, 2048, 4096, 8192]'
expect 2 "--model: 'np-t' is fitted to runs, and 'predict' plays none. Put it into a scenario, with 'fit-on'?" \
  predict --platform fermi --network infiniband --kernel wave2d --ranks 4 --model np-t
expect 2 "$source/tests/cli/np-t.yaml:8:12: 'np-t' is fitted to runs, and --predict plays none. Leave out --predict?" \
  run "$source/tests/cli/np-t.yaml" --predict
expect 2 "--check: tolerances are of simulated times, and --predict plays none. Leave out --check?" \
  run "$source/tests/cli/np-t.yaml" --predict --check
expect 2 "$source/scenarios/hpl-small.yaml: has no models, and --predict plays nothing. Add --set 'models=[taulop]'?" \
  run "$source/scenarios/hpl-small.yaml" --set 'models=[]' --predict
expect 2 "--parameters: 'times.csv' is no scenario (only those with measured times have parameters to choose). Name a SCENARIO.yaml, or leave out --parameters?" \
  fit times.csv --platform fermi --network infiniband --parameters latency
expect 2 "orrery show phases: 'nosuch' is neither a file nor a name in 'scenarios' ($(ls "$source"/scenarios/*.yaml | wc -l) names, see 'orrery list scenarios')." \
  show phases nosuch
expect 2 "--model: 'np-t' has no parameters to measure ('orrery show model np-t'). Leave it out?" \
  calibrate --platform fermi --network infiniband --model np-t

[[ $engines == flow ]] || expect 2 "--set approximate: engine 'simgrid' only shares resources exactly. Write 'engine: flow'?" \
  run rico-gallego16-m10 --approximate 0.01 --engine simgrid

# Beside head-of-line congestion it is refused before anything is played, and leaves no result behind.
cat >blocking.yaml <<'END'
source: a test
platform: {name: fermi, networks: {infiniband: {congestion: head-of-line}}}
network: infiniband
engine: flow
layout: {ranks: 4}
kernel: {name: ring}
END
expect 2 "blocking.yaml: 'approximate' on network 'infiniband', which has 'congestion: head-of-line' (its rates are exact). Leave one of the two out?" \
  run blocking.yaml --approximate 0.01 --out blocked
expect 2 "--set platform.node-types.xeon12.power-cap: 'power-cap' is 500 W, and the node states no 'power' (a cap slows by what it draws). Add it?" \
  run blocking.yaml --set platform.node-types.xeon12.power-cap=500W --out blocked
sed 's/^    technology: InfiniBand QDR 4X$/&\n    congestion: head-of-line/' "$source/platforms/fermi.yaml" >blocking-platform.yaml
"$orrery" show network blocking-platform.yaml infiniband | grep -q 'star, head-of-line' ||
  { echo "show network does not tell that messages hold up others"; failures=$((failures + 1)); }
sed 's/^  answer: {what: half-bandwidth}$/  answer: {what: half-bandwidth, of: {kernel.size: 1KiB}}/; /^measured:/,/^  source:/d' "$source/labs/ping-pong.yaml" >wrong-answer.yaml
cp "$source/labs/ping-pong.md" wrong-answer.md
expect 2 "wrong-answer.yaml: the answer 'half-bandwidth' is of one curve, and 0 points meet {kernel.size: 1KiB}. Name its line?" check wrong-answer.yaml
cat >dead.yaml <<'END'
source: a test
platform: {name: fermi}
network: infiniband
engine: flow
layout: {ranks: 4, per-node: 1}
kernel: {name: collective, operation: allreduce, message: 1MiB}
what-if: {adapter: {node: 1, index: 0}, down: true}
END
expect 2 "dead.yaml:7:10: network 'infiniband' has no way from node 0 to node 1 (outgoing NIC of node 1 is down, and 1 more links; messages between them cross it). Leave another way, or place no ranks there?" \
  run dead.yaml --out blocked
[[ -z $(find blocked -type f ! -name points.sqlite 2>/dev/null) ]] || { echo "a refused run left $(ls blocked)"; failures=$((failures + 1)); }

expect 2 "orrery simulate: --approximate: 'x' is not a number. Write '--approximate 0.01'?
See 'orrery simulate --help'." simulate $ring --engine flow --approximate x

# A run of which nothing is published has no place on the page of the papers.
"$orrery" run "$source/scenarios/stencil-mpi.yaml" --engine flow --out no-papers >/dev/null 2>&1
expect 2 "no-papers/result.json: has no published value beside ours ('published' of a scenario states them). Leave 'no-papers' out?" \
  show papers no-papers

# Standard streams that are closed or full: lost output is an error, a lost message is not.
streams() {
  local code=$1 message=$2 said got
  shift 2
  said=$(eval "$*")
  got=$?
  if [[ $got != "$code" || $said != "$message" ]]; then
    printf '%s\n  exit code %s (expected %s)\n  says     %s\n  expected %s\n' "$*" "$got" "$code" "$said" "$message"
    failures=$((failures + 1))
  fi
}
full="(No space left on device). Is the disk full, or the other end gone?"
streams 2 "standard output: cannot be written $full" "$orrery list kernels 2>&1 >/dev/full"
streams 2 "standard output: cannot be written $full" "$orrery --help 2>&1 >/dev/full"
streams 2 "standard output: cannot be written $full" "$orrery run --help 2>&1 >/dev/full"
streams 2 "standard output: cannot be written (Bad file descriptor). Is the disk full, or the other end gone?" \
  "$orrery list kernels 2>&1 >&-"
streams 2 "" "$orrery check nosuch.yaml 2>&-"
streams 2 "" "$orrery check nosuch.yaml 2>/dev/full"

# Files that can be read only once, with a byte order mark, and places that are no regular files.
printf '\xef\xbb\xbf' | cat - fermi.yaml >bom.yaml
expect 0 "" check bom.yaml
expect 0 "" check <(cat fermi.yaml)
printf '\xef\xbb\xbfsize_flop,speed_flop_per_s\n1e6,9e9\n' >bom.csv
himeno="--platform fermi --network ethernet --kernel himeno --ranks 2 --compute table"
expect 0 "" simulate $himeno --compute-param parameters=bom.csv
expect 0 "" simulate $himeno --compute-param parameters=<(cat bom.csv)
expect 0 "" simulate --network ethernet --kernel ring --ranks 2 --platform <(cat fermi.yaml)
for file in traces/jacobi.ti traces/binomial.goal; do
  printf '\xef\xbb\xbf' | cat - "$source/scenarios/$file" >bom-trace
  expect 0 "" show trace bom-trace
done
expect 0 "written: /dev/null" export --format goal --platform fermi --kernel barrier --ranks 2 -o /dev/null
[[ -c /dev/null ]] || { echo "-o /dev/null replaced the device"; failures=$((failures + 1)); }

# The same for one simulation on either engine: it says how far simulated time got, and where it is, every few seconds.
for engine in $engines; do
  : >said.txt  # what the other engine said must not pass for this one's
  "$orrery" simulate --platform fermi --network infiniband --kernel wave2d --ranks 100 --param points=512 \
    --param iterations=30000 --engine $engine >/dev/null 2>said.txt &
  pid=$!
  for _ in $(seq 1200); do
    grep -q 'messages/s' said.txt && break
    sleep 0.05
  done
  kill -INT $pid
  wait $pid
  got=$?
  # Early, by what it counts and not by a clock that a busy machine shares.
  reached=$(sed -nE 's/^interrupted: .*, ([0-9]+) messages$/\1/p' said.txt)
  if [[ $got != 130 ]] || ((${reached:-99999999} >= 10800000 / 2)) ||
    ! grep -Eqx "simulating on $engine: t=[0-9.e-]+ s, [0-9.kM]+( of [0-9.]+M)? messages, [0-9.kM]+ messages/s(, about [0-9.]+ (s|min|h) left)?" said.txt ||
    ! tail -1 said.txt | grep -Eqx 'interrupted: the simulation had reached t=[0-9.e-]+s, [0-9]+ messages'; then
    echo "Ctrl-C on $engine: exit code $got; said: $(cat said.txt)"
    failures=$((failures + 1))
  fi
done
# A command that prints JSON is refused in JSON: the fields of the sentence, one line.
cat >read.py <<'END'
import json, sys
(line,) = open(sys.argv[1]).read().splitlines()
refused = json.loads(line)
assert refused["exit_code"] == 2 and refused["value"] == "femri" and refused["instead"] == ["fermi"], refused
assert refused["place"] in ("show platform", "--platform") and refused["line"] is None, refused
assert refused["message"].startswith(refused["place"] + ": " + refused["problem"]), refused
END
for as in "show platform femri --json" "simulate --platform femri --kernel wave2d --ranks 4 --format json" \
  "simulate --platform femri --kernel wave2d --ranks 4 --format=json"; do
  # shellcheck disable=SC2086
  "$orrery" $as >out.txt 2>said.txt
  got=$?
  if [[ $got != 2 || -s out.txt ]] || ! python3 read.py said.txt; then
    echo "orrery $as: exit code $got; said: $(cat said.txt)"
    failures=$((failures + 1))
  fi
done
# Numbers of options are plain: no octal, no base 16, no unset variable.
expect 2 "orrery simulate: --ranks: '010' is not a plain whole number (no leading zero or plus). Write '--ranks 10'?
See 'orrery simulate --help'." simulate --platform fermi --ranks 010
expect 2 "orrery simulate: --nodes: '+4' is not a plain whole number (no leading zero or plus). Write '--nodes 4'?
See 'orrery simulate --help'." simulate --platform fermi --nodes +4
expect 2 "orrery simulate: --per-node: '0x4' is not a plain whole number (decimal digits). Write '--per-node 2'?
See 'orrery simulate --help'." simulate --platform fermi --per-node 0x4
for option in --ranks --per-node --nodes --gpus --approximate --network --layout --node-list --param; do
  expect 2 "orrery simulate: $option: '' is empty (an unset variable of the shell?). Leave the option out?
See 'orrery simulate --help'." simulate --platform fermi "$option" ""
done
# What another tool's title stands in is still ours, and HPL.dat has free texts.
printf 'source: "HPCG-Benchmark, size count type, STREAM version $Revision"\nplatform: fermi\nnetwork: infiniband\nengine: flow\nlayout: {ranks: 4}\nkernel: {name: wave2d, iterations: 2}\n' >titles.yaml
printf '{"source": "x", "platform": "fermi", "network": "infiniband", "engine": "flow", "layout": {"ranks": 4}, "kernel": {"name": "wave2d", "iterations": 2}}\n' >flow.yaml
expect 0 "" check titles.yaml flow.yaml
printf 'My run\n6  device out\nHPL.out\n6\n1\n1000\n1\n100\n0\n1\n2\n2\n16.0\n1\n2\n1\n4\n1\n2\n1\n1\n1\n0\n1\n0\n2\n64\n0\n0\n1\n8\n' >free.dat
"$orrery" simulate --platform fermi --network infiniband --engine flow --kernel hpl --param hpl-dat=free.dat --ranks 4 >out.txt 2>said.txt
grep -q 'time-independent trace' said.txt && { echo "HPL.dat with free texts: $(cat said.txt)"; failures=$((failures + 1)); }
exit $((failures > 0))
