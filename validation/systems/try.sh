#!/usr/bin/env bash
# Orrery in a clean system: a fresh root folder of SYSTEM, the tarball of the last commit (packaging/source.sh; no git, no network while it
# builds), and then, as a normal user, what the README says. Prints a line for README.md; everything else goes to a log. Needs root,
# debootstrap and 4 GB of disk.
#   try.sh SYSTEM [--engines] [--tests] [--without-simgrid] [--compiler CXX]
#   try.sh SYSTEM --package FILE.deb...     instead: installs these, uses them, removes them
#     SYSTEM             debian12, debian13, debiansid, ubuntu2404 or ubuntu2604
#     --engines          also builds the replay tests, in which both engines play the same, and runs them
#     --tests            also runs './orrery test', the whole suite
#     --without-simgrid  without libsimgrid-dev, configured with -DORRERY_SIMGRID=OFF
#     --compiler         clang++-19, g++-13 ...: another one of the system's instead of c++
# CI=true before it: there, too, a warning is an error. ORRERY_SYSTEMS (default /var/tmp/orrery-systems) holds a root folder for each system and
# one compiler cache for all (ORRERY_CACHE: another one), so that a second try, a fresh root folder too, compiles only what is new; the line
# says how many objects came from there. Remove it when done. ORRERY_MIRROR: the archive (default: of Debian the one of apt here; of Ubuntu none, name it).
set -euo pipefail

fail() { printf 'try.sh: %s\n' "$*" >&2; exit 2; }
say() { printf '== %s\n' "$*" | tee -a "$log"; }

declare -A suites=([debian12]=bookworm [debian13]=trixie [debiansid]=sid [ubuntu2404]=noble [ubuntu2604]=resolute)
system=${1:-}
[[ -n ${suites[$system]:-} ]] || fail "unknown system '$system' (known: debian12, debian13, debiansid, ubuntu2404, ubuntu2604). Write 'try.sh debian13'?"
shift
engines="" tests="" simgrid=ON compiler="" debs=()
while (($#)); do
  case $1 in
    --engines) engines=yes ;;
    --tests) tests=yes ;;
    --without-simgrid) simgrid=OFF ;;
    --compiler) shift; compiler=${1:?try.sh: --compiler: its value is missing. Write "--compiler clang++-19"?} ;;
    --package) shift; debs=("$@"); set -- ;;
    *) fail "unexpected argument '$1' (known: --engines, --tests, --without-simgrid, --compiler CXX, --package FILE.deb...). Remove it?" ;;
  esac
  if (($#)); then shift; fi
done
((EUID == 0)) || fail "only root makes a root folder. Run it with sudo?"
command -v debootstrap >/dev/null || fail "debootstrap is not installed. Run: apt-get install debootstrap"
of_ubuntu=() script=()  # what debootstrap must know beside the suite; it has one script for all of Ubuntu under the oldest name
keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg
if [[ $system == ubuntu* ]]; then
  [[ -n ${ORRERY_MIRROR:-} ]] || fail "apt here knows no archive of Ubuntu. Set ORRERY_MIRROR to one?"
  [[ -e $keyring ]] || fail "$keyring is missing, so nothing of Ubuntu's archive can be trusted. Install ubuntu-keyring (Debian 12 takes the package of Debian 13)?"
  of_ubuntu=("--components=main,universe" "--keyring=$keyring") script=(gutsy)
fi

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=${ORRERY_SYSTEMS:-/var/tmp/orrery-systems}
root=$folder/$system
log=$folder/$system.log
cache=${ORRERY_CACHE:-$folder/ccache}
mkdir -p "$folder" "$cache"
: >"$log"

mirror() {
  [[ -n ${ORRERY_MIRROR:-} ]] && { echo "$ORRERY_MIRROR"; return; }
  sed -nE 's/^URIs: *([^ ]*\/debian)\/?$/\1/p; s/^deb (\[[^]]*\] )?([^ ]*\/debian)\/? .*/\2/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -1 | grep . || { echo "$0: no mirror of Debian in /etc/apt (debootstrap needs one). Set ORRERY_MIRROR?" >&2; exit 2; }
}

# inside [--offline] USER COMMAND...: with its own mounts and processes, all gone when it ends.
inside() {
  local spaces=(--mount --pid --fork)
  [[ $1 == --offline ]] && { spaces+=(--net); shift; }
  local user=$1
  shift
  unshare "${spaces[@]}" bash -c '
    root=$1 cache=$2 user=$3; shift 3
    mount --make-rprivate /; mount -t proc proc "$root/proc"; mount -t sysfs sysfs "$root/sys"; mount --rbind /dev "$root/dev"
    [[ ! -d $root/home/visitor/.cache/ccache ]] || mount --bind "$cache" "$root/home/visitor/.cache/ccache"
    ip link set lo up 2>/dev/null || true  # which mpirun needs; offline there is no other
    exec chroot "$root" /usr/bin/env -i HOME="/home/$user" USER="$user" LANG=C.UTF-8 CI="${CI:-}" PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
      sh -c "cd \"\$HOME\" 2>/dev/null || cd /; exec \"\$@\"" _ setpriv --reuid "$user" --regid "$user" --init-groups "$@"' _ "$root" "$cache" "$user" "$@"
}

install_packages() { inside root sh -c 'dpkg --configure -a && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"' _ "$@" >>"$log" 2>&1; }

make_root() {
  if [[ ! -e $root/.made ]]; then
    say "debootstrap of ${suites[$system]}"
    rm -rf "$root"
    debootstrap --variant=minbase "${of_ubuntu[@]}" "${suites[$system]}" "$root" "$(mirror)" "${script[@]}" >>"$log" 2>&1 || fail "debootstrap failed, see $log"
    touch "$root/.made"
  fi
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/99-old-mirror"  # sid's lists end after a week; a mirror may be older
  inside root id visitor >/dev/null 2>&1 || inside root useradd --create-home visitor
  inside root install -d -o visitor -g visitor /home/visitor/.cache /home/visitor/.cache/ccache
  inside root chown -R visitor:visitor /home/visitor/.cache/ccache
}

# What a release is; a folder of its own, so that it is a fresh one each time.
put_sources() {
  local tarball
  tarball=$("$source/packaging/source.sh" "$folder")
  say "${tarball##*/} of $(git -C "$source" rev-parse --short HEAD)$(git -C "$source" diff --quiet HEAD || echo ", without what is not committed")"
  rm -rf "$root/home/visitor/orrery"
  mkdir "$root/home/visitor/orrery"
  tar --extract --file "$tarball" --strip-components 1 --directory "$root/home/visitor/orrery"
  inside root chown -R visitor:visitor /home/visitor/orrery
}

# A normal user's first command names what is missing; root installs just that.
install_what_is_asked_for() {
  local asked began=$SECONDS
  if [[ $simgrid == OFF ]]; then
    sed -i 's/ libsimgrid-dev / /' "$root/home/visitor/orrery/orrery"
    inside root sh -c 'DEBIAN_FRONTEND=noninteractive apt-get remove -y -qq libsimgrid-dev' >>"$log" 2>&1 || true
  fi
  asked=$(inside --offline visitor sh -c 'cd orrery && ./orrery --version 2>&1 </dev/null || true' | tee -a "$log" | sed -n 's/.*Run: sudo apt-get install //p')
  [[ -n $asked ]] || { seconds[first]=$((SECONDS - began)); return 0; }  # nothing is missing: it built
  say "apt-get install $asked"
  # shellcheck disable=SC2086  # names of packages
  install_packages $asked || fail "packages cannot be installed, see $log"
}

versions() {
  inside root sh -c "dpkg-query -W -f '\${Package} \${Version}\n' g++ cmake libsimgrid-dev libfmt-dev libyaml-cpp-dev libcli11-dev libboost-dev 2>/dev/null" |
    sed -nE 's/^(lib)?([a-z0-9+-]+)(-dev)? ([0-9]+:)?([0-9]+(\.[0-9]+)*).*/\2 \5/p' | sed 's/-dev / /' | paste -sd, | sed 's/,/, /g'
}

# How many of the objects were compiled here before.
from_cache() {
  inside visitor ccache --print-stats 2>/dev/null |
    awk '/^(direct|preprocessed)_cache_hit/ { hits += $2 } /^cache_miss/ { misses = $2 } END { printf "%d of %d objects from the cache", hits, hits + misses }'
}

# timed NAME COMMAND...: its seconds, into the array `seconds`.
declare -A seconds
timed() {
  local name=$1 began=$SECONDS
  shift
  say "$*"
  "$@" >>"$log" 2>&1 || { tail -30 "$log" >&2; fail "$name failed after $((SECONDS - began)) s, see $log"; }
  seconds[$name]=$((SECONDS - began))
}
as_visitor() { inside --offline visitor sh -c "cd orrery && $1"; }

try_sources() {
  put_sources
  inside visitor ccache --zero-stats >>"$log" 2>&1 || true  # not there yet
  install_what_is_asked_for
  [[ ${seconds[first]:-} ]] || inside visitor ccache --zero-stats >>"$log"
  [[ -z $compiler ]] || install_packages "${compiler/clang++/clang}" || fail "$compiler cannot be installed, see $log"
  [[ $simgrid == ON && -z $compiler ]] || timed configured as_visitor "mkdir -p build/release && touch build/release/.packages-checked &&
    cmake --preset release -DORRERY_SIMGRID=$simgrid ${compiler:+-DCMAKE_CXX_COMPILER=$compiler}"
  timed built as_visitor './orrery run scenarios/rico-gallego16-m10.yaml </dev/null'
  timed selftest as_visitor './orrery selftest'
  local ran="selftest"
  if [[ $engines ]]; then
    timed replay as_visitor "cmake --build build/release --target orrery_replay_tests && cd build/release && ctest -R '^replay:' -j 2"
    ran+=", replay: $(grep -E 'tests (passed|failed)' "$log" | tail -1)"
  fi
  if [[ $tests ]]; then
    timed suite as_visitor './orrery test -j 2'
    ran+=", suite: $(grep -E 'tests (passed|failed)' "$log" | tail -1)"
  fi
  printf '| %s | %s | %s | %d s, %s | %d warnings | %s |\n' "$(date -u +%F)" "$system" "${compiler:+$compiler, }$(versions)" "$((${seconds[first]:-0} + ${seconds[built]}))" "$(from_cache)" \
    "$(grep -c 'warning:' "$log")" "$ran"
}

# Files below /usr that belong to no package, and those that were there before.
try_packages() {
  local before after deb names=()
  rm -rf "$root/tmp/debs" && mkdir -p "$root/tmp/debs"
  for deb in "${debs[@]}"; do
    [[ -f $deb ]] || fail "'$deb' is no file. Build it with 'packaging/deb/build.sh'?"
    cp "$deb" "$root/tmp/debs/"
    names+=("$(dpkg-deb -f "$deb" Package)")
  done
  before=$(cd "$root" && find usr etc -xdev ! -path '*/__pycache__*' | sort)
  [[ " ${names[*]} " != *" liborrery-dev "* ]] || install_packages cmake g++ make || fail "no compiler can be installed, see $log"
  inside root sh -c 'apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /tmp/debs/*.deb' >>"$log" 2>&1 ||
    { tail -20 "$log" >&2; fail "the packages cannot be installed, see $log"; }
  rm -rf "$root/home/visitor/packages" && mkdir "$root/home/visitor/packages"
  cp "$source/packaging/deb/use.sh" "$root/home/visitor/packages/"
  cp -r "$source/tests/architecture/consumer" "$root/home/visitor/packages/"
  inside root chown -R visitor:visitor /home/visitor/packages
  timed used inside --offline visitor sh -c 'cd packages && bash use.sh "$@"' _ "${names[@]}"
  inside root sh -c 'DEBIAN_FRONTEND=noninteractive apt-get purge -y -qq "$@"' _ "${names[@]}" >>"$log" 2>&1 || fail "the packages cannot be removed, see $log"
  after=$(cd "$root" && find usr etc -xdev ! -path '*/__pycache__*' | sort)
  # What they depend on stays; of their own nothing may.
  if comm -13 <(echo "$before") <(echo "$after") | grep -i orrery; then fail "removed packages leave these behind"; fi
  printf '| %s | %s | %s | installed, used (%d s), removed; nothing left |\n' "$(date -u +%F)" "$system" "${names[*]}" "${seconds[used]}"
}

make_root
if ((${#debs[@]})); then try_packages; else try_sources; fi
