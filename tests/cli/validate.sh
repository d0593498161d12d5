#!/usr/bin/env bash
# A scenario is measured on an emulated cluster, its platform calibrated from that, and both set beside each other; a batch
# job is written and read back. Usage: validate.sh ORRERY ORRERY_MPI SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
orrery=$1 mpi=$2 source=$3 scratch=$4
begin_in "$scratch" "$source"

sed 's/^name: .*/name: small/' "$source/platforms/lab-mixed.yaml" >small.yaml
cat >scenario.yaml <<'END_OF_FILE'
source: a test
platform: small.yaml
network: ethernet
engine: flow
layout: {ranks: 8, per-node: 2}
kernel: {name: barrier, algorithm: tree}
models: [hockney]
validate: {repeat: 3, seeds: 3, sizes: [1B, 1KiB, 8KiB, 16KiB, 48KiB], median: 1000%}
sweep:
  kernel:
    - {name: collective, operation: alltoall, algorithm: pair, message: 16KiB}
    - {name: wave2d, points: 2048, iterations: 2, compute: false}
END_OF_FILE

# A batch job, on any machine.
"$orrery" measure scenario.yaml --out job --slurm >job.txt || fail "no job is written"
grep -q '^#SBATCH --nodes=4$' job/job.sh && grep -q '^srun orrery-mpi --benchmarks experiments.txt' job/job.sh ||
  fail "the job does not ask for four nodes or runs nothing: $(cat job/job.sh)"
bash -n job/job.sh
grep -q '^pingpong/network/fast	pingpong	0:0 1:0	sizes=1B' job/experiments.txt || fail "no ping-pong is asked for: $(cat job/experiments.txt)"
refused() {
  local code=0 message=$1
  shift
  "$orrery" "$@" >refused.txt 2>&1 || code=$?
  [[ $code == 2 ]] && grep -qF -- "$message" refused.txt || fail "'$*' ends with $code: $(cat refused.txt)"
}
refused "job: no 'benchmarks.csv' there (the job writes it). Has it ended?" measure scenario.yaml --out job --read
refused "MEASURED is missing: a campaign of 'orrery measure', or scenarios with measured times. Write 'orrery fit rows.yaml'?" fit --platform small.yaml -o f.yaml
refused "--repeat: '0' is outside 1..100000. Write '--repeat 21'?" measure scenario.yaml --out none --repeat 0
refused "no 'validate' (what is to hold). Add 'validate: {median: 3%, each: 10%}'?" validate "$source/scenarios/hpl-small.yaml" --out none

# A platform is fitted to times of programs: those of the same machine with another latency.
cat >rows.yaml <<'END_OF_FILE'
source: a test
platform: lab
network: ethernet
engine: flow
layout: {ranks: 4, per-node: 1}
kernel: {name: collective, operation: allgather, algorithm: NTSLR, message: 1KiB}
sweep: {kernel.message: [1B, 1KiB, 16KiB]}
END_OF_FILE
sed 's/^platform: lab/platform: {name: lab, networks: {ethernet: {latency: 400us}}}/' rows.yaml >really.yaml
"$orrery" run really.yaml --format csv 2>/dev/null >really.csv || fail "nothing is simulated"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "setting.kernel.message") m = i; if ($i == "simulated_s") t = i }; print "kernel.message,time_s" }
         NR > 1 { print $m "," $t }' really.csv >rows.csv
echo 'measured: rows.csv' >>rows.yaml
"$orrery" fit rows.yaml --parameters latency --hold-out 1 -o refitted.yaml --plots refit.svg >refit.txt 2>refit.err ||
  fail "no fit to rows: $(cat refit.err)"
grep -qE '^latency +250 us +(39[0-9]|40[0-9])[.0-9]* us ' refit.txt || fail "the latency is not found: $(cat refit.txt)"
grep -q '^held out  *1 ' refit.txt && [[ -s refit.svg ]] || fail "nothing is held out or drawn: $(cat refit.txt)"
grep -q 'source: "fitted to 2 points of rows.yaml"' refitted.yaml && "$orrery" check refitted.yaml >/dev/null || fail "the refitted platform: $(cat refitted.yaml)"
# Other times for the same scenario; values of --set are checked like those of the file, and shipped scenarios go by their names.
awk -F, -v OFS=, 'NR > 1 { $2 = 2 * $2 } 1' rows.csv >slower.csv
"$orrery" fit rows.yaml --set measured=slower.csv --parameters latency -o slower.yaml >slower.txt 2>&1 || fail "--set: $(cat slower.txt)"
grep -qE '^latency +250 us +[7-9][0-9][0-9][.0-9]* us ' slower.txt || fail "twice the times are not twice the latency: $(cat slower.txt)"
refused "--set measured: 'nowhere.csv' is no file. Check the path?" fit rico-gallego16-m10 --set measured=nowhere.csv
"$orrery" fit --list | grep -q '^latency ' || fail "no list of parameters"
refused "--hold-out: 'rows.csv' is no scenario (only those with measured times have parameters to choose). Name a SCENARIO.yaml, or leave out --hold-out?" fit rows.csv --platform lab --hold-out 20%
refused "--platform is missing (only scenarios name one themselves). Write '--platform fermi'?" fit rows.csv
refused "--platform is missing. Write '--platform fermi'?" calibrate --model loggp
refused "--from: 'rows.yaml' is a scenario, which has times of programs (parameters of models take micro-benchmarks). Run 'orrery fit rows.yaml' to fit the platform?" calibrate --from rows.yaml -o parameters.yaml

# Real MPI, where it is permitted.
[[ -n $mpi ]] && command -v mpirun >/dev/null || skip "no MPI (the rest passed)"
code=0
timeout 60 "$orrery" cluster exec small.yaml --name validate-$$ -- mpirun -n 4 --map-by node hostname >launch.txt 2>&1 || code=$?
[[ $code == 0 ]] || skip "no cluster can be emulated here (the rest passed): $(head -3 launch.txt)"
code=0
timeout 200 "$orrery" validate scenario.yaml --out out >validate.txt 2>validate.err || code=$?
[[ $code == 0 ]] || fail "validate ends with $code: $(tail -n 5 validate.txt validate.err)"
for file in README.md experiments.txt benchmarks.csv points.csv platform.yaml parameters.yaml calibration.svg compare.yaml; do
  [[ -s out/campaign/$file ]] || fail "the campaign has no $file"
done
[[ -s out/report.html ]] || fail "no report"
grep -q '^simulated  *2 ' validate.txt && grep -q '^hockney  *2 ' validate.txt || fail "no table of errors: $(tail -5 validate.txt)"
# What was measured can be used again, and a bound that does not hold ends with 5.
sed -i 's/median: 1000%/median: 0%/' scenario.yaml
code=0
"$orrery" validate scenario.yaml --campaign out/campaign --out again >again.txt 2>again.err || code=$?
[[ $code == 5 ]] && grep -q 'apart in the median (at most 0 %)' again.err || fail "a broken bound ends with $code: $(tail -3 again.err)"
"$orrery" fit out/campaign --platform small.yaml -o fitted.yaml --plots fit.svg >fit.txt || fail "no fit"
"$orrery" check fitted.yaml >/dev/null || fail "the fitted platform is refused"
grep -qE '^bandwidth  .*B/s' fit.txt && grep -q '^fitted  ' fit.txt && [[ -s fit.svg ]] || fail "the fit says $(cat fit.txt)"
