#include "models/taulop/algebra.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "models/taulop/timeline.hpp"

namespace orrery::taulop {

namespace {

/// Sequences of one or several channels whose heads progress together, channel by channel.
class Heads {
 public:
  Heads(const std::vector<Sequence>& sequences, std::span<const TransmissionTable> tables, Overhead overhead)
      : sequences_(sequences), tables_(tables), overhead_(overhead), position_(sequences.size(), 0) {
    for (std::uint32_t s = 0; s < sequences.size(); ++s) start(s);
  }

  /// Channels that heads use now.
  const std::map<std::uint32_t, ConcurrentGroup>& channels() const { return channels_; }

  /// What the heads of `channel` cost until the shortest has ended.
  Term term(std::uint32_t channel) const {
    const auto& group = channels_.at(channel);
    Term term{group.concurrency(), channel, group.shortest(), group.tables(), {}};
    if (overhead_ != Overhead::once) return term;
    const auto starting = starting_.find(channel);
    term.overhead = starting == starting_.end() ? Seconds(0) : starting->second;
    return term;
  }

  /// The heads of `channel` lose its shortest message (A2).
  Term advance(std::uint32_t channel) {
    auto& group = channels_.at(channel);
    const Term term = this->term(channel);
    starting_.erase(channel);
    std::vector<std::uint32_t> ended;
    group.progress(term.message, ended);
    if (group.empty()) channels_.erase(channel);
    for (const auto s : ended) {
      ++position_[s];
      start(s);
    }
    return term;
  }

 private:
  void start(std::uint32_t s) {
    if (position_[s] == sequences_[s].size()) return;
    const auto& head = sequences_[s][position_[s]];
    channels_[head.channel].start(s, head);
    if (overhead_ != Overhead::once) return;
    auto& longest = starting_[head.channel];
    longest = std::max(longest, overhead_of(head.tables, head.message, tables_));
  }

  const std::vector<Sequence>& sequences_;
  std::span<const TransmissionTable> tables_;
  Overhead overhead_;
  std::map<std::uint32_t, Seconds> starting_;  ///< by channel: greatest overhead of the heads that start now
  std::vector<std::size_t> position_;          ///< [sequences] current head
  std::map<std::uint32_t, ConcurrentGroup> channels_;
};

std::string text_of(const Term& term) {
  if (!term.overhead) return term_text(term.concurrency, term.channel, term.message);
  const std::string transfers = term_text(term.concurrency, term.channel, term.message, Part::transfer);
  return *term.overhead > Seconds(0) ? fmt::format("o^{} + {}", term.channel, transfers) : transfers;
}

std::string text_of(const Sequence& sequence) {
  std::string text;
  for (const auto& t : sequence) text += (text.empty() ? "" : " + ") + term_text(t.concurrency, t.channel, t.message);
  return text;
}

/// "T^1(35 B) || T^1(97 B)", cut short when long.
std::string text_of(const std::vector<Sequence>& sequences) {
  constexpr std::size_t shown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, sequences.size()); ++i) {
    const bool bracket = sequences[i].size() > 1 && sequences.size() > 1;
    text +=
        fmt::format("{}{}{}{}", i == 0 ? "" : " || ", bracket ? "[" : "", text_of(sequences[i]), bracket ? "]" : "");
  }
  if (sequences.size() > shown) text += fmt::format(" || ... ({} in all)", sequences.size());
  return text;
}

std::vector<Sequence> with_a1(const std::vector<Sequence>& sequences, std::vector<Rewrite>* rewrites) {
  std::vector<Sequence> result;
  for (const auto& sequence : sequences) {
    if (sequence.empty()) continue;
    result.push_back(merged(sequence, MergeBy::channel));
    if (rewrites != nullptr && result.back().size() < sequence.size())
      rewrites->push_back({"A1", fmt::format("{} = {}", text_of(sequence), text_of(result.back()))});
  }
  return result;
}

/// The transmissions of one channel, each sequence's in order.
std::vector<Sequence> restricted_to(const std::vector<Sequence>& sequences, std::uint32_t channel) {
  std::vector<Sequence> result;
  for (const auto& sequence : sequences) {
    Sequence part;
    std::ranges::copy_if(sequence, std::back_inserter(part), [&](const auto& t) { return t.channel == channel; });
    if (!part.empty()) result.push_back(merged(part, MergeBy::channel));
  }
  return result;
}

/// Channels joined by sequences that use several: each list is ascending.
std::vector<std::vector<std::uint32_t>> joined_channels(const std::vector<Sequence>& sequences) {
  std::map<std::uint32_t, std::uint32_t> leader;  // union by relabelling: there are two channels, seldom more
  for (const auto& sequence : sequences) {
    for (const auto& t : sequence) leader.emplace(t.channel, t.channel);
    for (const auto& t : sequence) {
      const auto from = leader.at(t.channel), to = leader.at(sequence.front().channel);
      for (auto& [channel, label] : leader)
        if (label == from) label = to;
    }
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> lists;
  for (const auto& [channel, label] : leader) lists[label].push_back(channel);
  std::vector<std::vector<std::uint32_t>> result;
  result.reserve(lists.size());
  for (auto& [label, list] : lists) result.push_back(std::move(list));
  return result;
}

std::vector<Term> channel_terms(const std::vector<Sequence>& sequences, std::uint32_t channel,
                                std::span<const TransmissionTable> tables, Overhead overhead,
                                std::vector<Rewrite>* rewrites) {
  const auto part = restricted_to(sequences, channel);
  std::vector<Term> terms;
  for (Heads heads(part, tables, overhead); !heads.channels().empty();) terms.push_back(heads.advance(channel));
  if (rewrites != nullptr && part.size() > 1)
    rewrites->push_back({"A2", fmt::format("{} = {}", text_of(part), in_words(terms))});
  return terms;
}

std::vector<Term> by_channel(const std::vector<Sequence>& sequences, std::span<const TransmissionTable> tables,
                             Overhead overhead, std::vector<Rewrite>* rewrites) {
  std::vector<Term> dearest;
  for (const auto& channels : joined_channels(sequences)) {
    std::vector<Term> terms;
    for (const auto channel : channels)
      for (auto& term : channel_terms(sequences, channel, tables, overhead, rewrites)) terms.push_back(term);
    const Seconds time = time_of(terms, tables), so_far = time_of(dearest, tables);
    if (rewrites != nullptr && !dearest.empty())
      rewrites->push_back({"A3", fmt::format("max{{{}, {}}} = {}", in_words(dearest), in_words(terms),
                                             in_words(time > so_far ? terms : dearest))});
    if (dearest.empty() || time > so_far) dearest = std::move(terms);
  }
  return dearest;
}

std::vector<Term> dropping(const std::vector<Sequence>& sequences, std::span<const TransmissionTable> tables,
                           Overhead overhead, std::vector<Rewrite>* rewrites) {
  std::vector<Term> terms;
  Heads heads(sequences, tables, overhead);
  while (!heads.channels().empty()) {
    const auto& channels = heads.channels();
    const auto first = std::ranges::min_element(
        channels, {}, [&](const auto& entry) { return time_of(heads.term(entry.first), tables); });
    const bool alone = channels.size() == 1;
    const auto members = first->second.size();
    const Term term = heads.advance(first->first);
    if (alone) terms.push_back(term);
    if (rewrites == nullptr) continue;
    if (!alone)
      rewrites->push_back(
          {"A3", fmt::format("{} ends while another channel is still busy: it drops out", text_of(term))});
    else if (members > 1)
      rewrites->push_back(
          {"A2", fmt::format("{} transmissions at once until the shortest ends: {}", members, text_of(term))});
  }
  return terms;
}

}  // namespace

Seconds time_of(const Term& term, std::span<const TransmissionTable> tables) {
  if (!term.overhead) return time_of(term.tables, term.message, term.concurrency, tables);
  return *term.overhead + transfer_time_of(term.tables, term.message, term.concurrency, tables);
}

Seconds time_of(const std::vector<Term>& terms, std::span<const TransmissionTable> tables) {
  Seconds sum;
  for (const auto& term : terms) sum += time_of(term, tables);
  return sum;
}

std::vector<Term> terms_of(const std::vector<Sequence>& sequences, AlgebraRule rule,
                           std::span<const TransmissionTable> tables, Overhead overhead,
                           std::vector<Rewrite>* rewrites) {
  const auto whole = with_a1(sequences, rewrites);
  return rule == AlgebraRule::by_channel ? by_channel(whole, tables, overhead, rewrites)
                                         : dropping(whole, tables, overhead, rewrites);
}

std::vector<Term> like_terms_merged(const std::vector<Term>& terms, std::vector<Rewrite>* rewrites) {
  std::vector<Term> result;
  for (const auto& term : terms) {
    const auto like = std::ranges::find_if(result, [&](const Term& other) {
      return other.channel == term.channel && other.concurrency == term.concurrency && other.tables == term.tables;
    });
    if (like == result.end()) {
      result.push_back(term);
      continue;
    }
    const std::string before = rewrites == nullptr ? "" : text_of(*like);
    like->message += term.message;
    if (term.overhead) like->overhead = std::max(*like->overhead, *term.overhead);
    if (rewrites != nullptr)
      rewrites->push_back({"A1", fmt::format("{} + {} = {}", before, text_of(term), text_of(*like))});
  }
  return result;
}

std::string in_words(const std::vector<Term>& terms) {
  std::string text;
  for (const auto& term : terms) text += (text.empty() ? "" : " + ") + text_of(term);
  return text.empty() ? "0" : text;
}

}  // namespace orrery::taulop
