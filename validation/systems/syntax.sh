#!/usr/bin/env bash
# Every source of a build folder, up to eight as one as there, looked at by another compiler with the warnings of that build: nothing is
# linked or run. Prints a line for README.md; ends with 1 if there was an error or a warning.
#   syntax.sh [--including NAME] COMPILER [SETTING...]
#     syntax.sh clang++-18 -DORRERY_SIMGRID=OFF -DCMAKE_CXX_FLAGS=-stdlib=libc++
#     syntax.sh --including CLI c++ -DCMAKE_CXX_FLAGS="-isystem /tmp/cli11-2.5/include"    another version of one library: only the sources
#                                                  that include <NAME/...>, themselves or by a header of ours
set -euo pipefail
including=""
if [[ ${1:-} == --including ]]; then including=${2:?syntax.sh: --including: its value is missing. Write '--including CLI'?}; shift 2; fi
compiler=${1:?syntax.sh: no compiler. Write 'syntax.sh clang++-18'?}
shift
command -v "$compiler" >/dev/null || { echo "syntax.sh: '$compiler' is not installed. Name one that is?" >&2; exit 2; }
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$source/build/syntax-${compiler##*/}${including:+-$including}
cd "$source"
mkdir -p build
cmake --preset release -B "$build" -DCMAKE_CXX_COMPILER="$compiler" -DCCACHE_PROGRAM= -DORRERY_BUILD_TESTS=OFF ${including:+-DCMAKE_UNITY_BUILD=OFF} "$@" >"$build.log" 2>&1 ||
  { tail -20 "$build.log" >&2; exit 2; }
ninja -C "$build" sim/show/html_assets.cpp >/dev/null
ninja -C "$build" orrery_commit >/dev/null 2>&1 || true  # only where there is an MPI

# What a source has that includes the library.
wanted=$build/wanted.txt
if [[ $including ]]; then
  echo "#include <$including/" >"$wanted"
  grep -rlF "#include <$including/" --include='*.hpp' sim platforms kernels models validation | sed 's/.*/#include "&"/' >>"$wanted" || true
fi
commands=$build/commands.txt
sed -nE 's/^ *"command": "(.*)",?$/\1/p' "$build/compile_commands.json" | sed 's/\\"/"/g; s/\\\\/\\/g' >"$commands"
if [[ $including ]]; then
  sed -nE 's/^ *"file": "(.*)",?$/\1/p' "$build/compile_commands.json" | { xargs grep -lFf "$wanted" || true; } | sed 's/^/ -c /' >"$build/files.txt"
  grep -Ff "$build/files.txt" "$commands" >"$commands.some" || true
  mv "$commands.some" "$commands"
fi
units=$(wc -l <"$commands")
((units > (${#including} ? 0 : 50))) || { echo "syntax.sh: only $units units in $build/compile_commands.json${including:+ include <$including/}: look again" >&2; exit 2; }

log=$build/messages.txt
: >"$log"
done=0
while IFS= read -r command; do
  (cd "$build" && sh -c "$command -fsyntax-only") >>"$log" 2>&1 || echo "syntax.sh: error: $command" >>"$log"
  done=$((done + 1))
  printf '\r%d of %d' "$done" "$units" >&2
done <"$commands"
printf '\n' >&2
errors=$(grep -c 'error:' "$log") || true
warnings=$(grep -c 'warning:' "$log") || true
printf '| %s | %s | %d units | %d errors, %d warnings |\n' "$(date -u +%F)" "$("$compiler" --version | head -1)${including:+, what includes <$including/}${*:+, $*}" "$units" "$errors" "$warnings"
if ((errors + warnings)); then grep -E '(error|warning):' "$log" | sort | uniq -c | sort -rn | head -40; exit 1; fi
