// The collectives among the lines of a TI trace: where SMPI's replay finds each argument.
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/traces/ti_calls.hpp"

namespace orrery::config {

std::vector<std::uint64_t> TiRank::counts(const TraceLines& at, const Words& words, std::size_t first,
                                          double size) const {
  const std::uint32_t ranks = members();
  if (words.size() < first + ranks)
    at.refuse(Refusal("'{}' has {} arguments (one count for each of {} ranks, and more). Is the line cut off?",
                      words[1], words.size() - 2, ranks));
  std::vector<std::uint64_t> counts(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r)
    counts[r] = static_cast<std::uint64_t>(at.whole(words[first + r], "a count", 1e15) * size);
  return counts;
}

/// Some recorders add words, as SMPI does to MPI_Reduce_scatter_block.
void TiRank::ignore_after(const Words& words, std::size_t most) {
  if (words.size() > most)
    notes_[fmt::format("words after the arguments of '{}' dropped", words[1])] += words.size() - most;
}

/// Where the root's counts of this gatherv or scatterv are kept; only the root fills it.
std::vector<std::uint64_t>& TiRank::counts_of_root() {
  const auto next = static_cast<std::uint32_t>(trace_.root_counts.size());
  call_.number = all_rooted_.emplace(std::pair{call_.group, rooted_[call_.group]++}, next).first->second;
  if (call_.number == next) trace_.root_counts.emplace_back();
  return trace_.root_counts[call_.number];
}

/// The size of one element; the call keeps it when all of its datatypes agree.
double TiRank::element_size(const TraceLines& at, const Words& words, std::size_t datatype) {
  const double size = size_of(at, words, datatype);
  const auto element = static_cast<std::uint32_t>(std::max(size, 1.0));
  call_.element = elements_ == 0 || call_.element == element ? element : 1;
  ++elements_;
  return size;
}

std::uint32_t TiRank::members() const { return call_.group > 0 ? trace_.groups[call_.group - 1].size() : ranks_; }

Rank TiRank::root(const TraceLines& at, std::string_view word) const {
  const Rank root = peer(at, word, "the root");
  if (index(root) >= members())
    at.refuse(Refusal("the root is '{}' (the {} ranks of the communicator are counted from 0). Correct it?",
                      word.substr(0, 40), members()));
  return root;
}

bool TiRank::is_root() const {
  return index(call_.peer) ==
         (call_.group > 0 ? trace_.groups[call_.group - 1].member(Rank{me_}) : static_cast<Member>(me_));
}

void TiRank::enter(const TraceLines& at, Operation what, bool same_amount) {
  call_.what = what;
  lines_.collectives.push_back({what, call_.peer, same_amount ? call_.amount : -1.0, at.line(), call_.group});
  writer_.collective(call_);
  call_ = {};
  elements_ = 0;
}

void TiRank::barrier(const TraceLines& at, const Words&) {
  if (next_barrier_ideal_) {
    next_barrier_ideal_ = false;
    lines_.collectives.push_back({Operation::barrier, {}, -1.0, at.line(), 0});
    return writer_.ideal_barrier();
  }
  enter(at, Operation::barrier, false);
}

void TiRank::bcast(const TraceLines& at, const Words& words) {
  call_.amount = at.whole(words[2], "the size") * element_size(at, words, 4);
  if (words.size() > 3) call_.peer = root(at, words[3]);
  enter(at, Operation::bcast, true);
}

void TiRank::reduce(const TraceLines& at, const Words& words) {
  call_.amount = at.whole(words[2], "the size") * element_size(at, words, 5);
  call_.reduction = at.number(words[3], "the flops");
  if (words.size() > 4) call_.peer = root(at, words[4]);
  enter(at, Operation::reduce, true);
}

void TiRank::all_reduce(const TraceLines& at, const Words& words) {
  call_.amount = at.whole(words[2], "the size") * element_size(at, words, 4);
  call_.reduction = at.number(words[3], "the flops");
  enter(at,
        words[1] == "scan"     ? Operation::scan
        : words[1] == "exscan" ? Operation::exscan
                               : Operation::allreduce,
        true);
}

void TiRank::all_to_all(const TraceLines& at, const Words& words) {
  call_.amount = at.whole(words[2], "the size") * element_size(at, words, 4);
  at.whole(words[3], "the size");
  enter(at, Operation::alltoall, true);
}

void TiRank::all_to_all_v(const TraceLines& at, const Words& words) {
  const std::size_t p = members();
  ignore_after(words, 6 + 2 * p);
  at.whole(words[2], "the size of what is sent");
  if (words.size() > 3 + p) at.whole(words[3 + p], "the size of what is received");
  call_.counts = counts(at, words, 3, element_size(at, words, 4 + 2 * p));
  const auto received = counts(at, words, 4 + p, element_size(at, words, 5 + 2 * p));
  call_.counts.insert(call_.counts.end(), received.begin(), received.end());
  enter(at, Operation::alltoallv, false);
}

void TiRank::gather(const TraceLines& at, const Words& words) {
  call_.amount = at.whole(words[2], "the size") * element_size(at, words, 5);
  at.whole(words[3], "the size");
  if (words.size() > 4) call_.peer = root(at, words[4]);
  enter(at, Operation::gather, true);
}

void TiRank::gather_v(const TraceLines& at, const Words& words) {
  const std::size_t p = members();
  ignore_after(words, 6 + p);
  const auto received = counts(at, words, 3, element_size(at, words, 5 + p));
  call_.amount = at.whole(words[2], "the size") * element_size(at, words, 4 + p);
  if (words.size() > 3 + p) call_.peer = root(at, words[3 + p]);
  auto& shared = counts_of_root();
  if (is_root()) shared = received;
  enter(at, Operation::gatherv, false);
}

void TiRank::scatter(const TraceLines& at, const Words& words) {
  if (words.size() > 4) call_.peer = root(at, words[4]);
  const double sent = at.whole(words[2], "the size"), received = at.whole(words[3], "the size");
  call_.amount = is_root() ? sent * element_size(at, words, 5) : received * element_size(at, words, 6);
  enter(at, Operation::scatter, true);
}

void TiRank::scatter_v(const TraceLines& at, const Words& words) {
  const std::size_t p = members();
  ignore_after(words, 6 + p);
  const auto sent = counts(at, words, 2, element_size(at, words, 4 + p));
  if (words.size() < 3 + p)
    at.refuse("'scatterv' has no size of what a rank receives (after the counts). Is the line cut off?");
  call_.amount = at.whole(words[2 + p], "the size") * element_size(at, words, 5 + p);
  if (words.size() > 3 + p) call_.peer = root(at, words[3 + p]);
  auto& shared = counts_of_root();
  if (is_root()) shared = sent;
  enter(at, Operation::scatterv, false);
}

void TiRank::all_gather(const TraceLines& at, const Words& words) {
  call_.amount = at.whole(words[2], "the size") * element_size(at, words, 4);
  at.whole(words[3], "the size");
  enter(at, Operation::allgather, true);
}

/// The datatypes follow the counts unless displacements do.
void TiRank::all_gather_v(const TraceLines& at, const Words& words) {
  const std::size_t p = members();
  ignore_after(words, 5 + 2 * p);
  const bool only_displacements = words.size() <= 3 + 2 * p && words.size() > 5 + p;
  const std::size_t none = words.size();
  call_.counts = counts(at, words, 3, element_size(at, words, only_displacements ? none : 4 + p));
  call_.amount = at.whole(words[2], "the size") * element_size(at, words, only_displacements ? none : 3 + p);
  enter(at, Operation::allgatherv, false);
}

void TiRank::reduce_scatter(const TraceLines& at, const Words& words) {
  const std::size_t p = members();
  ignore_after(words, 4 + p);
  call_.counts = counts(at, words, 2, element_size(at, words, 3 + p));
  if (words.size() < 3 + p) at.refuse("'reducescatter' has no flops (after the counts). Is the line cut off?");
  call_.reduction = at.number(words[2 + p], "the flops");
  enter(at, Operation::reduce_scatter, false);
}

}  // namespace orrery::config
