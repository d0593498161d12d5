#!/usr/bin/env bash
# Where files are read and written: inputs that are no files, names that look like options, folders with a slash behind
# them, two results in one place, and rows of a store that are not what they say. Usage: places.sh ORRERY SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2 scratch=$3
begin_in "$scratch" "$source"
here=$PWD

# ended CODE COMMAND...: it ends within 60 s with this code; what it says is in said.txt.
ended() {
  local wanted=$1 code=0
  shift
  timeout 60 "$orrery" "$@" >said.txt 2>&1 || code=$?
  [[ $code == "$wanted" ]] || fail "'$*' ends with $code, not $wanted: $(head -5 said.txt)"
}
said() { grep -qxF -- "$1" said.txt || fail "it does not say '$1' but: $(cat said.txt)"; }

cat >sweep.yaml <<'END'
source: a test
platform: fermi
network: infiniband
engine: flow
layout: {ranks: 4}
kernel: {name: wave2d, iterations: 2}
sweep: {kernel.points: [64, 2048]}
END
times_in() { cat "$1/table.csv"; }

# A named pipe in the place of each kind of input: refused with a sentence, and never waited for.
mkfifo pipe
ln -s pipe link
ln -s "$here/pipe" pipe.yaml
ln -s pipe pipe.2dist
rule="is a named pipe (an input is a regular file, or a pipe that a shell has opened: '<(...)', /dev/stdin). Name a file?"
simulate="simulate --platform fermi --network infiniband"
while read -r arguments; do
  # shellcheck disable=SC2086
  ended 2 $arguments
  grep -qF -- "$rule" said.txt || fail "'$arguments' does not say '$rule' but: $(cat said.txt)"
done <<END
check pipe
check link
run pipe
run ./pipe.yaml --out out
run sweep.yaml --set platform=pipe.yaml --out out
run sweep.yaml --set measured=pipe --out out
run sweep.yaml --shard 1/2 --set platform=pipe.yaml --out out
show platform pipe
show scenario pipe.yaml
show trace pipe
show phases pipe
$simulate --kernel wave2d --layout pipe:a
$simulate --kernel wave2d --node-list pipe
$simulate --kernel wave2d --ranks 2 --compute table --compute-param parameters=pipe
$simulate --kernel wave2d --ranks 2 --partition pipe.2dist
$simulate --kernel hpl --ranks 2 --param hpl-dat=pipe
$simulate --replay pipe
import pipe -o imported.ti
calibrate --platform fermi --network infiniband --from pipe
fit pipe --platform fermi --network infiniband
lab check pipe
compare pipe pipe
chart pipe --svg charts
barrier --pattern pipe --ranks 4
allocate --platform fermi --kernel hpl --size 9600 --times pipe
END
ended 2 check /dev/zero
grep -qF "/dev/zero: is a device (an input is a regular file" said.txt || fail "$(cat said.txt)"

# What a run keeps in its folder is a file too.
for kept in shard.json points.sqlite points.sqlite-wal; do
  rm -rf o-1-of-2
  ended 0 run sweep.yaml --shard 1/2 --out o
  rm -f "o-1-of-2/$kept"
  mkfifo "o-1-of-2/$kept"
  ended 2 run sweep.yaml --shard 1/2 --out o --resume
  said "o-1-of-2/$kept: cannot be written (it is a named pipe). Choose another path with --out or -o?"
done
ended 2 merge o-1-of-2 -o merged
mkdir piped
mkfifo piped/report.html
ended 2 run sweep.yaml --out piped
said "piped/report.html: cannot be written (it is a named pipe). Choose another path with --out or -o?"

# A folder with a slash behind it is the folder, also for the job that merges; a name that begins with '-' is no option.
cp sweep.yaml ./-rf.yaml
for out in slash/ ./dot/. -o; do
  ended 0 run ./-rf.yaml --slurm --tasks 2 --out="$out"
  folder=${out%/}
  [[ $out != ./dot/. ]] || folder=./dot
  [[ $out != -o ]] || folder=./-o
  for task in 1 2; do
    SLURM_ARRAY_TASK_ID=$task sh "$folder/slurm-array.sh" >task.txt 2>&1 || fail "task $task of --out=$out: $(cat task.txt)"
  done
  sh "$folder/slurm-merge.sh" >merge.txt 2>&1 || fail "the merge job of --out=$out: $(cat merge.txt)"
  [[ -s $folder/result.json ]] || fail "no result of --out=$out: $(ls)"
  ended 0 status "$folder"
done
grep -q "run ./-rf.yaml " ./-o/slurm-array.sh || fail "a script names a file as an option: $(cat ./-o/slurm-array.sh)"

# Results that would be in one place: nothing is played.
mkdir a b
cp sweep.yaml a/x.yaml
cp sweep.yaml b/x.yaml
ended 2 run a/x.yaml b/x.yaml --out ab
said "orrery run: 'a/x.yaml' and 'b/x.yaml' have one name, so that both results would be in 'ab/x'. Run each alone with an --out of its own?"
ended 2 run a/x.yaml ./a//x.yaml --out ab
said "orrery run: 'a/x.yaml' is given twice (once is played). Leave one out?"
[[ ! -e ab ]] || fail "something was written: $(ls ab)"
ended 2 calibrate --platform fermi --network infiniband --model hockney -o one.txt --csv ./one.txt
said "--csv: './one.txt' is the file of --out too (each has its own). Name another file?"
ln -s one.txt other.txt
ended 2 tune --platform fermi --network infiniband --kernel wave2d --over border --csv one.txt --svg other.txt
[[ ! -e one.txt ]] || fail "one.txt was written"

# Rows of a store that belong to another point, or to nobody: played again, and missing in a merge.
if ! command -v sqlite3 >/dev/null; then
  echo "no sqlite3: rows that were changed are left to the unit tests"
  exit 0
fi
ended 0 run sweep.yaml --out whole --jobs 1
right=$(times_in whole)
exchange="create table other as select rowid as r, checksum, bytes from results where part = 0 and rowid = (select min(rowid) from results);
  update results set checksum = (select checksum from other), bytes = (select bytes from other); drop table other"
for change in "$exchange" "update results set bytes = zeroblob(0)" "update results set parts = 7"; do
  sqlite3 whole/points.sqlite "$change"
  ended 0 run sweep.yaml --out whole --jobs 1 --resume
  [[ $(times_in whole) == "$right" ]] || fail "after '$change' the times are $(times_in whole), not $right"
done
for shard in 1 2; do ended 0 run sweep.yaml --shard $shard/2 --out s --jobs 1; done
sqlite3 s-1-of-2/points.sqlite "update results set bytes = zeroblob(0)"
ended 2 merge s -o merged
grep -q 'missing: 1/2 (1 of 1 points). Go on with:' said.txt || fail "a row without bytes counts in a merge: $(cat said.txt)"
ended 0 run sweep.yaml --shard 1/2 --out s --jobs 1 --resume
grep -qx 'shard 1/2 of sweep: 0 of 1 points finished, 1 left' said.txt || fail "a row without bytes counts as finished: $(cat said.txt)"
ended 0 merge s -o merged
[[ $(times_in merged) == "$right" ]] || fail "merged: $(times_in merged), not $right"
