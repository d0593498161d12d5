#!/usr/bin/env bash
# What a terminal shows goes through tell() and say() of sim/core/tell.hpp, which escape what would drive it: a file may have any name.
# Usage: printing.sh SOURCE
set -euo pipefail
cd "$1"
# prints FOLDER...: where text is printed in another way. The line of progress, and what must be said from a signal, are in progress.cpp.
prints() {
  grep -rnE 'fmt::(v?print|println)\(|std::(cout|cerr|clog)|(^|[^a-z_])(f?puts|f?printf|fwrite|perror|putchar)\(' --include='*.cpp' --include='*.hpp' "$@" |
    grep -vE '^[^:]*(sim/core/tell|sim/study/play/progress|sim/cli/standard_streams)[.][ch]pp:|^[^:]*:[0-9]*: *//' || true
}
planted=$(mktemp -d) && trap 'rm -rf "$planted"' EXIT
printf 'void planted() { fmt::print("{}", name); }\n' >"$planted/planted.cpp"
[[ -n $(prints "$planted") ]] || { echo "fmt::print is not missed"; exit 1; }
found=$(prints sim platforms validation/commands validation/cluster)
[[ -z $found ]] || { echo "$found"; echo "a name in it may drive the terminal. Take tell() or say() of sim/core/tell.hpp?"; exit 1; }
