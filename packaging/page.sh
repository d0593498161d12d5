#!/usr/bin/env bash
# The page as a release has it: built from this checkout (web/toolchain.sh first), and as one file whose name says its version.
# Usage: packaging/page.sh [OUTPUT]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
output=${1:-$root/build/packages}
cd "$root"
cmake --preset web >/dev/null
cmake --build --preset web >/dev/null
mkdir -p "$output"
page=$output/orrery-$(<VERSION).html
cp build/web/orrery.html "$page"
echo "$page"
