#include "platforms/node_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "platforms/fabric.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

using config::Value;

namespace {

constexpr std::uint32_t switches_max = 128;

struct Range {
  std::string stem;  ///< "plx-", or the whole name where it has no number
  std::uint32_t first = 0, last = 0;
  bool numbered = false;
};

/// "plx-0..3", "gpu-2" or "nvswitch".
Range range_of(const std::string& text, const Value& where, const std::string& example) {
  const auto dots = text.find("..");
  const std::string first = text.substr(0, dots);
  const auto digits = first.find_last_not_of("0123456789") + 1;
  Range range{first.substr(0, digits)};
  const auto number = [&](const std::string& from, std::uint32_t& into) {
    const auto [end, status] = std::from_chars(from.data(), from.data() + from.size(), into);
    return !from.empty() && status == std::errc() && end == from.data() + from.size() && into < 4096;
  };
  range.numbered = number(first.substr(digits), range.first);
  range.last = range.first;
  const bool plain = !range.stem.empty() && std::ranges::all_of(range.stem, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
  const bool whole = dots == std::string::npos || (range.numbered && number(text.substr(dots + 2), range.last));
  if (!plain || !whole || range.last < range.first || (digits < first.size() && !range.numbered))
    where.refuse(Refusal("no element of a node (socket-0, gpus, plx-0..3). Write '{}'?", example));
  return range;
}

/// "cx-0..7": the switches of a node's fabric that are as many as the last number of `text` says, else the first ones.
std::string elements_like(const std::string& text, const std::vector<std::string>& switches) {
  std::map<std::string, std::uint32_t> groups;
  for (const std::string& name : switches) ++groups[name.substr(0, name.find_last_not_of("0123456789") + 1)];
  const auto last = text.find_last_of("0123456789");
  const auto before = last == std::string::npos ? last : text.find_last_not_of("0123456789", last);
  std::uint32_t number = 0;
  if (last != std::string::npos)
    std::from_chars(text.data() + (before == std::string::npos ? 0 : before + 1), text.data() + last + 1, number);
  std::string found = "socket-0";
  for (const auto& [stem, count] : groups) {
    const std::string name = !stem.ends_with('-') ? stem : count == 1 ? stem + "0" : fmt::format("{}0..{}", stem, count - 1);
    if (found == "socket-0" || count == number + 1) found = name;
  }
  return found;
}

}  // namespace

std::vector<std::uint32_t> NodeElements::of(const std::string& text, const Value& value, bool may_add) {
  std::vector<std::uint32_t> found;
  if (text == "sockets" || text == "gpus") {
    const std::uint32_t first = text == "gpus" ? type_.sockets : 0, count = text == "gpus" ? gpus_ : type_.sockets;
    if (count == 0) value.refuse(Refusal("but '{}' has no GPUs. Add them under 'gpus'?", type_.name));
    for (std::uint32_t i = 0; i < count; ++i) found.push_back(first + i);
    return found;
  }
  const Range range = range_of(text, value, may_add ? "plx-0..3" : elements_like(text, type_.fabric.switches));
  for (std::uint32_t i = range.first; i <= range.last; ++i)
    found.push_back(element(range.stem, i, range.numbered, value, may_add));
  return found;
}

std::uint32_t NodeElements::element(const std::string& stem, std::uint32_t number, bool numbered, const Value& value,
                                    bool may_add) {
  if (stem == "socket-" && numbered) return existing(stem, number, type_.sockets, 0, value);
  if (stem == "gpu-" && numbered) return existing(stem, number, gpus_, type_.sockets, value);
  const std::string name = numbered ? fmt::format("{}{}", stem, number) : stem;
  auto& switches = type_.fabric.switches;
  auto known = std::ranges::find(switches, name);
  if (known == switches.end()) {
    if (!may_add) {
      std::vector<std::string> names{"socket-0"};
      for (std::uint32_t e = 1; e < type_.sockets + gpus_; ++e) names.push_back(element_name(type_, e));
      names.insert(names.end(), switches.begin(), switches.end());
      throw InputError("{}: '{}' has no element '{}'{}", value.where(), type_.name, name, known_names(name, names));
    }
    if (switches.size() == switches_max)
      value.refuse(Refusal("one switch more than a node may have ({}). Use fewer?", switches_max));
    known = switches.insert(switches.end(), name);
  }
  return type_.sockets + gpus_ + static_cast<std::uint32_t>(known - switches.begin());
}

std::uint32_t NodeElements::existing(const std::string& stem, std::uint32_t number, std::uint32_t count,
                                     std::uint32_t first, const Value& value) const {
  const char* what = stem == "gpu-" ? "GPUs" : "sockets";
  if (number < count) return first + number;
  const Refusal rule = count == 0 ? Refusal("(no {}). Add them, or name another?", what)
                                  : Refusal("({} {}, 0..{}). Name one of them?", count, what, count - 1);
  throw InputError("{}: '{}' has no '{}{}' {}", value.where(), type_.name, stem, number, rule);
}

}  // namespace orrery
