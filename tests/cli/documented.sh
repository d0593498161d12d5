#!/usr/bin/env bash
# CONTRIBUTING's rule: no option and no key without a shipped file or document that shows why a user wants it. Options are taken
# from 'orrery show man', keys from 'orrery show reference': what is declared cannot be left out here.
# Usage: documented.sh ORRERY SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2
begin_in "$3" "$source"

# Everything that ships to be read or run, but for the page that is made from the declarations themselves.
(cd "$source" && find README.md CONTRIBUTING.md docs scenarios labs platforms validation python sim kernels models packaging tests/README.md -type f \
  \( -name '*.md' -o -name '*.ipynb' -o -name '*.yaml' -o -name '*.sh' \) ! -path docs/reference.md -exec cat {} +) >shipped
(($(wc -l <shipped) > 10000)) || fail "only $(wc -l <shipped) lines of documents were found"

shows() { grep -qE -- "$1" shipped; }
# missing_options < names of options;  missing_keys < names of keys: those that no document shows.
missing_options() { while read -r option; do shows "(^|[^a-z-])$option([^a-z-]|\$)" || echo "option $option"; done; }
missing_keys() { while read -r key; do shows "(^|[^a-z-])$key['\"]?[[:space:]]*[:=\`]" || echo "key $key"; done; }

"$orrery" show man | sed -nE 's/^(\\fB-[a-z]\\fR, )?\\fB((\\-|[a-z])+)\\fR.*/\2/p' | tr -d '\\' | grep '^--' | sort -u >options
"$orrery" show reference --markdown | sed -nE 's/^\| `([a-z0-9-]+)` \|.*/\1/p' | sort -u >keys
(($(wc -l <options) > 80)) || fail "only $(wc -l <options) options were found in 'orrery show man'"
(($(wc -l <keys) > 150)) || fail "only $(wc -l <keys) keys were found in 'orrery show reference'"

[[ $(echo '--no-such-option' | missing_options) == 'option --no-such-option' ]] || fail "an option that nothing shows is not found"
[[ $(echo 'no-such-key' | missing_keys) == 'key no-such-key' ]] || fail "a key that nothing shows is not found"

{ missing_options <options; missing_keys <keys; } >missing
[[ ! -s missing ]] || fail "no shipped file or document shows these; write why a user wants them, or take them out:
$(cat missing)"
