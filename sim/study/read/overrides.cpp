#include "sim/study/read/overrides.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/study/read/flag_text.hpp"
#include "sim/study/read/full_path.hpp"
#include "sim/study/read/keys.hpp"
#include "sim/study/read/platform_changes.hpp"

namespace orrery {

using config::Document;
using config::Section;
using config::Value;

namespace {

/// As it is written: "--set a=b" on a command line, "a: b" in a file.
std::string written(const std::string& said_by, const std::string& path, const std::string& value) {
  return said_by == set_flag ? fmt::format("{} {}={}", set_flag, path, value) : fmt::format("{}: {}", path, value);
}

/// The value at "kernel.blocks", which an override has just put there.
Value value_at(const Document& document, const std::string& path) {
  Section section = document.root();
  std::size_t begin = 0;
  for (auto dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
    const Value inner = section.value(path.substr(begin, dot - begin));
    begin = dot + 1;
    if (inner.is_list()) {  // of sections with names
      dot = path.find('.', begin);
      for (const Value& item : inner.list())
        if (item.section().text("name") == path.substr(begin, dot - begin)) section = item.section();
      begin = dot + 1;
      continue;
    }
    section = inner.section();
  }
  return section.value(path.substr(begin));
}

/// Whether a list at this path is one of values that points differ in.
bool can_be_swept(std::string_view path, const Value& list) {
  const auto items = list.list();
  if (is_list_by_itself(path) && (items.empty() || !items.front().is_list())) return false;
  return std::ranges::find(point_keys(), path.substr(0, path.find('.'))) != point_keys().end();
}

/// "4,2,4,1": at most so many nodes, and so many ranks to a core, of each type. Every configuration up to that.
std::vector<Value> all_configurations(const Value& axis, const std::string& path) {
  const Section section = axis.section();
  const std::string most = section.text("each");
  for (const auto& [key, value] : section.items())
    if (key != "each") section.refuse(key, Refusal("'{}' beside 'each' (which is all). Remove it?", key));
  std::vector<unsigned> numbers;
  for (std::size_t at = 0; at <= most.size();) {
    const std::size_t end = std::min(most.find(',', at), most.size());
    unsigned number = 0;
    const auto [rest, status] = std::from_chars(most.data() + at, most.data() + end, number);
    if (status != std::errc() || rest != most.data() + end || number > 4096) numbers = {0};
    numbers.push_back(number);
    at = end + 1;
  }
  if (numbers.size() % 2 != 0 || path != "layout.configuration" || std::ranges::count(numbers, 0u) > 0)
    throw InputError(
        "{}: axis '{}' has each '{}' (for layout.configuration: most nodes and most ranks to a core of each "
        "node type, 1 to 4096). Write 'layout.configuration: {{each: \"4,2,4,1\"}}'?",
        section.where("each"), path, most);
  std::vector<std::string> all{""};
  for (std::size_t type = 0; type < numbers.size(); type += 2) {
    std::vector<std::string> longer;
    for (const auto& before : all) {
      const std::string start = before.empty() ? "" : before + ",";
      longer.push_back(start + "0,0");
      for (unsigned nodes = 1; nodes <= numbers[type]; ++nodes)
        for (unsigned m = 1; m <= numbers[type + 1]; ++m) longer.push_back(fmt::format("{}{},{}", start, nodes, m));
    }
    if (longer.size() > points_max)
      throw InputError("{}: each '{}' is more than {} configurations. Take fewer nodes?", section.where("each"), most,
                       points_max);
    all = std::move(longer);
  }
  all.erase(all.begin());  // no node at all
  return config::parse_yaml(fmt::format("all: [\"{}\"]", fmt::join(all, "\", \"")), section.where("each"))
      .root()
      .list("all");
}

/// The values of an axis; none would mean no points at all.
std::vector<Value> values_of(const Value& list, const std::string& path) {
  if (list.is_section()) return all_configurations(list, path);
  auto values = list.list();
  if (values.empty()) throw InputError("{}: axis '{}' is empty. List its values?", list.where(), path);
  return values;
}

/// Nothing, or YAML's words for it.
bool is_nothing(std::string_view yaml) {
  constexpr std::string_view words[] = {"", "~", "null", "Null", "NULL"};
  const auto first = yaml.find_first_not_of(" \t\r\n"), last = yaml.find_last_not_of(" \t\r\n");
  const auto word = first == std::string_view::npos ? std::string_view{} : yaml.substr(first, last - first + 1);
  return std::ranges::find(words, word) != std::end(words);
}

/// A shell splits at blanks: "--set layout.ranks=[4, 8]" arrives as "[4,".
void require_whole(const std::string& path, const std::string& value, const std::string& said_by) {
  const auto first = value.find_first_not_of(' ');
  const bool opens = first != std::string::npos && (value[first] == '[' || value[first] == '{');
  if (opens && std::ranges::count(value, value[first]) > std::ranges::count(value, value[first] == '[' ? ']' : '}'))
    throw InputError(
        "{2} {0}: '{1}' has a bracket that is not closed (the shell splits at blanks). Quote it "
        "all: {2} '{0}={1} ...'?",
        path, value, said_by);
}

bool is_inside(std::string_view inner, std::string_view outer) {
  return inner.size() > outer.size() && inner.starts_with(outer) && inner[outer.size()] == '.';
}

}  // namespace

const std::vector<std::string>& point_keys() {
  static const std::vector<std::string> keys{"platform",  "network",     "layout", "kernel",  "compute",
                                             "partition", "gpu-staging", "jobs",   "what-if", "failures"};
  return keys;
}

namespace {

void require_each_once(const Axis& axis) {
  std::set<std::string> seen;
  for (const Value& value : axis.values)
    if (value.is_scalar() && !seen.insert(value.written()).second)
      throw InputError("{}: axis '{}' has '{}' twice (its points would be the same). Leave one out?", value.where(),
                       axis.path, value.written());
}

Axis read_axis(const std::string& path, const Value& values, std::size_t zip) {
  const std::string key = path.substr(0, path.find('.'));
  if (std::ranges::find(point_keys(), key) == point_keys().end()) {
    Advice known = known_names(key, point_keys());
    for (std::string& text : known.instead) {
      text += path.substr(key.size());
      known.remedy = fmt::format("Did you mean '{}'?", text);
    }
    throw InputError("{}: axis '{}' is not a setting of a point{}", values.where(), path, known);
  }
  Axis axis{path, values_of(values, path), zip};
  if (zip == 0) require_each_once(axis);  // tied axes may repeat one
  return axis;
}

/// 'zip': one section of axes, or a list of such sections.
void read_zips(const Value& value, std::vector<Axis>& axes) {
  std::size_t zip = 0;
  const auto groups = value.is_list() ? value.list() : std::vector{value};
  if (groups.empty()) throw InputError("{}: 'zip' is an empty list. Leave it out?", value.where());
  for (const Value& one : groups) {
    const Section tied = one.section();
    const auto items = tied.items();
    if (items.empty())
      throw InputError(
          "{}: 'zip' has no axis (axes that take their values together). Write 'zip: "
          "{{layout.ranks: [2, 4], kernel.points: [64, 128]}}'?",
          one.where());
    ++zip;
    for (const auto& [path, values] : items) axes.push_back(read_axis(path, values, zip));
  }
}

}  // namespace

std::vector<Axis> read_sweep(const Section& root) {
  std::vector<Axis> axes;
  const auto sweep = root.optional_section("sweep");
  if (!sweep) return axes;
  for (const auto& [path, values] : sweep->items()) {
    if (path == "zip")
      read_zips(values, axes);
    else
      axes.push_back(read_axis(path, values, 0));
  }
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (std::ranges::find(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(a), axes[a].path, &Axis::path) !=
        axes.begin() + static_cast<std::ptrdiff_t>(a))
      throw InputError("{}: axis '{}' is there twice (in 'zip' and beside it). Remove one?",
                       axes[a].values.front().where(), axes[a].path);
  require_same_lengths(axes);
  return axes;
}

std::vector<std::size_t> independent_axes(const std::vector<Axis>& axes) {
  std::vector<std::size_t> numbers;
  std::map<std::size_t, std::size_t> of_zip;
  std::size_t next = 0;
  for (const Axis& axis : axes) {
    const auto [known, fresh] = axis.zip == 0 ? std::pair(of_zip.end(), true) : of_zip.try_emplace(axis.zip, next);
    numbers.push_back(fresh ? next++ : known->second);
  }
  return numbers;
}

void require_same_lengths(const std::vector<Axis>& axes) {
  std::map<std::size_t, const Axis*> first;
  for (const Axis& axis : axes) {
    if (axis.zip == 0) continue;
    const Axis& other = *first.try_emplace(axis.zip, &axis).first->second;
    if (axis.values.size() != other.values.size())
      throw InputError(
          "{}: axis '{}' has {} values, '{}' has {} (axes of one 'zip' have as many, since they "
          "take them together). Leave some out?",
          axis.values.front().where(), axis.path, axis.values.size(), other.path, other.values.size());
  }
}

void refuse_too_many_points(const std::vector<Axis>& axes) {
  double points = 1.0;  // cannot overflow
  std::vector<std::size_t> lengths;
  const auto independent = independent_axes(axes);
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (independent[a] < lengths.size()) continue;  // with one before it
    points *= static_cast<double>(axes[a].values.size());
    lengths.push_back(axes[a].values.size());
  }
  if (points > static_cast<double>(points_max))
    throw InputError(
        "{}: the sweep has {} = {:.10g} points (at most {}). Shorten an axis, or write several "
        "scenarios?",
        axes.front().values.front().where(), fmt::join(lengths, " x "), points, points_max);
}

Document apply_overrides(Document document, const std::vector<std::string>& overrides, const std::string& said_by) {
  for (const auto& text : overrides) {
    const auto [path, value] = name_and_value(text, said_by);
    if (is_nothing(value))
      throw InputError("{} {}: '{}' is no value. Write '{}'?", said_by, path, value, written(said_by, path, "..."));
    if (path.find('.') == std::string::npos && scenario_keys().find(path) == nullptr)
      if (const std::string full = full_path_of(path, document); !full.empty())
        throw InputError("{0} {1}: a scenario has no '{1}' of its own (paths name what it is of). Write '{2}'?",
                         said_by, path, written(said_by, full, value));
    require_whole(path, value, said_by);
    document = opened_for(path, document).with(path, value, said_by + " " + path);
  }
  return document;
}

std::string changes_of_points(const std::vector<std::string>& overrides) {
  std::string text;
  for (const auto& one : overrides) {
    const std::string key = one.substr(0, one.find_first_of(".="));
    if (key == "sweep" || std::ranges::find(point_keys(), key) != point_keys().end())
      text += (text.empty() ? "" : ", ") + one;
  }
  return text;
}

std::vector<Axis> apply_overrides(std::vector<Axis> axes, const Document& document,
                                  const std::vector<std::string>& overrides, const std::string& said_by) {
  for (const auto& text : overrides) {
    const std::string path = name_and_value(text, said_by).name;
    const auto axis = std::ranges::find(axes, path, &Axis::path);
    const Value value = value_at(document, path);
    if (value.is_list() && can_be_swept(path, value)) {
      if (axis != axes.end())
        axis->values = values_of(value, path);
      else
        axes.push_back({path, values_of(value, path)});
    } else if (axis != axes.end()) {
      axes.erase(axis);
    }
  }
  for (const auto& text : overrides) {
    const std::string path = name_and_value(text, said_by).name;
    for (const auto& axis : axes)
      if (is_inside(path, axis.path) || is_inside(axis.path, path))
        throw InputError(
            "{0} {1}: '{2}' is a sweep axis and would overwrite this value (only the whole axis can be set). "
            "Write {3}?",
            said_by, path, axis.path,
            said_by == set_flag ? fmt::format("--set '{}=...'", axis.path) : fmt::format("'{}: ...'", axis.path));
  }
  require_same_lengths(axes);
  return axes;
}

}  // namespace orrery
