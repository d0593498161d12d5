#include "kernels/collectives/selector.hpp"

#include <fmt/format.h>

#include <set>

namespace orrery::collectives {

Catalogue<Selector>& selectors() {
  static Catalogue<Selector> catalogue("selector");
  return catalogue;
}

Choice::Choice(std::string_view name, std::string_view where) {
  if (selectors().contains(name)) {
    selector_ = &selectors().at(name, where);
    name_ = selector_->name;
    return;
  }
  std::set<std::string> known;
  for (const auto& selector : selectors().names()) known.insert(selector);
  for (std::size_t i = 0; i < operations; ++i) {
    const auto& catalogue = algorithms(static_cast<Operation>(i));
    if (catalogue.contains(name)) {
      name_ = catalogue.at(name, where).name;
      return;
    }
    for (const auto& other : catalogue.names()) known.insert(other);
  }
  const std::vector<std::string> names(known.begin(), known.end());
  const auto nearest = nearest_name(name, names);
  throw InputError(
      fmt::format("{}: '{}' is neither a selector nor a collective algorithm (see 'orrery list collectives').{}", where,
                  name, nearest ? fmt::format(" Did you mean '{}'?", *nearest) : ""));
}

const Algorithm& Choice::of(const Decision& decision) const {
  return algorithms(decision.operation).at(selector_ != nullptr ? selector_->choose(decision) : name_, "algorithm");
}

}  // namespace orrery::collectives
