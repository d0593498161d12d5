#include "models/taulop/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "sim/core/error.hpp"

namespace orrery::taulop {

namespace {

/// On the straight line through two points, also beyond them.
Seconds on_line(Bytes m, Bytes m0, Seconds t0, Bytes m1, Seconds t1) { return t0 + (t1 - t0) * (m - m0) / (m1 - m0); }

/// L(m, tau) read at `m`; beyond the ends on the nearest segment, and beyond K at K.
Seconds transfer_at(const ChannelTable& table, Bytes m, std::size_t concurrency) {
  const auto& row = table.transfer[std::min(concurrency, table.transfer.size()) - 1];
  if (table.sizes.size() == 1) return row.front();
  const auto above = std::ranges::lower_bound(table.sizes, m) - table.sizes.begin();
  const auto i = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(above, 1, std::ssize(table.sizes) - 1));
  if (m == table.sizes[i]) return row[i];
  return on_line(m, table.sizes[i - 1], row[i - 1], table.sizes[i], row[i]);
}

/// Throws unless the table has rows and columns of equal length.
void require_rectangular(const ChannelTable& table) {
  const auto n = table.sizes.size();
  const bool whole = n > 0 && table.overhead.size() == n && !table.transfer.empty() &&
                     std::ranges::all_of(table.transfer, [n](const auto& row) { return row.size() == n; });
  if (!whole)
    throw InputError("{}: the table is not rectangular (each of its {} sizes needs o and L(m,1)...L(m,K), K >= 1)",
                     table.name, n);
}

/// T = o + sum over parts of weight * L.
template <class TransferTime>
TransmissionTable tabulate(const ChannelTable& base, std::size_t concurrency_max, TransferTime transfer_time) {
  std::vector<std::vector<Seconds>> times(concurrency_max, base.overhead);
  for (std::size_t tau = 1; tau <= concurrency_max; ++tau)
    for (std::size_t i = 0; i < base.sizes.size(); ++i) times[tau - 1][i] += transfer_time(base.sizes[i], tau);
  return {base.name, base.sizes, std::move(times), base.overhead};
}

/// To whole bytes. A millionth of a byte is what double arithmetic leaves of an exact tie; rounding it up would make
/// the result hang on the last bit.
Bytes rounded_up(Bytes m) { return Bytes(std::ceil(m / Bytes(1) - 1e-6)); }

struct Violations {
  std::size_t count = 0;
  std::string first;
  void add(Bytes m, std::size_t tau, Seconds l) {
    if (count++ == 0) first = fmt::format("L({:.0f} B, {}) = {:.3g} s", m / Bytes(1), tau, l / Seconds(1));
  }
};

}  // namespace

TransmissionTable::TransmissionTable(const std::string& name, std::vector<Bytes> sizes,
                                     std::vector<std::vector<Seconds>> times, std::vector<Seconds> overhead)
    : name_(name), sizes_(std::move(sizes)), times_(std::move(times)), overhead_(std::move(overhead)) {
  if (sizes_.empty() || times_.empty())
    throw InputError("{}: the table is empty (it needs one size and one concurrency at least)", name);
  if (sizes_.front() <= Bytes(0) || std::ranges::adjacent_find(sizes_, std::greater_equal<>()) != sizes_.end())
    throw InputError("{}: the message sizes do not ascend from a size above 0 B", name);
  for (std::size_t tau = 1; tau <= times_.size(); ++tau) {
    if (times_[tau - 1].size() != sizes_.size())
      throw InputError("{}: {} times for {} message sizes at tau = {}", name, times_[tau - 1].size(), sizes_.size(),
                       tau);
    if (!(times_[tau - 1].back() > Seconds(0)))
      throw InputError("{}: a message of {:.0f} B takes {:.3g} s at tau = {} (the last size needs more than 0 s)", name,
                       sizes_.back() / Bytes(1), times_[tau - 1].back() / Seconds(1), tau);
  }
  overhead_.resize(sizes_.size());
  separate_transfers();
}

void TransmissionTable::separate_transfers() {
  transfers_ = times_;
  for (auto& row : transfers_) {
    Seconds least;
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = least = std::max(least, row[i] - overhead_[i]);
  }
}

std::size_t TransmissionTable::row(std::uint32_t concurrency) const {
  return std::clamp<std::size_t>(concurrency, 1, times_.size()) - 1;
}

TransmissionTable TransmissionTable::without_overhead() const {
  auto transfers = times_;
  for (auto& row : transfers)
    for (std::size_t i = 0; i < row.size(); ++i) row[i] -= overhead_[i];
  return {name_, sizes_, std::move(transfers)};
}

Seconds TransmissionTable::time(Bytes message, std::uint32_t concurrency) const {
  const auto& t = times_[row(concurrency)];
  Seconds whole_tables;
  if (message > sizes_.back()) {
    const double count = std::ceil(message / sizes_.back()) - 1.0;
    whole_tables = count * t.back();
    message -= count * sizes_.back();
  }
  if (message <= sizes_.front()) return whole_tables + t.front();
  const auto i = static_cast<std::size_t>(std::ranges::lower_bound(sizes_, message) - sizes_.begin());
  return whole_tables + on_line(message, sizes_[i - 1], t[i - 1], sizes_[i], t[i]);
}

Bytes TransmissionTable::bytes(Seconds t, std::uint32_t concurrency) const {
  const auto& times = times_[row(concurrency)];
  Bytes whole_tables;
  if (t > times.back()) {
    const double count = std::ceil(t / times.back()) - 1.0;
    whole_tables = count * sizes_.back();
    t -= count * times.back();
  }
  if (t < times.front()) return whole_tables + (times.front() > 100.0 * t ? Bytes(0) : Bytes(1));
  if (t == times.front()) return whole_tables + sizes_.front();
  // A measured table need not rise everywhere, so the first segment that reaches t is looked for, not bisected.
  for (std::size_t i = 1; i < times.size(); ++i)
    if (t <= times[i]) {
      const Bytes m = sizes_[i - 1] + (sizes_[i] - sizes_[i - 1]) * (t - times[i - 1]) / (times[i] - times[i - 1]);
      return whole_tables + rounded_up(m);
    }
  return whole_tables + sizes_.back();
}

Seconds TransmissionTable::overhead(Bytes message) const {
  if (message <= sizes_.front()) return overhead_.front();
  if (message >= sizes_.back()) return overhead_.back();
  const auto i = static_cast<std::size_t>(std::ranges::lower_bound(sizes_, message) - sizes_.begin());
  return on_line(message, sizes_[i - 1], overhead_[i - 1], sizes_[i], overhead_[i]);
}

Seconds TransmissionTable::transfer_time(Bytes message, std::uint32_t concurrency) const {
  const auto& t = transfers_[row(concurrency)];
  Seconds whole_tables;
  if (message > sizes_.back()) {
    const double count = std::ceil(message / sizes_.back()) - 1.0;
    whole_tables = count * t.back();
    message -= count * sizes_.back();
  }
  if (message <= sizes_.front()) return whole_tables + t.front() * (message / sizes_.front());
  const auto i = static_cast<std::size_t>(std::ranges::lower_bound(sizes_, message) - sizes_.begin());
  return whole_tables + on_line(message, sizes_[i - 1], t[i - 1], sizes_[i], t[i]);
}

Bytes TransmissionTable::transferred(Seconds t, std::uint32_t concurrency) const {
  const auto& times = transfers_[row(concurrency)];
  if (times.back() <= Seconds(0)) return Bytes(std::numeric_limits<double>::infinity());
  const double count = std::floor(t / times.back());
  const Bytes whole_tables = count * sizes_.back();
  t -= count * times.back();
  // The row never falls: what lies above the last time reached is on the segment behind it.
  const auto i = static_cast<std::size_t>(std::ranges::upper_bound(times, t) - times.begin());
  if (i == times.size()) return whole_tables + sizes_.back();
  if (i == 0) return whole_tables + sizes_.front() * (t / times.front());
  return whole_tables + sizes_[i - 1] + (sizes_[i] - sizes_[i - 1]) * ((t - times[i - 1]) / (times[i] - times[i - 1]));
}

TransmissionTable shared_memory_transmission(const ChannelTable& shared_memory) {
  require_rectangular(shared_memory);
  return tabulate(shared_memory, shared_memory.transfer.size(),
                  [&](Bytes m, std::size_t tau) { return 2.0 * transfer_at(shared_memory, m, tau); });
}

TransmissionTable rdma_transmission(const ChannelTable& network) {
  require_rectangular(network);
  return tabulate(network, network.transfer.size(),
                  [&](Bytes m, std::size_t tau) { return transfer_at(network, m, tau); });
}

TransmissionTable buffered_transmission(const ChannelTable& network, const ChannelTable& shared_memory_from,
                                        const ChannelTable& shared_memory_to) {
  for (const auto* table : {&network, &shared_memory_from, &shared_memory_to}) require_rectangular(*table);
  return tabulate(network, network.transfer.size(), [&](Bytes m, std::size_t tau) {
    return transfer_at(shared_memory_from, m, tau) + transfer_at(shared_memory_to, m, tau) +
           transfer_at(network, m, tau);
  });
}

std::vector<std::string> bound_violations(const ChannelTable& table) {
  require_rectangular(table);
  Violations not_positive, below_one, above_all;
  const double slack = 1.0 + 1e-9;  // printed tables are rounded
  for (std::size_t i = 0; i < table.sizes.size(); ++i) {
    const Seconds alone = table.transfer.front()[i];
    for (std::size_t tau = 1; tau <= table.transfer.size(); ++tau) {
      const Seconds l = table.transfer[tau - 1][i];
      if (l <= Seconds(0)) not_positive.add(table.sizes[i], tau, l);
      if (l * slack < alone) below_one.add(table.sizes[i], tau, l);
      if (l > static_cast<double>(tau) * alone * slack) above_all.add(table.sizes[i], tau, l);
    }
  }
  std::vector<std::string> sentences;
  const auto say = [&](const Violations& found, const char* rule) {
    if (found.count > 0)
      sentences.push_back(fmt::format("{}: {} values break {}, first {}; used as they are", table.name, found.count,
                                      rule, found.first));
  };
  say(not_positive, "L(m,tau) > 0");
  say(below_one, "L(m,tau) >= L(m,1)");
  say(above_all, "L(m,tau) <= tau L(m,1)");
  return sentences;
}

}  // namespace orrery::taulop
