// Nodes, networks and lists of hosts, as other tools describe them.
#include <algorithm>

#include "sim/config/formats/format_kinds.hpp"
#include "sim/config/formats/text_sample.hpp"

namespace orrery::config {

namespace machine_seen {

namespace {

bool holds(const TextSample& text, std::string_view part) { return text.bytes().find(part) != std::string_view::npos; }

bool describes_hosts(const TextSample& text) {
  return std::ranges::any_of(std::initializer_list<std::string_view>{"<zone", "<AS", "<host", "<cluster", "<cabinet"},
                             [&](std::string_view part) { return holds(text, part); });
}

std::uint32_t line_of_root(const TextSample& text) {
  return std::max(1u, text.line_with("<" + text.xml_root()));
}

std::uint32_t simgrid(const TextSample& text) {
  return text.xml_root() == "platform" && (describes_hosts(text) || !holds(text, "<actor")) &&
                 (describes_hosts(text) || !holds(text, "<process"))
             ? line_of_root(text)
             : 0;
}
std::uint32_t deployment(const TextSample& text) {
  return text.xml_root() == "platform" && simgrid(text) == 0 ? line_of_root(text) : 0;
}

std::uint32_t slurm_topology(const TextSample& text) {
  for (const std::uint32_t number : text.content())
    for (const std::string_view key : {"SwitchName=", "BlockName="})
      if (begins_same(text.line(number), key)) return number;
  return 0;
}

/// A list of topologies: "- topology: name" with a tree, blocks or neither.
std::uint32_t slurm_topology_yaml(const TextSample& text) {
  const std::uint32_t line = text.line_begun("- topology:");
  const bool kind = std::ranges::any_of(std::initializer_list<std::string_view>{"tree:", "block:", "flat:"},
                                        [&](std::string_view key) { return text.line_begun(key) != 0; });
  return kind ? line : 0;
}

std::uint32_t ibnetdiscover(const TextSample& text) {
  for (const std::string_view start : {"# Topology file: generated", "switchguid="})
    if (const std::uint32_t line = text.line_begun(start)) return line;
  return 0;
}

/// "13 8 4 1 40 H100", then switches, then a link in each line: "0 8 1000Gbps 0.000025ms 0".
std::uint32_t simai(const TextSample& text) {
  const auto& content = text.content();
  if (content.size() < 3 || !is_digits(words_of(text.line(content[0])).front())) return 0;
  for (std::size_t i = 1; i < std::min<std::size_t>(content.size(), 4); ++i) {
    const auto words = words_of(text.line(content[i]));
    if (words.size() == 5 && is_digits(words[0]) && is_digits(words[1]) && words[2].ends_with("bps") &&
        words[3].ends_with('s') && is_number(words[4]))
      return content[0];
  }
  return 0;
}

std::uint32_t infragraph(const TextSample& text) {
  const auto has = [&](std::string_view key) { return text.yaml_key(key) != 0 || text.json_has(key); };
  if (!has("instances") || !has("edges") || !has("devices")) return 0;
  return std::max(1u, text.any_yaml_key({"devices", "instances"}));
}

std::uint32_t nvidia_smi(const TextSample& text) {
  for (const std::string_view part : {"GPU0 X ", "Link Type between two GPUs", "Weight between two GPUs"})
    if (const std::uint32_t line = text.line_with(part)) return line;
  return 0;
}

/// A letter or digit first, then what names of hosts have.
bool is_host(std::string_view word, std::string_view more = "") {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !word.empty() && plain(word.front()) && std::ranges::all_of(word, [&](char c) {
    return plain(c) || c == '-' || c == '_' || c == '.' || more.find(c) != std::string_view::npos;
  });
}
bool has_digit(std::string_view word) { return word.find_first_of("0123456789") != std::string_view::npos; }
bool has_letter(std::string_view word) { return word.find_first_not_of("0123456789.") != std::string_view::npos; }

/// The first line, where `good` holds for the words of each.
template <class Good>
std::uint32_t every_line(const TextSample& text, Good good) {
  const auto& content = text.content();
  const bool all = !content.empty() && std::ranges::all_of(content, [&](std::uint32_t number) {
    return good(words_of(text.line(number)));
  });
  return all ? content.front() : 0;
}

std::uint32_t rankfile(const TextSample& text) {
  return every_line(text, [](const auto& words) {
    if (words.size() < 2 || words[0] != "rank") return false;
    const auto equals = words[1].find('=');
    return equals != std::string_view::npos && is_digits(words[1].substr(0, equals));
  });
}

std::uint32_t openmpi_hosts(const TextSample& text) {
  for (const std::uint32_t number : text.content()) {
    const auto words = words_of(text.line(number));
    const bool slots = std::ranges::any_of(words, [](std::string_view word) {
      return word.starts_with("slots=") || word.starts_with("max_slots=") || word.starts_with("max-slots=");
    });
    if (slots && is_host(words.front(), "@")) return number;
  }
  return 0;
}

std::uint32_t slurm_hosts(const TextSample& text) {
  return every_line(text, [](const auto& words) {
    const std::string_view word = words.front();
    const auto open = word.find('[');
    return words.size() == 1 && open != std::string_view::npos && open > 0 && is_host(word, "[],") &&
           has_digit(word.substr(open)) && word.find(']') > open && word.find(']') != std::string_view::npos;
  });
}

/// "a 16 b 16", as LSB_MCPU_HOSTS has it.
std::uint32_t lsf_hosts(const TextSample& text) {
  return every_line(text, [](const auto& words) {
    bool good = words.size() % 2 == 0;
    for (std::size_t i = 0; good && i < words.size(); i += 2)
      good = is_host(words[i]) && has_digit(words[i]) && has_letter(words[i]) && is_digits(words[i + 1]);
    return good;
  });
}

std::uint32_t counted_hosts(const TextSample& text) {
  return every_line(text, [](const auto& words) {
    const auto colon = words.front().rfind(':');
    return words.size() == 1 && colon != std::string_view::npos && is_host(words.front().substr(0, colon), "@") &&
           has_letter(words.front().substr(0, colon)) && is_digits(words.front().substr(colon + 1));
  });
}

bool is_trace_file(std::string_view word) {
  return std::ranges::any_of(std::initializer_list<std::string_view>{".ti", ".txt", ".trace", ".goal", ".log"},
                             [&](std::string_view end) { return word.ends_with(end); });
}

std::uint32_t host_names(const TextSample& text) {
  return every_line(text, [](const auto& words) {
    const std::string_view word = words.front();
    return words.size() == 1 && is_host(word, "@") && has_digit(word) && has_letter(word) && !is_trace_file(word);
  });
}

constexpr const char* by_hand = "Describe the machine in a platform file, as docs/other-formats.md shows";
constexpr const char* as_hosts = "Place ranks by it with '--node-list FILE'";

constexpr FileFormat formats[] = {
    {"simgrid-xml", "a SimGrid platform", "Convert it with 'orrery import FILE -o platform.yaml'", simgrid},
    {"simgrid-deployment", "a SimGrid deployment, which says where actors run",
     "Give a list of its hosts, one in each line, to '--node-list'", deployment},
    {"hwloc-xml", "a node as hwloc's lstopo writes it (XML)", by_hand,
     [](const TextSample& t) { return t.xml_root() == "topology" ? line_of_root(t) : 0u; }},
    {"lstopo", "a node as hwloc's lstopo prints it", by_hand,
     [](const TextSample& t) { return t.line_with("Package L#0") != 0 ? t.line_begun("Machine") : 0u; }},
    {"nccl-topology", "the topology of a node as NCCL writes it (NCCL_TOPO_FILE)", by_hand,
     [](const TextSample& t) { return t.xml_root() == "system" ? line_of_root(t) : 0u; }},
    {"nccl-graph", "graphs of rings and trees as NCCL writes them (NCCL_GRAPH_FILE)",
     "Name the algorithm instead: '--param algorithm=nccl_ring', as docs/gpu-collectives.md shows",
     [](const TextSample& t) { return t.xml_root() == "graphs" ? line_of_root(t) : 0u; }},
    {"xml", "an XML file of no kind that is known", "Is it another file",
     [](const TextSample& t) { return t.xml_root().empty() ? 0u : line_of_root(t); }},
    {"nvidia-smi-topo", "the matrix of nvidia-smi topo -m or rocm-smi --showtopo", by_hand, nvidia_smi},
    {"slurm-topology", "Slurm's topology.conf", by_hand, slurm_topology},
    {"slurm-topology-yaml", "Slurm's topology.yaml", by_hand, slurm_topology_yaml},
    {"ibnetdiscover", "the output of ibnetdiscover", by_hand, ibnetdiscover},
    {"iblinkinfo", "the output of iblinkinfo", by_hand, [](const TextSample& t) { return t.line_with("==("); }},
    {"astra-sim-network", "a network of ASTRA-sim", by_hand, [](const TextSample& t) { return t.yaml_key("npus_count"); }},
    {"astra-sim-system", "a system of ASTRA-sim",
     "Name the algorithm of a collective: '--param algorithm=...', as docs/collectives.md shows",
     [](const TextSample& t) {
       return t.json_has("scheduling-policy") || t.json_has("all-reduce-implementation") ? 1u : 0u;
     }},
    {"simai-topology", "a topology of SimAI or ns-3", by_hand, simai},
    {"infragraph", "an InfraGraph", by_hand, infragraph},
    {"lscpu", "the output of lscpu", by_hand,
     [](const TextSample& t) { return t.line_begun("Architecture:") != 0 ? t.line_begun("CPU(s):") : 0u; }},
    {"rankfile", "a rankfile of Open MPI", as_hosts, rankfile},
    {"openmpi-hosts", "a host file of Open MPI", as_hosts, openmpi_hosts},
    {"slurm-hosts", "a host list of Slurm", as_hosts, slurm_hosts},
    {"lsf-hosts", "a list of hosts as LSF gives it (LSB_MCPU_HOSTS)", as_hosts, lsf_hosts},
    {"counted-hosts", "a list of hosts with their processes ('host:2')", as_hosts, counted_hosts},
    {"host-names", "a list of names, as of hosts", as_hosts, host_names},
};

}  // namespace

}  // namespace machine_seen

std::span<const FileFormat> machine_formats() { return machine_seen::formats; }

}  // namespace orrery::config
