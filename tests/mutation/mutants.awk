# Small wrong changes of C++ lines. With -v apply=N: the file with its N-th change made. Without: one line for each change,
# "N <tab> line number <tab> kind <tab> line before <tab> line after".
#
# The layout of clang-format tells a comparison (' < ') from a template ('<'). Comments, includes, asserts, strings and
# catalogue texts are left alone: what they say is not computed.
function emit(kind, changed) {
  if (changed == $0) return
  ++count
  if (!apply) {
    before = $0; after = changed
    gsub(/^ +|\t/, "", before); gsub(/^ +|\t/, "", after)
    printf "%d\t%d\t%s\t%s\t%s\n", count, NR, kind, before, after
  } else if (count == apply) out = changed
}
# Each occurrence of `from`, outside of strings, becomes `to`.
function each(kind, from, to, start, at, head) {
  start = 1
  while ((at = index(substr(code, start), from)) > 0) {
    at += start - 1
    emit(kind, substr($0, 1, at - 1) to substr($0, at + length(from)))
    start = at + length(from)
  }
}
# Each number that stands alone: n becomes n + 1 (a real number: twice itself, 0.0 becomes 1.0).
function numbers(start, rest, text, at, changed) {
  start = 1
  while (match(rest = substr(code, start), /(^|[^A-Za-z_0-9.])[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/)) {
    text = substr(rest, RSTART, RLENGTH)
    at = start + RSTART - 1
    if (text !~ /^[0-9]/) { text = substr(text, 2); ++at }
    changed = text ~ /[.e]/ ? (text + 0 == 0 ? "1.0" : "(2 * " text ")") : text + 1
    if (substr(rest, RSTART + RLENGTH, 1) !~ /[A-Za-z_x]/) emit("number", substr($0, 1, at - 1) changed substr($0, at + length(text)))
    start = at + length(text)
  }
}
# The line with its strings and its comment blanked, so that places in it are places in the line.
function blanked(line, out, i, c, inside) {
  for (i = 1; i <= length(line); ++i) {
    c = substr(line, i, 1)
    if (!inside && substr(line, i, 2) == "//") { while (i++ <= length(line)) out = out " "; break }
    if (c == "\"" && substr(line, i - 1, 1) != "\\") { inside = !inside; out = out " " }
    else out = out (inside ? " " : c)
  }
  return out
}
{
  out = $0
  if (raw) { if (index($0, ")\"")) raw = 0; if (apply) print out; next }
  if (index($0, "R\"(") && !index($0, ")\"")) { raw = 1; if (apply) print out; next }
  code = blanked($0)
  if (code !~ /^ *(#|assert|static_assert|namespace|using|\/\/)/ && code !~ /^ *\.(name|summary|source|page) = /) {
    each("compare", " < ", " <= "); each("compare", " <= ", " < "); each("compare", " > ", " >= "); each("compare", " >= ", " > ")
    each("equal", " == ", " != "); each("equal", " != ", " == ")
    each("plus", " + ", " - "); each("plus", " - ", " + "); each("plus", " += ", " -= "); each("plus", " -= ", " += ")
    each("times", " * ", " / "); each("times", " / ", " * "); each("times", " % ", " / ")
    each("logic", " && ", " || "); each("logic", " || ", " && "); each("logic", "(!", "(")
    each("extreme", "std::min(", "std::max("); each("extreme", "std::max(", "std::min(")
    each("extreme", "min_element", "max_element"); each("extreme", "max_element", "min_element")
    each("bool", "return true", "return false"); each("bool", "return false", "return true")
    each("jump", "continue;", "break;"); each("jump", "break;", "continue;")
    numbers()
    # A statement that fits on a line and declares nothing is left out.
    if (code ~ /^ +(\+\+|--)?[a-z_][A-Za-z_0-9.\[\]()>&*-]*( [-+*\/|&]?= .*|\(.*\)|\+\+|--)?;$/ && code !~ /^ +(return|throw|break|continue|co_)/)
      emit("left out", substr($0, 1, match($0, /[^ ]/) - 1) ";")
  }
  if (apply) print out
}
