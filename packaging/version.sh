#!/usr/bin/env bash
# Writes a version into VERSION and into every file that repeats it, and into the heading of its section of CHANGELOG.md where that is of a
# candidate for it (1.0.0-rc1 becomes 1.0.0, of today). Usage: packaging/version.sh 1.0.0
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
new=${1:-} old=$(<"$root/VERSION")
[[ $new =~ ^[0-9]+\.[0-9]+\.[0-9]+(-rc[0-9]+)?$ ]] || { echo "packaging/version.sh: '$new' is no version (1.2.3 or 1.2.3-rc1). Write 'packaging/version.sh ${old%-*}'?" >&2; exit 2; }
was=${old//./\\.}
cd "$root"
[[ ${old%-*} != "${new%-*}" ]] || sed -i -E "s/^## $was( .*)?$/## $new ($(date -u +%F))/" CHANGELOG.md
sed -i "s/^version: $was$/version: $new/" CITATION.cff
sed -i "s/^__version__ = \"$was\"$/__version__ = \"$new\"/" python/orrery/__init__.py
sed -i "s/^  version: \"${was/-rc/rc}\"$/  version: \"${new/-rc/rc}\"/" packaging/conda/recipe.yaml
echo "$new" >VERSION
exec tests/architecture/version.sh "$root"
