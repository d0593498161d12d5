#include "sim/show/result/refusal_json.hpp"

#include <nlohmann/json.hpp>

namespace orrery::show {

std::string refusal_json(int exit_code, const std::string& message, const Refusal& refusal) {
  using Json = nlohmann::ordered_json;
  const auto known = [](const auto& value, bool is_known) { return is_known ? Json(value) : Json(nullptr); };
  const auto text = [&](const std::string& field) { return known(field, !field.empty()); };
  const FilePlace place = file_place(refusal.place);
  const Json json = {{"exit_code", exit_code},
                     {"message", message},
                     {"place", text(refusal.place)},
                     {"file", text(place.file)},
                     {"line", known(place.line, place.line > 0)},
                     {"column", known(place.column, place.column > 0)},
                     {"subject", text(refusal.subject)},
                     {"value", text(refusal.value)},
                     {"problem", text(refusal.problem)},
                     {"rule", text(refusal.rule)},
                     {"remedy", text(refusal.remedy)},
                     {"instead", refusal.instead}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace orrery::show
