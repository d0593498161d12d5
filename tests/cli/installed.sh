#!/usr/bin/env bash
# An installation works alone: moved to another place, from another folder, with the source tree and the build hidden where
# the system allows that. Usage: installed.sh BUILD SOURCE CMAKE
set -uo pipefail
build=$1 source=$2 cmake=$3
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
for component in tool python-source; do
  "$cmake" --install "$build" --component $component --prefix "$scratch/first" >"$scratch/install.log" || { cat "$scratch/install.log"; exit 1; }
done
mv "$scratch/first" "$scratch/prefix"
for file in bin/orrery share/man/man1/orrery.1 share/bash-completion/completions/orrery share/zsh/site-functions/_orrery \
  share/fish/vendor_completions.d/orrery.fish share/orrery/platforms/fermi.yaml share/orrery/scenarios/layouts/rico-gallego16-table1.yaml \
  share/orrery/docs/reference.md share/orrery/python/orrery/__init__.py share/orrery/python/setup.cfg; do
  [[ -s $scratch/prefix/$file ]] || { echo "not installed: $file"; exit 1; }
done
if [[ -s $source/build/web/orrery.html && ! -s $scratch/prefix/share/orrery/web/orrery.html ]]; then echo "not installed: the page, though it is built"; exit 1; fi

cat >"$scratch/try.sh" <<'END'
failures=0
say() { echo "$*"; failures=$((failures + 1)); }
works() { "$@" >out.txt 2>err.txt || say "$* fails: $(cat err.txt)"; }
prints() { local wanted=$1; shift; works "$@"; grep -q -- "$wanted" out.txt || say "$*: no '$wanted' in $(head -5 out.txt)"; }
prints "^$PREFIX/share/orrery/platforms/fermi.yaml" orrery show platform fermi
for what in collectives compute-models kernels layout-rows layouts models networks partitioners platforms scenarios; do
  works orrery list $what
  works orrery list $what --names
  case $what in kernels | models | platforms | compute-models)
    for name in $(cat out.txt); do works orrery show ${what%s} "$name"; done ;;
  esac
done
prints summa orrery list kernels --names
prints '^rico-gallego16-m10$' orrery list scenarios --names
prints '^.TH ORRERY 1' orrery show man
prints 'then-per-byte' orrery show reference
prints M10 orrery show reference scenario
for shell in bash fish zsh; do prints orrery orrery show completion $shell; done
# What help gives as examples, and what the documents name by their place in the tree.
works orrery check scenarios/rico-gallego16-m10.yaml platforms/fermi.yaml
works orrery run scenarios/meyer12-inner-product.yaml --set layout.ranks=8 --out m10
works orrery taulop --parameters docs/models/taulop-example --network IB 'T(1,65536)'
works orrery new scenario question.yaml
[[ ! -s $PREFIX/share/orrery/web/orrery.html ]] || works orrery page --scenario rico-gallego16-m10 -o question.html
works orrery new layout layouts.yaml
works orrery check question.yaml layouts.yaml
works orrery run question.yaml --out question
works orrery simulate --platform fermi --network infiniband --kernel ring --layout rico-gallego16-table1:M3
works orrery simulate --platform fermi --network infiniband --replay jacobi
((failures == 0))
END
mkdir "$scratch/elsewhere" && cd "$scratch/elsewhere" || exit 1
export PREFIX=$scratch/prefix PATH=$scratch/prefix/bin:$PATH
unset ORRERY_DATA
hidden='for tree in "$0" "$1"; do mount -t tmpfs none "$tree" || exit 1; done; shift; exec bash "$@"'
if unshare -rm sh -c 'mount -t tmpfs none /mnt' 2>/dev/null; then
  unshare -rm sh -c "$hidden" "$build" "$source" "$scratch/try.sh" || exit 1
else
  echo "the source tree stays in sight: no namespaces here"
  bash "$scratch/try.sh" || exit 1
fi

# Completion as bash asks for it.
source "$PREFIX/share/bash-completion/completions/orrery" || exit 1
completes() {
  local wanted=$1
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _orrery
  [[ " ${COMPREPLY[*]} " == *" $wanted "* ]] || { echo "completion of '$*' offers '${COMPREPLY[*]}', not '$wanted'"; exit 1; }
}
completes simulate orrery sim
completes platform orrery show pl
completes fermi-measured orrery show platform fer
completes rico-gallego16-m10 orrery run rico
completes --gpus orrery simulate --g
completes ampere40 orrery simulate --platform a
completes wave2d orrery predict --platform fermi --kernel w
completes flow orrery run x.yaml --engine f
completes taulop orrery calibrate --model t
completes omnipath orrery simulate --platform dahu --network o
completes M10 orrery simulate --layout rico-gallego16-table1 : M1
completes M10 orrery simulate --layout rico-gallego16-table1 :
completes kernels orrery list k
bash -n "$PREFIX/share/bash-completion/completions/orrery" || exit 1
if command -v zsh >/dev/null; then zsh -n "$PREFIX/share/zsh/site-functions/_orrery" || exit 1; fi
if command -v fish >/dev/null; then fish --no-execute "$PREFIX/share/fish/vendor_completions.d/orrery.fish" || exit 1; fi
# Every command has its section, and troff has nothing to complain of.
page=$PREFIX/share/man/man1/orrery.1
for command in run simulate 'show platform' 'new scenario' taulop; do
  grep -q "^.SS .fBorrery $command" "$page" || { echo "orrery(1) has no '$command'"; exit 1; }
done
if command -v groff >/dev/null; then
  warnings=$(groff -ww -man -Tutf8 -z "$page" 2>&1)
  [[ -z $warnings ]] || { echo "groff: $warnings"; exit 1; }
fi
exit 0
