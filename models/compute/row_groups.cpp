#include "models/compute/row_groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

constexpr unsigned number_max = 100'000'000;
constexpr unsigned any_number = 0xffffffffu;

std::optional<unsigned> number_or_any(const DataTable& table, const DataTable::Row& row, const char* column) {
  if (table.text(row, column) == "any") return any_number;
  return table.whole(row, column, number_max);
}

std::uint32_t type_number(const std::string& name, const Platform& platform, const std::string& where) {
  std::vector<std::string> known;
  for (const auto& type : platform.node_types) {
    if (type.name == name) return static_cast<std::uint32_t>(known.size());
    known.push_back(type.name);
  }
  throw InputError("{}: platform '{}' has no node type '{}'{}", where, platform.name, name, known_names(name, known));
}

std::size_t work_number(const std::string& name, const std::string& where) {
  std::vector<std::string> known;
  for (std::size_t kind = 0; kind < work_kinds; ++kind) {
    if (name == work_name(static_cast<Work>(kind))) return kind;
    known.emplace_back(work_name(static_cast<Work>(kind)));
  }
  throw InputError("{}: unknown kind of work '{}'{}", where, name, known_names(name, known));
}

}  // namespace

struct RowGroups::Filter {
  std::optional<std::uint32_t> type;
  std::optional<unsigned> node, cpu, gpu, cores, rank;
  std::optional<std::size_t> work;

  Filter(const DataTable& table, const DataTable::Row& row, const Platform& platform)
      : node(table.whole(row, "node", number_max)),
        cpu(number_or_any(table, row, "cpu")),
        gpu(number_or_any(table, row, "gpu")),
        cores(table.whole(row, "cores", number_max)),
        rank(table.whole(row, "rank", number_max)) {
    if (const auto name = table.text(row, "type")) type = type_number(*name, platform, row.where);
    if (const auto name = table.text(row, "work")) work = work_number(*name, row.where);
    if (cpu && gpu)
      throw InputError("{}: names a 'cpu' and a 'gpu' (a rank runs on one of them). Leave one empty?", row.where);
  }

  bool fits(const Placement& place, unsigned node_in_type, unsigned rank_number) const {
    if (type && *type != place.node_type) return false;
    if (node && *node != node_in_type) return false;
    if (cpu && (place.gpu || (*cpu != any_number && *cpu != place.socket_of_node))) return false;
    if (gpu && (!place.gpu || (*gpu != any_number && *gpu != place.socket_of_node))) return false;
    if (cores && *cores != place.cores) return false;
    return !rank || *rank == rank_number;
  }
};

std::vector<std::string> selector_columns() { return {"type", "node", "cpu", "gpu", "cores", "rank", "work"}; }

RowGroups::RowGroups(const DataTable& table, const Platform& platform, const Layout& layout) {
  std::vector<Filter> filters;
  std::map<std::vector<std::string>, std::size_t> known;
  for (std::size_t number = 0; number < table.rows.size(); ++number) {
    const auto& row = table.rows[number];
    std::vector<std::string> key;
    for (const auto& column : selector_columns()) key.push_back(table.text(row, column).value_or(""));
    const auto [group, fresh] = known.try_emplace(std::move(key), rows_.size());
    if (fresh) {
      filters.emplace_back(table, row, platform);
      rows_.emplace_back();
      whole_rank_.push_back(filters.back().cores.has_value());
    }
    rows_[group->second].push_back(number);
  }
  place_ranks(filters, platform, layout);
  require_whole(table, platform, layout);
}

void RowGroups::place_ranks(const std::vector<Filter>& filters, const Platform& platform, const Layout& layout) {
  const bool by_rank = std::ranges::any_of(filters, [](const Filter& filter) { return filter.rank.has_value(); });
  std::map<std::tuple<HostId, std::uint32_t, std::uint32_t>, std::uint32_t> known;  // equal ranks
  for (std::uint32_t rank = 0; rank < layout.ranks(); ++rank) {
    const Placement& place = layout.of(Rank{rank});
    cores_.push_back(place.gpu ? 1.0 : static_cast<double>(place.cores));
    const auto [same, fresh] =
        known.try_emplace({place.host, place.cores, by_rank ? rank : 0}, static_cast<std::uint32_t>(of_class_.size()));
    class_of_.push_back(same->second);
    if (!fresh) continue;
    const auto node = static_cast<unsigned>(index(place.node) - index(platform.first_node_of(place.node_type)));
    ByWork& groups = of_class_.emplace_back();
    groups.fill(none);
    for (std::uint32_t group = 0; group < filters.size(); ++group) {
      if (!filters[group].fits(place, node, rank)) continue;
      for (std::size_t kind = 0; kind < work_kinds; ++kind)
        if (groups[kind] == none && filters[group].work.value_or(kind) == kind) groups[kind] = group;
    }
  }
}

void RowGroups::require_whole(const DataTable& table, const Platform& platform, const Layout& layout) const {
  bool any = false;
  for (std::size_t kind = 0; kind < work_kinds; ++kind) {
    const auto has = [&](const ByWork& groups) { return groups[kind] != none; };
    if (std::ranges::none_of(of_class_, has)) continue;
    any = true;
    for (std::uint32_t rank = 0; rank < layout.ranks(); ++rank) {
      if (has(of_class_[class_of_[rank]])) continue;
      const Placement& place = layout.of(Rank{rank});
      throw InputError(
          "{}: no row fits rank {} (node '{}', {} {}, {} cores) for {} work, though others have one. Add a row for it?",
          table.name, rank, platform.node_name(place.node), place.gpu ? "gpu" : "cpu", place.socket_of_node,
          place.cores, work_name(static_cast<Work>(kind)));
    }
  }
  if (!any && layout.ranks() > 0)
    throw InputError("{}: no row fits any rank of the layout (see the columns {}). Check them?", table.name,
                     fmt::join(selector_columns(), ", "));
}

std::string RowGroups::works() const {
  std::vector<std::string> names;
  for (std::size_t kind = 0; kind < work_kinds; ++kind)
    if (std::ranges::any_of(of_class_, [&](const ByWork& groups) { return groups[kind] != none; }))
      names.emplace_back(work_name(static_cast<Work>(kind)));
  return names.size() == work_kinds ? "all work" : fmt::format("{}", fmt::join(names, ", "));
}

std::vector<std::uint32_t> RowGroups::kinds(const DataTable& table) const {
  std::map<std::vector<std::string>, std::uint32_t> known;
  std::vector<std::uint32_t> result;
  for (const auto& rows : rows_) {
    const auto& row = table.rows[rows.front()];
    std::vector<std::string> key;
    for (const char* column : {"type", "cores", "work"}) key.push_back(table.text(row, column).value_or(""));
    key.emplace_back(table.text(row, "gpu") ? "gpu" : "cpu");
    result.push_back(known.try_emplace(std::move(key), static_cast<std::uint32_t>(known.size())).first->second);
  }
  return result;
}

}  // namespace orrery
