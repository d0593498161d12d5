#!/usr/bin/env bash
# run.sh KIND PROGRAM SOURCE SCRATCH: kernels, scenarios, refusals (same_bits.mjs), page, labs or scorm (KIND.mjs), firefox (page.mjs in that) of the module that
# preset 'web' built; skipped, with the reason, where there is none or it is of other sources. run.sh site SITE SOURCE SCRATCH: the documents' search.
set -euo pipefail
kind=$1 program=$2 source=$3 scratch=$4
skip() { echo "skipped: $*"; exit 77; }
command -v node >/dev/null || skip "there is no node (Debian package nodejs)"
find_chromium() { command -v chromium || command -v chromium-browser || command -v google-chrome || skip "Chromium is not installed (Debian package chromium)"; }
if [[ $kind == site ]]; then
  [[ -f $program/search/from_disk.js ]] || skip "$program has no site of theme 'material' (ctest -R documents_are_a_site; Debian packages mkdocs, mkdocs-material)"
  chromium=$(find_chromium) || { echo "$chromium"; exit 77; }
  mkdir -p "$scratch"
  exec node "$source/tests/web/site.mjs" "$program" "$chromium" "$scratch"
fi
build=${ORRERY_WEB_BUILD:-$source/build/web}
[[ -f $build/web/orrery.wasm ]] || skip "$build/web/orrery.wasm is not built (web/toolchain.sh, then cmake --preset web && cmake --build --preset web)"
# Only a build knows whether it is of these sources: one that has nothing to do ends at once.
flock "$build/.test-lock" timeout 20 ninja -C "$build" >/dev/null 2>&1 || skip "$build is older than the sources (cmake --build --preset web)"
if [[ $kind == firefox ]]; then
  firefox=$(command -v firefox-esr || command -v firefox) || skip "Firefox is not installed (Debian package firefox-esr)"
  node --experimental-websocket -e 0 2>/dev/null || skip "node $(node --version) has no WebSocket (from 20.10 on)"
  exec node --experimental-websocket "$source/tests/web/page.mjs" "$build/orrery.html" "$program" "$firefox" "$scratch"
fi
if [[ $kind == page || $kind == labs || $kind == scorm ]]; then
  again=
  if [[ $kind == scorm ]]; then
    again=${ORRERY_WASM_SOURCES:-$HOME/.cache/orrery/wasm}/node_modules/scorm-again
    [[ -d $again ]] || skip "scorm-again is not installed (npm install --prefix ${again%/node_modules/*} scorm-again@3.4.3)"
    command -v unzip >/dev/null || skip "there is no unzip (Debian package unzip)"
  fi
  chromium=$(find_chromium) || { echo "$chromium"; exit 77; }
  exec node "$source/tests/web/$kind.mjs" "$build/orrery.html" "$program" "$chromium" "$scratch" ${again:+"$again"}
fi
exec node "$source/tests/web/same_bits.mjs" "$kind" "$build/web/orrery.wasm" "$program" "$source" "$scratch"
