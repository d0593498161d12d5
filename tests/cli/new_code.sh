#!/usr/bin/env bash
# What `orrery new kernel|model|collective` writes compiles with warnings as errors and passes the contract tests, and so does
# the model that docs/own-model.md shows: compiled as a library that the test program finds in its catalogues.
# Usage: new_code.sh ORRERY CXX CONTRACT_TESTS SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
orrery=$1 cxx=$2 tests=$3 source=$4
begin_in "$5" "$source"
includes=$source

"$orrery" new kernel ./new-kernel.cpp >said.txt
grep -q '^next: move it to kernels of the source tree, edit it where its comments are numbered, then$' said.txt
"$orrery" new model ./new-model.cpp >said.txt
operations="allgather allreduce alltoall alltoallv barrier bcast gather reduce reduce_scatter scatter"
[[ $(ls "$source/kernels/collectives/algorithms" | xargs) == "$operations" ]] || fail "operations without a new file"
for operation in $operations; do
  "$orrery" new collective ./new_"$operation".cpp --operation "$operation" >said.txt
done
mkdir -p kernels
"$orrery" new kernel second-kernel >said.txt
grep -q '^wrote kernels/second-kernel.cpp: it compiles' said.txt
awk '/^```cpp$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$source/docs/own-model.md" >one-card.cpp
grep -q 'models().add' one-card.cpp

# All as one source, as the build compiles them.
for file in *.cpp kernels/*.cpp; do printf '#include "%s"\n' "$file"; done >all.cc
strict="-std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wno-missing-field-initializers -Werror"
[[ $("$cxx" --version) == *clang* ]] && strict+=" -Wshadow" || strict+=" -Wshadow=local -Wno-subobject-linkage"
# shellcheck disable=SC2086
"$cxx" $strict -D_GLIBCXX_ASSERTIONS -O0 -fPIC -shared -I "$includes" -I . -o new.so all.cc

# One test of each kind asks for the file in its folder, where these four are not; nothing else may be wrong.
held() { LD_PRELOAD=$PWD/new.so "$tests" --no-colors "$@" >report.txt; }
named='*name of its file*,*named as its file*'
held --test-suite='contract/every kernel,contract/every model,contract/every collective' --test-case-exclude="$named" ||
  { tail -60 report.txt; fail "a new file does not pass"; }
if held --test-suite='contract/every kernel,contract/every model' --test-case="$named"; then fail "the tests do not see the new files"; fi
[[ $(grep -c 'ERROR: CHECK' report.txt) == 4 && $(grep -c 'ERROR: CHECK.*filesystem::exists' report.txt) == 4 ]] ||
  { cat report.txt; fail "of four new files not the place alone is wrong"; }
for name in new-kernel second-kernel new-model one-card; do grep -qw -e "$name" report.txt; done

# And they see the collectives: one that forgets a member is found.
sed 's/new_bcast/forgetful/g; s/  for (Member other = 0; other < task.ranks/  for (Member other = 1; other < task.ranks/' new_bcast.cpp >forgetful.cc
if cmp -s new_bcast.cpp forgetful.cc; then fail "nothing is forgotten"; fi
# shellcheck disable=SC2086
"$cxx" $strict -D_GLIBCXX_ASSERTIONS -O0 -fPIC -shared -I "$includes" -o new.so forgetful.cc
if held --test-suite='contract/every collective'; then fail "the tests do not see the new collectives"; fi
grep -q 'bcast forgetful on 3 members' report.txt
