#include "platforms/host_files.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "platforms/layouts.hpp"
#include "platforms/node_names.hpp"
#include "sim/core/error.hpp"
#include "tests/support/plain_platform.hpp"

using namespace orrery;

namespace {

NodeChoice read(const std::string& text, bool of_ranks = true) {
  NodeChoice choice;
  choice.of_ranks = of_ranks;
  add_hosts_of_file(text, "hosts", choice);
  return choice;
}
std::vector<std::string> names(const std::string& text) { return read(text).named; }
std::string refusal(const std::string& text, bool of_ranks = true) {
  try {
    read(text, of_ranks);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

using Names = std::vector<std::string>;

/// Four nodes of two sockets of two cores, called as stated.
Platform platform_of(const std::string& node_names) {
  Platform platform = test::platform_of(4, StarTopology{});
  platform.node_types[0].names = node_names;
  platform.node_types[0].sockets = 2;
  platform.node_types[0].cores_per_socket = 2;
  return platform;
}

}  // namespace

TEST_SUITE("platforms/host_files") {
  TEST_CASE("A host list of Slurm names each of its nodes as wide as it is written") {
    CHECK(names("nid[001-004,7]") == Names{"nid001", "nid002", "nid003", "nid004", "nid7"});
    CHECK(names("cn[101-102],gpu[01-02],login") == Names{"cn101", "cn102", "gpu01", "gpu02", "login"});
    CHECK(names("r[1-2]n[1-2]\r\n") == Names{"r1n1", "r1n2", "r2n1", "r2n2"});
    CHECK(names("# mine\n\nnid[1-2] # two\nnid9") == Names{"nid1", "nid2", "nid9"});
  }

  TEST_CASE("Processes of a host are counted as each launcher writes them") {
    CHECK(names("a1:2\nb1:1") == Names{"a1", "a1", "b1"});
    CHECK(names("a1.site.org:2") == Names{"a1.site.org", "a1.site.org"});
    CHECK(names("a1 slots=2 max_slots=4\nb1 slots = 1") == Names{"a1", "a1", "b1"});
    CHECK(names("a1 2 b1 1") == Names{"a1", "a1", "b1"});
    CHECK(names("a1 a1 b1") == Names{"a1", "a1", "b1"});
    CHECK(names("a1,a1,b1") == Names{"a1", "a1", "b1"});
    CHECK(names("me@a1:2") == Names{"a1", "a1"});
    CHECK(names("n[1-2]:2") == Names{"n1", "n1", "n2", "n2"});
  }

  TEST_CASE("A rankfile gives each rank its host and its cores") {
    const NodeChoice choice = read("rank 1=b1 slot=1:0-1\nrank 0=a1 slot=3\n");
    CHECK(choice.named == Names{"a1", "b1"});
    REQUIRE(choice.bound.size() == 2);
    const Platform platform = platform_of("a[1-2],b[1-2]");
    LayoutRow::Spread spread;
    spread.nodes = choice;
    const Layout layout = spread_layout(platform, spread, "here");
    CHECK(layout.placements[0].node == NodeId{0});
    CHECK(layout.placements[0].socket_of_node == 1);  // core 3 is of socket 1
    CHECK(layout.placements[1].node == NodeId{2});
    CHECK(layout.placements[1].socket_of_node == 1);
    CHECK(layout.placements[1].cores == 2);
  }

  TEST_CASE("A rank that a rankfile binds to cores which are not there or taken is refused with its line") {
    const Platform platform = platform_of("a[1-4]");
    const auto placed = [&](const std::string& text) -> std::string {
      LayoutRow::Spread spread;
      spread.nodes = read(text);
      try {
        spread_layout(platform, spread, "here");
      } catch (const InputError& error) {
        return error.what();
      }
      return "accepted";
    };
    CHECK(placed("rank 0=a1 slot=2:0") ==
          "hosts:1: rank 0 is bound to 1 core from core 0 of socket 2, but a node of 'node' has 2 sockets of 2 cores, "
          "and "
          "each core runs one rank (a rank stays in one socket). Bind it elsewhere?");
    CHECK(placed("rank 0=a1 slot=0:1-2").starts_with("hosts:1: rank 0 is bound to 2 cores from core 1 of socket 0"));
    CHECK(placed("rank 0=a1 slot=0:0-1\nrank 1=a1 slot=0:0").starts_with("hosts:2: rank 1 is bound"));
  }

  TEST_CASE("What a list of hosts cannot say here is refused with its line") {
    CHECK(refusal("a1\n+n1\n") ==
          "hosts:2: '+n1' is a node of a running job (a list has names or numbers). Write the node's name?");
    CHECK(refusal("n1/0-3") ==
          "hosts:1: 'n1/0-3' is no name of a node (letters, digits, '-', '_', '.', and numbers in brackets). Correct "
          "it?");
    CHECK(refusal("a1:x") ==
          "hosts:1: 'a1:x' does not say how many ranks a node runs ('HOST:2', from 1). Write 'a1:1'?");
    CHECK(refusal("a1 slots=4 max_slots=2") ==
          "hosts:1: 'a1' has 4 slots, more than its max_slots=2. Write 'slots=2'?");
    CHECK(
        refusal("a1 cores=4") ==
        "hosts:1: 'cores=4' follows 'a1' (a node stands alone, or with 'slots=N' for N ranks there and 'max_slots=N'). "
        "Write 'slots=1', or remove it?");
    CHECK(refusal("nid[1-x]") ==
          "hosts:1: 'nid[1-x]' is no list of hosts (numbers and ranges in brackets that are closed). Write "
          "'nid[001-004,7]'?");
    CHECK(
        refusal("rank 0=a1 slot=0:0\nrank 2=a1 slot=0:1") ==
        "hosts:2: rank 2 stands here, and rank 1 in no line (ranks are numbered from 0 without gaps). Add 'rank 1=HOST "
        "slot=0:0'?");
    CHECK(refusal("rank 0=a1 slot=0:0,1:0") ==
          "hosts:1: '1:0' is not understood ('rank N=HOST slot=S:C': socket S, core C; cores of one socket). Write "
          "'slot=0:0'?");
    CHECK(
        refusal("rank 0=a1 slot=0:0", false) ==
        "hosts:1: a rankfile says where each rank runs, and the layout says how many run on a node. Remove 'per-node', "
        "'order' and 'gpus'?");
    CHECK(refusal("0 1") ==
          "hosts:1: '1' follows '0' (numbers of nodes stand alone, or with 'slots=N' for N ranks there). Write '0 "
          "slots=1'?");
    CHECK(refusal("0\na1") ==
          "hosts:2: 'a1' is a name, but the lines above have numbers (all of a file are of one kind). Write 'node-' "
          "before "
          "the numbers?");
  }

  TEST_CASE("A name counts whole and one that no node has counts without its domain") {
    const auto node_of = [](const Platform& platform, const std::string& name) -> std::string {
      NodeChoice choice = read(name);
      try {
        return std::to_string(index(nodes_named(platform, choice).front()));
      } catch (const InputError& error) {
        return error.what();
      }
    };
    CHECK(node_of(platform_of("a[1-4]"), "a2.site.org") == "1");
    CHECK(node_of(platform_of("a.x[1-2],a[1-2]"), "a.x2") == "1");
    CHECK(node_of(platform_of("a.x[1-2],a[1-2]"), "a2.x2") == "3");
    NodeChoice two = read("a1.x.org\na1.y.org\n");
    CHECK_THROWS_WITH_AS(
        nodes_named(platform_of("a[1-4]"), two),
        "hosts:2: 'a1.x.org' and 'a1.y.org' are two hosts, and the platform has one 'a1' for both (a name counts "
        "whole, or without its domain). Write the names that the platform has?",
        InputError);
  }

  TEST_CASE("One word is a list of hosts where it names a node and no file") {
    for (const char* list : {"nid[001-004]", "a,b", "nid001", "a1.site.org", "n1:2"})
      CHECK_MESSAGE(is_host_list(list), list);
    for (const char* file : {"hosts.txt", "jobs/1/hosts", "hosts", "0-7", "job1.csv"})
      CHECK_MESSAGE(!is_host_list(file), file);
  }
}
