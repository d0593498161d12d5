#!/usr/bin/env bash
# './orrery' builds the clone it lies in, even where it was copied or moved with its build folder, and says so only when it builds.
# CMake, Ninja and the packages are played by scripts here. Usage: wrapper.sh SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
source=$1 scratch=$2
begin_in "$scratch" "$source"
mkdir tools first
cat >tools/cmake <<'END_OF_FILE'
#!/usr/bin/env bash
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/release/CMakeCache.txt
touch build/release/build.ninja
END_OF_FILE
cat >tools/ninja <<'END_OF_FILE'
#!/usr/bin/env bash
folder=$2
[[ -e $folder/bin/orrery ]] && { echo "ninja: no work to do."; exit 0; }
mkdir -p "$folder/bin"
printf '#!/bin/sh\necho "of %s: $*"\n' "$folder" >"$folder/bin/orrery"
chmod +x "$folder/bin/orrery"
echo "[1/1] Linking bin/orrery"
END_OF_FILE
printf '#!/bin/sh\necho asked >>"%s/asked.txt"\necho "install ok installed"\n' "$PWD" >tools/dpkg-query
printf '#!/bin/sh\nexit 1\n' >tools/apt-get
chmod +x tools/*
export PATH=$PWD/tools:$PATH
cp "$source/orrery" first/

# expect FOLDER ANSWER WORDS: what './orrery --version' there prints, and what it says meanwhile; no words: nothing.
expect() {
  "$1/orrery" --version >out.txt 2>err.txt || fail "ends with $?: $(cat err.txt)"
  [[ $(<out.txt) == "$2" ]] || fail "in $1: $(<out.txt), for $2"
  if [[ -n $3 ]]; then grep -qF "$3" err.txt || fail "in $1 it does not say '$3': $(<err.txt)"; else [[ ! -s err.txt ]] || fail "in $1 it says $(<err.txt)"; fi
}
expect first "of $PWD/first/build/release: --version" "building build/release"
expect first "of $PWD/first/build/release: --version" ""
cp -a first copied
rm asked.txt
expect copied "of $PWD/copied/build/release: --version" "of another folder (this clone was copied or moved)"
[[ -e asked.txt ]] || fail "a copied clone, perhaps of another machine, builds without looking for its packages"
rm asked.txt
expect copied "of $PWD/copied/build/release: --version" ""
[[ ! -e asked.txt ]] || fail "a clone that was built looks for its packages again"
expect first "of $PWD/first/build/release: --version" ""
mv copied moved
expect moved "of $PWD/moved/build/release: --version" "building build/release"
# Under another name, by a link, it is the same folder.
ln -s moved link
expect link "of $PWD/moved/build/release: --version" ""
expect moved "of $PWD/moved/build/release: --version" ""
