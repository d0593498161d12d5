#!/usr/bin/env bash
# Runs every command block of a document, in order, in one scratch folder that looks like a fresh clone, and compares
# the outputs that the document shows (same_output.awk says how).
# Usage: documents.sh ORRERY SOURCE SCRATCH DOCUMENT
#
# A block is ```sh ... ``` or an indented block that starts with ./orrery. A block below a line
# <!-- not-tested: reason --> is left out. An indented block that holds no command is shown output of the last block run
# since the heading, unless below a line <!-- not-output: reason -->.
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2 scratch=$3 document=$4
here=$(cd "$(dirname "$0")" && pwd)

rm -rf "$scratch"
mkdir -p "$scratch"
for entry in platforms scenarios docs README.md CONTRIBUTING.md; do
  ln -s "$source/$entry" "$scratch/$entry"
done
(cd "$source" && find kernels/collectives/algorithms models -maxdepth 1 -type d) | (cd "$scratch" && xargs mkdir -p) # for 'orrery new'
printf '#!/bin/sh\nexec "%s" "$@"\n' "$orrery" >"$scratch/orrery"
chmod +x "$scratch/orrery"
export PATH=$scratch:$PATH ORRERY_DATA=$source

awk -v folder="$scratch" '
  function open_block() { file = sprintf("%s/block-%03d.sh", folder, ++count); printf "" > file; ran = count; shown = 0 }
  function open_output() { output = sprintf("%s/block-%03d.shown-%d", folder, ran, ++shown); printf "" > output }
  /^<!-- not-tested: .+ -->$/ { skip = 1; next }
  /^<!-- not-output: .+ -->$/ { hide = 1; next }
  !inside && /^```sh$/ { inside = 1; if (!skip) open_block(); next }
  inside && /^```$/ { inside = 0; skip = 0; next }
  inside { if (!skip) print > file; next }
  /^```/ { other = !other; next }
  other { next }
  /^#/ { ran = 0 }
  /^    / && !indented {
    indented = /^    \.?\/?orrery / ? "command" : /^    python3 / ? "other" : "text"
    if (indented == "command" && !skip) open_block()
    if (indented == "text" && ran && !hide) open_output()
  }
  indented == "command" && /^    / { if (!skip) print substr($0, 5) > file; next }
  indented == "text" && /^    / { if (ran && !hide) print substr($0, 5) > output; next }
  indented && /^$/ { blank = 1; next }
  indented { indented = ""; skip = 0; hide = 0 }
  /[^ ]/ { skip = 0; hide = 0 }
' "$source/$document"

cd "$scratch"
count=0 compared=0
for block in block-*.sh; do
  [[ -e $block ]] || break
  count=$((count + 1))
  output=${block%.sh}.output
  if ! bash -eu "$block" >"$output" 2>&1; then
    if grep -q 'is not in this program, which was built without SimGrid' "$output"; then
      echo "$document: left out, since it asks for SimGrid: $(head -1 "$block")"
      continue
    fi
    echo "$document: this block fails:"
    cat "$block"
    echo "with:"
    tail -20 "$output"
    exit 1
  fi
  for shown in "${block%.sh}".shown-*; do
    [[ -e $shown ]] || break
    compared=$((compared + 1))
    if ! awk -f "$here/same_output.awk" "$shown" "$output"; then
      echo "$document: what it shows"
      cat "$shown"
      echo "is not what these commands print:"
      cat "$block"
      tail -60 "$output"
      exit 1
    fi
  done
done
echo "$document: $count blocks run, $compared outputs compared"
