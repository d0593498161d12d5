# What the scripts of this folder share; sourced first:  source "$(dirname "$0")/prelude.sh"
# A command that fails ends the script and says its line. `a && b` as a line of its own does not: bash lets `a` fail there.
set -Eeuo pipefail
trap 'echo "${BASH_SOURCE[0]##*/}: line $LINENO ended with $?: $BASH_COMMAND" >&2' ERR

fail() {
  echo "${0##*/}: $*" >&2
  exit 1
}
skip() {
  echo "SKIP: $*"
  exit 77
}

# engines_of PROGRAM: "simgrid flow", or "flow" alone where it was built without SimGrid.
engines_of() {
  local help
  help=$("$1" simulate --help)
  if [[ $help == *'both|flow|simgrid'* ]]; then echo simgrid flow; else echo flow; fi
}

# begin_in SCRATCH SOURCE: an empty folder, and the data of the source tree.
begin_in() {
  rm -rf "$1"
  mkdir -p "$1"
  cd "$1"
  export ORRERY_DATA=$2
}
