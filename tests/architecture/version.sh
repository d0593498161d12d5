#!/usr/bin/env bash
# VERSION is the one version: what must repeat it (other tools read these files without ours) says the same.
# Usage: version.sh SOURCE [ORRERY]
set -euo pipefail
source=$1 orrery=${2:-}
version=$(<"$source/VERSION")
failures=0
# says FILE WANTED: some line of the file is exactly this.
says() {
  grep -qxF -- "$2" "$source/$1" && return
  echo "$1: has no line '$2' (VERSION is $version). Change it there too?"
  failures=$((failures + 1))
}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-rc[0-9]+)?$ ]] || { echo "VERSION: '$version' is not of the form 1.2.3 or 1.2.3-rc1"; exit 1; }
says CITATION.cff "version: $version"
says python/orrery/__init__.py "__version__ = \"$version\""
grep -qE "^## ${version//./\\.}( |$)" "$source/CHANGELOG.md" || { echo "CHANGELOG.md: has no section '## $version'"; failures=$((failures + 1)); }
says packaging/conda/recipe.yaml "  version: \"${version/-rc/rc}\""
if [[ $orrery && $("$orrery" --version) != *"$version"* ]]; then
  echo "orrery --version says '$("$orrery" --version)', not $version"
  failures=$((failures + 1))
fi
exit $((failures > 0))
