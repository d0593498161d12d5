#!/usr/bin/env bash
# A sweep as a job array of a real Slurm: one controller and three nodes on this machine (their own munge, ports and folders).
# A task is killed and requeued, a node goes down under another; what is merged is the run of one process, bit for bit.
# Usage: slurm.sh ORRERY SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2 scratch=$3
begin_in "$scratch" "$source"
here=$PWD
for program in munged slurmctld slurmd sbatch squeue scontrol; do
  PATH=$PATH:/usr/sbin:/sbin command -v $program >/dev/null || skip "no $program (on Debian: apt-get install slurm-wlm munge)"
done
export PATH=$PATH:/usr/sbin:/sbin
[[ $(id -u) == 0 ]] || skip "slurmd starts jobs as root only"

# The cluster. Its files lie in a short folder of their own: sockets allow no long names, munge no folder that others may write to.
cluster=$(mktemp -d /run/orrery-slurm-XXXXXX 2>/dev/null) || skip "no folder below /run"
chmod 755 "$cluster"
nodes=(n1 n2 n3)
end_cluster() {
  local file
  for file in "$cluster"/n?.pid "$cluster/slurmctld.pid" "$cluster/munge/pid"; do
    [[ ! -s $file ]] || kill "$(<"$file")" 2>/dev/null || true
  done
  sleep 0.5
  for file in "$cluster"/n?.pid "$cluster/slurmctld.pid" "$cluster/munge/pid"; do
    [[ ! -s $file ]] || kill -9 "$(<"$file")" 2>/dev/null || true
  done
  rm -rf "$cluster"
}
trap end_cluster EXIT
mkdir -p "$cluster/munge" "$cluster/state"
(umask 077 && head -c 128 /dev/urandom >"$cluster/munge/key")
munged --key-file="$cluster/munge/key" --socket="$cluster/munge/socket" --pid-file="$cluster/munge/pid" \
  --log-file="$cluster/munge/log" --seed-file="$cluster/munge/seed" --num-threads=2 >munge.txt 2>&1 || skip "munged does not start: $(head -3 munge.txt)"
port=$((20000 + $$ % 10000))
host=$(hostname -s)
cat >"$cluster/slurm.conf" <<END
ClusterName=orrerytest
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket
CredType=cred/munge
SlurmctldPort=$port
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/%n.pid
SlurmctldLogFile=$here/slurmctld.log
SlurmdLogFile=$here/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/linear
ReturnToService=1
KillWait=2
SchedulerParameters=sched_interval=2,batch_sched_delay=0
NodeName=n[1-3] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 3))] CPUs=1 State=UNKNOWN
PartitionName=short Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$cluster/slurm.conf
slurmctld -i >slurm.txt 2>&1 || skip "slurmctld does not start: $(tail -n 3 slurm.txt slurmctld.log 2>/dev/null)"
for node in "${nodes[@]}"; do slurmd -N $node >>slurm.txt 2>&1 || skip "slurmd does not start: $(tail -n 3 slurm.txt)"; done
for _ in $(seq 100); do
  [[ $(sinfo -h -o '%D %t' 2>/dev/null) == "3 idle" ]] && break
  sleep 0.2
done
[[ $(sinfo -h -o '%D %t' 2>sinfo.txt) == "3 idle" ]] || skip "the nodes do not come up: $(sinfo 2>&1) $(tail -n 3 slurmctld.log)"

without_clock() { sed -E 's/"wall_clock": *\{[^}]*\}//g; s/"wall_s": *[0-9.e+-]+//g' "$1"; }
same_results() {
  local file
  for file in result.json table.csv report.html collectives.csv; do
    [[ ! -e $1/$file ]] || cmp <(without_clock "$1/$file") <(without_clock "$2/$file") || fail "$2/$file differs from $1/$file ($3)"
  done
}
waits_for() { # SECONDS WHAT COMMAND...
  local seconds=$1 what=$2
  shift 2
  for _ in $(seq $((seconds * 5))); do
    ! "$@" || return 0
    sleep 0.2
  done
  fail "after $seconds s still not: $what: $(squeue 2>&1) $("$orrery" status out 2>&1) $(tail -n 5 slurmctld.log)"
}
# Slurm lets a requeued job wait for two minutes.
release() { squeue -h -t PD -r -o '%A' | while read -r job; do scontrol update jobid="$job" StartTime=now >/dev/null 2>&1 || true; done; }
empty_queue() { release; [[ -z $(squeue -h) ]]; }
begun() { "$orrery" status out --format csv 2>/dev/null | awk -F, -v shard="$1" '$2 == shard && $5 > 0 && $6 > 0 { found = 1 } END { exit !found }'; }
node_of() { squeue -h -r -o '%K %N' | awk -v task="$1" '$1 == task { print $2 }'; }

cat >sweep.yaml <<'END'
source: a test
platform: fermi
network: infiniband
engine: flow
layout: {ranks: 8}
kernel: {name: wave2d, points: 128, iterations: 20000}
models: [hockney]
calibrate: {sizes: [1B, 64KiB], concurrency: 8}
sweep: {network: [infiniband, ethernet], layout.ranks: [6, 7, 8], kernel.points: [64, 128, 192]}
END
"$orrery" run sweep.yaml --jobs 2 --out whole >whole.txt 2>whole.err

# Submitted: three tasks of six points. One is requeued and one loses its node, each once it has ended with a point.
"$orrery" run sweep.yaml --slurm --tasks 3 --nodes 3 --time 10 --partition short --submit --out out >submitted.txt 2>submitted.err ||
  fail "not submitted: $(cat submitted.err)"
grep -q '^array job [0-9]* and merge job [0-9]*; how far: orrery status out$' submitted.txt || fail "$(cat submitted.txt)"
array=$(awk '{ print $3 }' submitted.txt)
waits_for 120 "task 1 has ended with a point" begun 1
scontrol requeue "${array}_1"
waits_for 120 "task 2 has ended with a point" begun 2
lost=$(node_of 2)
[[ -n $lost ]] || fail "task 2 runs nowhere: $(squeue)"
scontrol update nodename="$lost" state=down reason=test
waits_for 60 "the node is down" bash -c "[[ \$(sinfo -h -n $lost -o %t) == down* ]]"
waits_for 240 "all jobs have ended" empty_queue
[[ -e out/result.json ]] || fail "the merge job wrote nothing: $(cat out/slurm-merge-*.txt)"
same_results whole out "as an array"
for task in 1 2; do
  grep -qE '^shard '$task'/3 of sweep: [1-5] of 6 points finished, [1-5] left$' out/slurm-*_$task.txt ||
    fail "task $task did not go on where it was: $(cat out/slurm-*_$task.txt)"
done
"$orrery" status out >status.txt
grep -q '^sweep: 18 points in 3 shards: 18 done, 0 left, 0 failed$' status.txt || fail "$(cat status.txt)"
scontrol update nodename="$lost" state=resume

# A shard that is lost is named by the merge job; the same script again plays that one alone.
rm -r out-3-of-3 out/result.json
merge=$(sbatch --parsable out/slurm-merge.sh)
waits_for 60 "the merge job has ended" empty_queue
grep -q 'sweep: not all shards are there; missing: 3/3. Go on with:$' "out/slurm-merge-$merge.txt" || fail "$(cat "out/slurm-merge-$merge.txt")"
[[ ! -e out/result.json ]] || fail "a result without its points"
second=$(sbatch --parsable out/slurm-array.sh)
sbatch --parsable --dependency=afterany:"$second" out/slurm-merge.sh >/dev/null
waits_for 240 "all jobs have ended" empty_queue
same_results whole out "a lost shard played again"
grep -q '^shard 1/3 of sweep: 6 of 6 points finished, 0 left$' out/slurm-"${second}"_1.txt || fail "all was played again: $(cat out/slurm-"${second}"_1.txt)"
