#!/usr/bin/env bash
# Files of other tools, given to every reader: each names the format, and what it suggests can be done. Suggestions about
# options are taken, and must be accepted. Usage: formats.sh ORRERY SOURCE SCRATCH
source "$(dirname "$0")/prelude.sh"
orrery=$1
begin_in "$3" "$2"

# says TEXT ARGUMENTS...: a refusal (exit code 2) that holds the text.
says() {
  local text=$1 said got=0
  shift
  said=$("$orrery" "$@" 2>&1 >/dev/null) || got=$?
  [[ $got == 2 && $said == *"$text"* ]] || fail "orrery $*: exit code $got, says '$said', and not '$text'"
}

printf '# OSU MPI Bcast Latency Test v7.2\n# Size  Avg Latency(us)\n8   6.20\n1024   9.75\n' >osu.txt
printf '[1,0]<stdout>:#  size count type redop root time algbw busbw #wrong\r\n[1,0]<stdout>: 8 2 float sum -1 9.4 0 0 0\r\n' >nccl.log
printf '<system version="1">\n <cpu numaid="0"/>\n</system>\n' >node.xml
printf '\x1f\x8b\x08\x00\x00' >log.gz
printf 'SwitchName=leaf1 Nodes=cn[1-8]\n' >topology.conf
printf '\x07\x0a\x050.0.4\x1e\x08\x00' >step.et
printf '5 4 1 0 4 H100\n4\n0 4 400Gbps 0.0005ms 0\n1 4 400Gbps 0.0005ms 0\n' >simai.txt
printf 'T/V                N    NB     P     Q               Time                 Gflops\n----\nWC03L2C8      1200    96     2     3               1.20             9.6e-01\n' >HPL.out
printf 'lorem ipsum dolor\n' >unknown.txt
: >empty.txt
cat >s.yaml <<'END'
source: "a test"
platform: fermi
network: infiniband
layout: {ranks: 4, per-node: 1}
kernel: {name: collective, operation: bcast}
measured: osu.txt
sweep: {kernel.message: [8B, 1KiB]}
END

osu="is the output of an OSU micro-benchmark ('OSU MPI Bcast Latency Test v7.2'), not"
says "osu.txt:1: $osu a trace, a GOAL schedule or a SimGrid platform. Make a table" import osu.txt -o x
says "osu.txt:1: $osu a platform, layout, scenario, lab, parameters or a partition." check osu.txt
says "osu.txt:1: $osu a table of comma-separated values." run s.yaml
says "osu.txt:1: $osu a table of measured times" calibrate --platform fermi --network infiniband --model hockney --from osu.txt
says "osu.txt:1: $osu a table of measured times" fit osu.txt --platform fermi --network infiniband
says "osu.txt:1: $osu a list of nodes." simulate --platform fermi --network infiniband --kernel ring --node-list osu.txt
says "osu.txt:1: $osu the input of HPL (HPL.dat)." simulate --platform fermi --network infiniband --kernel hpl --param hpl-dat=osu.txt
says "osu.txt:1: $osu a trace or a GOAL schedule." simulate --platform fermi --network infiniband --replay osu.txt
says "osu.txt:1: $osu a trace or a GOAL schedule." show trace osu.txt
says "osu.txt:1: $osu a platform." show platform osu.txt
says "osu.txt:1: $osu a scenario." run osu.txt
cp osu.txt osu.2dist
says "osu.2dist:1: $osu a partition (.2dist)." simulate --platform fermi --network infiniband --kernel summa --ranks 4 --partition osu.2dist
says "s.yaml:5: is a scenario, not a platform. Play it with 'orrery run s.yaml'?" simulate --platform s.yaml --kernel ring --ranks 2
says "nccl.log:1: is a log of nccl-tests or rccl-tests, not" import nccl.log -o x
says "node.xml:1: is the topology of a node as NCCL writes it (NCCL_TOPO_FILE), not" check node.xml
says "log.gz:1: is compressed by gzip, not" import log.gz -o x
says "topology.conf:1: is Slurm's topology.conf, not" import topology.conf -o x
says "step.et:1: is a Chakra execution trace (protobuf), not" import step.et -o x
says "simai.txt:1: is a topology of SimAI or ns-3, not" import simai.txt -o x
says "unknown.txt: is of no format that is known, and a trace, a GOAL schedule or a SimGrid platform is expected (known: gzip, " import unknown.txt -o x
says "unknown.txt: is of no format that is known, and a platform, layout, scenario, lab, parameters or a partition is expected (known: " check unknown.txt
says "empty.txt: is empty" import empty.txt -o x

# The output of HPL where its input is wanted: its first run as the kernel takes it, and that is accepted.
hpl=(simulate --platform fermi --network infiniband --engine flow --kernel hpl --ranks 6 --per-node 1)
says "HPL.out:3: is the output of HPL, not its input (HPL.dat). Its first run is N = 1200, NB = 96, P = 2, Q = 3, variant WC03L2C8." \
  "${hpl[@]}" --param hpl-dat=HPL.out
taken=$("$orrery" "${hpl[@]}" --param hpl-dat=HPL.out 2>&1 >/dev/null | sed -n "s/.* Write '\(.*\)'?$/\1/p") || true
[[ $taken == '--param order=1200 --param block=96 --param p=2 --param q=3 --param mapping=column --param depth=0 --param bcast=2ringM --param rfact=left --param ndiv=2 --param pfact=crout --param nbmin=8' ]] ||
  fail "offers '$taken'"
# shellcheck disable=SC2086
"$orrery" "${hpl[@]}" $taken >/dev/null

# What is suggested about an option is put in its place and accepted. taken WRONG...: the command, as a user typed it.
last_quoted() { sed -n "1s/.*\(Write\|Did you mean\) '\(.*\)'?\$/\2/p"; }
message_of() { "$orrery" "$@" 2>&1 >/dev/null | head -1 || true; }
accepted() { # PROBLEM ARGUMENTS...: the first is no longer said
  local problem=$1 now
  shift
  now=$(message_of "$@")
  [[ $now != "${problem%%.*}"* ]] || fail "orrery $*: taken, and says again '$now'"
}
ring=(simulate --platform fermi --network infiniband --engine flow --kernel ring)
taken_instead() { # INDEX ARGUMENTS...: the suggestion instead of the word at the index and the one before
  local index=$1 problem suggestion
  shift
  local -a words=("$@")
  problem=$(message_of "${words[@]}")
  suggestion=$(last_quoted <<<"$problem")
  [[ $suggestion ]] || fail "orrery $*: suggests nothing: '$problem'"
  case $suggestion in
    "orrery "*) read -ra words <<<"${suggestion#orrery }" ;;
    --*) read -ra taken <<<"$suggestion"; words=("${words[@]:0:index-1}" "${taken[@]}" "${words[@]:index+1}") ;;
    *) words[index]=$suggestion ;;
  esac
  accepted "$problem" "${words[@]}"
}
taken_instead 10 "${ring[@]}" -np 4
taken_instead 10 "${ring[@]}" --ranks -3
taken_instead 10 "${ring[@]}" --ranks x
taken_instead 12 "${ring[@]}" --ranks 4 --nodes -1
taken_instead 2 simulate --platform FERMI --kernel ring --ranks 2 --network infiniband
taken_instead 1 show lab ping-pong
taken_instead 0 labs
taken_instead 1 show platfrom
taken_instead 6 simulate --platform fermi --network infiniband --kernel rnig --ranks 2
for wrong in message=1,5KiB message=1G message=64 message=0x4 message=1,000B; do
  problem=$(message_of simulate --platform fermi --network infiniband --engine flow --kernel collective --ranks 4 --param "$wrong")
  while read -r suggestion; do
    accepted "$problem" simulate --platform fermi --network infiniband --engine flow --kernel collective --ranks 4 --param "message=$suggestion"
  done < <(sed "s/.*Write \(.*\)?\$/\1/; s/ or /\n/g; s/for example //" <<<"$problem" | tr -d "'")
done
says "'-3' is less than 0" tune --platform fermi --network infiniband --kernel stencil --over border --ranks -3
printf '0 init\n0 alltoallv zzz 8 8 16 8 8\n0 finalize\n1 init\n1 alltoallv 16 8 8 16 8 8\n1 finalize\n' >v.ti
says "v.ti:2: the size of what is sent is 'zzz'" show trace v.ti
printf '0 init\n0 waitany\n0 finalize\n' >any.ti
says "any.ti:2: 'waitany' completes one of several requests" show trace any.ti
many=$(message_of "${ring[@]}" --ranks 5000 --per-node 2)
[[ $many =~ 'Take at most '([0-9]+)'?' ]] || fail "5000 ranks: '$many'"
"$orrery" "${ring[@]}" --ranks "${BASH_REMATCH[1]}" --per-node 2 >/dev/null
says "which is not a plain number (digits without gaps, '.' before decimals). Write '4'?" run s.yaml --set layout.ranks=0x4
says "the shell splits at blanks" run s.yaml --set 'layout.ranks=[4,'
ORRERY_DATA=$PWD says "'$PWD', which ORRERY_DATA names, has no 'platforms' with shipped ones" show platform fermi
