#!/usr/bin/env bash
# rooms_planted.sh SCRATCH: rooms.sh finds what it is for, in trees of a few lines.
set -euo pipefail
trap 'echo "rooms_planted.sh: line $LINENO failed" >&2' ERR
here=$(cd "$(dirname "$0")" && pwd)
scratch=$1
# tree FILE HEADER ...: a tree in which each FILE includes the HEADER after it.
tree() {
  rm -rf "$scratch" && mkdir -p "$scratch"
  while (($#)); do
    mkdir -p "$scratch/$(dirname "$1")"
    printf '#include "%s"\n' "$2" >>"$scratch/$1"
    shift 2
  done
}
ring() {
  if "$here/rooms.sh" "$scratch" >"$scratch/said"; then echo "no ring was found: $1"; exit 1; fi
  grep -qF "$1" "$scratch/said" || { echo "expected '$1' in:"; cat "$scratch/said"; exit 1; }
}
tree sim/engine/a.cpp sim/core/b.hpp sim/study/play/c.cpp sim/study/read/d.hpp sim/study/play/c.cpp sim/engine/a.hpp kernels/k.cpp sim/core/b.hpp
"$here/rooms.sh" "$scratch"
tree sim/engine/a.cpp sim/core/b.hpp sim/core/c.cpp sim/engine/a.hpp
ring 'core -> engine: sim/core/c.cpp includes sim/engine/a.hpp'
tree sim/study/play/a.cpp sim/study/read/b.hpp sim/study/read/c.cpp sim/study/fit/d.hpp sim/study/fit/d.cpp sim/study/play/a.hpp
ring 'fit -> play: sim/study/fit/d.cpp includes sim/study/play/a.hpp'
tree models/a.cpp models/barrier/b.hpp models/barrier/b.cpp models/a.hpp
ring 'barrier -> .: models/barrier/b.cpp includes models/a.hpp'
tree platforms/a.cpp kernels/b.hpp kernels/c.cpp sim/core/d.hpp sim/core/d.hpp platforms/a.hpp
ring 'platforms -> kernels: platforms/a.cpp includes kernels/b.hpp'
tree kernels/k.cpp sim/core/b.hpp
seq 900 >"$scratch/kernels/l.cpp"
for room in core engine show study; do mkdir -p "$scratch/sim/$room" && seq 200 >"$scratch/sim/$room/m.cpp"; done
if "$here/rooms.sh" "$scratch" >"$scratch/said"; then echo "a room of half the lines was not found"; exit 1; fi
grep -qF 'kernels holds 901 of 1701 lines' "$scratch/said"
