#include "web/driver/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/show/result/json_text.hpp"
#include "sim/study/read/engines.hpp"

namespace orrery::web {

namespace {

using Json = nlohmann::ordered_json;

/// "--param" and "-o,--out" as members: "param", "out".
std::string member_name(const std::string& names) {
  std::string name = names.substr(names.find_last_of(',') + 1);
  name.erase(0, name.find_first_not_of('-'));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

[[noreturn]] void refuse(const std::string& name, const Json& value, const std::string& rule,
                         const std::string& write) {
  throw InputError("request: '{}' is {}, {}. Write {}?", name,
                   shown(value.dump(-1, ' ', false, Json::error_handler_t::replace)), rule, write);
}

std::string text_of(const std::string& name, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  refuse(name, value, "which is no text", fmt::format("\"{}\": \"...\"", name));
}

std::vector<std::string> texts_of(const std::string& name, const Json& value) {
  std::vector<std::string> texts;
  if (!value.is_array()) return {text_of(name, value)};
  for (const auto& one : value) texts.push_back(text_of(name, one));
  return texts;
}

}  // namespace

const Json* RequestLine::member(const std::string& name) {
  known_.insert(name);
  const auto found = request_.find(name);
  return found == request_.end() || found->is_null() ? nullptr : &*found;
}

void RequestLine::require(const std::string& name, bool required, bool given) const {
  if (required && !given) throw InputError("request: '{}' is missing. Write \"{}\": \"...\"?", name, name);
}

void RequestLine::positional(const std::string& name, std::string& into, const std::string& help, bool required) {
  option(name, into, help, required);
}

void RequestLine::positional(const std::string& name, std::vector<std::string>& into, const std::string& help,
                             bool required) {
  option(name, into, help);
  require(member_name(name), required, !into.empty());
}

void RequestLine::option(const std::string& names, std::string& into, const std::string&, bool required) {
  const std::string name = member_name(names);
  const Json* value = member(name);
  require(name, required, value != nullptr);
  if (value != nullptr) into = text_of(name, *value);
}

void RequestLine::option(const std::string& names, std::vector<std::string>& into, const std::string&) {
  const std::string name = member_name(names);
  if (const Json* value = member(name)) into = texts_of(name, *value);
}

void RequestLine::option(const std::string& names, int& into, const std::string&) {
  const std::string name = member_name(names);
  const Json* value = member(name);
  if (value == nullptr) return;
  if (!value->is_number_integer() || *value > 2'147'483'647 || *value < -2'147'483'647)
    refuse(name, *value, "which is no whole number of 32 bits", fmt::format("\"{}\": 2", name));
  into = value->get<int>();
}

void RequestLine::option(const std::string& names, double& into, const std::string&) {
  const std::string name = member_name(names);
  const Json* value = member(name);
  if (value == nullptr) return;
  if (!value->is_number()) refuse(name, *value, "which is no number", fmt::format("\"{}\": 0.01", name));
  into = value->get<double>();
}

void RequestLine::choice(const std::string& names, std::string& into, const std::vector<std::string>& choices,
                         const std::string& help) {
  option(names, into, help, false);
  const std::string name = member_name(names);
  if (member(name) == nullptr || std::ranges::find(choices, into) != choices.end()) return;
  if (name == "engine" && !why_not_built(into).empty()) throw InputError("request: {}: {}", name, why_not_built(into));
  throw InputError("request: {}: unknown value '{}'{}", name, into, known_names(into, choices));
}

void RequestLine::flag(const std::string& names, bool& into, const std::string&) {
  const std::string name = member_name(names);
  const Json* value = member(name);
  if (value == nullptr) return;
  if (!value->is_boolean()) refuse(name, *value, "which is neither true nor false", fmt::format("\"{}\": true", name));
  into = value->get<bool>();
}

int RequestLine::carry_out(const std::string& command) const {
  const std::vector<std::string> known(known_.begin(), known_.end());
  for (const auto& [name, value] : request_.items())
    if (!known_.contains(name))
      throw InputError("request: '{}' has no '{}'{}", command, shown(name), known_names(name, known));
  return body_();
}

int carry_out(const std::string& text) {
  const Json request = show::read_json(text, "request", "a request");
  if (!request.is_object()) throw InputError("request: is no JSON object. Write {\"command\": \"list\"}?");
  const auto named = request.find("command");
  if (named == request.end()) throw InputError("request: 'command' is missing. Write \"command\": \"simulate\"?");
  const cli::Command& command = cli::commands().at(text_of("command", *named), "request");
  RequestLine line(request);
  command.setup(line);
  return line.carry_out(command.name);
}

}  // namespace orrery::web
