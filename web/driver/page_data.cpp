#include "web/driver/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/engine/message_links.hpp"
#include "sim/show/page/html_data.hpp"
#include "sim/show/page/html_parts.hpp"

namespace orrery::web {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t messages_stepped = 2000;              // nobody steps through more
constexpr std::size_t links_offered = 32, load_bins = 200;  // of each of the three kinds below
constexpr std::size_t message_numbers = 6;                  // from, to, sent, received, bytes, way

struct Message {
  Rank from, to;
  std::int64_t sent, received;
  Bytes bytes;
  std::uint32_t way;
};

std::vector<Message> messages_of(const Json& flat) {
  std::vector<Message> all;
  for (std::size_t i = 0; i + message_numbers <= flat.size(); i += message_numbers)
    all.push_back({Rank{flat[i].get<std::uint32_t>()}, Rank{flat[i + 1].get<std::uint32_t>()},
                   flat[i + 2].get<std::int64_t>(), flat[i + 3].get<std::int64_t>(), Bytes{flat[i + 4].get<double>()},
                   flat[i + 5].get<std::uint32_t>()});
  return all;
}

/// So many of them are under way together; one that ends as another begins is not.
std::size_t at_once(const std::vector<Message>& messages, const std::vector<std::size_t>& numbers) {
  std::vector<std::pair<std::int64_t, int>> changes;
  for (const std::size_t i : numbers)
    changes.insert(changes.end(), {{messages[i].sent, 1}, {messages[i].received, -1}});
  std::ranges::sort(changes);
  int now = 0, most = 0;
  for (const auto& [date, change] : changes) most = std::max(most, now += change);
  return static_cast<std::size_t>(most);
}

/// 0: between switches, 1: an adapter, 2: inside a node.
std::size_t group_of(ResourceKind kind) {
  if (kind == ResourceKind::link || kind == ResourceKind::global_link || kind == ResourceKind::medium) return 0;
  return kind == ResourceKind::nic_out || kind == ResourceKind::nic_in ? 1 : 2;
}

void add_shared_links(Json& json, const ScenarioResult& result, const LoadedPoint& point) {
  const std::vector<Message> messages = messages_of(json["flat"]);
  engine::MessageLinks links(point.replay_input({}));
  std::map<std::uint32_t, std::vector<std::size_t>> through;
  for (std::size_t i = 0; i < messages.size(); ++i)
    for (const LinkId link : links.of(messages[i].from, messages[i].to, messages[i].bytes, messages[i].way))
      through[static_cast<std::uint32_t>(link)].push_back(i);
  struct Shared {
    const ResourceRecord* link;
    std::size_t at_once;
    const std::vector<std::size_t>* messages;
  };
  std::vector<Shared> shared;
  for (const ResourceRecord& record : result.points.front().run.resources)
    if (const auto found = through.find(record.link); found != through.end() && found->second.size() > 1)
      shared.push_back({&record, at_once(messages, found->second), &found->second});
  std::ranges::stable_sort(shared, std::greater<>{}, &Shared::at_once);
  std::array<std::size_t, 3> offered{};
  std::erase_if(shared, [&](const Shared& one) {
    return one.at_once < 2 || ++offered[group_of(one.link->kind)] > links_offered;
  });
  Json& all = json["shared"] = Json::array();
  for (const Shared& one : shared)
    all.push_back({{"name", one.link->name},
                   {"kind", resource_kind_name(one.link->kind)},
                   {"capacity_B_per_s", one.link->capacity.si()},
                   {"at_once", one.at_once},
                   {"load", show::load_json(one.link->load, load_bins)},
                   {"messages", *one.messages}});
}

}  // namespace

void print_page(const ScenarioResult& result, const LoadedPoint* point) {
  Json page = show::html_data(result, {.messages_max = messages_stepped});
  if (point != nullptr && page["points"].size() == 1 && page["points"][0].contains("gantt"))
    add_shared_links(page["points"][0]["gantt"]["messages"], result, *point);
  fmt::print("{}\n", page.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace orrery::web
