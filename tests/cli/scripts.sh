#!/usr/bin/env bash
# The scripts of this folder cannot pass without testing: a command that fails ends them and says its line, and no line
# joins checks by `&&`, of which bash lets all but the last fail. Usage: scripts.sh SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
source=$1 scratch=$2
begin_in "$scratch" "$source"

mkdir cli
cp "$source/tests/cli/prelude.sh" cli
cat >cli/planted.sh <<'END'
source "$(dirname "$0")/prelude.sh"
checks() {
  grep -q no /dev/null
}
checks
echo "went on"
END
code=0
bash cli/planted.sh >planted.txt 2>&1 || code=$?
[[ $code == 1 && $(<planted.txt) == "planted.sh: line 3 ended with 1: grep -q no /dev/null"* && $(<planted.txt) != *"went on"* ]] ||
  fail "a planted failure ends with $code: $(<planted.txt)"

# A list of checks: it begins with a command that checks, goes on with `&&`, and has nothing that acts on its outcome.
joined='^ *(!? ?(grep|cmp|diff|awk|test|parses|"\$orrery"|\[\[).*) && '
acts='\|\||&& *(\{|break|return|continue|exit|fail|skip|same)|^ *(if|while|until|for) |\[\[ [^]]*&&[^]]*\]\]|\{[^}]*&&[^}]*\}'
checks_joined() { grep -nE "$joined" "$@" | grep -vE "$acts" || true; }
printf '%s\n' "grep -q a b && grep -q c d" '  cmp a b && ! grep -q c d' 'grep -q a b && fail "c"' 'if grep -q a b && true; then' \
  'grep -q a b && grep c d || fail "e"' >planted
[[ $(checks_joined planted | cut -d: -f1 | tr '\n' ' ') == "1 2 " ]] || fail "planted lists: $(checks_joined planted)"
for script in "$source"/tests/cli/*.sh; do
  name=${script##*/}
  found=$(checks_joined "$script")
  [[ -z $found || $name == scripts.sh ]] || fail "$name joins checks by &&: $found"
  case $name in
    prelude.sh) ;;
    drift.sh | engines.sh | errors.sh | installed.sh) ! grep -qE '^set -[a-z]*e' "$script" || fail "$name has set -e and no trap" ;; # these count failures
    *) grep -qx 'source "$(dirname "$0")/prelude.sh"' "$script" || fail "$name does not begin with prelude.sh" ;;
  esac
done
