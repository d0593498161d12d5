#!/usr/bin/env bash
# The simulator keeps to POSIX.1-2008: sim, platforms, kernels and models include no other header of the system, and every source that includes
# one is compiled (syntax only, a minute) with nothing else declared. What libstdc++'s own headers then miss is its own business: messages
# are of our files.
# Usage: posix.sh SOURCE BUILD [COMPILER]
set -euo pipefail
source=$1 build=$2 compiler=${3:-g++}
cd "$source"
flags=(-std=c++20 -fsyntax-only -w -U_GNU_SOURCE -D_POSIX_C_SOURCE=200809L -I. -I"$build/generated" -I/usr/include/eigen3
  -DORRERY_SOURCE_DATA="\"\"" -DORRERY_INSTALL_DATA="\"\"")  # sim/study/read/CMakeLists.txt
checked=0 broken=0
# Other headers declare what they have whatever is asked for (sys/file.h: flock), so they are told by their names.
posix='aio|dirent|dlfcn|errno|fcntl|grp|math|netdb|poll|pthread|pwd|sched|semaphore|signal|stddef|stdint|stdio|stdlib|string|strings|termios|time|unistd'
posix+='|arpa/inet|net/if|netinet/(in|tcp)|sys/(mman|resource|select|socket|stat|statvfs|time|times|types|uio|un|utsname|wait)'
# elsewhere FOLDER...: lines that include a header of C that is neither POSIX's nor a library's; linux.cpp and SimGrid's folder apart.
elsewhere() {
  grep -rnE '^#include <[a-z0-9_/]+\.h>' --include='*.cpp' --include='*.hpp' "$@" |
    grep -vE "^sim/(system/linux\.cpp|[a-z]*/simgrid/)|<($posix|fmt/[a-z]+|cairo|nlopt|sqlite3|zlib)\.h>" || true
}
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
printf '#include <sys/file.h>\n' >"$planted/header.cpp"
[[ -n $(elsewhere "$planted") ]] || { echo "sys/file.h is not missed"; exit 1; }
found=$(elsewhere sim platforms kernels models)
[[ -z $found ]] || { echo "$found"; echo "no headers of POSIX. What needs them belongs into sim/system"; broken=1; }
while IFS= read -r file; do
  check "$file" || broken=$((broken + 1))
done < <(grep -lE '^#include <(sys/|net/|unistd|poll|signal|fcntl|sched|stdlib|stdio|string|math|time|dlfcn|pthread)[a-z/]*\.h>|^#include <c(stdlib|stdio|string|time)>' -r sim platforms kernels models --include='*.cpp' |
  grep -vE '^sim/(system/linux|[a-z]*/simgrid/)')
((checked > 5)) || { echo "only $checked sources include a header of the system: look again"; exit 1; }
echo "$checked sources keep to POSIX.1-2008, $broken do not"
((broken == 0))
