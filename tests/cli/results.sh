#!/usr/bin/env bash
# What --json prints parses; the same run twice, and with one job or two, gives the same bits apart from wall-clock fields.
# A program written as a trace and read again takes the same time on both engines; as GOAL, the same to its nanoseconds.
# Usage: results.sh ORRERY SOURCE SCRATCH CMAKE
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2 scratch=$3 cmake=$4
begin_in "$scratch" "$source"

parses() { "$cmake" -DFILE="$PWD/$1" -P "$source/tests/cli/json.cmake"; }
without_clock() { sed -E 's/"wall_clock": *\{[^}]*\}//g' "$1"; }
tables=$source/docs/models/taulop-example
"$orrery" show platform fermi --json >platform.json
parses platform.json
"$orrery" partition --platform fermi --kernel summa --param blocks=16 --ranks 4 --json >partition.json
parses partition.json
"$orrery" show phases rico-gallego16-m10 >phases.json
parses phases.json
"$orrery" taulop --parameters "$tables" --network IB --json 'T(1,65536)' >taulop.json
parses taulop.json
"$orrery" run rico-gallego16-m10 --jobs 1 --out one --format json >run.json 2>/dev/null
parses run.json
"$orrery" run rico-gallego16-m10 --jobs 2 --out two >/dev/null 2>&1
"$orrery" run rico-gallego16-m10 --jobs 2 --out again >/dev/null 2>&1
"$orrery" simulate --platform fermi --network infiniband --kernel ring --ranks 8 --engine flow --approximate 0.01 --format json \
  >approximate.json 2>/dev/null
parses approximate.json
for said in '"kind_loads"' '"activity_times"' '"imbalance_fractions"' 'flow within 0.01'; do
  grep -q "$said" approximate.json
done
parses one/result.json
parses one/trace.json
for folder in two again; do
  for file in result.json table.csv; do
    cmp <(without_clock "one/$file") <(without_clock "$folder/$file")
  done
done

# Events go to the open file that is named, and nowhere when there is none of that number.
ORRERY_EVENTS=9 "$orrery" run rico-gallego16-m10 --out heard 9>events.txt >/dev/null 2>&1
usual=$(engines_of "$orrery") both=both
[[ $usual != flow ]] || both=flow
grep -q "^{\"event\":\"progress\",\"what\":\"simulating on ${usual%% *}\",\"done\":4,\"total\":4," events.txt
for number in 9 nine ''; do ORRERY_EVENTS=$number "$orrery" run rico-gallego16-m10 --out unheard >/dev/null 2>&1; done
cmp <(without_clock heard/result.json) <(without_clock unheard/result.json)

# What 'show model' says of measuring a model's parameters works as it stands.
for model in $("$orrery" list models | cut -d' ' -f1); do
  "$orrery" show model "$model" >page.txt
  grep -qE '(^|[ (])T[^ =]* = ' page.txt || fail "'show model $model' has no formula of its time: $(cat page.txt)"
  grep -q '^Source: ' page.txt
  if grep -q '^  orrery calibrate ' page.txt; then
    ORRERY=$orrery bash -euc "orrery() { \"\$ORRERY\" \"\$@\"; }; $(grep '^  orrery calibrate ' page.txt)" >/dev/null 2>&1
    grep -q "^  $model:" "$model.yaml"
  fi
done

# 'predict' shows no column of what was not simulated; times of one's own stand beside the others.
"$orrery" predict --platform fermi --network infiniband --kernel wave2d --ranks 8 --per-node 2 --model hockney --model loggp >predict.txt 2>/dev/null
"$orrery" predict --platform fermi --network infiniband --kernel wave2d --ranks 8 --per-node 2 --model hockney,loggp >listed.txt 2>/dev/null
cmp predict.txt listed.txt || fail "models with commas between are other models"
grep -q hockney predict.txt
! grep -E 'simulated|error|mu' predict.txt || fail "'predict' shows a column of what was not simulated"
mkdir own
printf '\xef\xbb\xbfkernel.points,time\r\n256,"1ms"\r\n*,2ms\r\n' >own/mine.csv
sed -i '/^\*/d' own/mine.csv
printf '512,2ms\r\n1024,3ms\r\n' >>own/mine.csv
cat >own/own.yaml <<'END'
source: test
platform: fermi
network: infiniband
engine: flow
layout: {ranks: 4, per-node: 1}
kernel: {name: wave2d, iterations: 1}
models: [hockney, {name: mine, predictions: mine.csv}]
calibrate: {sizes: [1B, 4KiB, 64KiB]}
sweep: {kernel.points: [256, 512]}
tolerance: [{of: prediction, model: mine, mu: 1000}]
END
"$orrery" run own/own.yaml --check --out own/out >own.txt 2>/dev/null
for said in 'mine' '^tolerances: 1 kept' 'mine.csv: 1 of 3 rows is about no point'; do grep -q "$said" own.txt; done
parses own/out/result.json
[[ $(grep -c ',mine,,0.00[12],' own/out/table.csv) == 2 ]]

# A model of whole runs is fitted to four points that were played and predicts the fifth.
"$orrery" run "$source/tests/cli/np-t.yaml" --check --out fitted >fitted.txt 2>/dev/null
parses fitted/result.json
[[ $(grep -c '%  fitted' fitted.txt) == 4 ]]
grep -q '^note: np-t .*: T = .* through 4 runs, condition' fitted.txt
awk -F, '/np-t/ { runs += /,run,true,/; asked += /,run,false,/ } END { exit !(runs == 4 && asked == 1) }' fitted/table.csv

wave="--platform fermi --network infiniband --ranks 8 --per-node 1"
makespan() { "$orrery" simulate $wave --format json "$@" | sed -n 's/.*"makespan_s": *\([0-9.e+-]*\).*/\1/p' | head -1; }
"$orrery" export --format ti $wave --kernel wave2d --param barrier=none -o wave-ti >command.txt 2>differs.txt
"$orrery" export --format goal $wave --kernel wave2d --param barrier=none -o wave.goal 2>/dev/null
"$orrery" import wave-ti/index.txt -o wave.ti >/dev/null 2>&1
"$orrery" import wave.goal -o wave-again.ti >/dev/null 2>&1
grep -q '^smpirun .* -replay wave-ti/index.txt$' command.txt
grep -q '^differs: a rendezvous starts after 2 latencies; SMPI starts it at once$' differs.txt
for engine in $(engines_of "$orrery"); do
  direct=$(makespan --kernel wave2d --param barrier=none --engine $engine)
  [[ $direct && $direct == "$(makespan --replay wave.ti --engine $engine)" ]]
  awk -v a="$direct" -v b="$(makespan --replay wave-again.ti --engine $engine)" 'BEGIN { exit !(a / b < 1.0001 && b / a < 1.0001) }'
done
"$orrery" export --format simgrid-xml $wave --kernel wave2d -o fermi.xml >/dev/null 2>differs.txt
grep -q "^differs: a rendezvous starts after 2 latencies; SMPI starts it at once$" differs.txt
"$orrery" import fermi.xml -o fermi-again.yaml >/dev/null 2>&1
"$orrery" simulate --platform fermi-again.yaml --network network --replay wave.ti --engine "$both" >/dev/null 2>&1

# Shares written to a file are the shares taken from it.
slices="--platform fermi --network infiniband --kernel nbody-ring --layout rico-gallego16-table1:M3"
"$orrery" partition --platform fermi --kernel nbody-ring --layout rico-gallego16-table1:M3 --algorithm rows -o rows.2dist >/dev/null
"$orrery" simulate $slices --partition rows --format csv >algorithm.csv
"$orrery" simulate $slices --partition rows.2dist --format csv >file.csv
cmp algorithm.csv file.csv

# Messages of GPUs over their links take longer than messages whose time the compute model contains.
staged=$("$orrery" simulate $slices --param compute=false --gpu-staging messages --format csv | tail -1 | cut -d, -f8)
contained=$("$orrery" simulate $slices --param compute=false --format csv | tail -1 | cut -d, -f8)
awk -v staged="$staged" -v contained="$contained" 'BEGIN { exit !(staged > 1.01 * contained) }'

# A result in which somebody has nested a value as deep as it goes is refused where it is read.
mkdir deep
python3 - fitted/result.json deep/result.json <<'END'
import json, sys
text = json.load(open(sys.argv[1]))
text["title"] = "@"
open(sys.argv[2], "w").write(json.dumps(text).replace('"@"', "[" * 100000 + "]" * 100000))
END
for words in 'chart deep --svg figures' 'compare deep fitted' 'compare fitted deep'; do
  code=0
  "$orrery" $words >/dev/null 2>said.txt || code=$?
  [[ $code == 2 && $(<said.txt) == "deep/result.json:1:"*": is nested deeper than 32 levels (a result.json of 'orrery run' is not). Is it another file?" ]] ||
    fail "$words: exit code $code, $(head -c 300 said.txt)"
done

# What a page opens with: the files that a scenario names, and those that these name, however long a word of it is.
mkdir page
cp "$source/platforms/fermi.yaml" page/mine.yaml
sed -i 's/^name: fermi$/name: mine/' page/mine.yaml
printf '# see rows.csv.old, ./x.yaml.csv and a/.yaml\nsource: x\nplatform: mine.yaml\nnetwork: infiniband\nengine: flow\nlayout: {ranks: 4}\nkernel: {name: wave2d}\nmodels: [{name: own, predictions: rows.csv}]\n' >page/named.yaml
printf 'time_s\n1\n' >page/rows.csv
printf '<script type="application/json" id="opened">null</script>' >page/page.html
"$orrery" page --scenario page/named.yaml --page page/page.html -o page/opened.html 2>said.txt || fail "page: $(cat said.txt)"
python3 - page/opened.html <<'END'
import json, re, sys
opened = json.loads(re.search(">(.*)<", open(sys.argv[1]).read()).group(1))
assert sorted(opened["files"]) == ["mine.yaml", "rows.csv"], sorted(opened["files"])
END
{ printf '# '; head -c 1000000 /dev/zero | tr '\0' a; printf '\n'; cat page/named.yaml; } >page/long.yaml
"$orrery" page --scenario page/long.yaml --page page/page.html -o page/opened.html 2>said.txt || fail "page of a long word: $(head -c 300 said.txt)"
