#include "sim/config/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery::config {

namespace {

constexpr std::size_t file_size_max = 16u << 20;
constexpr std::size_t depth_max = 32;

using Kind = YamlNode::Kind;

/// Builds the tree from yaml-cpp's events. Not from YAML::Node: that one shares aliased nodes and keeps no key marks.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::shared_ptr<const std::string> file) : file_(std::move(file)) {}

  std::shared_ptr<const YamlNode> root() const { return root_; }
  /// The list or section being read, where an unclosed bracket is.
  std::optional<YamlPlace> innermost() const {
    return open_.empty() ? std::nullopt : std::optional(open_.back().node->place);
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { add(make(Kind::null, mark)); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw InputError("{}: this is an alias (anchors and aliases are not supported). Write the value out?",
                     place(mark).text());
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string& value) override {
    refuse_escaped(value, mark);
    auto node = make(Kind::scalar, mark);
    node->scalar = value;
    add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(Kind::list, mark);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(Kind::map, mark);
  }
  void OnMapEnd() override {
    refuse_duplicates(*open_.back().node);
    open_.pop_back();
  }

 private:
  struct Open {
    std::shared_ptr<YamlNode> node;
    bool has_key = false;
    std::string key;
    YamlPlace key_place;
  };

  /// "\x1b" in double quotes: a NUL ends every message about it, others drive the terminal.
  void refuse_escaped(const std::string& value, const YAML::Mark& mark) const {
    for (const char c : value)
      if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r')
        throw InputError("{}: control character 0x{:02x} (text only). Remove it?", place(mark).text(),
                         static_cast<unsigned>(static_cast<unsigned char>(c)));
  }

  YamlPlace place(const YAML::Mark& mark) const {
    return mark.is_null() ? YamlPlace{file_} : YamlPlace{file_, mark.line + 1, mark.column + 1};
  }
  std::shared_ptr<YamlNode> make(Kind kind, const YAML::Mark& mark) const {
    auto node = std::make_shared<YamlNode>();
    node->kind = kind;
    node->place = place(mark);
    return node;
  }
  void open(Kind kind, const YAML::Mark& mark) {
    auto node = make(kind, mark);
    if (open_.size() == depth_max)
      throw InputError("{}: nested deeper than {} levels (the limit). Is a bracket left open?", node->place.text(),
                       depth_max);
    add(node);
    open_.push_back({std::move(node), false, {}, {}});
  }
  void add(std::shared_ptr<YamlNode> node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node->kind == Kind::list) {
      parent.node->items.push_back(std::move(node));
    } else if (!parent.has_key) {
      if (node->kind != Kind::scalar)
        throw InputError("{}: a key is not a word (keys are words followed by ':'). Quote it?", node->place.text());
      parent.has_key = true;
      parent.key = node->scalar;
      parent.key_place = node->place;
    } else {
      parent.has_key = false;
      if (node->kind == Kind::null) node->place = parent.key_place;  // yaml-cpp marks the token after it
      parent.node->entries.push_back({std::move(parent.key), parent.key_place, std::move(node)});
    }
  }
  static void refuse_duplicates(const YamlNode& map) {
    std::set<std::string_view> seen;
    for (const auto& entry : map.entries)
      if (!seen.insert(entry.key).second)
        throw InputError("{}: key '{}' appears twice in this section (first at line {}). Remove one?",
                         entry.key_place.text(), shown(entry.key), map.find(entry.key)->key_place.line);
  }

  std::shared_ptr<const std::string> file_;
  std::shared_ptr<YamlNode> root_;
  std::vector<Open> open_;
};

/// What people get wrong, in their words; yaml-cpp's own words otherwise.
Refusal explain(const std::string& problem) {
  const std::pair<std::string_view, Refusal> known[] = {
      {"EOF in scalar", "a quote is not closed before the end of the file. Add the closing quote?"},
      {"end of map not found", "the indentation of this section is inconsistent. Align its keys?"},
      {"end of sequence not found", "the indentation of this list is inconsistent. Align its '-'?"},
      {"end of map flow not found", "a '{' is not closed. Add '}'?"},
      {"end of sequence flow not found", "a '[' is not closed. Add ']'?"},
      {"illegal map value", "unexpected ':' (no key can be here). Quote the text, or check the indentation?"},
      {"illegal block entry", "unexpected '-' (no list item can be here). Check the indentation?"},
      {"map keys cannot be multi", "a key spans several lines. Is a ':' or a closing bracket missing?"},
      {"anchor is not defined", "this is an alias (anchors and aliases are not supported). Quote the '*'?"},
      {"unknown token", "this character cannot begin a value. Quote the text?"},
  };
  for (const auto& [part, words] : known)
    if (problem.find(part) != std::string::npos) return words;
  return Refusal("this is not YAML ({}). Check brackets, quotes and indentation?", problem);
}

/// The first ';' within the bracket that opens at `open`; none where the bracket is closed before.
std::optional<YamlPlace> semicolon_behind(const std::string& text, const YamlPlace& open) {
  YamlPlace at{open.file};
  bool inside = false;
  char quote = 0;
  for (const char c : text) {
    inside = inside || (at.line == open.line && at.column == open.column);
    if (inside && quote == 0 && c == ';') return at;
    if (inside && quote == 0 && (c == '}' || c == ']')) return std::nullopt;
    if (inside && (c == '"' || c == '\'')) quote = quote == 0 ? c : quote == c ? 0 : quote;
    at.column += 1;
    if (c == '\n') at.line += 1, at.column = 1;
  }
  return std::nullopt;
}

/// yaml-cpp takes byte 4 for the end of the file and silently accepts some tabs: look first.
void refuse_odd_characters(const std::string& text, const std::shared_ptr<const std::string>& file) {
  YamlPlace at{file};
  bool indentation = true;
  for (const char c : text) {
    if (c == '\t' && indentation)
      throw InputError("{}: a tab in the indentation (spaces only). Replace it with spaces?", at.text());
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r')
      throw InputError("{}: control character 0x{:02x} (text only). Is this the right file?", at.text(),
                       static_cast<unsigned>(static_cast<unsigned char>(c)));
    if (c == '\n') {
      at.line += 1;
      at.column = 0;
      indentation = true;
    } else if (c != ' ') {
      indentation = false;
    }
    at.column += 1;
  }
}

}  // namespace

std::string YamlPlace::text() const { return line == 0 ? *file : fmt::format("{}:{}:{}", *file, line, column); }

const YamlNode::Entry* YamlNode::find(std::string_view key) const {
  const auto found = std::ranges::find(entries, key, &Entry::key);
  return found == entries.end() ? nullptr : &*found;
}

const char* kind_name(YamlNode::Kind kind) {
  constexpr const char* names[] = {"empty", "a value", "a list", "a section"};
  return names[static_cast<std::size_t>(kind)];
}

std::shared_ptr<const YamlNode> parse_tree(const std::string& text, const std::string& name) {
  const auto file = std::make_shared<const std::string>(name);
  if (text.size() > file_size_max)
    throw InputError("{}: holds {} bytes (at most {}). Is this the right file?", name, text.size(), file_size_max);
  refuse_odd_characters(text, file);
  // Without the last line end, because yaml-cpp 0.7 takes an open quote for closed when a line end precedes the end.
  std::istringstream stream(text.substr(0, text.find_last_not_of(" \r\n") + 1));
  TreeBuilder builder(file);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder) || builder.root()->kind == Kind::null)
      throw InputError("{}:1:1: the file is empty (keys and values expected). Is this the right file?", name);
    auto root = builder.root();
    if (parser.HandleNextDocument(builder))
      throw InputError("{}: a second document starts here (one per file). Remove the '---'?",
                       builder.root()->place.text());
    return root;
  } catch (const YAML::Exception& problem) {
    const bool unclosed = problem.msg.find("flow not found") != std::string::npos;
    const YamlPlace at = unclosed && builder.innermost()
                             ? *builder.innermost()
                             : YamlPlace{file, problem.mark.line + 1, problem.mark.column + 1};
    if (const auto semicolon = unclosed ? semicolon_behind(text, at) : std::nullopt)
      throw InputError("{}: ';' between two values (',' separates them). Write ','?", semicolon->text());
    throw InputError("{}: {}", at.text(), explain(problem.msg));
  }
}

}  // namespace orrery::config
