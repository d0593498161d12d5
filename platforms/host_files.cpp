#include "platforms/host_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include "platforms/node_names.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace host_lists {

namespace {

constexpr const char* digits = "0123456789";
constexpr std::size_t row_hosts_max = 1u << 24;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alnum(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_number(std::string_view word) { return !word.empty() && std::ranges::all_of(word, is_digit); }

std::optional<std::uint32_t> number_of(std::string_view word) {
  std::uint32_t number = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), number);
  return status == std::errc() && end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

/// Separated by blanks, and by commas outside of brackets; "a = b" is one word.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  int depth = 0;
  bool begun = false;
  for (const char c : line.substr(0, line.find('#'))) {
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c == ' ' || c == '\t' || c == '\r' || (c == ',' && depth <= 0)) {
      begun = false;
      continue;
    }
    if (!begun && !words.empty() && (c == '=' || words.back().ends_with('='))) begun = true;
    if (!begun) words.emplace_back();
    begun = true;
    words.back() += c;
  }
  return words;
}

/// A name, or several with brackets.
bool names_host(std::string_view word) {
  return !word.empty() && (is_alnum(word.front()) || word.front() == '[') && std::ranges::all_of(word, [](char c) {
    return is_alnum(c) || std::string_view("-_.[],").find(c) != std::string_view::npos;
  });
}

class HostReader {
 public:
  HostReader(std::string where, NodeChoice& choice) : where_(std::move(where)), choice_(choice) {}

  void line(std::string_view text, std::string where) {
    where_ = std::move(where);
    const auto words = words_of(text);
    if (words.empty()) return;
    if (words.front() == "rank" && words.size() > 1 && words[1].find('=') != std::string::npos) return rank_line(words);
    if (!ranks_.empty())
      refuse(Refusal("'{}' stands below lines of ranks ('rank N=HOST slot=S:C' in each line). Remove it?",
                     shown(words.front())));
    for (std::size_t i = 0; i < words.size();) i = host(words, i);
  }

  /// Those of a rankfile, once all have been read.
  void finish() {
    if (!ranks_.empty() && !choice_.of_ranks) {
      where_ = ranks_.begin()->second.where;
      refuse("a rankfile says where each rank runs, and the layout says how many run on a node. Remove 'per-node', "
             "'order' and 'gpus'?");
    }
    std::uint32_t next = 0;
    for (const auto& [rank, at] : ranks_) {
      where_ = at.where;
      if (rank != next)
        refuse(
            Refusal("rank {} stands here, and rank {} in no line (ranks are numbered from 0 without gaps). Add "
                    "'rank {}=HOST slot=0:0'?",
                    rank, next, next));
      ++next;
      add(at.host, 1);
      choice_.bound.push_back({at.by_socket, at.socket, at.first, at.cores});
    }
  }

 private:
  struct OfRank {
    std::string where, host;
    bool by_socket = false;
    std::uint32_t socket = 0, first = 0, cores = 1;
  };

  [[noreturn]] void refuse(const Refusal& problem) const { throw InputError("{}: {}", where_, problem); }

  /// A host and what belongs to it, from the word at `i`; the word after them.
  std::size_t host(const std::vector<std::string>& words, std::size_t i) {
    std::string_view name = words[i];
    if (name.find('@') != std::string_view::npos) name.remove_prefix(name.find('@') + 1);
    const auto colon = name.rfind(':');
    std::uint32_t processes = 1;
    if (colon != std::string_view::npos) processes = counted(words[i], name.substr(colon + 1)), name = name.substr(0, colon);
    require_host(name, words[i]);
    ++i;
    const bool counts = colon == std::string_view::npos && !is_number(name);
    if (counts && i < words.size() && is_number(words[i])) processes = counted(words[i - 1], words[i]), ++i;
    if (i < words.size() && is_number(name) && is_number(words[i]))
      refuse(
          Refusal("'{}' follows '{}' (numbers of nodes stand alone, or with 'slots=N' for N ranks there). Write "
                  "'{} slots={}'?",
                  words[i], name, name, words[i]));
    std::uint32_t most = 0;
    for (; i < words.size() && words[i].find('=') != std::string::npos; ++i) option(name, words[i], processes, most);
    if (most > 0 && most < processes)
      refuse(Refusal("'{}' has {} slots, more than its max_slots={}. Write 'slots={}'?", shown(name), processes, most,
                     most));
    for (const std::string& one : expressed(name)) add(one, processes);
    return i;
  }

  std::uint32_t counted(const std::string& word, std::string_view number) const {
    const auto count = number_of(number);
    if (!count || *count == 0 || *count > row_hosts_max)
      refuse(Refusal("'{}' does not say how many ranks a node runs ('HOST:2', from 1). Write '{}:1'?", shown(word),
                     shown(word.substr(0, word.find(':')))));
    return *count;
  }

  void require_host(std::string_view name, const std::string& word) const {
    if (names_host(name)) return;
    if (name.starts_with('+'))
      refuse(Refusal("'{}' is a node of a running job (a list has names or numbers). Write the node's name?",
                     shown(word)));
    refuse(Refusal("'{}' is no name of a node (letters, digits, '-', '_', '.', and numbers in brackets). Correct it?",
                   shown(word)));
  }

  void option(std::string_view name, const std::string& word, std::uint32_t& processes, std::uint32_t& most) const {
    const std::string key = word.substr(0, word.find('='));
    const auto value = number_of(std::string_view(word).substr(key.size() + 1));
    const bool slots = key == "slots" || key == "cpu" || key == "count";
    const bool limit = key.starts_with("max") || key.ends_with("max");
    if ((!slots && !limit) || !value || *value == 0)
      refuse(
          Refusal("'{}' follows '{}' (a node stands alone, or with 'slots=N' for N ranks there and "
                  "'max_slots=N'). Write 'slots=1', or remove it?",
                  shown(word), shown(name)));
    (slots ? processes : most) = *value;
  }

  std::vector<std::string> expressed(std::string_view name) const {
    if (name.find('[') == std::string_view::npos && name.find(']') == std::string_view::npos) return {std::string(name)};
    auto names = expanded_names(std::string(name));
    if (names.empty())
      refuse(
          Refusal("'{}' is no list of hosts (numbers and ranges in brackets that are closed). Write "
                  "'nid[001-004,7]'?",
                  shown(name)));
    return names;
  }

  void add(const std::string& host, std::uint32_t processes) {
    const bool numbered = is_number(host);
    if (numbered ? !choice_.named.empty() : !choice_.listed.empty())
      refuse(Refusal("'{}' is a {}, but the lines above have {} (all of a file are of one kind). {}?", shown(host),
                     numbered ? "number" : "name", numbered ? "names" : "numbers",
                     numbered ? "Write 'node-" + shown(host) + "'" : "Write 'node-' before the numbers"));
    if (choice_.listed.size() + choice_.named.size() + processes > row_hosts_max)
      refuse(Refusal("more than {} ranks (the limit). Take fewer slots?", row_hosts_max));
    choice_.places.push_back({choice_.listed.size() + choice_.named.size(), where_});
    if (!numbered) {
      choice_.named.insert(choice_.named.end(), processes, host);
      return;
    }
    const auto number = number_of(host);
    if (!number || *number >= 1u << 22)
      refuse(Refusal("'{}' is too large for the number of a node. Correct it?", shown(host)));
    if (choice_.of_ranks)
      choice_.listed.insert(choice_.listed.end(), processes, NodeId{*number});
    else if (std::ranges::find(choice_.listed, NodeId{*number}) == choice_.listed.end())
      choice_.listed.push_back(NodeId{*number});
  }

  /// "rank 1=n0 slot=1:0-3".
  void rank_line(const std::vector<std::string>& words) {
    const auto equals = words[1].find('=');
    const auto rank = number_of(words[1].substr(0, equals));
    OfRank at{.where = where_, .host = words[1].substr(equals + 1)};
    if (!rank || *rank > row_hosts_max || at.host.empty())
      refuse(Refusal("'{}' names no rank and host ('rank N=HOST slot=S:C'). Correct it?", shown(words[1])));
    require_host(at.host, at.host);
    if (!choice_.named.empty() || !choice_.listed.empty())
      refuse("a line of a rank below a line of a host ('rank N=HOST slot=S:C' in each line). Remove it?");
    for (std::size_t i = 2; i < words.size(); ++i) {
      if (!words[i].starts_with("slot=") || i > 2)
        refuse(
            Refusal("'{}' is not understood ('rank N=HOST slot=S:C': socket S, core C; cores of one socket). "
                    "Write 'slot=0:0'?",
                    shown(words[i])));
      slot(std::string_view(words[i]).substr(5), at);
    }
    if (words.size() == 2) at.cores = 0;
    if (!ranks_.emplace(*rank, at).second)
      refuse(Refusal("rank {} stands in two lines (once each). Remove one?", *rank));
  }

  /// "1:0-3" or "1:2": cores of socket 1; "5" or "4-7": cores of the node.
  void slot(std::string_view text, OfRank& at) const {
    const auto colon = text.find(':');
    std::string_view range = colon == std::string_view::npos ? text : text.substr(colon + 1);
    const auto dash = std::min(range.find('-'), range.size());
    const auto socket = colon == std::string_view::npos ? std::optional(0u) : number_of(text.substr(0, colon));
    const auto first = number_of(range.substr(0, dash));
    const auto last = dash == range.size() ? first : number_of(range.substr(dash + 1));
    if (!socket || !first || !last || *last < *first)
      refuse(
          Refusal("'slot={}' is not understood ('slot=S:C' or 'slot=S:C-D': socket S, cores C to D). Write "
                  "'slot=0:0'?",
                  shown(text)));
    at.by_socket = colon != std::string_view::npos;
    at.socket = *socket, at.first = *first, at.cores = *last - *first + 1;
  }

  std::string where_;
  NodeChoice& choice_;
  std::map<std::uint32_t, OfRank> ranks_;
};

std::string_view first_line(std::string_view text) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, std::min(end, text.substr(0, end).find('#')));
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) return line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

}  // namespace

}  // namespace host_lists

bool is_node_table(std::string_view text) {
  const std::string_view header = host_lists::first_line(text);
  const auto words = host_lists::words_of(header);
  const bool named = std::ranges::any_of(
      words, [](const std::string& word) { return word == "node" || word == "xname" || word == "allocation"; });
  return named || (header.find(',') != std::string_view::npos && header.find_first_of(host_lists::digits) == std::string_view::npos);
}

bool is_host_list(std::string_view text) {
  if (text.find('/') != std::string_view::npos) return false;
  if (text.find_first_of("[,") != std::string_view::npos) return true;
  const auto dot = text.rfind('.');
  const bool file = dot != std::string_view::npos && std::ranges::any_of(
      std::initializer_list<std::string_view>{".txt", ".csv", ".hosts", ".list", ".lst", ".yaml"},
      [&](std::string_view end) { return text.substr(dot) == end; });
  return !file && text.find_first_of(host_lists::digits) != std::string_view::npos &&
         text.find_first_not_of(std::string(host_lists::digits) + "-") != std::string_view::npos;
}

void add_hosts_of_file(std::string_view text, const std::string& file, NodeChoice& choice) {
  host_lists::HostReader reader(file, choice);
  for (int number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    reader.line(text.substr(0, end), fmt::format("{}:{}", file, number));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  reader.finish();
}

void add_hosts(std::string_view text, const std::string& where, NodeChoice& choice) {
  host_lists::HostReader reader(where, choice);
  reader.line(text, where);
  reader.finish();
}

}  // namespace orrery
