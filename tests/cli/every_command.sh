#!/usr/bin/env bash
# Every command once as it is meant, and with every option and argument set to what is not there. The files have names that
# would drive a terminal, and the platform's is long. Nothing crashes, and nothing of a name reaches the terminal as it is.
# .ci/run does this with a program under the sanitizers, too. Usage: every_command.sh ORRERY SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2
begin_in "$3" "$source"
hostile=$'a-folder-\e[31mred-\u202egpj'
mkdir "$hostile"
problems=0

# drives_terminal FILE: control characters but tabs and ends of lines, and marks that turn text around.
drives_terminal() {
  sed 's/\r$//' "$1" | LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]'
}
printf 'a\e[31m\n' >planted
drives_terminal planted || fail "an escape sequence is not found"
printf 'a\u202e\n' >planted
drives_terminal planted || fail "U+202E is not found"
printf 'D\u00edaz \u2500\tx\r\n' >planted
if drives_terminal planted; then fail "letters and lines are taken for what drives a terminal"; fi

# ends CODES ARGUMENTS...: the command ends with one of them, and says what a terminal may show.
ends() {
  local codes=$1 code=0
  shift
  timeout 120 "$orrery" "$@" >said.txt 2>&1 </dev/null || code=$?
  local wrong=
  [[ " $codes " == *" $code "* ]] || wrong="exit code $code (expected $codes)"
  ! grep -qaE 'internal error|Sanitizer|runtime error:|\[json\.exception' said.txt || wrong+=" says what is ours"
  ! drives_terminal said.txt || wrong+=" drives the terminal"
  [[ -n $wrong ]] || return 0
  printf 'orrery %s\n  %s\n  said: %s\n' "$(printf '%q ' "$@")" "$wrong" "$(head -c 2000 said.txt | cat -v)"
  problems=$((problems + 1))
}

# The files that commands read.
platform=$hostile/a-platform-with-a-long-name.yaml
sed 's/^name: fermi$/name: a-platform-with-a-long-name/' "$source/platforms/fermi.yaml" >"$platform"
scenario=$hostile/a-scenario-with-a-long-name.yaml
cat >"$scenario" <<END
source: a test
platform: a-platform-with-a-long-name.yaml
network: infiniband
engine: flow
layout: {ranks: 4}
kernel: {name: collective, operation: allreduce}
models: [hockney]
calibrate: {sizes: [1B, 1KiB, 64KiB], concurrency: 1}
sweep: {kernel.message: [8B, 64KiB]}
END
printf '0 init\n0 send 1 0 8\n0 finalize\n1 init\n1 recv 0 0 8\n1 finalize\n' >"$hostile/trace.ti"
printf '<script type="application/json" id="opened">null</script>' >"$hostile/page.html"
machine=(--platform "$platform" --network infiniband)
run=("${machine[@]}" --kernel wave2d --ranks 4)
hcl=(--platform hcl --ranks 4 --per-node 1 --kernel matmul-1d)

# A line for each command, as it is meant: its codes, and what it is given. Those of real programs are refused or skipped.
declare -A meant=()
declare -a order=()
meant() {  # COMMAND CODES ARGUMENTS...
  local name=$1
  shift
  meant[$name]=$(printf '%q ' "$@")
  order+=("$name")
}
meant simulate 0 "${run[@]}" --engine flow --trace "$hostile/trace.json"
meant predict 0 "${run[@]}" --model hockney
meant check 0 "$platform" "$scenario"
meant run 0 "$scenario" --out "$hostile/out"
meant chart 0 "$hostile/out" --svg "$hostile/figures"
meant compare 0 "$hostile/out" "$hostile/out" --out "$hostile/compared"
meant status 2 "$hostile/shards"
meant merge 2 "$hostile/shards" --out "$hostile/merged"
meant export 0 --format ti "${machine[@]}" --kernel ring --ranks 2 -o "$hostile/ring"
meant import 0 "$hostile/trace.ti" -o "$hostile/imported.ti"
meant 'show trace' 0 "$hostile/trace.ti"
meant 'show scenario' 0 "$scenario"
meant 'show phases' 0 "$scenario"
meant 'show shards' 0 "$scenario" --of 2
meant 'show platform' 0 "$platform"
meant 'show network' 0 "$platform" infiniband
meant 'show papers' 2 "$hostile/out"
meant 'show kernel' 0 ring
meant 'show model' 0 hockney
meant 'show compute-model' 0 polynomial
meant 'show completion' 0 bash
meant 'show man' 0
meant 'show reference' 0 layout
meant list 0 platforms
meant 'new platform' 0 "$hostile/one.yaml"
meant 'new scenario' 0 "$hostile/two.yaml"
meant 'new layout' 0 "$hostile/three.yaml"
meant 'new lab' 0 "$hostile/four.yaml"
meant 'new kernel' 0 "$hostile/five.cpp"
meant 'new model' 0 "$hostile/six.cpp"
meant 'new collective' 0 "$hostile/seven.cpp"
meant 'lab show' 0 "$hostile/four.yaml"
meant 'lab take' 0 "$hostile/four.yaml" --student $'Ada \e[31mL\u202e' --predict 16KiB -o "$hostile/ada.json"
meant 'lab check' 0 "$hostile/ada.json" --lab "$hostile/four.yaml" --format csv
meant page 0 --scenario "$scenario" --page "$hostile/page.html" -o "$hostile/opened.html"
meant partition 0 "${hcl[@]}" --algorithm even --svg "$hostile/partition.svg"
meant barrier 0 --platform "$platform" --network infiniband --ranks 3 --svg "$hostile/barrier.svg" --emit-c "$hostile/barrier.c"
meant tune 0 "${machine[@]}" --kernel wave2d --ranks 4 --over iterations --values 1,2 --model hockney
meant calibrate 0 "${machine[@]}" --model hockney --sizes 1B,1KiB,64KiB --engine flow -o "$hostile/parameters.yaml"
meant loggp 0 8B --overhead 0.5us --latency 1.1us --gap 0.8us --gap-per-byte 0.25ns/B
meant taulop 0 --parameters docs/models/taulop-example --network IB 'T(0,65536)'
meant allocate 2 --platform toyohashi --times "$hostile/times.csv" --kernel hpl
meant search 2 "$scenario" --most makespan
meant fit 2 "$scenario" --parameters latency
meant measure '2 77' "$hostile/nothing.yaml" --out "$hostile/campaign"
meant validate '2 77' "$hostile/nothing.yaml" --out "$hostile/validated"
meant record '2 77 127' -o "$hostile/recorded" -- "$hostile/no-program"
meant selftest 0
for word in up enter exec; do meant "cluster $word" '2 77' "$hostile/cluster.yaml"; done
for word in down status; do meant "cluster $word" '0 2 77' "$hostile"; done

known=$({ "$orrery" no-such-command 2>&1 || true; } | sed -nE 's/.*\(known: ([^)]*)\).*/\1/p' | sed 's/, /\n/g')
[[ $(printf '%s\n' "${order[@]}" | sort) == "$(sort <<<"$known")" ]] ||
  fail "commands without a line here, and lines without a command: $(diff <(printf '%s\n' "${order[@]}" | sort) <(sort <<<"$known"))"

for name in "${order[@]}"; do
  eval "line=(${meant[$name]})"
  ends "${line[0]}" $name "${line[@]:1}"
done

# Each option and each argument, one at a time, is what is not there. A refusal is what is expected: a command that takes
# the value may do its work with it.
nothing=$hostile/$'nothing-of-this-\e[1mname'
for name in "${order[@]}"; do
  eval "line=(${meant[$name]})"
  [[ $name != selftest && $name != cluster* ]] || continue
  "$orrery" $name --help >help.txt
  for option in $(sed -nE 's/^  (-[a-zA-Z],)?(--[a-z0-9-]+) (TEXT|INT|FLOAT|[a-z0-9|-]+\|).*/\2/p' help.txt); do
    given=("${line[@]:1}")
    for ((i = 0; i < ${#given[@]}; ++i)); do  # an option that the line has gets another value
      if [[ ${given[i]} == "$option" ]]; then given=("${given[@]:0:i}" "${given[@]:i+2}"); break; fi
    done
    for ((i = 0; i < ${#given[@]}; ++i)); do  # before the command of 'record'
      [[ ${given[i]} != -- ]] || break
    done
    ends '0 2 3 4 5 77 127' $name "${given[@]:0:i}" "$option" "$nothing" "${given[@]:i}"
  done
  for ((i = 1; i < ${#line[@]}; ++i)); do
    [[ ${line[i]} != -* && ${line[i - 1]} != --* && ${line[i - 1]} != -o ]] || continue
    ends '0 2 3 4 5 77 127' $name "${line[@]:1:i-1}" "$nothing" "${line[@]:i+1}"
  done
done

# What 'simulate' and 'predict' refuse once the platform has been read.
printf 'Ns 3\n' >"$hostile/HPL.dat"
printf 'cn[1-4]\n' >"$hostile/hosts"
for name in simulate predict; do
  for refused in '--ranks 4' '--kernel wave2d --ranks -3' '--kernel wave2d --ranks 4 --param points=many' '--kernel wave2d --ranks 4 --param nothing=1' \
    '--kernel nothing --ranks 4' '--kernel wave2d --layout nothing:A' '--kernel wave2d --ranks 4 --compute nothing' \
    '--kernel wave2d --ranks 4 --compute roofline --compute-param nothing=1' '--kernel wave2d --ranks 100000' \
    '--kernel wave2d --ranks 4 --partition nothing'; do
    ends 2 $name "${machine[@]}" $refused
  done
  ends 2 $name "${machine[@]}" --kernel hpl --ranks 4 --param hpl-dat="$hostile/HPL.dat"
  ends 2 $name --platform "$platform" --kernel wave2d --ranks 4
  ends 2 $name --platform "$platform" --network nothing --kernel wave2d --ranks 4
done
ends 2 tune --platform "$platform" --network infiniband --kernel wave2d --layout nothing:A --over iterations --values 1,2
ends 2 tune --platform "$platform" --network infiniband --kernel wave2d --ranks 4 --over iterations --values 1,2 --compute roofline --compute-param nothing

# Shards, and what merges them.
ends 0 run "$scenario" --shard 1/1 --out "$hostile/s"
ends 0 status "$hostile/s"
ends 0 status "$hostile/s" --format csv
ends 0 merge "$hostile/s" --out "$hostile/merged"
ends '0 2' run "$scenario" --slurm --tasks 2 --out "$hostile/slurm"
ends 0 run "$scenario" --out "$hostile/out" --resume
ends 0 compare "$scenario" --with network=ethernet --out "$hostile/compared"
for format in table csv json; do ends 0 lab check "$hostile/ada.json" --lab "$hostile/four.yaml" --format $format; done
ends 2 run "$scenario" --set kernel.operation=$'all\e[31m'
ends 2 run "$scenario" --set $'kernel.\e[31m=1'
ends 2 $'no-such\e[31m-command'

((problems == 0)) || fail "$problems of the commands above"
