#include "sim/scenario/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "sim/core/error.hpp"
#include "sim/scenario/flag_text.hpp"

namespace orrery {

using config::Document;
using config::Section;
using config::Value;

namespace {

constexpr const char* flag = "--set";

/// The value at "kernel.blocks", which an override has just put there.
Value value_at(const Document& document, const std::string& path) {
  Section section = document.root();
  std::size_t begin = 0;
  for (auto dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
    section = section.section(path.substr(begin, dot - begin));
    begin = dot + 1;
  }
  return section.value(path.substr(begin));
}

/// Whether points may differ in it; 'layout.place' is a list by itself.
bool can_be_swept(std::string_view path) {
  return path != "layout.place" &&
         std::ranges::find(point_keys(), path.substr(0, path.find('.'))) != point_keys().end();
}

bool is_inside(std::string_view inner, std::string_view outer) {
  return inner.size() > outer.size() && inner.starts_with(outer) && inner[outer.size()] == '.';
}

}  // namespace

const std::vector<std::string>& point_keys() {
  static const std::vector<std::string> keys{"platform", "network", "layout", "kernel", "compute", "partition"};
  return keys;
}

Document apply_overrides(Document document, const std::vector<std::string>& overrides) {
  for (const auto& text : overrides) {
    const auto [path, value] = name_and_value(text, flag);
    document = document.with(path, value, "--set " + path);
  }
  return document;
}

std::vector<Axis> apply_overrides(std::vector<Axis> axes, const Document& document,
                                  const std::vector<std::string>& overrides) {
  for (const auto& text : overrides) {
    const std::string path = name_and_value(text, flag).name;
    const auto axis = std::ranges::find(axes, path, &Axis::path);
    const Value value = value_at(document, path);
    if (value.is_list() && can_be_swept(path)) {
      if (axis != axes.end())
        axis->values = value.list();
      else
        axes.push_back({path, value.list()});
    } else if (axis != axes.end()) {
      axes.erase(axis);
    }
  }
  for (const auto& text : overrides) {
    const std::string path = name_and_value(text, flag).name;
    for (const auto& axis : axes)
      if (is_inside(path, axis.path) || is_inside(axis.path, path))
        throw InputError(fmt::format(
            "--set {0}: '{1}' is a sweep axis and would overwrite this value (only the whole axis can be set). "
            "Write --set '{1}=...'?",
            path, axis.path));
  }
  return axes;
}

}  // namespace orrery
