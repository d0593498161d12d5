#include "kernels/trace_collectives.hpp"

#include <algorithm>
#include <set>

#include "kernels/collectives/collective.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

using collectives::Nodes, collectives::PairSizes, collectives::Shares;

constexpr RequestId first_request{1u << 30};
constexpr const char* fallback = "openmpi";

Shares shares_of(const std::vector<std::uint64_t>& bytes, std::uint32_t element) {
  std::vector<std::uint64_t> elements;
  elements.reserve(bytes.size());
  for (const std::uint64_t b : bytes) elements.push_back(b / element);
  return Shares::of(elements);
}

/// What this rank sends to each and receives from each; other pairs are none of its business.
PairSizes pairs_of(const TraceCall& call, std::uint32_t ranks, Member me) {
  auto counts = std::make_shared<const std::vector<std::uint64_t>>(call.counts);
  return PairSizes::of([counts, ranks, me, element = call.element](Member from, Member to) -> std::uint64_t {
    if (from == me) return (*counts)[to] / element;
    return to == me ? (*counts)[ranks + from] / element : 0;
  });
}

/// Scan and exscan as SMPI replays them: everyone sends to all above and receives from all below, all posted at once
/// and waited for in order of ranks.
Generator<Step> scan(CollectiveCall marked, Member me) {
  const std::uint32_t ranks = marked.group.size();
  if (ranks < 2) co_return;
  const Bytes message = marked.bytes;
  co_yield collective_begin(marked);
  const Tag tag{0};
  const Group& group = marked.group;
  const auto base = static_cast<std::uint32_t>(first_request);
  for (Member other = 0; other < me; ++other)
    co_yield irecv(group.rank(other), message, tag, RequestId{base + other}, group.communicator());
  for (Member other = me + 1; other < ranks; ++other)
    co_yield isend(group.rank(other), message, tag, RequestId{base + other}, group.communicator());
  for (Member other = 0; other < ranks; ++other)
    if (other != me) co_yield orrery::wait(RequestId{base + other});
  co_yield collective_end();
}

}  // namespace

void require_collectives(const std::string& name, const std::string& where) {
  using namespace collectives;
  if (selectors().contains(name)) return;
  std::set<std::string> known;
  for (const auto& selector : selectors().names()) known.insert(selector);
  for (std::size_t i = 0; i < planned_operations; ++i)
    for (const auto& algorithm : algorithms(static_cast<Operation>(i)).names()) known.insert(algorithm);
  if (known.contains(name)) return;
  const std::vector<std::string> names(known.begin(), known.end());
  throw InputError("{}: unknown algorithm or selector '{}'{}", where, name, known_names(name, names));
}

Generator<Step> collective_steps(std::shared_ptr<const Trace> trace, TraceCall call, Rank me, std::string choice,
                                 Nodes nodes) {
  using namespace collectives;
  const Group group = trace->group(call.group);
  const std::uint32_t ranks = group.size();
  const Member member = group.member(me);
  const auto root = static_cast<Member>(call.peer);
  const Bytes amount(call.amount);
  const bool planned = static_cast<std::size_t>(call.what) < planned_operations;
  const bool named = selectors().contains(choice) || (planned && algorithms(call.what).contains(choice));
  const Call how{.group = group,
                 .me = me,
                 .tag = Tag{0},
                 .first_request = first_request,
                 .algorithm = Choice(named ? std::string_view(choice) : std::string_view(fallback)),
                 .element = Bytes(call.element),
                 .nodes = std::move(nodes)};
  const CollectiveCall scanned{call.what, 0, "linear", amount, group};  // g++ 12 loses lists within co_yield
  switch (call.what) {
    case Operation::barrier:
      co_yield elements_of(collectives::barrier(how));
      break;
    case Operation::bcast:
      co_yield elements_of(bcast(how, amount, root));
      break;
    case Operation::reduce:
      co_yield elements_of(reduce(how, amount, root));
      break;
    case Operation::allreduce:
      co_yield elements_of(allreduce(how, amount));
      break;
    case Operation::alltoall:
      co_yield elements_of(alltoall(how, amount));
      break;
    case Operation::alltoallv:
      co_yield elements_of(alltoallv(how, pairs_of(call, ranks, member)));
      break;
    case Operation::gather:
      co_yield elements_of(gather(how, amount, root));
      break;
    case Operation::gatherv:
      co_yield elements_of(gatherv(how, shares_of(trace->root_counts[call.number], call.element), root));
      break;
    case Operation::scatter:
      co_yield elements_of(scatter(how, amount, root));
      break;
    case Operation::scatterv:
      co_yield elements_of(scatterv(how, shares_of(trace->root_counts[call.number], call.element), root));
      break;
    case Operation::allgather:
      co_yield elements_of(allgather(how, amount));
      break;
    case Operation::allgatherv:
      co_yield elements_of(allgatherv(how, shares_of(call.counts, call.element)));
      break;
    case Operation::reduce_scatter:
      co_yield elements_of(reduce_scatter(how, shares_of(call.counts, call.element)));
      break;
    case Operation::scan:
    case Operation::exscan:
      co_yield elements_of(scan(scanned, member));
      break;
  }
}

}  // namespace orrery
