#!/usr/bin/env bash
# Labs as a teacher uses them on the command line: drawn, taken, marked; files that are not genuine are found.
# Usage: labs.sh ORRERY SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
orrery=$1 source=$2
begin_in "$3" "$source"

# Every shipped lab is read for all that may be drawn.
"$orrery" check "$source"/labs/*.yaml >checked || fail "a shipped lab is refused"
(($(wc -l <checked) == $(ls "$source"/labs/*.yaml | wc -l))) || fail "not every lab was checked: $(cat checked)"

answers=(--predict 16KiB --choose "1.5 to 2 times: it grows with the bytes" --transfer 8KiB)
"$orrery" lab take ping-pong --student "Ada Lovelace" "${answers[@]}" -o ada.json 2>told
"$orrery" lab take ping-pong --student " ada   LOVELACE" "${answers[@]}" -o same.json 2>told
[[ $(grep -v -e student -e seal ada.json) == "$(grep -v -e student -e seal same.json)" ]] || fail "letters' case or blanks change what is drawn"
"$orrery" lab check ada.json >marked || fail "a genuine result is refused"
grep -q 'ada.json: Ada Lovelace, ping-pong: .* of 10 points' marked || fail "not marked: $(cat marked)"

# The right answers get all points.
"$orrery" lab show ping-pong --student "Ada Lovelace" --solution --format json >solution.json
python3 - solution.json >right <<'END'
import json, sys
lab = json.load(open(sys.argv[1]))
print(lab["predict"]["answer"]["right"], lab["choose"]["answer"]["right"], lab["transfer"]["answer"]["right"], sep="\n")
END
mapfile -t right <right
"$orrery" lab take ping-pong --student "Ada Lovelace" --predict "${right[0]}" --choose "${right[1]}" --transfer "${right[2]}" -o right.json 2>told
[[ $("$orrery" lab check right.json --format csv | tail -1) == "Ada Lovelace,ping-pong,10,10,true,1,1,1,,right.json" ]] ||
  fail "right answers: $("$orrery" lab check right.json --format csv)"

# Nobody else's numbers, nor changed ones.
expect_edited() {  # NAME SED-PROGRAM PROBLEM
  sed "$2" ada.json >"$1.json"
  cmp -s ada.json "$1.json" && fail "$1: the test changed nothing"
  code=0
  "$orrery" lab check "$1.json" >marked || code=$?
  [[ $code == 5 ]] || fail "$1: exit code $code instead of 5"
  grep -q "$3" marked || fail "$1: $(cat marked)"
}
expect_edited answer 's/"predict": [0-9.]*/"predict": 4096.0/' 'it was changed after the page had written it'
expect_edited name 's/"student": "Ada Lovelace"/"student": "Grace Hopper"/' 'not the one that .Grace Hopper. draws'
expect_edited seen '0,/"y": /s/"y": \([0-9]\)/"y": 9\1/' 'its runs take other times'
expect_edited edition 's/"edition": "./"edition": "x/' 'another edition of the lab'
[[ $("$orrery" lab check answer.json --format csv | tail -1) == *,0,10,false,* ]] || fail "an edited file has points"
"$orrery" lab check ada.json answer.json --format json >class.json && fail "exit code 0 with an edited file"
python3 -c 'import json; r = json.load(open("class.json"))["results"]; assert [one["genuine"] for one in r] == [True, False] and r[1]["points"] == 0 and 0 < r[0]["points"] <= 10' || fail "JSON for a grader"

# A lab of one's own.
"$orrery" new lab own.yaml >told
"$orrery" check own.yaml >told
"$orrery" lab take own.yaml --student Ada --predict 16KiB -o own.json 2>told
"$orrery" lab check own.json --lab own.yaml | grep -q 'own.json: Ada, own: .* of 10 points' || fail "a lab of one's own is not marked"
{ "$orrery" lab show own.yaml --format json; "$orrery" lab show own.yaml; } >shown
! grep -q 'How to work it out' shown || fail "the solution is shown unasked"
"$orrery" lab show own.yaml --solution | grep -q 'How to work it out' || fail "the solution is not shown"

# What a lab breaks is named as the lab's, not as an option that nobody wrote.
sed 's/^break-it: .*/break-it: {platform.networks.nowhere.latency: 100us}/' own.yaml >broken.yaml
cp own.md broken.md
code=0
"$orrery" check broken.yaml >told 2>err || code=$?
[[ $code == 2 && $(<err) == "broken.yaml, break-it platform.networks.nowhere.latency: platform 'fermi' has no section 'networks.nowhere' (known: ethernet, infiniband)." ]] ||
  fail "a lab that breaks what is not there: exit code $code, $(<err)"

# What is no result, and what cannot be an answer.
refused() {  # CODE TEXT WORDS...
  code=0
  "$orrery" "${@:3}" >out 2>err || code=$?
  [[ $code == "$1" ]] && grep -qF -- "$2" err || fail "${*:3}: exit code $code, $(cat err)"
}
sed 's/"lab": "ping-pong"/"lab": "mine.yaml"/' ada.json >mine.json
cp "$source/labs/ping-pong.yaml" mine.yaml
refused 2 "mine.json: is of the lab 'mine.yaml' (known: allreduce" lab check mine.json
echo '{"a": 1}' >none.json
refused 2 'none.json: is no result of a lab' lab check none.json
refused 2 "orrery lab take: 'predict' is '16 of them' (a size above 0, such as '64KiB'). Correct it?" lab take ping-pong --student Ada --predict '16 of them'
for wrong in 20us 5% -5KiB 0B nan; do  # each was a number of bytes, or none
  refused 2 "'predict' is '$wrong' (a size above 0" lab take ping-pong --student Ada --predict "$wrong"
done
refused 2 "'predict' is '2s' (a number above 0 without a unit" lab take noise --student Ada --predict 2s
sed 's/"student": "Ada Lovelace"/"student": ""/' ada.json >nameless.json
refused 2 "nameless.json: student: '' is no name" lab check nameless.json
refused 2 "orrery page: '--teacher' beside '--scorm' (students open the package" page --lab ping-pong --teacher --scorm
refused 2 "has the choice 'maybe'" lab take ping-pong --student Ada --choose maybe
refused 2 "student: '  ' is no name" lab take ping-pong --student '  '
refused 2 "'pingpong' is neither a file nor a name in 'labs'" lab show pingpong

# A student's file that is nested deeper than any of ours is refused, and the others are marked.
python3 - <<'END'
text = open("ada.json").read().rstrip()
open("deep.json", "w").write(text[:-1] + ',"junk":' + "[" * 60000 + "]" * 60000 + "}")
open("long.json", "w").write(text.replace('"ping-pong"', '"' + "x" * 100000 + '"'))
open("bare.json", "w").write(text[:100])
END
code=0
"$orrery" lab check deep.json bare.json long.json ada.json >out 2>err || code=$?
[[ $code == 2 ]] || fail "a deep file: exit code $code"
grep -q '^ada.json: Ada Lovelace, ping-pong: .* of 10 points' out || fail "one bad file stops the marking: $(cat out err)"
grep -qE '^deep.json:[0-9]+:[0-9]+: is nested deeper than 32 levels \(what the page of a lab writes is not\)\. Is it another file\?$' err || fail "deep: $(cat err)"
grep -q '^bare.json: ends before it is whole (what the page of a lab writes is JSON). Was the file cut short?$' err || fail "bare: $(cat err)"
(($(wc -L <err) < 1000)) || fail "a value of a file is quoted whole"

# A formula in a name that a spreadsheet would run is text.
"$orrery" lab take ping-pong --student '=1+1' -o formula.json 2>told
[[ $("$orrery" lab check formula.json --format csv | tail -1) == "'=1+1,"* ]] || fail "a name is taken for a formula by spreadsheets"
