#!/usr/bin/env bash
# What users and developers read has no common misspelling. Tests misspell names on purpose, so they are left out.
# Skipped where codespell is not installed. Usage: spelling.sh SOURCE
set -euo pipefail
cd "$1"
command -v codespell >/dev/null || { echo "codespell is not installed (apt install codespell)"; exit 77; }
words=ois,cleary,improbe  # SMPI's "ois" of an injection, Andy Cleary, MPI_Improbe
planted=$(mktemp)
trap 'rm -f "$planted"' EXIT
echo 'the netwrok of a platfrom' >"$planted"
if codespell -q 3 "$planted" >/dev/null; then
  echo "codespell finds nothing in the planted text"
  exit 1
fi
codespell -q 3 -L "$words" ./*.md .github docs sim platforms kernels models scenarios labs python/orrery packaging validation web cmake \
  --skip '*.csv,*.svg,*.html,*.png,node_modules,*.ipynb'
