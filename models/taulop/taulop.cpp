/// tau-Lop: the cost of transmissions that share channels, from overheads o(m) and transfer times L(m, tau).
///
///   declared stages   a rank's transmissions of a stage form a sequence (A1 joins neighbours) or a set; stages add;
///                     the algebra then joins like terms across stages (A1), as equation (10) does
///   derived stages    timeline: the DAG of messages is stepped through, each starting when its predecessors have ended
///                     algebra:  each dependency level is a stage whose messages are concurrent; levels add
///   modes             timeline; as printed: algebra (by channel, eq. 8) and algebra-dropping (eqs. 5-7)
///   overhead          once (timeline unless told otherwise), per-slice (the algebras, likewise), none-on-network
///
/// The table of a transmission is that of its channel and of the types of its two nodes; if transmissions of several
/// tables share a channel, the most expensive one applies. A network without copies at either end is RDMA (eq. 3), else
/// eq. (2).
///
/// Source   Rico-Gallego, Lastovetsky & Diaz-Martin, IEEE TPDS 2016, section 3 and equations (1)-(14)
/// Differs  in a declared sequence A1 joins, for the algebra, all transmissions of a rank through one channel (shared
///          memory first, as the paper writes them); for the timeline, neighbours that share the destination node too
///          (as the authors' library does: there the order in which a rank sends counts)
/// Checked  tests/unit/models/taulop/taulop_test.cpp, golden_test.cpp, algebra_test.cpp
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "models/point_to_point.hpp"
#include "models/taulop/algebra.hpp"
#include "models/taulop/calibration.hpp"
#include "models/taulop/timeline.hpp"
#include "models/variant.hpp"

namespace orrery::taulop_model {

namespace {

using namespace taulop;

constexpr const char* page =
    R"(One transmission of m bytes, one of tau that move at once through its channel:

  shared memory       T^0(m, tau) = o^0(m) + 2 L^0(m, tau)                 into a shared buffer, out of it
  network             T^1(m, tau) = o^1(m) + 2 L^0(m, tau) + L^1(m, tau)   to the card, over the wire, from the card
  network with RDMA   T^1(m, tau) = o^1(m) + L^1(m, tau)

  o^c  s  overhead: from the call until data enter the channel      m    B  message
  L^c  s  transfer time of one of tau messages at once              tau  1  transmissions at once

  +    one after another, the sequential operator: T(m1) + T(m2)
  ||   at once, the concurrent operator:           n || T(m) = T(m, n)

  A1  T(m1) + T(m2)  = T(m1 + m2)                 one channel, in one sequence
  A2  T(m1) || T(m2) = 2 || T(m1) + T(m2 - m1)    one channel, m1 <= m2: they share it until the shorter has ended
  A3  T^0(m1) || T^1(m2) = max{T^0(m1), T^1(m2)}  two channels do not disturb each other

With overhead 'once' (timeline) a message pays o at its call and never again: what A2 leaves of it costs X = T - o.

  o(m1) + X(m1, 2) + X(m2 - m1, 1)                two messages into one node, of equal o

A phase: the transmissions of a rank follow each other or start together, as its stages say; ranks run at once; stages add.

Parameters, by channel and pair of node types (table 'channel'), a row for each message size
  message_B            B  m
  overhead_s           s  o(m)
  L1_s, L2_s, ...      s  L(m, 1), L(m, 2), ...; between rows T is linear
measured by kernel ring. 'orrery taulop' calculates with expressions of these; docs/models/taulop.md turns them over.)";

constexpr const char* algebra_mode = "algebra";
constexpr const char* timeline_mode = "timeline";
constexpr const char* dropping_mode = "algebra-dropping";

Overhead overhead_named(const std::string& name) {
  return name == "once" ? Overhead::once : name == "per-slice" ? Overhead::per_slice : Overhead::none_on_network;
}

std::size_t column_of(const ParameterTable& table, const std::string& column, const std::string& where) {
  const auto found = std::ranges::find(table.columns, column);
  if (found == table.columns.end())
    throw InputError("{}{}: no column '{}'{}", table.origin(), where, column, present_names(column, table.columns));
  return static_cast<std::size_t>(found - table.columns.begin());
}

ChannelTable channel_table(const ParameterTable& table) {
  std::string name = fmt::format("taulop: table '{}'", table.name);
  for (const char* label : {"channel", "types"})
    if (const auto found = table.labels.find(label); found != table.labels.end()) name += " " + found->second;
  const auto column = [&](std::size_t at) {
    std::vector<double> values;
    for (const auto& row : table.rows) {
      if (row.size() != table.columns.size())
        throw InputError("{}: a row of {} values under {} columns", name, row.size(), table.columns.size());
      values.push_back(row[at]);
    }
    return values;
  };
  ChannelTable result{.name = name, .sizes = {}, .overhead = {}, .transfer = {}};
  for (const double m : column(column_of(table, "message_B", name))) result.sizes.push_back(Bytes(m));
  for (const double o : column(column_of(table, "overhead_s", name))) result.overhead.push_back(Seconds(o));
  for (std::uint32_t tau = 1; tau == 1 || std::ranges::count(table.columns, fmt::format("L{}_s", tau)) > 0; ++tau) {
    auto& row = result.transfer.emplace_back();
    for (const double l : column(column_of(table, fmt::format("L{}_s", tau), name))) row.push_back(Seconds(l));
  }
  return result;
}

class TauLop final : public PhaseModel {
 public:
  TauLop(const ModelParameters& parameters, const Platform& platform, const ModelVariant& variant)
      : index_("taulop", platform), mode_(variant.mode), overhead_(overhead_named(variant.options.at("overhead"))) {
    const auto& copies = platform.network(parameters.network, "taulop").protocol.copies;
    const bool rdma = copies[0] == 0 && copies[1] == 0;
    for_each_pair(parameters, "channel", platform,
                  [&](ChannelKind channel, std::uint32_t from, std::uint32_t to, const ParameterTable& table) {
                    if (from > to) return;  // one table serves both directions
                    const auto base = channel_table(table);
                    if (channel == ChannelKind::shared_memory)
                      enter(channel, from, to, shared_memory_transmission(base));
                    else if (rdma)
                      enter(channel, from, to, on_network(rdma_transmission(base)));
                    else
                      enter(channel, from, to,
                            on_network(buffered_transmission(base, memory(parameters, platform, from),
                                                             memory(parameters, platform, to))));
                  });
  }

  Seconds communication_time(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const override {
    if (mode_ == timeline_mode && !phase.declared) {
      return explained(timeline(graph_of(phase, layout), tables_, overhead_), "", steps);
    }
    Seconds sum;
    std::vector<Term> terms;
    for (std::size_t first = 0; first < phase.messages.size();) {
      const auto stage = phase.messages[first].stage;
      const auto sequences = sequences_of(phase, layout, first);
      const std::string name = stage < phase.stages.size() ? phase.stages[stage].name : "";
      if (mode_ == timeline_mode)
        sum += explained(timeline(sequences, tables_, overhead_), name + ": ", steps);
      else
        append_terms(sequences, name, terms, steps);
    }
    return mode_ == timeline_mode ? sum : explained(terms, phase.declared, steps);
  }

  std::vector<std::string> notes(const PredictionInput& input) const override {
    Bytes greatest = tables_.front().greatest_message();
    std::uint32_t concurrency = tables_.front().concurrency_max(), most = 0;
    for (const auto& table : tables_) {
      greatest = std::min(greatest, table.greatest_message());
      concurrency = std::min(concurrency, table.concurrency_max());
    }
    auto notes = notes_on_sizes(input, {Bytes(0.0), greatest}, "longer ones are taken as several");
    std::uint32_t longest_train = 1;
    for (const auto& phase : input.phases)
      if (phase.name == input.compared_phase) {
        most = std::max(most, most_together(phase, input.layout));
        for (const auto& message : phase.messages) longest_train = std::max(longest_train, message.repeat);
      }
    if (most > concurrency)
      notes.push_back(
          fmt::format("more messages at a time through one channel into one node than the {} that were "
                      "calibrated: beyond that nothing gets slower",
                      concurrency));
    if (longest_train > train_max)
      notes.push_back(fmt::format("trains of up to {} messages are taken as {} longer ones", longest_train, train_max));
    return notes;
  }

 private:
  static constexpr std::uint32_t train_max = 1024;

  TransmissionTable on_network(const TransmissionTable& table) const {
    return overhead_ == Overhead::none_on_network ? table.without_overhead() : table;
  }

  void enter(ChannelKind channel, std::uint32_t from, std::uint32_t to, TransmissionTable table) {
    if (tables_.size() == tables_max)
      throw InputError("taulop: more than {} tables of kind 'channel' (9 types of node give 54)", tables_max);
    index_.set(channel, from, to, static_cast<std::uint32_t>(tables_.size()));
    index_.set(channel, to, from, static_cast<std::uint32_t>(tables_.size()));
    tables_.push_back(std::move(table));
  }

  static ChannelTable memory(const ModelParameters& parameters, const Platform& platform, std::uint32_t type) {
    if (const auto* table = find_table(parameters, "channel", platform, {ChannelKind::shared_memory, type, type}))
      return channel_table(*table);
    throw InputError(
        "taulop: network '{}' copies through memory, and there is no table of channel 'shared-memory' for "
        "nodes '{}'. Calibrate it on this platform?",
        parameters.network, platform.node_types[type].name);
  }

  /// A message, or one of a train: each pays its own overhead.
  Transmission transmission(const Message& message, const Layout& layout) const {
    return {.channel = layout.same_node(message.from, message.to) ? 0u : 1u,
            .tables = TableSet{1} << index_.at(layout, message.from, message.to),
            .concurrency = 1,
            .message = message.size / static_cast<double>(in_train(message)),
            .to_node = layout.of(message.to).node,
            .mergeable = message.repeat == 1};
  }

  static std::uint32_t in_train(const Message& message) { return std::min(message.repeat, train_max); }

  /// Messages with their predecessors; those of a train follow each other.
  TransmissionGraph graph_of(const Phase& phase, const Layout& layout) const {
    TransmissionGraph graph;
    std::vector<std::uint32_t> last;  // [messages] of its transmissions
    for (const auto& message : phase.messages) {
      std::vector<std::uint32_t> after;
      for (const std::uint32_t before : message.after) after.push_back(last[before]);
      for (std::uint32_t i = 0; i < in_train(message); ++i) {
        graph.transmissions.push_back(transmission(message, layout));
        graph.after.push_back(i == 0 ? after : std::vector{last.back()});
        if (i == 0) last.emplace_back();
        last.back() = static_cast<std::uint32_t>(graph.transmissions.size() - 1);
      }
    }
    return graph;
  }

  /// The most messages that one dependency level or stage has under way through one channel into one node.
  std::uint32_t most_together(const Phase& phase, const Layout& layout) const {
    std::map<std::tuple<std::uint32_t, bool, NodeId>, std::multiset<std::size_t>> senders;
    for (const auto& message : phase.messages) {
      const NodeId to = layout.of(message.to).node;
      auto& into = senders[{message.stage, layout.same_node(message.from, message.to), to}];
      if (at_once(phase, message.stage) || !into.contains(index(message.from))) into.insert(index(message.from));
    }
    std::size_t most = 0;
    for (const auto& [where, ranks] : senders) most = std::max(most, ranks.size());
    return static_cast<std::uint32_t>(most);
  }

  /// Whether a rank's transmissions of a stage are under way together; else they follow one another.
  static bool at_once(const Phase& phase, std::uint32_t stage) {
    return !phase.declared || phase.stages.at(stage).composition == Composition::set;
  }

  /// The sequences of one stage; `first` moves on to the next.
  std::vector<Sequence> sequences_of(const Phase& phase, const Layout& layout, std::size_t& first) const {
    const auto stage = phase.messages[first].stage;
    const bool together = at_once(phase, stage);
    std::vector<Sequence> sequences;
    for (std::size_t previous = first; first < phase.messages.size() && phase.messages[first].stage == stage;
         previous = first++) {
      const auto& message = phase.messages[first];
      if (together || sequences.empty() || phase.messages[previous].from != message.from) sequences.emplace_back();
      sequences.back().insert(sequences.back().end(), in_train(message), transmission(message, layout));
    }
    if (mode_ == timeline_mode && !together)
      for (auto& sequence : sequences) sequence = merged(sequence, MergeBy::channel_and_node);
    if (mode_ != timeline_mode && !together)  // as the paper writes p4's messages of iteration 80: T^0(116) + T^1(104)
      for (auto& sequence : sequences) std::ranges::stable_sort(sequence, {}, &Transmission::channel);
    return sequences;
  }

  void append_terms(const std::vector<Sequence>& sequences, const std::string& stage, std::vector<Term>& terms,
                    std::vector<Explanation>* steps) const {
    const auto rule = mode_ == dropping_mode ? AlgebraRule::dropping : AlgebraRule::by_channel;
    const auto of_stage = terms_of(sequences, rule, tables_, overhead_);
    if (steps != nullptr) steps->push_back({fmt::format("{}: {}", stage, in_words(of_stage)), Seconds(0)});
    terms.insert(terms.end(), of_stage.begin(), of_stage.end());
  }

  /// Sum of the terms, like terms of declared stages joined.
  Seconds explained(const std::vector<Term>& terms, bool declared, std::vector<Explanation>* steps) const {
    const auto final_terms = declared ? like_terms_merged(terms) : terms;
    if (steps != nullptr)
      for (const auto& term : final_terms) steps->push_back({in_words({term}), time_of(term, tables_)});
    return time_of(final_terms, tables_);
  }

  static Seconds explained(const Timeline& timeline, const std::string& stage, std::vector<Explanation>* steps) {
    if (steps != nullptr)
      for (const auto& slice : timeline.slices) steps->push_back({stage + in_words(slice), slice.time});
    return timeline.time;
  }

  std::vector<TransmissionTable> tables_;
  ByChannel<std::uint32_t> index_;  ///< into tables_
  std::string mode_;
  Overhead overhead_;
};

const bool entered = models().add(
    {.name = "taulop",
     .summary = "transmissions that share a channel slow each other down: overheads and transfer times by concurrency",
     .source = "Rico-Gallego, Lastovetsky & Diaz-Martin, IEEE TPDS 2016, section 3 and equations (1)-(14)",
     .page = page,
     .assumptions =
         {"transmissions through one channel progress together until the shortest ends (A2)",
          "different channels do not slow each other down (A3)",
          "transmissions that follow each other in a declared sequence cost one of the summed size (A1)",
          "timeline: transmissions into one node contend; overheads elapse at the same time, once for each message",
          "algebra, as printed: all transmissions of a channel contend, whatever nodes they join, and what remains of "
          "one pays its overhead again",
          "beyond the calibrated concurrency nothing gets slower; beyond the calibrated sizes messages are cut",
          "limit: no serial overhead. A rank that posts or takes many messages spends the overheads of all at the same "
          "time: a linear barrier of 64 ranks comes out 11 times too cheap, Wave2D on InfiniBand by a third",
          "limit: overheads do not grow when ranks of a node share cores, and a late receiver delays nobody"},
     .modes = {timeline_mode, algebra_mode, dropping_mode},
     .options = {{.name = "overhead",
                  .kind = KeyKind::word,
                  .choices = {"once", "per-slice", "none-on-network"},
                  .fallback = "once",
                  .fallback_of = {{algebra_mode, "per-slice"}, {dropping_mode, "per-slice"}},
                  .about = "once: a transmission pays o once, before it injects; per-slice: for each piece into which "
                           "A2 cuts it; none-on-network: per slice, only in memory"}},
     .needs = taulop_needs,
     .plan = taulop_plan,
     .fit = taulop_fit,
     .make = [](const ModelInput& input) -> std::unique_ptr<PhaseModel> {
       return std::make_unique<TauLop>(input.parameters, input.platform,
                                       parts_of(models().at("taulop", "taulop"), input.variant));
     }});

}  // namespace

}  // namespace orrery::taulop_model
