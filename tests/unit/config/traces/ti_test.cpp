#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include "sim/config/files.hpp"
#include "sim/config/traces/trace_file.hpp"
#include "sim/core/error.hpp"

using namespace orrery;
using config::parse_ti;
using config::ti_text;

namespace {

std::vector<TraceCall> calls(const Trace& trace, std::uint32_t rank) {
  std::vector<TraceCall> result;
  TraceCursor cursor(trace.ranks[rank]);
  for (TraceCall call; cursor.next(call);) result.push_back(call);
  return result;
}

std::string kinds(const Trace& trace, std::uint32_t rank) {
  std::string text;
  for (const TraceCall& call : calls(trace, rank)) {
    if (!text.empty()) text += " ";
    text += call.kind == TraceCall::Kind::collective ? operation_name(call.what) : trace_call_name(call.kind);
  }
  return text;
}

void refused(const std::string& text, const std::string& message) {
  CHECK_THROWS_WITH_AS(parse_ti(text, "t.ti"), message.c_str(), InputError);
}

/// A folder that is gone at the end of the test.
struct Scratch {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("orrery-ti-" + std::to_string(::getpid()));
  Scratch() { std::filesystem::create_directories(path); }
  ~Scratch() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name, const std::string& text) const {
    config::write_file((path / name).string(), text);
    return (path / name).string();
  }
};

}  // namespace

TEST_SUITE("config/ti") {
  TEST_CASE("A trace of every call SMPI replays is read") {
    const Trace trace = parse_ti(
        "0 init\n1 init\n"
        "0 compute 1e6\n1 sleep 0.5\n"
        "0 send 1 7 1e3\n1 recv 0 7 1000\n"
        "0 isend 1 8 10 0\n1 irecv -555 -444 10 0\n0 wait 0 1 8\n1 wait 0 1 8\n"
        "0 irecv 1 1 4\n0 irecv 1 2 4\n1 isend 0 2 4\n1 isend 0 1 4\n1 waitall 2\n0 waitall 2\n"
        "0 sendRecv 5 1 5 1\n1 sendRecv 5 0 5 0\n"
        "0 location main.c 12\n0 comm_size 2\n0 comm_split\n0 comm_dup\n0 test 1 0 3\n"
        "0 barrier\n0 bcast 5e4 1 0\n0 reduce 10 5e8 1 1\n0 allreduce 10 1 2\n0 alltoall 3 3 0 0\n"
        "0 alltoallv 3 1 2 5 2 3\n0 gather 4 4 1 0 0\n0 gatherv 2 0 0 1 6 6\n0 scatter 4 4 1 0 0\n"
        "0 scatterv 0 0 2 1 6 6\n0 allgather 4 4 0 0\n0 allgatherv 1 1 2 0 0\n0 reducescatter 1 2 5.5 0\n"
        "0 scan 2 0 0\n0 exscan 2 0 0\n"
        "1 barrier\n1 bcast 5e4 1 0\n1 reduce 10 5e8 1 1\n1 allreduce 10 1 2\n1 alltoall 3 3 0 0\n"
        "1 alltoallv 5 2 3 5 2 3\n1 gather 4 4 1 0 0\n1 gatherv 3 2 3 1 6 6\n1 scatter 4 4 1 0 0\n"
        "1 scatterv 2 3 3 1 6 6\n1 allgather 4 4 0 0\n1 allgatherv 2 1 2 0 0\n1 reducescatter 1 2 5.5 0\n"
        "1 scan 2 0 0\n1 exscan 2 0 0\n"
        "0 finalize\n1 finalize\n",
        "t.ti");
    CHECK(kinds(trace, 0) ==
          "compute send isend wait irecv irecv waitall isend irecv wait wait barrier bcast reduce allreduce alltoall "
          "alltoallv gather gatherv scatter scatterv allgather allgatherv reduce_scatter scan exscan");
    CHECK(kinds(trace, 1) ==
          "sleep recv irecv wait isend isend waitall isend irecv wait wait barrier bcast reduce allreduce alltoall "
          "alltoallv gather gatherv scatter scatterv allgather allgatherv reduce_scatter scan exscan");
    const auto mine = calls(trace, 0);
    CHECK(mine[1].amount == 1000.0);  // bytes when 'init' has no argument
    CHECK(mine[2].amount == 80.0);    // ten doubles
    CHECK(mine[12].amount == 400000.0);
    CHECK(mine[12].peer == Rank{1});
    CHECK(mine[13].reduction == 5e8);
    CHECK(mine[16].counts == std::vector<std::uint64_t>{1, 2, 2, 3});  // sent, then received
    REQUIRE(trace.root_counts.size() == 2);
    CHECK(trace.root_counts[0] == std::vector<std::uint64_t>{2, 3});  // the root's line, not rank 0's
    CHECK(trace.root_counts[1] == std::vector<std::uint64_t>{2, 3});
    CHECK(mine[22].counts == std::vector<std::uint64_t>{8, 16});
    CHECK(mine[23].reduction == 5.5);
  }

  TEST_CASE("What a TI trace says in vain is counted and named") {
    const Trace trace = parse_ti(
        "0 init\n0 location main.c 1\n0 comm_dup\n0 test 0 1 4\n0 isend 1 4 3 -1\n0 wait 0 1 5\n"
        "0 reducescatter 1 1 0 0 7 7\n0 finalize\n1 init\n1 recv 0 4 3 -1\n1 reducescatter 1 1 0 0\n1 finalize\n",
        "t.ti");
    CHECK(
        trace.notes ==
        std::vector<std::string>{
            "1 'comm_split' and 'comm_dup' lines dropped: SMPI's traces do not say which communicator a call uses, so "
            "all calls use the world, as in smpirun -replay",
            "1 'location' lines dropped: they take no time",
            "1 'test' lines dropped: a test takes no time here (in SMPI smpi/test, 0 with our options)",
            "1 'wait' lines dropped: no request of this sender, receiver and tag is open (a test may have completed "
            "it)",
            "2 messages of a derived datatype (-1) taken as 0 B: a TI trace does not say how large it is, as in "
            "smpirun "
            "-replay",
            "1 requests that no wait completes, waited for at the end",
            "2 words after the arguments of 'reducescatter' dropped"});
  }

  TEST_CASE("A TI trace written and read again is the same trace") {
    const std::string text =
        "#orrery 0 speed 2000000000\n"
        "0 init\n#orrery 0 iteration 3\n#orrery 0 phase communication\n#orrery 0 stage pivot sequence\n"
        "0 compute 0.10000000000000001\n0 sleep 2\n0 isend 1 4 7\n0 irecv -555 -444 9\n0 wait 0 1 4\n0 waitall 1\n"
        "#orrery 0 ideal\n0 barrier\n0 barrier\n0 bcast 80 1 6\n0 reduce 8 3 1 6\n0 allreduce 8 0 6\n"
        "0 alltoall 3 3 6 6\n0 alltoallv 3 1 2 5 2 3 6 6\n0 gather 4 4 1 6 6\n0 gatherv 2 2 3 1 6 6\n"
        "0 scatter 4 4 1 6 6\n0 scatterv 2 3 2 1 6 6\n0 allgather 4 4 6 6\n0 allgatherv 1 1 2 6 6\n"
        "0 reducescatter 1 2 5.5 6\n0 scan 2 0 6\n0 exscan 2 0 6\n0 finalize\n"
        "1 init\n1 recv 0 4 7\n1 send 0 1 9\n#orrery 1 ideal\n1 barrier\n1 barrier\n1 bcast 80 1 6\n1 reduce 8 3 1 6\n"
        "1 allreduce 8 0 6\n1 alltoall 3 3 6 6\n1 alltoallv 5 2 3 5 2 3 6 6\n1 gather 4 4 1 6 6\n"
        "1 gatherv 3 2 3 1 6 6\n1 scatter 4 4 1 6 6\n1 scatterv 2 3 3 1 6 6\n1 allgather 4 4 6 6\n"
        "1 allgatherv 2 1 2 6 6\n1 reducescatter 1 2 5.5 6\n1 scan 2 0 6\n1 exscan 2 0 6\n1 finalize\n";
    const Trace trace = parse_ti(text, "t.ti");
    CHECK(trace.speed == 2e9);
    CHECK(ti_text(trace) == text);
    CHECK(parse_ti(ti_text(trace), "again.ti").fingerprint() == trace.fingerprint());
  }

  TEST_CASE("A rank beyond those of an index names the index that may lack a line") {
    const Scratch scratch;
    const std::string first = scratch.file("0.ti", "0 init\n0 send 1 0 8\n0 finalize\n");
    const std::string index = scratch.file("index.txt", "0.ti\n");
    CHECK_THROWS_WITH_AS(
        config::read_trace(index),
        (first + ":2: the receiver is '1' (" + index + " names 1 file, so ranks are 0 to 0). Does it lack a line?")
            .c_str(),
        InputError);
    scratch.file("1.ti", "1 init\n1 recv 2 0 8\n1 finalize\n");
    const std::string second = scratch.file("index2.txt", "0.ti\n1.ti\n");
    CHECK_THROWS_WITH_AS(config::read_trace(second),
                         ((scratch.path / "1.ti").string() + ":2: the sender is '2' (" + second +
                          " names 2 files, so ranks are 0 to 1). Does it lack a line?")
                             .c_str(),
                         InputError);
  }

  TEST_CASE("Wrong lines of a TI trace are refused with file and line") {
    refused(
        "0 init\n0 sned 1 0 4\n",
        "t.ti:2: unknown call 'sned' (known: allgather, allgatherv, allreduce, alltoall, alltoallv, barrier, bcast, "
        "comm_dup, comm_size, comm_split, compute, exscan, finalize, gather, gatherv, init, irecv, isend, location, "
        "recv, reduce, reducescatter, scan, scatter, scatterv, send, sendRecv, sleep, test, wait, waitall). Did you "
        "mean 'send'?");
    refused("0 init\n0 send 1 0\n", "t.ti:2: 'send' has 2 arguments (3 to 4). Is the line cut off?");
    refused("0\n", "t.ti:1: a rank without a call (RANK CALL ARGUMENTS). Is the line cut off?");
    refused("zero init\n",
            "t.ti:1: 'zero' is not a rank (RANK CALL ARGUMENTS; ranks are 0 to 1048575). Is the line cut off?");
    refused("0 init\n0 compute many\n", "t.ti:2: the flops is 'many' (a number from 0 to 1e+30). Correct it?");
    refused("0 init\n0 compute -1\n", "t.ti:2: the flops is '-1' (a number from 0 to 1e+30). Correct it?");
    refused("0 init\n0 send 1 0 1.5\n1 init\n",
            "t.ti:2: the size is '1.5' (a whole number from 0 to 1e+15). Correct it?");
    refused("0 init\n0 send 2 0 8\n1 init\n", "t.ti:2: the receiver is '2' (ranks are 0 to 1). Correct it?");
    refused("0 init\n0 recv x 0 8\n", "t.ti:2: the sender is 'x' (ranks are 0 to 0). Correct it?");
    refused("0 init\n0 send 0 -1 8\n", "t.ti:2: the tag is '-1' (a whole number, 0 or more). Correct it?");
    refused("0 init\n0 recv 0 -1 8\n",
            "t.ti:2: the tag is '-1' (a whole number, 0 or more, or -444 for any). Correct it?");
    refused("0 init\n0 send 0 1 8 60\n", "t.ti:2: the datatype is '60' (SMPI's numbers, -1 to 59). Correct it?");
    refused("0 init\n0 bcast 8 1\n", "t.ti:2: the root is '1' (ranks are 0 to 0). Correct it?");
    refused("0 init\n1 init\n0 gatherv 3 1\n",
            "t.ti:3: 'gatherv' has 2 arguments (one count for each of 2 ranks, and more). Is the line cut off?");
    refused("0 init\n0 scatterv 1\n",
            "t.ti:2: 'scatterv' has no size of what a rank receives (after the counts). Is the line cut off?");
    refused("0 init\n1 init\n0 reducescatter 1 2\n",
            "t.ti:3: 'reducescatter' has no flops (after the counts). Is the line cut off?");
    refused("0 init\n0 finalize\n0 compute 1\n",
            "t.ti:3: rank 0 calls 'compute' after its 'finalize' (the last call of a rank). Remove the line?");
    refused("#orrery 0 fase x\n0 init\n",
            "t.ti:1: '#orrery' without a known mark (phase NAME, iteration N, stage NAME sequence|set, begin OPERATION "
            "ALGORITHM ROOT BYTES COMMUNICATOR RANKS and its end, on COMMUNICATOR RANKS, train N, ideal, speed N). "
            "Remove the line?");
    refused("#orrery 0 begin telepathy lr 0 8 0 0:1:2\n0 init\n1 init\n",
            "t.ti:1: 'begin telepathy' with ranks '0:1:2' is no collective of rank 0 (an operation; ranks of 0 to 1, "
            "among them this one, as '0:1:2' or '0,2,5'). Remove the line?");
    refused("#orrery 0 begin bcast lr 0 8 0 0,0\n0 init\n1 init\n",
            "t.ti:1: 'begin bcast' with ranks '0,0' is no collective of rank 0 (an operation; ranks of 0 to 1, among "
            "them this one, as '0:1:2' or '0,2,5'). Remove the line?");
    refused("0 init\n#orrery 0 begin bcast lr 0 8 0 0:1:2\n0 finalize\n1 init\n1 finalize\n",
            "t.ti:3: rank 0 has no '#orrery 0 end' before this line (it began a collective). Is the file cut off?");
    refused("#orrery 0 train 0\n0 init\n", "t.ti:1: a train of no messages (1 or more). Correct it?");
    refused("#orrery 0 train 3\n0 send 0 1 8\n",
            "t.ti:2: 8 B are no train of 3 equal messages (whole bytes each). Correct it?");
    refused("#orrery\n0 init\n",
            "t.ti:1: '#orrery' without a rank and a mark ('#orrery 0 phase NAME'). Remove the line?");
    refused("#orrery 0 speed 0\n0 init\n",
            "t.ti:1: the speed is less than 1 flop/s (flop/s of the traced hosts). Correct it?");
  }

  TEST_CASE("A TI trace that is cut off is refused") {
    refused("", "t.ti: is empty (a trace or an index of traces). Is it cut off?");
    refused("0 init\n0 compute 1\n",
            "t.ti:2: rank 0 has no 'finalize' after this line (its trace begins with 'init'). Is the file cut off?");
    refused("0 init\n1 init\n0 compute 1\n1 finalize\n",
            "t.ti:3: rank 0 has no 'finalize' after this line (its trace begins with 'init'). Is the file cut off?");
    refused("0 init\n2 init\n", "t.ti: rank 1 has no lines (ranks 0 to 2 do). Is the trace cut off?");
  }

  TEST_CASE("Sends without receives and receives without sends are refused with file and line") {
    refused(
        "0 send 1 7 8\n0 send 1 7 8\n1 recv 0 7 8\n",
        "t.ti:2: rank 0 sends tag 7 to rank 1, which never receives it (every send needs a receive). Is the trace cut "
        "off?");
    refused("0 send 1 7 8\n1 recv 0 7 8\n1 irecv 0 7 8\n",
            "t.ti:3: rank 1 receives tag 7 from rank 0, which never sends it (every receive needs a send). Is the "
            "trace cut "
            "off?");
    refused(
        "0 send 1 7 8\n1 recv -555 7 8\n1 recv -555 -444 8\n",
        "t.ti:3: rank 1 receives any tag from any rank, but only 1 messages are sent to it and it receives 2 (every "
        "receive needs a send). Is the trace cut off?");
    CHECK_NOTHROW(parse_ti("0 send 1 7 8\n0 send 1 9 8\n1 recv -555 -444 8\n1 recv 0 7 8\n", "t.ti"));
  }

  TEST_CASE("Ranks whose collectives differ are refused with file and line") {
    refused(
        "0 bcast 8 0\n1 bcast 9 0\n",
        "t.ti:2: collective 1 of rank 1 is a bcast of root 0 with 9 B, that of rank 0 a bcast of root 0 with 8 B (all "
        "ranks take part in each). Does the program use more than one communicator?");
    refused("0 barrier\n0 barrier\n1 barrier\n",
            "t.ti:2: rank 0 enters a barrier that rank 1 never enters (all ranks take part in each). Is the trace cut "
            "off?");
  }

  TEST_CASE("Collectives of part of the ranks name their communicator and their root as its member") {
    const std::string text =
        "0 init\n#orrery 0 on 1 0:2:2\n0 gatherv 2 2 3 1 6 6\n0 barrier\n0 finalize\n"
        "1 init\n#orrery 1 on 2 1,3\n1 bcast 100 0 6\n1 barrier\n1 finalize\n"
        "2 init\n#orrery 2 on 1 0:2:2\n2 gatherv 3 2 3 1 6 6\n2 barrier\n2 finalize\n"
        "3 init\n#orrery 3 on 2 1,3\n3 bcast 100 0 6\n3 barrier\n3 finalize\n";
    const Trace trace = parse_ti(text, "t.ti");
    REQUIRE(trace.groups.size() == 2);
    CHECK(trace.groups[0] == Group::strided(Rank{0}, 2, 2, Communicator{2}));
    CHECK(calls(trace, 2)[0].group == 1);
    CHECK(calls(trace, 2)[1].group == 0);
    CHECK(trace.root_counts == std::vector<std::vector<std::uint64_t>>{{2, 3}});
    CHECK(ti_text(parse_ti(ti_text(trace), "again")) == ti_text(trace));
    CHECK(trace.fingerprint() != parse_ti("0 init\n0 finalize\n", "t.ti").fingerprint());
    refused("0 init\n#orrery 0 on 1 1:1:2\n0 barrier\n0 finalize\n1 init\n1 finalize\n",
            "t.ti:2: 'on 1 1:1:2' is no communicator of rank 0 (a number from 1 on; ranks of 0 to 1, among them this "
            "one, as '0:2:1' or '0,2,5'). Remove the line?");
    refused("#orrery 0 on 1 0:1:2\n0 bcast 4 2 6\n#orrery 1 on 1 0:1:2\n1 bcast 4 2 6\n2 barrier\n",
            "t.ti:2: the root is '2' (the 2 ranks of the communicator are counted from 0). Correct it?");
    refused(
        "#orrery 0 on 1 0:1:2\n0 bcast 4 0 6\n#orrery 1 on 1 0:1:2\n1 bcast 4 1 6\n2 compute 1\n",
        "t.ti:4: collective 1 of rank 1 is a bcast of root 1 with 4 B, that of rank 0 a bcast of root 0 with 4 B (all "
        "2 of its communicator take part in each). Does the program use more than one communicator?");
    refused(
        "#orrery 0 on 1 0:1:2\n0 barrier\n1 compute 1\n",
        "t.ti:2: rank 0 enters a barrier that rank 1 never enters (all 2 of its communicator take part in each). Is "
        "the trace cut off?");
  }

  TEST_CASE("An index names one trace per rank and a missing one is refused by name") {
    const Scratch scratch;
    scratch.file("a.txt", "0 init\n0 send 1 0 8\n0 finalize\n");
    scratch.file("b.txt", "1 init\n1 recv 0 0 8\n1 finalize\n");
    const Trace trace = config::read_trace(scratch.file("index.txt", "elsewhere/a.txt\nb.txt\n"));
    CHECK(trace.ranks.size() == 2);
    CHECK(kinds(trace, 1) == "recv");

    const std::string missing = scratch.file("missing.txt", "a.txt\nc.txt\n");
    CHECK_THROWS_WITH_AS(
        config::read_trace(missing),
        (missing + ":2: the trace of rank 1, 'c.txt', does not exist (looked for as written and beside the "
                   "index). Is it missing?")
            .c_str(),
        InputError);
    const std::string swapped = scratch.file("swapped.txt", "b.txt\na.txt\n");
    CHECK_THROWS_WITH_AS(
        config::read_trace(swapped),
        ((scratch.path / "b.txt").string() +
         ":1: a line of rank 1 in the file of rank 0 (the index gives one file to each rank). Is the index "
         "in the wrong order?")
            .c_str(),
        InputError);
    const std::string words = scratch.file("words.txt", "a trace\n");
    CHECK_THROWS_AS(config::read_trace(words), InputError);
  }
}
