#!/usr/bin/env bash
# Fetches what the preset 'web' needs on Debian 12 or later: packages, and of Debian's sources those of LLVM 19 and yaml-cpp.
#   web/toolchain.sh [FOLDER]     FOLDER: where the sources go (ORRERY_WASM_SOURCES; default ~/.cache/orrery/wasm, 25 MB)
set -euo pipefail
folder=${1:-${ORRERY_WASM_SOURCES:-$HOME/.cache/orrery/wasm}}
packages=(clang-19 lld-19 llvm-19 libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 wasi-libc nodejs
  libfmt-dev nlohmann-json3-dev libboost-dev libeigen3-dev)
fail() { printf 'web/toolchain.sh: %s\n' "$*" >&2; exit 1; }
command -v apt-get >/dev/null || fail "there is no apt-get. Install ${packages[*]}, and unpack the sources of LLVM 19 and yaml-cpp into $folder?"

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if ((${#missing[@]})); then
  ((EUID == 0)) || fail "${missing[*]}: not installed, and only root may install them. Run: sudo apt-get install ${missing[*]}"
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

if ! compgen -G "$folder/llvm-toolchain-19_*" >/dev/null || ! compgen -G "$folder/yaml-cpp-*" >/dev/null; then
  mkdir -p "$folder"
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  # A list of sources of its own, so that the machine's stays as it is.
  mkdir -p "$scratch/lists/partial"
  shopt -s nullglob
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    if [[ -f $list ]]; then sed -nE 's/^deb (.*debian.*)/deb-src \1/p' "$list"; fi
  done >"$scratch/all.list"
  cat /etc/apt/sources.list.d/debian*.sources 2>/dev/null | sed 's/^Types:.*/Types: deb-src/' >"$scratch/all.sources" || true
  list=$scratch/all.sources
  [[ -s $list ]] || list=$scratch/all.list
  options=(-o "Dir::Etc::sourcelist=$list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$scratch/lists")
  cd "$scratch"
  apt-get "${options[@]}" update -qq
  apt-get "${options[@]}" source -qq --download-only llvm-toolchain-19 yaml-cpp
  tar -xJf llvm-toolchain-19_*.orig.tar.xz -C "$folder" --wildcards '*/libcxx/src/*' '*/libcxx/include/*' '*/libcxxabi/src/*' \
    '*/libcxxabi/include/*' '*/libunwind/src/*' '*/libunwind/include/*' '*/libc/src/__support/*'
  tar -xJf yaml-cpp_*.orig.tar.xz -C "$folder"
fi
echo "ready: cmake --preset web && cmake --build --preset web"
