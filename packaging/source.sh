#!/usr/bin/env bash
# The sources of the last commit as a tarball that builds without git and without a network. Usage: packaging/source.sh [OUTPUT]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
version=$(git -C "$root" show HEAD:VERSION)
output=${1:-$root/build/packages}
mkdir -p "$output"
git -C "$root" archive --format=tar --prefix="orrery-$version/" HEAD | gzip -9n >"$output/orrery-$version.tar.gz"
echo "$output/orrery-$version.tar.gz"
