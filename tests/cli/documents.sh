#!/usr/bin/env bash
# Runs every command block of a document, in order, in one scratch folder that looks like a fresh clone.
# Usage: documents.sh ORRERY SOURCE SCRATCH DOCUMENT
#
# A block is ```sh ... ``` or an indented block that starts with ./orrery. A block below a line
# <!-- not-tested: reason --> is left out.
set -euo pipefail
orrery=$1 source=$2 scratch=$3 document=$4

rm -rf "$scratch" && mkdir -p "$scratch"
for entry in platforms scenarios docs README.md CONTRIBUTING.md; do
  [[ -e $source/$entry ]] && ln -s "$source/$entry" "$scratch/$entry"
done
printf '#!/bin/sh\nexec "%s" "$@"\n' "$orrery" >"$scratch/orrery" && chmod +x "$scratch/orrery"
export PATH=$scratch:$PATH ORRERY_DATA=$source

awk -v folder="$scratch" '
  function open_block() { file = sprintf("%s/block-%03d.sh", folder, ++count); printf "" > file; from[count] = NR }
  /^<!-- not-tested: .+ -->$/ { skip = 1; next }
  !inside && /^```sh$/ { inside = 1; if (!skip) open_block(); next }
  inside && /^```$/ { inside = 0; skip = 0; next }
  inside { if (!skip) print > file; next }
  /^```/ { other = !other; next }
  !other && /^    \.?\/?orrery / { if (!indented && !skip) open_block(); indented = 1; if (!skip) print substr($0, 5) > file; next }
  indented && /^    / { if (!skip) print substr($0, 5) > file; next }
  indented { indented = 0; skip = 0 }
  /[^ ]/ { skip = 0 }
' "$source/$document"

cd "$scratch"
count=0
for block in block-*.sh; do
  [[ -e $block ]] || break
  count=$((count + 1))
  if ! bash -eu "$block" >output.txt 2>&1; then
    echo "$document: this block fails:"
    cat "$block"
    echo "with:"
    tail -20 output.txt
    exit 1
  fi
done
echo "$document: $count blocks run"
