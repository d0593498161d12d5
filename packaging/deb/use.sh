#!/usr/bin/env bash
# Uses installed packages as one who has only them: run by validation/systems/try.sh in a clean system, without a network.
# Usage: use.sh PACKAGE...      (the ones that are installed)
set -euo pipefail
has() { [[ " $packages " == *" $1 "* ]]; }
packages="$*"
orrery selftest
orrery run rico-gallego16-m10 --check --out m10 >/dev/null
test -s m10/report.html
orrery --version
for file in /usr/share/man/man1/orrery.1.gz /usr/share/bash-completion/completions/orrery /usr/share/orrery/docs/README.md \
  /usr/share/doc/orrery/copyright; do
  test -s "$file" || { echo "not installed: $file"; exit 1; }
done
if has orrery-mpi; then
  printf '%s\n' 'source: a test' 'platform: fermi' 'network: infiniband' 'layout: {ranks: 2, per-node: 2}' 'kernel: {name: pingpong, sizes: 1KiB}' >two.yaml
  mpirun --oversubscribe -n 2 orrery-mpi two.yaml --repeat 2 --warm-up 1 -o two.csv >/dev/null
  orrery run two.yaml --set measured=two.csv --out two | grep -q measured
  orrery-rates list >/dev/null
  test -s /usr/lib/orrery/liborrery-record.so
fi
if has liborrery-dev; then
  cmake -S consumer -B built >/dev/null
  cmake --build built >/dev/null
  built/my-orrery run consumer/relay.yaml --format csv --out relay >relay.csv
  grep -q ",one-card,,3.4968" relay.csv  # 2 (1.1 us + 65536 B / 4 GB/s)
fi
if has python3-orrery; then
  python3 - <<'END'
import orrery

result = orrery.simulate(platform="fermi", network="infiniband", kernel="pingpong", ranks=2, per_node=1)
assert len(result.runs) == 1, result.runs
print("python:", orrery.version())
END
fi
echo "all of $packages work"
