#!/usr/bin/env bash
# The model that docs/own-model.md shows in C++ compiles as it stands. Usage: example_model.sh CXX SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
cxx=$1 source=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
awk '/^```cpp$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$source/docs/own-model.md" >"$scratch/one-card.cpp"
grep -q 'models().add' "$scratch/one-card.cpp"
"$cxx" -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only -I "$source" "$scratch/one-card.cpp"
