#!/usr/bin/env bash
# Do the tests notice? Makes small wrong changes, one at a time, and runs the tests that should fail. Run by hand.
#
#   tests/mutation/run.sh BUILD [-n COUNT] [-s SEED] [-j JOBS] [-t LIMIT] [-o TABLE] [FILE...]
#
# BUILD    a build folder with its tests built (Debug and -O0 is quickest); nothing in it or in the sources is changed:
#          a mutant is compiled beside it and linked into copies of the test programs
# FILE...  sources to choose from, by default all that have a suite; of all their mutants COUNT are drawn by SEED
# TABLE    one line a mutant: file:line, kind, before, after, outcome, killed by
#
# A mutant is killed when a test fails, crashes or takes over LIMIT s (default 120); one that does not compile counts for nothing. The
# suites named like it are run first, then all of its folder, then the contract or replay tests of its folder.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) root=$(cd "$(dirname "$0")/../.." && pwd)
count=200 seed=1 jobs=1 table=mutants.tsv limit_of_mutants=120
build=$(cd "${1:?BUILD is missing}" && pwd)
shift
while getopts n:s:j:t:o: option; do
  case $option in t) limit_of_mutants=$OPTARG ;; n) count=$OPTARG ;; s) seed=$OPTARG ;; j) jobs=$OPTARG ;; o) table=$OPTARG ;; *) exit 2 ;; esac
done
shift $((OPTIND - 1))
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
linker=$(command -v ld.gold >/dev/null && echo -fuse-ld=gold || true)

closed_forms=replay/message*,replay/rank*,replay/contention*,replay/sums*,replay/compute*  # not those that play for minutes
# Suites of the folder in the unit tests, then the program and suites that look at it from outside.
suites() {
  case $1 in
    sim/core/*) echo 'core/*' replay "$closed_forms" ;;
    sim/engine/*) echo 'replay/*' replay "$closed_forms" ;;
    sim/show/*) echo 'report/*' - - ;;
    sim/study/read/*) echo 'scenario/*' - - ;;
    sim/study/* | sim/cli/*) echo 'app/*' - - ;;
    sim/config/*) echo 'config/*' contract '*fuzz*' ;;
    platforms/*) echo 'platforms/*' contract 'contract/every platform*' ;;
    kernels/collectives/*) echo 'kernels/*' contract 'contract/every collective*' ;;
    kernels/*) echo 'kernels/*' contract 'contract/every kernel*' ;;
    models/partition/*) echo 'models/*' contract 'contract/every partitioner*' ;;
    models/*) echo 'models/*' contract 'contract/every model*' ;;
  esac
}

compile_command() { grep -F "\"command\": " "$build/compile_commands.json" | grep -F -- " -c $root/$1\"" | head -1 | sed 's/^ *"command": "//; s/",\?$//; s/\\"/"/g'; }
for kind in unit contract replay; do  # once: Ninja is not asked by several at a time
  ninja -C "$build" -t commands "orrery_${kind}_tests" | grep -F -- " -o tests/orrery_${kind}_tests " | tail -1 |
    sed 's/^: && //; s/ && .*//; s|/\./|/|g' >"$scratch/link-$kind"
done

# build_tests KIND OBJECT MUTANT INTO: the test program with one object replaced.
build_tests() {
  local command
  command=$(<"$scratch/link-$1")
  if [[ " $command " == *" $2 "* ]]; then command=${command/ $2 / $3 }; else command=${command/ -o / $3 -o }; fi
  command=${command/ -o tests\/orrery_$1_tests / -o $4 }
  (cd "$build" && eval "$command $linker") >/dev/null 2>&1
}

# The first test that fails, "timeout" or a signal; nothing when all pass.
failing() {
  local status=0
  (cd "$root" && timeout "${limit:-600}" "$1" -ts="$2" >"$3" 2>&1) 2>/dev/null || status=$?
  ((status == 0)) && return
  ((status == 124)) && { echo "(timeout)"; return; }
  grep -m1 '^TEST CASE:' "$3" | sed 's/^TEST CASE: *//' || echo "(exit $status)"
}

# judge FILE NUMBER: one line of the table.
judge() {
  local file=$1 number=$2 work object command unit program suite killer= own=${1#sim/}
  own=${own%%[_.]*}
  work=$(mktemp -d "$scratch/XXXXXX")
  read -r unit program suite <<<"$(suites "$file")"
  IFS=$'\t' read -r _ line kind before after < <(awk -f "$here/mutants.awk" "$root/$file" | awk -F'\t' -v n="$number" '$1 == n')
  awk -v apply="$number" -f "$here/mutants.awk" "$root/$file" >"$work/${file##*/}"
  command=$(compile_command "$file")
  object=$(sed -E 's/.* -o ([^ ]+) -c .*/\1/' <<<"$command")
  command="${command%% -o *}"
  local outcome="does not compile"  # headers beside the source are found by -iquote
  if (cd "$build" && eval "$command -iquote $root/$(dirname "$file") -o $work/mutant.o -c $work/${file##*/}") >/dev/null 2>&1; then
    outcome=survived
    build_tests unit "$object" "$work/mutant.o" "$work/unit" || outcome="does not link"
    if [[ $outcome == survived ]]; then
      killer=$(failing "$work/unit" "$own*" "$work/said")
      [[ -n $killer ]] || killer=$(failing "$work/unit" "$unit" "$work/said")
      if [[ -z $killer && $program != - ]]; then
        build_tests "$program" "$object" "$work/mutant.o" "$work/$program"
        killer=$(failing "$work/$program" "$suite" "$work/said")
      fi
      [[ -z $killer ]] || outcome=killed
    fi
  fi
  printf '%s:%s\t%s\t%s\t%s\t%s\t%s\n' "$file" "$line" "$kind" "$before" "$after" "$outcome" "$killer" >>"$table"
  rm -rf "$work"
}

# Tests that fail anyway would kill every mutant.
require_passing() {
  local unit program suite broken
  read -r unit program suite <<<"$(suites "$1")"
  broken=$(failing "$build/tests/orrery_unit_tests" "$unit" "$scratch/said")
  [[ -n $broken || $program == - ]] || broken=$(failing "$build/tests/orrery_${program}_tests" "$suite" "$scratch/said")
  [[ -z $broken ]] || { echo "without any change this test fails: $broken. Build it again?" >&2; exit 1; }
}

files=("$@")
if ((${#files[@]} == 0)); then
  mapfile -t files < <(cd "$root" && git ls-files 'models/*.cpp' 'kernels/*.cpp' 'platforms/*.cpp' 'sim/core/*.cpp' 'sim/engine/*.cpp' 'sim/show/*.cpp' |
    grep -vE '^sim/engine/simgrid/|_assets|reporter')
fi
for file in "${files[@]}"; do
  awk -f "$here/mutants.awk" "$root/$file" | awk -F'\t' -v file="$file" '{ print file, $1 }'
done >"$scratch/all"
awk -v seed="$seed" 'BEGIN { srand(seed) } { printf "%.9f %s\n", rand(), $0 }' "$scratch/all" | sort | awk -v n="$count" 'NR <= n' | cut -d' ' -f2- >"$scratch/drawn"
while read -r file; do echo "$(suites "$file"):$file"; done < <(cut -d' ' -f1 "$scratch/drawn") | sort -t: -k1,1 -u >"$scratch/folders"
while IFS=: read -r _ file; do require_passing "$file"; done <"$scratch/folders"
: >"$table"
limit=$limit_of_mutants
while read -r file number; do
  while (($(jobs -rp | wc -l) >= jobs)); do wait -n || true; done
  judge "$file" "$number" &
done <"$scratch/drawn"
wait
sort -o "$table" "$table"
cut -f5 "$table" | sort | uniq -c
grep -P '\tsurvived\t' "$table" | cut -f1-4 || true
