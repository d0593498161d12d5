#!/usr/bin/env bash
# rooms.sh ROOT: no two folders include each other, directly or through others, at any level; no room holds over a fifth of
# the product's lines.
#
# An include is an arrow between the two folders where the paths part: sim/study/play/a.cpp -> sim/study/read/b.hpp is
# 'play -> read' inside sim/study. The folders of sim stand beside platforms, kernels, models and validation. Sources that
# lie in a folder itself, beside its sub-folders, are its room '.'.
set -euo pipefail
root=$1
cd "$root"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
houses=()
for house in sim platforms kernels models validation; do [[ -d $house ]] && houses+=("$house"); done
mapfile -t sources < <(find "${houses[@]}" \( -name '*.cpp' -o -name '*.hpp' \) -not -path '*/build/*' | sort)
((${#sources[@]})) || { echo "rooms.sh: $root holds no sources" >&2; exit 2; }

# PLACE FROM TO FILE HEADER, a line for each include between two rooms.
awk '
  function room(parts, depth, count) { return depth < count ? parts[depth] : "." }
  /^#include "(sim|platforms|kernels|models|validation)\// {
    header = $2; gsub(/"/, "", header)
    file = FILENAME; sub(/^sim\//, "", file); to = header; sub(/^sim\//, "", to)
    n = split(file, a, "/"); m = split(to, b, "/")
    place = ""; depth = 1
    while (depth < n && depth < m && a[depth] == b[depth]) { place = place "/" a[depth]; depth++ }
    from_room = room(a, depth, n); to_room = room(b, depth, m)
    if (from_room != to_room) print (place == "" ? "/" : place), from_room, to_room, FILENAME, header
  }' "${sources[@]}" >"$scratch/arrows"

broken=0
while read -r place; do
  if ! awk -v place="$place" '$1 == place { print $2, $3 }' "$scratch/arrows" | sort -u | tsort >/dev/null 2>"$scratch/ring"; then
    mapfile -t ring < <(sed -nE 's/^tsort: -?: ?//; s/^tsort: ([^ ]+)$/\1/p' "$scratch/ring" | grep -v 'loop' | awk '!seen[$0]++')
    printf '%s: a ring of %s\n' "$place" "${ring[*]}"
    for from in "${ring[@]}"; do
      for to in "${ring[@]}"; do
        awk -v place="$place" -v from="$from" -v to="$to" \
          '$1 == place && $2 == from && $3 == to && !shown++ { printf "  %s -> %s: %s includes %s\n", from, to, $4, $5 }' "$scratch/arrows"
      done
    done
    broken=1
  fi
done < <(cut -d' ' -f1 "$scratch/arrows" | sort -u)

total=$(cat "${sources[@]}" | wc -l)
while read -r lines room; do
  if ((lines * 5 > total)) && ((total > 1000)); then
    printf '%s holds %d of %d lines (a fifth at most). Split it?\n' "$room" "$lines" "$total"
    broken=1
  fi
done < <(wc -l "${sources[@]}" | awk '$2 != "total" { path = $2; sub(/^sim\//, "sim:", path); split(path, part, "/"); lines[part[1]] += $1 }
  END { for (room in lines) print lines[room], room }' | sed 's/sim:/sim\//')
exit $broken
