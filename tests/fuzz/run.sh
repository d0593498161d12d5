#!/usr/bin/env bash
# Looks for texts that crash, hang or confuse a reader, guided by coverage (clang and libFuzzer, address and
# undefined-behaviour sanitizers).
#
#   tests/fuzz/run.sh [-t SECONDS] [FORMAT...]      SECONDS for each format (60); all formats by default
#
# The corpus grows in build/fuzz/corpus/FORMAT from run to run. A text that does harm is left in build/fuzz/defects.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=60
while getopts t: option; do
  case $option in
    t) seconds=$OPTARG ;;
    *) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
shift $((OPTIND - 1))

command -v clang++ >/dev/null || { echo "tests/fuzz/run.sh: needs clang++ with libFuzzer. Run: apt-get install clang libclang-rt-14-dev"; exit 2; }
cmake --preset fuzz >build/fuzz-configure.log
cmake --build --preset fuzz -j "$(nproc)" --target orrery_fuzz_guided orrery_fuzz | tail -1
formats=("$@")
((${#formats[@]})) || mapfile -t formats < <(build/fuzz/tests/orrery_fuzz --list)
mkdir -p build/fuzz/defects
found=0
for format in "${formats[@]}"; do
  corpus=build/fuzz/corpus/$format
  mkdir -p "$corpus"
  build/fuzz/tests/orrery_fuzz --seeds "$corpus" "$format"
  log=build/fuzz/$format.log
  if ASAN_OPTIONS=detect_leaks=0 ORRERY_FUZZ=$format build/fuzz/tests/orrery_fuzz_guided "$corpus" \
    -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -use_value_profile=1 \
    -artifact_prefix="build/fuzz/defects/$format-" -print_final_stats=1 </dev/null >"$log" 2>&1; then
    state=clean
  else
    state="DEFECT, see $log"
    found=1
  fi
  printf '%-18s %10s texts, %6s in the corpus: %s\n' "$format" \
    "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" "$(find "$corpus" -type f | wc -l)" "$state"
done
exit $found
