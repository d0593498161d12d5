#!/usr/bin/env bash
# What simulated times, draws and predictions are made of takes no function whose last digit is the system's own: sim/core/portable_math.hpp has them.
# Usage: portable_math.sh SOURCE
set -euo pipefail
cd "$1"
# system_functions FOLDER...: calls whose last digit differs between C libraries (std::sqrt, floor, fmod, ldexp ... are exact everywhere).
system_functions() {
  grep -rnE '(^|[^A-Za-z_])(std)?::(exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|erf|erfc|tgamma|lgamma)\(|std::[a-z_]+_distribution\b' \
    --include='*.cpp' --include='*.hpp' "$@" || true
}
planted=$(mktemp -d) && trap 'rm -rf "$planted"' EXIT
printf 'double planted(double x) { return std::log(x); }\n' >"$planted/planted.cpp"
[[ -n $(system_functions "$planted") ]] || { echo "std::log is not missed"; exit 1; }
eigen=$(grep -rln '#include <Eigen' --include='*.cpp' --include='*.hpp' sim platforms kernels models validation | grep -v '^models/eigen\.hpp$' || true)
[[ -z $eigen ]] || { echo "$eigen: vector instructions add in orders of their own. Include models/eigen.hpp?"; exit 1; }
found=$(system_functions sim/core sim/engine sim/study/judge sim/study/lab sim/study/play sim/study/read platforms kernels models | grep -v '^[^:]*:[0-9]*: *//' || true)
[[ -z $found ]] || { echo "$found"; echo "the last digit differs between machines. Take it from sim/core/portable_math.hpp?"; exit 1; }
