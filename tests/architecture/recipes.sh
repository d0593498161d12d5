#!/usr/bin/env bash
# Recipes that cannot be run here are at least well formed: the keys of a conda recipe (format v1), the layout of a Spack repository (API v2.0),
# and the rules of a container file that other tools complain about. Usage: recipes.sh SOURCE
set -euo pipefail
source=$1
cd "$source"
failures=0
say() { echo "$*"; failures=$((failures + 1)); }

recipe=packaging/conda/recipe.yaml
while IFS= read -r key; do
  case $key in
    schema_version | context | package | source | build | requirements | tests | about | extra | outputs | recipe | cache) ;;
    *) say "$recipe: unknown key '$key'" ;;
  esac
done < <(sed -nE 's/^([A-Za-z_]+):.*/\1/p' "$recipe")
for key in package source build requirements tests about; do grep -q "^$key:" "$recipe" || say "$recipe: has no '$key'"; done
while IFS= read -r key; do
  case $key in build | host | run | run_constraints | run_exports | ignore_run_exports) ;; *) say "$recipe: unknown requirement '$key'" ;; esac
done < <(awk '/^[a-z]/ { inside = /^requirements:/ } inside && /^  [a-z_]+:/ { sub(/^  /, ""); sub(/:.*/, ""); print }' "$recipe")

for repo in packaging/spack_repo/*/repo.yaml; do
  namespace=$(basename "$(dirname "$repo")")
  grep -qxF "  namespace: $namespace" "$repo" || say "$repo: the namespace is not its folder, '$namespace'"
  grep -qxF "  api: v2.0" "$repo" || say "$repo: the API is not v2.0"
  for package in "$(dirname "$repo")"/packages/*/package.py; do
    folder=$(basename "$(dirname "$package")")
    [[ $folder =~ ^[a-z_][a-z0-9_]*$ ]] || say "$package: '$folder' is no name of a Python module"
    grep -qE "^class ${folder^}\(" "$package" || say "$package: has no class ${folder^}"
    if command -v python3 >/dev/null; then python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$package" || say "$package: is no Python"; fi
    # Of the build system, not of spack.package.
    ! grep -q '^    generator(' "$package" || grep -qE '^from .*build_systems\.cmake import .*\bgenerator\b' "$package" || say "$package: 'generator' is not imported"
    for variant in simgrid mpi python; do grep -q "variant(\"$variant\"" "$package" || say "$package: has no variant '$variant'"; done
  done
done

file=Containerfile
[[ $(grep -c '^FROM ' $file) == 2 ]] || say "$file: has not two stages"
! grep -E '^FROM [^:]*( |$)|^FROM .*:latest' $file || say "$file: a base without a version"
[[ $(grep '^USER ' $file | tail -1) =~ ^USER\ [a-z] && $(grep '^USER ' $file | tail -1) != "USER root" ]] || say "$file: runs as root"
[[ $(grep -c 'apt-get update' $file) == $(grep -c 'rm -rf /var/lib/apt/lists' $file) ]] || say "$file: lists of packages stay in a layer"
! grep -E 'apt-get install' $file | grep -v -- '--no-install-recommends' || say "$file: installs what is only recommended"

# Apptainer hides the image's /tmp behind the machine's while %post runs.
! sed -n '/^%files/,/^%post/p' orrery.def | grep ' /tmp' || say "orrery.def: what is copied to /tmp is not there in %post"

# Scripts that are run by hand or by a recipe, where the tool is to be had.
if command -v shellcheck >/dev/null; then
  shellcheck --severity=warning orrery packaging/*.sh packaging/deb/*.sh validation/systems/*.sh || say "shellcheck: see above"
  sed -n '/^%post/,/^%[^p]/p' orrery.def | grep -v '^%' | shellcheck --severity=warning -s sh - || say "orrery.def: %post: see above"
fi

# What the wrapper installs is what every other recipe installs.
packages=$(sed -nE '/^packages=\(/,/\)/p' orrery | tr -d '()' | sed 's/packages=//' | tr -s ' \n' '\n' | grep -vE '^(ccache|doctest-dev|fonts-liberation|)$')
for package in $packages; do grep -qw -- "$package" $file || say "$file: lacks $package, which ./orrery installs"; done
exit $((failures > 0))
