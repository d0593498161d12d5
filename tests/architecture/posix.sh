#!/usr/bin/env bash
# The simulator keeps to POSIX.1-2008: every source of sim, platforms, kernels and models that includes a header of the system is compiled
# (syntax only, half a minute) with nothing else declared. What libstdc++'s own headers then miss is its own business: messages are of our files.
# Usage: posix.sh SOURCE BUILD [COMPILER]
set -euo pipefail
source=$1 build=$2 compiler=${3:-g++}
cd "$source"
flags=(-std=c++20 -fsyntax-only -w -U_GNU_SOURCE -D_POSIX_C_SOURCE=200809L -I. -I"$build/generated" -I/usr/include/eigen3)
checked=0 broken=0
check() {
  local file=$1 messages
  checked=$((checked + 1))
  messages=$("$compiler" "${flags[@]}" "$file" 2>&1 | grep -E '^(sim|platforms|kernels|models|/dev/stdin|<stdin>)[^ ]*: (fatal )?error' || true)
  [[ -z $messages ]] || { echo "$messages"; return 1; }
}
# A call that POSIX does not have is found.
planted=$(mktemp -d) && trap 'rm -rf "$planted"' EXIT
printf '#include <unistd.h>\n#include <stdio.h>\nint orrery_planted(char** into) { return asprintf(into, "x"); }\n' >"$planted/planted.cpp"
if "$compiler" "${flags[@]}" "$planted/planted.cpp" 2>/dev/null; then
  echo "asprintf is not missed: this compiler declares more than POSIX"
  exit 1
fi
while IFS= read -r file; do
  check "$file" || broken=$((broken + 1))
done < <(grep -lE '^#include <(sys/|net/|unistd|poll|signal|fcntl|sched|stdlib|stdio|string|math|time|dlfcn|pthread)[a-z/]*\.h>' -r sim platforms kernels models --include='*.cpp' |
  grep -vE '^sim/(system/linux|[a-z]*/simgrid/)')
((checked > 5)) || { echo "only $checked sources include a header of the system: look again"; exit 1; }
echo "$checked sources keep to POSIX.1-2008, $broken do not"
((broken == 0))
