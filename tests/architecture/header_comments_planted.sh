#!/usr/bin/env bash
# header_comments.sh finds each error that is planted here and nothing else. Run by ctest with a folder to work in.
set -euo pipefail
check=$(dirname "$(realpath "$0")")/header_comments.sh
rm -rf "$1"
mkdir -p "$1"/{sim,platforms,kernels,models,scenarios,validation,tests,docs,cmake}
cd "$1"
touch tests/good_test.cpp tests/other_test.cpp
cat >sim/good.hpp <<'END'
/// What it is.
///
/// Source   somebody, who wrote a long
///          sentence
/// Checked  tests/good_test.cpp, other_test.cpp
END
"$check" . 3

cat >sim/bad.hpp <<'END'
/// What it is. Named by sim/good.hpp and sim/gone.hpp.
///
/// Source   somebody, who wrote a long sentence Checked  tests/good_test.cpp
/// Valid    always, but not where
/// somebody says so
/// Differs  not
/// Checked  tests/gone_test.cpp, lost_test.cpp, tests/other_test.cpp
struct A {
  /// Source  measured
};
END
cat >expected <<'END'
sim/bad.hpp:1: there is no sim/gone.hpp: What it is. Named by sim/good.hpp and sim/gone.hpp.
sim/bad.hpp:3: an entry that does not begin its line: Source   somebody, who wrote a long sentence Checked  tests/good_test.cpp
sim/bad.hpp:5: does not stand below the text of Valid: somebody says so
sim/bad.hpp:7: there is no tests/gone_test.cpp: Checked  tests/gone_test.cpp, lost_test.cpp, tests/other_test.cpp
sim/bad.hpp:7: there is no tests/lost_test.cpp: Checked  tests/gone_test.cpp, lost_test.cpp, tests/other_test.cpp
sim/bad.hpp:9: its text begins in another column than the tenth: Source  measured
4 files were read (6 at least)
END
if "$check" . 6 >found; then echo "planted errors pass"; exit 1; fi
diff expected found
