#!/usr/bin/env bash
# packaging/version.sh turns a candidate into its version in one step, and version.sh misses a file that is left behind.
# Usage: version_set.sh SOURCE SCRATCH
set -euo pipefail
source=$1 scratch=$2
fail() { echo "version_set.sh: $*"; exit 1; }
files=(VERSION CHANGELOG.md CITATION.cff python/orrery/__init__.py packaging/conda/recipe.yaml packaging/version.sh tests/architecture/version.sh)
rm -rf "$scratch" && mkdir -p "$scratch"
(cd "$source" && tar --create "${files[@]}") | tar --extract --directory "$scratch"
cd "$scratch"
packaging/version.sh 7.1.0-rc2 >out.txt 2>&1 && fail "a version without a section in CHANGELOG.md is taken"
sed -i '1,/^## /s/^## .*/## 7.1.0-rc2 (2026-01-01)/' CHANGELOG.md
packaging/version.sh 7.1.0-rc2 || fail "7.1.0-rc2 is not taken"
packaging/version.sh 7.1.0 || fail "7.1.0 does not follow 7.1.0-rc2"
[[ $(<VERSION) == 7.1.0 && $(grep -c '^## 7.1.0 (2' CHANGELOG.md) == 1 ]] || fail "VERSION or CHANGELOG.md is not of 7.1.0"
tests/architecture/version.sh . || fail "files disagree"
sed -i 's/^version: .*/version: 7.0.9/' CITATION.cff
tests/architecture/version.sh . >out.txt && fail "a file of another version is not missed"
packaging/version.sh 7.2 2>err.txt && fail "7.2 is taken for a version"
grep -q "'7.2' is no version" err.txt || fail "$(<err.txt)"
