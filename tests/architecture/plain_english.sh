#!/usr/bin/env bash
# Pages are easy to read: at most 15 words a sentence on average, 5 % of the sentences over 30 words, 0.2 semicolons in 100 words
# and 1 % of riddling openings ("Who has ..."). One of each is allowed on a short page.
# plain_english_later.txt lists the pages that are not rewritten yet. A page on it that holds the bounds has to be taken off it.
# Usage: plain_english.sh SOURCE
set -euo pipefail
cd "$1"
here=tests/architecture
count() { awk -f "$here/plain_english.awk" "$1"; }
# What a page breaks, or nothing. Its counts are the arguments.
broken() {
  local sentences=$1 words=$2 long=$3 semicolons=$4 openings=$5
  ((sentences > 0)) || return 0
  ((words <= 15 * sentences)) || printf '%s words a sentence (15 at most). ' "$(awk "BEGIN {printf \"%.1f\", $words / $sentences}")"
  ((long <= 1 || 100 * long <= 5 * sentences)) || printf '%s of %s sentences have over 30 words (5 %% at most). ' "$long" "$sentences"
  ((semicolons <= 1 || 1000 * semicolons <= 2 * words)) || printf '%s semicolons (0.2 in 100 words at most). ' "$semicolons"
  ((openings <= 1 || 100 * openings <= sentences)) || printf '%s openings like "Who has" (1 %% at most). ' "$openings"
}

# The rule finds what it is for.
planted=$(mktemp)
trap 'rm -f "$planted"' EXIT
printf '%s\n' 'Who has timings fits the platform; what is left stays. Who asks for more gets it; that is told. A short sentence is fine here.' >"$planted"
[[ $(count "$planted") == "3 25 0 2 2" ]] || { echo "plain_english.awk counts '$(count "$planted")' in the planted page"; exit 1; }
[[ -n $(broken 10 151 0 0 0) && -n $(broken 30 300 2 0 0) && -n $(broken 10 100 0 2 0) && -n $(broken 10 100 0 0 2) && -z $(broken 10 150 1 1 1) ]] ||
  { echo "the bounds do not hold what they say"; exit 1; }

failed=0
mapfile -t pages < <(git ls-files '*.md' 2>/dev/null | grep . || find README.md CONTRIBUTING.md docs -name '*.md')
for page in "${pages[@]}"; do
  case $page in CHANGELOG.md | CODE_OF_CONDUCT.md | docs/reference.md | labs/*) continue ;; esac  # made by the program, or of another form
  read -r -a counts < <(count "$page")
  wrong=$(broken "${counts[@]}")
  later=$(grep -cxF "$page" "$here/plain_english_later.txt" || true)
  if [[ -n $wrong && $later == 0 ]]; then
    echo "$page: $wrong"
    awk -v longest=30 -f "$here/plain_english.awk" "$page" | head -3
    failed=1
  elif [[ -z $wrong && $later != 0 ]]; then
    echo "$page holds the bounds now. Take it off $here/plain_english_later.txt?"
    failed=1
  fi
done
while read -r page; do
  [[ -f $page ]] || { echo "$here/plain_english_later.txt names '$page', which is no page"; failed=1; }
done <"$here/plain_english_later.txt"
exit $failed
