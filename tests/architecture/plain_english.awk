# Counts how hard the sentences of one Markdown page are to read. awk -f plain_english.awk [-v longest=N] PAGE
# Prints: sentences, words, sentences over 30 words, semicolons, openings like "Who has" or "Of it".
# With longest=N it prints each sentence of over N words instead. Tables, code, headings and comments do not count.
# A sentence has at least four words.
function finish(    count, copy, i, parts, n) {
  gsub(/`+[^`]*`+/, "CODE", paragraph)
  while (match(paragraph, /\[[^]]*\]\([^)]*\)/)) {
    copy = substr(paragraph, RSTART, RLENGTH)
    sub(/^\[/, "", copy)
    sub(/\]\([^)]*\)$/, "", copy)
    paragraph = substr(paragraph, 1, RSTART - 1) copy substr(paragraph, RSTART + RLENGTH)
  }
  gsub(/[ \t]+/, " ", paragraph)
  while (match(paragraph, /[.!?] +[A-Z`*("]/)) {
    sentence(substr(paragraph, 1, RSTART))
    paragraph = substr(paragraph, RSTART + RLENGTH - 1)
  }
  sentence(paragraph)
  paragraph = ""
}
function sentence(text,    copy, words) {
  copy = text
  words = gsub(/[A-Za-z][A-Za-z'-]*/, "", copy)
  if (words < 4) return
  sentences++
  total += words
  if (words > 30) long++
  semicolons += gsub(/;/, ";", text)
  sub(/^ +/, "", text)
  if (text ~ /^(Who|What|Where|Of|Whose|That|How|Which)[^A-Za-z]/ && text !~ /\?$/) openings++
  if (longest && words > longest) print words ": " text
}
/^```/ { finish(); fenced = !fenced; next }
fenced { next }
/<!--/ && !/-->/ { comment = 1; next }
comment { if (/-->/) comment = 0; next }
/^<!--.*-->$/ || /^(    |\||#)/ { next }
/^[ \t]*$/ { finish(); next }
/^ *([-*]|[0-9]+\.) +/ { finish(); sub(/^ *([-*]|[0-9]+\.) +/, "") }
{ gsub(/<!--[^>]*-->/, ""); paragraph = paragraph " " $0 }
END {
  finish()
  if (longest) exit
  print sentences + 0, total + 0, long + 0, semicolons + 0, openings + 0
}
