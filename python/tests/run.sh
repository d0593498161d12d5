#!/usr/bin/env bash
# One kind of check of the Python package: run.sh KIND ORRERY SOURCE SCRATCH
#   tests      pytest                            types      mypy, strict
#   names      pyflakes                          notebooks  each is executed, and is kept without outputs
#   installs   pip installs it without a network, and it runs with nothing but the standard library
# Ends with 77 and the reason where a tool is missing (.ci/run installs them).
set -euo pipefail
kind=$1 orrery=$2 source=$3 scratch=$4
python=/usr/bin/python3
[[ -x $python ]] || python=$(command -v python3) || { echo "skipped: there is no python3"; exit 77; }
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "skipped: $python is older than 3.11"; exit 77; }
# needs MODULE PACKAGE: of what this kind of check is made with.
needs() { "$python" -c "import $1" 2>/dev/null || { echo "skipped: no module '$1' (apt-get install $2)"; exit 77; }; }
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"
export ORRERY=$orrery ORRERY_DATA=$source PYTHONPATH=$source/python PYTHONDONTWRITEBYTECODE=1 PYDEVD_DISABLE_FILE_VALIDATION=1
[[ $kind == notebooks ]] || export MPLBACKEND=Agg
fail() { echo "run.sh $kind: $*" >&2; exit 1; }

case $kind in
  tests)
    needs pytest python3-pytest
    "$python" -m pytest -q -p no:cacheprovider --basetemp="$scratch/pytest" "$source/python/tests"
    ;;
  types)
    needs mypy mypy
    "$python" -m mypy --config-file "$source/python/mypy.ini" --cache-dir "$scratch/cache" "$source/python/orrery"
    ;;
  names)
    needs pyflakes pyflakes3
    "$python" -m pyflakes "$source"/python
    ;;
  notebooks)
    needs nbconvert python3-nbconvert && needs ipykernel python3-ipykernel
    needs pandas python3-pandas && needs matplotlib python3-matplotlib
    for notebook in "$source"/docs/notebooks/*.ipynb; do
      "$python" "$source/python/tests/notebook.py" stripped "$notebook" || fail "$notebook has outputs; run 'python3 python/tests/notebook.py strip $notebook'"
      name=$(basename "$notebook" .ipynb)
      mkdir "$name" && (cd "$name" && cp "$notebook" . && "$python" -m nbconvert --to html --execute "$name.ipynb" --log-level ERROR)
      [[ -s $name/$name.html ]] || fail "$name: no page"
      echo "$name: executed"
    done
    ;;
  installs)
    needs setuptools python3-setuptools && needs pip python3-pip && needs wheel python3-wheel
    cp -r "$source/python" package && rm -rf package/build
    "$python" -m pip install --quiet --no-index --no-deps --disable-pip-version-check --root-user-action=ignore --target lib ./package
    [[ -e lib/orrery/py.typed ]] || fail "py.typed is not installed"
    # -S: no site-packages, so nothing but the standard library is there.
    PYTHONPATH=$PWD/lib "$python" -S -c '
import orrery, pathlib, sys
assert pathlib.Path(orrery.__file__).is_relative_to(sys.argv[1]), orrery.__file__
assert orrery.version() == orrery.__version__, (orrery.version(), orrery.__version__)
r = orrery.simulate("fermi", "infiniband", "wave2d", ranks=4, per_node=1)
assert r.makespan_s > 0
print(r)
try:
    r.runs.to_pandas()
except ImportError as error:
    assert "apt-get install python3-pandas" in str(error)
try:
    r.links.plot("name", "busy_s")
except ImportError as error:
    assert "apt-get install python3-matplotlib" in str(error)
' "$PWD/lib"
    ;;
esac
