# Does an output hold what a document shows of it? awk -f same_output.awk DOCUMENTED OUTPUT; exit code 1 if not.
#
# The lines shown stand one after another in the output, from any line on. Words are the same, columns may differ in
# width; numbers agree to 2 %, those with a
# point also to one of their last digit. A line of '...' stands for any lines, '...' at the end of a
# line for the rest of it. A number that continues a word (xeon12-3, M10) is part of the word.
function number(text) { return text ~ /^[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?$/ }
# What one of the last digit is worth: 0.01 of 2.71, 1 of 17, 1e-08 of 7.6e-07.
function last_digit(text, power, dot) {
  power = 0
  if (match(text, /e[-+]?[0-9]+$/)) {
    power = substr(text, RSTART + 1) + 0
    text = substr(text, 1, RSTART - 1)
  }
  dot = index(text, ".")
  return 10 ^ (power - (dot > 0 ? length(text) - dot : 0))
}
function same_number(shown, found, off) {
  off = shown - found
  if (off < 0) off = -off
  return off <= 0.02 * shown + (shown ~ /[.e]/ ? 1.000001 * last_digit(shown) : 0)
}
# Cuts the first piece off `rest`: a number, or what is none.
function piece() {
  if (match(rest, /^[A-Za-z_][A-Za-z_0-9]*(-[0-9]+)?/) || match(rest, /^[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/) || 1) {
    if (RSTART == 0) RLENGTH = 1
    taken = substr(rest, 1, RLENGTH)
    rest = substr(rest, RLENGTH + 1)
    return taken
  }
}
function same_word(shown, found, a, b, rest_shown, rest_found) {
  if (shown == found) return 1
  rest_shown = shown
  rest_found = found
  while (rest_shown != "" && rest_found != "") {
    rest = rest_shown; a = piece(); rest_shown = rest
    rest = rest_found; b = piece(); rest_found = rest
    if (number(a) && number(b)) { if (!same_number(a, b)) return 0 }
    else if (a != b) return 0
  }
  return rest_shown == "" && rest_found == ""
}
function same_line(shown, found, s, f, n, m, k, cut) {
  n = split(shown, s, " ")
  m = split(found, f, " ")
  cut = s[n] == "..."
  if (cut) --n
  if (cut ? m < n : m != n) return 0
  for (k = 1; k <= n; ++k) if (!same_word(s[k], f[k])) return 0
  return 1
}
# Whether the lines shown from j on stand in the output from line i on.
function holds(j, i) {
  for (; j <= shown_lines; ++j) {
    if (shown_line[j] == "...") {
      for (; i <= lines + 1; ++i) if (holds(j + 1, i)) return 1
      return 0
    }
    if (i > lines || !same_line(shown_line[j], line[i])) return 0
    ++i
  }
  return 1
}
{ gsub(/\033\[[0-9;]*m/, ""); gsub(/^ +| +$/, "") }
$0 == "" || /^(─| )+$/ { next }  # rules of tables
FILENAME == ARGV[1] { shown_line[++shown_lines] = $0; next }
{ line[++lines] = $0 }
END {
  for (start = 1; start <= lines; ++start) if (holds(1, start)) exit 0
  for (j = 1; j <= shown_lines; ++j) {
    for (start = 1; start <= lines; ++start) if (shown_line[j] == "..." || same_line(shown_line[j], line[start])) break
    if (start > lines) { print "  not in the output: " shown_line[j]; missing = 1 }
  }
  if (!missing) print "  each line is in the output, but not one after another as shown"
  exit 1
}
