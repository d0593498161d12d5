#!/usr/bin/env bash
# This machine becomes a platform file: measured with real MPI, checked, played; an interrupt leaves nothing.
# Usage: measured_platform.sh ORRERY SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2 scratch=$3
begin_in "$scratch" "$source"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=$PWD/temporary
mkdir temporary
command -v mpirun >/dev/null || skip "no mpirun (on Debian: apt-get install openmpi-bin)"
mpirun -n 2 true >launch.txt 2>&1 || skip "mpirun cannot start two processes here: $(head -3 launch.txt)"

code=0
"$orrery" new platform here.yaml --measure >new.txt 2>new.err || code=$?
[[ $code == 77 ]] && skip "$(cat new.err)"
if [[ $code == 4 ]] && grep -q 'times of messages do not repeat' new.err; then
  [[ ! -e here.yaml ]] || fail "a file of times that do not repeat was written"
  skip "$(tail -1 new.err)"
fi
[[ $code == 0 ]] || fail "ends with $code: $(cat new.err)"
"$orrery" check here.yaml >check.txt 2>&1 || fail "$(cat check.txt)"
for words in "^# This machine, measured by '.*new platform here.yaml --measure' in" '^#   ping-pong: .* % off in the median' \
  'median of .* orders\|assumed: "not measured: orrery-rates' 'assumed: "nothing of a network was measured'; do
  grep -q "$words" here.yaml || fail "the file does not say '$words': $(cat here.yaml)"
done
"$orrery" simulate --platform here.yaml --kernel pingpong --ranks 2 >played.txt 2>&1 || fail "$(cat played.txt)"
! compgen -G 'temporary/orrery*' >/dev/null || fail "left behind: $(ls temporary)"

code=0
"$orrery" new platform here.yaml --measure >again.txt 2>&1 || code=$?
[[ $code == 2 ]] && grep -q 'already exists (never overwritten)' again.txt || fail "overwrites ($code): $(cat again.txt)"
code=0
"$orrery" new platform copy.yaml --measure --like fermi >like.txt 2>&1 || code=$?
[[ $code == 2 && $(cat like.txt) == "--like: 'fermi' with --measure (a file is begun as a copy or measured here). Leave one out?" ]] ||
  fail "a copy that is measured ($code): $(cat like.txt)"

# Stopped while the ranks run: nothing is written, nobody runs on.
"$orrery" new platform stopped.yaml --measure >stopped.txt 2>&1 &
measuring=$!
for _ in $(seq 50); do
  compgen -G 'temporary/orrery-measure-*/mpi.log' >/dev/null && break
  sleep 0.1
done
kill -TERM $measuring
code=0
wait $measuring || code=$?
[[ $code == 130 ]] || fail "an interrupt ends with $code: $(cat stopped.txt)"
[[ ! -e stopped.yaml ]] || fail "an interrupt leaves a file"
! compgen -G 'temporary/orrery*' >/dev/null || fail "an interrupt leaves $(ls temporary)"
