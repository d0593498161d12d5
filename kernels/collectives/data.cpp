#include "kernels/collectives/data.hpp"

namespace orrery::collectives {

Shares Shares::equal(std::uint32_t members, std::uint64_t each) {
  Shares shares;
  shares.members_ = members;
  shares.each_ = each;
  return shares;
}

Shares Shares::balanced(std::uint32_t members, std::uint64_t total) {
  Shares shares = equal(members, total / members);
  shares.longer_ = total % members;
  return shares;
}

Shares Shares::ceiling(std::uint32_t members, std::uint64_t total) {
  Shares shares = equal(members, (total + members - 1) / members);
  shares.limit_ = total;
  return shares;
}

Shares Shares::of(const std::vector<std::uint64_t>& sizes) {
  Shares shares;
  shares.members_ = static_cast<std::uint32_t>(sizes.size());
  auto prefix = std::make_shared<std::vector<std::uint64_t>>(1, 0);
  for (const std::uint64_t size : sizes) prefix->push_back(prefix->back() + size);
  shares.prefix_ = std::move(prefix);
  return shares;
}

PairSizes PairSizes::equal(std::uint64_t each) {
  PairSizes sizes;
  sizes.each_ = each;
  return sizes;
}

PairSizes PairSizes::of(Function size) {
  PairSizes sizes;
  sizes.size_ = std::make_shared<const Function>(std::move(size));
  return sizes;
}

Data run(std::uint64_t begin, std::uint64_t elements) {
  return {.elements = elements, .a = begin, .list = [](const Data& data, Data::Parts& parts) {
            parts.emplace_back(data.a, data.elements);
          }};
}

Data cyclic_run(std::uint64_t begin, std::uint64_t elements, std::uint64_t total) {
  if (begin + elements <= total) return run(begin, elements);
  return {.elements = elements, .a = begin, .b = total - begin, .list = [](const Data& data, Data::Parts& parts) {
            parts.emplace_back(data.a, data.b);
            parts.emplace_back(0, data.elements - data.b);
          }};
}

Data whole(const Shares& shares) { return run(0, shares.total()); }

Data share(const Shares& shares, Member member) { return run(shares.begin(member), shares.size(member)); }

Data shares_between(const Shares& shares, Member first, Member last) {
  return run(shares.begin(first), shares.begin(last) - shares.begin(first));
}

Data cyclic_shares(const Shares& shares, Member first, std::uint32_t count) {
  const std::uint32_t members = shares.members();
  const std::uint64_t begin = shares.begin(first), total = shares.total(), end = std::uint64_t{first} + count;
  if (end <= members) return run(begin, shares.begin(static_cast<Member>(end)) - begin);
  return cyclic_run(begin, total - begin + shares.begin(static_cast<Member>(end - members)), total);
}

Data block(std::uint32_t members, Member from, Member to, const PairSizes& sizes) {
  return {.elements = sizes(from, to),
          .a = std::uint64_t{from} * members + to,
          .list = [](const Data& data, Data::Parts& parts) { parts.emplace_back(data.a, 1); }};
}

}  // namespace orrery::collectives
