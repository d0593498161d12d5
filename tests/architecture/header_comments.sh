#!/usr/bin/env bash
# Header comments keep the lines that people look for, and name files that are there (see CONTRIBUTING.md, Style).
# Run by ctest: header_comments.sh SOURCE FILES, FILES being how many files there are at least. Prints each line that breaks a rule; exit status 1 if there is any.
set -euo pipefail
cd "$1"
folders=(sim platforms kernels models scenarios validation tests docs cmake)
{
  find "${folders[@]}"
  echo
  find "${folders[@]}" -regextype posix-extended -regex '.*\.(hpp|cpp|h|c)' | sort
} | awk -v least="$2" -v prefixes="$(IFS='|'; echo "${folders[*]}")" '
  function complain(what) { printf "%s:%d: %s: %s\n", file, line, what, text; broken = 1 }

  # A word of a comment as a path, or "" where it is none. Of a Checked entry a name alone counts: it is in the folder of
  # the path before it.
  function path_of(word) {
    gsub(/^[("\x27`]+|[)"\x27`,;:.]+$/, "", word)
    if (word ~ /[<>*{}$|]/ || word ~ /\.\.\./) return ""
    if (word ~ "^(" prefixes ")/.*\\.(hpp|cpp|h|c|sh|md|cmake|awk|js)$") return word
    if (label != "Checked") return ""
    if (word ~ "^(" prefixes ")/[a-z]") return word
    return word ~ /^[a-z0-9_-]+\.(hpp|cpp|yaml|sh)$/ ? folder "/" word : ""
  }

  function check(    words, n, i, path) {
    if (text ~ /^(Source|Valid|Differs|Checked)  /) {
      match(text, /^[A-Za-z]+ +/)
      if (RLENGTH != 9) complain("its text begins in another column than the tenth")
      label = text; sub(/ .*/, "", label)
    } else if (text == "" || (spaces == 1 && text ~ /^[A-Z][a-z]+  +[^ ]/)) {  # another entry: Bounded, Units
      label = ""
    } else if (label != "" && spaces != 10) {
      complain("does not stand below the text of " label)
    }
    if (text ~ /[^ ] +(Source|Valid|Differs|Checked)  /) complain("an entry that does not begin its line")
    n = split(text, words, / +/)
    for (i = 1; i <= n; ++i) {
      path = path_of(words[i])
      if (path == "") continue
      if (!(path in exists)) complain("there is no " path)
      folder = path; sub(/\/[^\/]*$/, "", folder)
    }
  }

  !listed { if ($0 == "") listed = 1; else exists[$0]; next }
  {
    file = $0; line = 0; label = ""; folder = ""
    while ((getline source < file) > 0) {
      ++line
      if (!sub(/^ *\/\/+<?/, "", source)) { label = ""; continue }
      spaces = match(source, /[^ ]/) - 1
      text = spaces < 0 ? "" : substr(source, spaces + 1)
      check()
    }
    close(file); ++files
  }
  END {
    if (files < least) { printf "%d files were read (%d at least)\n", files, least; broken = 1 }
    exit broken
  }'
