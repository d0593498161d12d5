#include "sim/config/formats/known_formats.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/files.hpp"
#include "sim/core/error.hpp"

using namespace orrery;
using namespace orrery::config;

namespace {

/// A small text of each format, as its own writer has it.
const std::vector<std::pair<std::string, std::string>>& samples() {
  using namespace std::string_literals;
  static const std::vector<std::pair<std::string, std::string>> all{
      {"gzip", "\x1f\x8b\x08\0\0\0\0\0"s},
      {"xz",
       "\xfd"
       "7zXZ\0"s},
      {"bzip2", "BZh91AY&SY..."},
      {"zstd", "\x28\xb5\x2f\xfd\0"s},
      {"zip", "PK\x03\x04\x14\0"s},
      {"utf-16", "\xff\xfen\0a\0"s},
      {"pdf", "%PDF-1.7\n"},
      {"sqlite", "SQLite format 3\0..."s},
      {"elf",
       "\x7f"
       "ELF\x02\x01\0"s},
      {"html", "<!DOCTYPE html>\n<html><body>404</body></html>\n"},
      {"chakra",
       "\x07\x0a\x05"
       "0.0.4\x1e\x08\0"s},
      {"goal-binary", "\x02\0\0\0LAOG@\0\0\0"s},
      {"binary", "\x01\x02\0\x03"s},
      {"osu", "\n# OSU MPI Bcast Latency Test v7.2\n# Size       Avg Latency(us)\n4     3.21\n8     3.30\n"},
      {"imb",
       "#----\n# Benchmarking Bcast \n# #processes = 8 \n#----\n   #bytes #repetitions  t_min[usec]  t_max[usec]  "
       "t_avg[usec]\n        0         1000         0.02         0.04         0.03\n"},
      {"nccl-tests",
       "# nThread 1 nGpus 2 minBytes 8 maxBytes 64\n#       size         count      type   redop    root     time\n#   "
       " (B)\n 8   2  float  sum  -1  9.4\n"},
      {"hpl-dat", "HPLinpack benchmark input file\nInnovative Computing Laboratory\nHPL.out\n"},
      {"hpl-output",
       "====\nHPLinpack 2.3  --  High-Performance Linpack benchmark  --   December 2, 2018\n====\nT/V                N "
       " "
       "  NB     P     Q               Time                 Gflops\nWR11C2R4  1000 64 2 2 1.0 2.0e+00\n"},
      {"hpcg", "HPCG-Benchmark\nversion=3.1\n"},
      {"stream", "Function    Best Rate MB/s  Avg time     Min time     Max time\nCopy:  1000.0  0.1  0.1  0.1\n"},
      {"likwid-bench", "Allocate: ...\nCycles:\t\t100\nMByte/s:\t\t2000.0\n"},
      {"extra-p-text", "PARAMETER p\nPOINTS 2 4 8\nREGION main\nDATA 1 2\nDATA 3 4\n"},
      {"extra-p-json", R"({"params":{"p":4},"metric":"time","value":0.3})"},
      {"mlperf-log", ":::MLLOG {\"namespace\": \"\", \"time_ms\": 1}\n"},
      {"mpip", "@ mpiP\n@ Command : ./a.out\n"},
      {"sacct", "JobID           JobName    Elapsed\n12 a 00:01:00\n"},
      {"simgrid-xml",
       "<?xml version='1.0'?>\n<platform version=\"4.1\"><zone id=\"z\"><host id=\"a\"/></zone></platform>"},
      {"simgrid-deployment", "<platform version=\"4.1\">\n <actor host=\"a\" function=\"f\"/>\n</platform>"},
      {"hwloc-xml", "<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\"/>"},
      {"lstopo", "Machine (31GB total)\n  Package L#0\n    NUMANode L#0 (P#0 31GB)\n"},
      {"nccl-topology", "<system version=\"1\">\n <cpu numaid=\"0\"/>\n</system>"},
      {"nccl-graph", "<graphs version=\"1\">\n</graphs>"},
      {"xml", "<!-- mine -->\n<thing/>\n"},
      {"nvidia-smi-topo", "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV12\t0-15\nGPU1\tNV12\t X \t0-15\n"},
      {"slurm-topology", "# made\nswitchname=leaf1 Nodes=cn[1-8]\n"},
      {"slurm-topology-yaml",
       "---\n- topology: t\n  cluster_default: true\n  tree:\n    switches:\n      - switch: s\n"},
      {"ibnetdiscover",
       "#\n# Topology file: generated on Mon\n#\nvendid=0x2c9\nswitchguid=0x1(1)\nSwitch 36 \"S-1\"\n"},
      {"iblinkinfo", "CA: n1 mlx5_0:\n  0x1  4  1[  ] ==( 4X 25.78125 Gbps Active/  LinkUp)==>  2  3[  ] \"sw\" ( )\n"},
      {"astra-sim-network", "topology: [ Ring ]\nnpus_count: [ 8 ]\nbandwidth: [ 50 ]\n"},
      {"astra-sim-system", R"({"scheduling-policy": "LIFO", "endpoint-delay": 10})"},
      {"simai-topology", "5 4 1 0 4 H100\n4\n0 4 400Gbps 0.0005ms 0\n1 4 400Gbps 0.0005ms 0\n"},
      {"infragraph", "name: g\ndevices:\n- name: d\ninstances:\n- name: i\nedges:\n- ep1: {}\n"},
      {"lscpu", "Architecture:            x86_64\nCPU(s):                  8\n"},
      {"rankfile", "rank 0=n1 slot=0:0\nrank 1=n2 slot=1:0-3\n"},
      {"openmpi-hosts", "# mine\nn1 slots=4 max_slots=8\nn2\n"},
      {"slurm-hosts", "cn[101-108],gpu[01-08]\n"},
      {"lsf-hosts", "n1 16 n2 16\n"},
      {"counted-hosts", "n1.site.org:2\nn2.site.org:2\n"},
      {"host-names", "n1\nn1\nn2\n"},
      {"pytorch-trace", R"({"schema": "1.1.0", "pid": 1, "nodes": [{"id": 1, "name": "a"}]})"},
      {"chrome-trace", R"({"schemaVersion": 1, "traceEvents": []})"},
      {"paraver", "#Paraver (01/01/2026 at 10:00):1000:1(2):1\n"},
      {"dimemas", "#DIMEMAS:\"a\":1,0:1\n"},
      {"paje", "%EventDef PajeDefineContainerType 0\n"},
      {"parameters", "platform: p\nnetwork: n\nmodels:\n  hockney:\n    origin: me\n"},
      {"platform", "name: p\nnode-types:\n  a: {}\n"},
      {"layout", "name: l\nsource: s\nrows:\n  A: {ranks: 4}\n"},
      {"lab", "title: t\npredict: {}\nscenario: |\n  kernel: {name: ring}\n"},
      {"scenario", "platform: p\nkernel: {name: ring}\n"},
      {"result", R"({"schema": 1, "orrery": "1.0", "name": "x", "points": []})"},
      {"json", R"({"name": "x"})"},
      {"goal", "/* made */\nnum_ranks 2\nrank 0 {\n}\n"},
      {"2dist", "#size 4\n#N 16\n#kb 32\nn0 0 0 0 0 0 8 8 64 0 0\n"},
      {"taulop-table", "#m\t1\n#tau\t1\n1\t1e-6\t1e-9\n"},
      {"pattern", "ranks 3\nstage\n1: 0\n2: 0\n"},
      {"ti", "0 init\n0 send 1 0 8\n1 init\n"},
      {"ti-index", "rank-0.ti\nrank-1.ti\n"},
      {"yaml", "titel: x\nkernle: {name: ring}\n"},
      {"csv", "network,time_s\neth,1e-3\n"},
  };
  return all;
}

std::string seen(std::string_view text) {
  const SeenFormat format = format_of(text);
  return format.format == nullptr ? "none" : std::string(format.format->name);
}

std::string each_line(const std::string& text, const std::string& before, const std::string& after) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) result += before + line + after + "\n";
  return result;
}

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_SUITE("config/formats") {
  TEST_CASE("Each format is recognised by what its own writer puts there") {
    std::set<std::string> shown;
    for (const auto& [name, text] : samples()) {
      CHECK_MESSAGE(seen(text) == name, name);
      shown.insert(name);
    }
    for (const FileFormat* format : known_formats())
      CHECK_MESSAGE(shown.contains(std::string(format->name)), format->name);
  }

  TEST_CASE("Line ends of Windows and a byte order mark change no format") {
    for (const auto& [name, text] : samples()) {
      if (text.find('\0') != std::string::npos || static_cast<unsigned char>(text[0]) >= 0x7f) continue;  // no text
      CHECK_MESSAGE(seen(each_line(text, "", "\r")) == name, name);
      CHECK_MESSAGE(seen("\xef\xbb\xbf" + text) == name, name);
    }
  }

  TEST_CASE("Labels of srun and mpirun before each line of a log change no format") {
    for (const auto& [name, text] : samples())
      for (const char* log : {"osu", "imb", "nccl-tests", "hpl-output", "stream", "likwid-bench", "mlperf-log"})
        if (name == log)
          for (const char* label : {"0: ", " 12: ", "[1,0]<stdout>:", "[1,15]<stderr>: "})
            CHECK_MESSAGE(seen(each_line(text, label, "")) == name, name << " behind " << label);
  }

  TEST_CASE("The header of a log is found behind thousands of lines of NCCL INFO") {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "[1,3]<stdout>:worker-0:54:54 [3] NCCL INFO Channel 00/24 : 0 1 2 3\n";
    CHECK(seen(text + "[1,0]<stdout>:#       size         count      type   redop    root     time\n") == "nccl-tests");
  }

  TEST_CASE("Every file that is shipped is of the format that its folder says") {
    const std::map<std::string, std::string> folders{
        {"platforms", "platform"},       {"scenarios", "scenario"},         {"labs", "lab"},
        {"scenarios/layouts", "layout"}, {"scenarios/patterns", "pattern"}, {"scenarios/partitions", "2dist"},
        {"platforms/compute", "csv"},    {"platforms/processors", "csv"}};
    int files = 0;
    for (const auto& [folder, format] : folders)
      for (const auto& entry : std::filesystem::directory_iterator(ORRERY_SOURCE_DIR "/" + folder)) {
        const std::string end = entry.path().extension().string();
        if ((end != ".yaml" && end != ".csv" && end != ".txt" && end != ".2dist") ||
            entry.path().stem() == "CMakeLists")
          continue;
        ++files;
        // A list of nodes is a column by itself, which any reader of tables takes.
        const bool column = folder == "scenarios/layouts" && end == ".csv";
        CHECK_MESSAGE(seen(read_file(entry.path().string())) == (column ? "none" : format), entry.path().string());
      }
    CHECK(files > 140);
  }

  TEST_CASE("A table that quotes the title of a benchmark in a comment is a table") {
    CHECK(seen("# OSU MPI Allreduce Latency Test v7.1\nkernel.message,time_s\n8B,1e-6\n") == "csv");
    CHECK(seen("# by STREAM, 8 threads\nnode,rate\n0,1\n") == "csv");
  }

  TEST_CASE("A text of another format is refused with its name and with what can be done with it") {
    const std::string osu = "# OSU MPI Bcast Latency Test v7.2\n# Size  Avg Latency(us)\n4     3.21\n";
    CHECK(refusal([&] { refuse_other_format(osu, "o.txt", "a trace", {"ti"}); }) ==
          "o.txt:1: is the output of an OSU micro-benchmark ('OSU MPI Bcast Latency Test v7.2'), not a trace. Make a "
          "table "
          "for 'measured:' of it, as docs/other-formats.md shows?");
    CHECK(refusal([&] { refuse_other_format("kernel: {name: ring}\n", "s.yaml", "a platform", {"platform"}); }) ==
          "s.yaml:1: is a scenario, not a platform. Play it with 'orrery run s.yaml'?");
    CHECK(refusal([&] { refuse_other_format(osu, "o.txt", "such a log", {"osu"}); }) == "accepted");
    CHECK(refusal([&] { refuse_other_format("lorem ipsum\n", "o.txt", "a trace", {"ti"}); }) == "accepted");
  }

  TEST_CASE("A text of no known format is refused with the list of those that are known") {
    const std::string message = refusal([] { require_format("lorem ipsum\n", "x.txt", "a trace", {"ti"}); });
    CHECK(message.starts_with("x.txt: is of no format that is known, and a trace is expected (known: gzip, xz, "));
    CHECK(message.ends_with(", ti, ti-index, yaml, csv). Is it another file?"));
    CHECK(refusal([] { require_format(" \r\n", "x.txt", "a trace", {"ti"}); }) ==
          "x.txt: is empty (a trace is expected). Is it cut off?");
  }
}
