#!/usr/bin/env bash
# The Debian packages of this clone, as packages/*.deb: orrery, orrery-mpi, liborrery-dev, python3-orrery.
# Usage: packaging/deb/build.sh [OUTPUT]    (default: build/packages). Needs what './orrery' needs, and dpkg-dev, file, lintian.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build/deb
read -ra settings <<<"${ORRERY_SETTINGS:-}"  # for cmake, as in ORRERY_SETTINGS="-DORRERY_SIMGRID=OFF"
output=${1:-$root/build/packages}
fail() { printf 'packaging/deb/build.sh: %s\n' "$*" >&2; exit 1; }
for tool in cmake ninja dpkg-shlibdeps file; do
  command -v $tool >/dev/null || fail "$tool is not installed. Run: apt-get install cmake ninja-build dpkg-dev file"
done
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
# Only what is packed is built.
cmake --preset release -S "$root" -B "$build" -DCMAKE_INSTALL_PREFIX=/usr -DORRERY_BUILD_TESTS=OFF "${settings[@]}" >/dev/null
cmake --build "$build" --target orrery orrery_real orrery_library
mkdir -p "$output"
rm -f "$output"/*.deb
(cd "$build" && cpack -G DEB -B "$output" >"$build/cpack.log" 2>&1) || { tail -20 "$build/cpack.log" >&2; fail "cpack failed, see $build/cpack.log"; }
rm -rf "$output/_CPack_Packages"
ls "$output"/*.deb
if command -v lintian >/dev/null; then
  lintian --fail-on error --tag-display-limit 0 "$output"/*.deb
else
  echo "not checked by lintian (apt-get install lintian)" >&2
fi
