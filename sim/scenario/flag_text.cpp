#include "sim/scenario/flag_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/error.hpp"
#include "sim/scenario/load.hpp"

namespace orrery {

NameAndValue name_and_value(const std::string& text, const std::string& flag) {
  const auto equals = text.find('=');
  if (equals == std::string::npos)
    throw InputError(fmt::format("{0}: '{1}' is not 'name=value'. Write '{0} {1}=...'?", flag, text));
  if (equals == 0) throw InputError(fmt::format("{0}: '{1}' is not 'name=value'. Write '{0} name{1}'?", flag, text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<NamedSpec::Setting> settings_from(const std::vector<std::string>& texts, const std::string& flag) {
  std::vector<NamedSpec::Setting> settings;
  for (const auto& text : texts) {
    auto [name, value] = name_and_value(text, flag);
    settings.push_back({std::move(name), std::move(value), flag});
  }
  return settings;
}

LayoutSpec layout_from(const std::string& text, const std::string& flag) {
  const auto colon = text.rfind(':');
  if (colon != std::string::npos)
    return {.table = text.substr(0, colon), .row = text.substr(colon + 1), .own = {}, .where = flag};
  const LayoutTable table = load_layouts_named(text, flag);
  if (table.rows.size() == 1) return {.table = text, .row = table.rows.front().name, .own = {}, .where = flag};
  std::vector<std::string> rows;
  for (const auto& row : table.rows) rows.push_back(row.name);
  throw InputError(
      fmt::format("{0}: '{1}' has {2} rows and none is named (TABLE:ROW; known rows: {3}). Write '{0} "
                  "{1}:{4}'?",
                  flag, text, rows.size(), fmt::join(rows, ", "), rows.front()));
}

}  // namespace orrery
