#!/usr/bin/env bash
# An emulated cluster comes up, runs programs on its nodes, stands beside another, and leaves nothing behind, however it ends.
# Usage: cluster.sh ORRERY SOURCE SCRATCH [ORRERY_MPI]
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2 scratch=$3 mpi=${4:-}
begin_in "$scratch" "$source"
one=test-$$ two=test-$$-two
trap 'for each in $one $two; do "$orrery" cluster down $each >/dev/null 2>&1 || true; done' EXIT
lab=$source/platforms/lab.yaml

code=0
"$orrery" cluster up "$lab" --name $one >up.txt 2>up.err || code=$?
[[ $code != 77 ]] || { cat up.err; grep -q '^SKIP: ' up.err || fail "the reason is not said"; exit 77; }
[[ $code == 0 ]] || fail "up ends with $code: $(cat up.err)"
grep -q "cluster '$one' is up: 4 nodes" up.txt || fail "up says $(cat up.txt)"
refused() {
  local code=0
  "$orrery" cluster "${@:2}" >refused.txt 2>&1 || code=$?
  [[ $code == 2 ]] && grep -qF -- "$1" refused.txt || fail "'$*' ends with $code: $(cat refused.txt)"
}
refused "is up already" up "$lab" --name $one
refused "has no node 'none'" enter $one -- none hostname
refused "--name: 'a b'" up "$lab" --name 'a b'

[[ $("$orrery" cluster exec $one -- sh -c 'hostname; cat /sys/class/net/eth0/operstate 2>/dev/null' | head -1) == node-0 ]] || fail "no node 0"
[[ $("$orrery" cluster enter $one -- node-3 'hostname; grep node-3 /etc/hosts' | tr '\n' ' ') == "node-3 10.111.0.4 node-3 " ]] || fail "no node 3"
code=0
"$orrery" cluster exec $one -- sh -c 'exit 7' || code=$?
[[ $code == 7 ]] || fail "the exit code of a program is lost: $code"

# Beside it another with the same addresses.
"$orrery" cluster up "$lab" --name $two >/dev/null
"$orrery" cluster status >status.txt
grep -q "^$one: 4 nodes" status.txt && grep -q "^$two: 4 nodes" status.txt || fail "status says $(cat status.txt)"
"$orrery" cluster down $two >/dev/null

# Of two that come up under one name at the same moment one is refused.
for i in 1 2; do
  (code=0; "$orrery" cluster up "$lab" --name $two >up-$i.txt 2>&1 || code=$?; echo "exit code $code" >>up-$i.txt) &
done
wait
[[ $(cat up-?.txt | grep -c 'exit code 0') == 1 && $(cat up-?.txt | grep -c "'$two' is up already") == 1 ]] ||
  fail "two of one name at once: $(cat up-?.txt)"
"$orrery" cluster down $two >/dev/null
! grep -q "^$two:" <("$orrery" cluster status) || fail "$two is still there"

# Programs end with it; a killed switch leaves nothing.
sleeps() { # CLUSTER...: a program that says its number in the file pid, in the background; its process is $runs
  rm -f pid
  "$orrery" cluster exec "$@" -- sh -c 'echo $$ >pid.new; mv pid.new pid; exec sleep 600' &
  runs=$!
  for _ in $(seq 600); do [[ -e pid ]] && return; sleep 0.1; done
  fail "no program starts on the cluster"
}
gone() { # WHAT: the program has ended, or nobody took note of its end
  [[ $(sed 's/.*) //; s/ .*//' "/proc/$(<pid)/stat" 2>/dev/null || echo Z) == Z ]] || fail "a program outlives $1"
}
sleeps $one
"$orrery" cluster down $one >/dev/null
wait $runs || true
gone "its cluster"
[[ ! -e /run/orrery-cluster/$one.state ]] || fail "files are left"
"$orrery" cluster up "$lab" --name $one >/dev/null
kill -9 "$("$orrery" cluster status | sed -n "s/^$one: .*process //p")"
sleep 0.2
! grep -q "^$one:" <("$orrery" cluster status) || fail "a killed cluster is said to be up"
[[ ! -e /run/orrery-cluster/$one.state ]] || fail "files of a killed cluster are left"

# Up for one command, ended by Ctrl-C.
sleeps "$lab" --name $two
kill -INT $runs
code=0
wait $runs || code=$?
[[ $code == 130 ]] || fail "Ctrl-C ends it with $code"
gone Ctrl-C
! grep -q "^$two:" <("$orrery" cluster status) || fail "the cluster outlives Ctrl-C"

# Real MPI over it.
if [[ -n $mpi ]] && command -v mpirun >/dev/null; then
  cat >scenario.yaml <<END
source: a test
platform: $lab
network: ethernet
engine: flow
layout: {ranks: 8, per-node: 2}
kernel: {name: pingpong, sizes: 1KiB}
sweep: {kernel: [{name: pingpong, sizes: 1KiB}, {name: wave2d, points: 64, iterations: 2}]}
END
  timeout 60 "$orrery" cluster exec "$lab" --name $two -- mpirun -n 4 --map-by node hostname >launch.txt 2>&1 ||
    skip "no mpirun over namespaces here (the rest passed): $(head -3 launch.txt)"
  [[ $(sort -u launch.txt | grep -c '^node-[0-3]$') == 4 ]] || fail "mpirun does not reach the four nodes: $(cat launch.txt)"
  if command -v mpirun.mpich >/dev/null; then
    timeout 60 "$orrery" cluster exec "$lab" --name $two -- mpirun.mpich -n 8 hostname >mpich.txt 2>&1 || fail "MPICH: $(cat mpich.txt)"
    [[ $(sort -u mpich.txt | grep -c '^node-[0-3]$') == 4 ]] || fail "MPICH does not reach the four nodes: $(cat mpich.txt)"
  fi
  timeout 120 "$orrery" cluster exec "$lab" --name $two -- mpirun -n 8 "$mpi" scenario.yaml --repeat 3 --compute none -o measured.csv \
    >mpi.txt 2>mpi.err || fail "no MPI over the cluster: $(cat mpi.txt mpi.err)"
  [[ $(grep -c '^"' measured.csv) == 2 ]] || fail "not both points were measured: $(cat measured.csv mpi.err)"
  ! grep -q 'runs on machine' measured.csv mpi.err || fail "ranks are elsewhere than the layout says: $(cat mpi.err)"
fi
