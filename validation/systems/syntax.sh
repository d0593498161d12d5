#!/usr/bin/env bash
# Every source of a build folder, up to eight as one as there, looked at by another compiler with the warnings of that build: nothing is
# linked or run. Prints a line for README.md; ends with 1 if there was an error or a warning.
#   syntax.sh COMPILER [SETTING...]      as in: syntax.sh clang++-18 -DORRERY_SIMGRID=OFF -DCMAKE_CXX_FLAGS=-stdlib=libc++
set -euo pipefail
compiler=${1:?syntax.sh: no compiler. Write 'syntax.sh clang++-18'?}
shift
command -v "$compiler" >/dev/null || { echo "syntax.sh: '$compiler' is not installed. Name one that is?" >&2; exit 2; }
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$source/build/syntax-${compiler##*/}
cd "$source"
cmake --preset release -B "$build" -DCMAKE_CXX_COMPILER="$compiler" -DCCACHE_PROGRAM= -DORRERY_BUILD_TESTS=OFF "$@" >"$build.log" 2>&1 ||
  { tail -20 "$build.log" >&2; exit 2; }
ninja -C "$build" sim/show/html_assets.cpp >/dev/null
log=$build/messages.txt
: >"$log"
units=0
while IFS= read -r command; do
  units=$((units + 1))
  (cd "$build" && sh -c "$command -fsyntax-only") >>"$log" 2>&1 || echo "syntax.sh: error: $command" >>"$log"
done < <(sed -nE 's/^ *"command": "(.*)",?$/\1/p' "$build/compile_commands.json" | sed 's/\\"/"/g; s/\\\\/\\/g')
((units > 50)) || { echo "syntax.sh: only $units units in $build/compile_commands.json: look again" >&2; exit 2; }
errors=$(grep -c 'error:' "$log") || true
warnings=$(grep -c 'warning:' "$log") || true
printf '| %s | %s | %d units | %d errors, %d warnings |\n' "$(date -u +%F)" "$("$compiler" --version | head -1)${*:+, $*}" "$units" "$errors" "$warnings"
if ((errors + warnings)); then grep -E '(error|warning):' "$log" | sort | uniq -c | sort -rn | head -40; exit 1; fi
