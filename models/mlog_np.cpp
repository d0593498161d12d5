/// mlog_nP: a message as the implicit transfers on its way, which add up; parameters by size and by channel.
///
///   T_c(m) = sum over i < n of o_i(m) + l_i(m)      n = 2 in shared memory (into a shared buffer, out of it),
///                                                   3 between nodes (to the adapter, over the wire, from the adapter)
///   phase    a rank's transmissions add up; a stage takes the maximum over ranks; stages add
///
///   c     channel         shared memory or network: the m levels of the name
///   m     Bytes           B     message
///   o_i   Seconds         s     overhead of transfer i: contiguous data of m bytes
///   l_i   Seconds         s     latency of transfer i: what it takes beyond
///
/// The first and the last transfer are the ends' (o_0 + l_0 and o_n-1 + l_n-1); what they leave of the time of a
/// message alone lies between them. T is tabulated at the measured sizes: straight lines between them, the first size's
/// time below, the last line continued above.
///
/// Source   Cameron, Ge & Sun, IEEE Trans. Computers 56(3), 2007 (log_nP, log_3P); by levels: Tu, Fan, Zhan & Zhao, The
///          Journal of Supercomputing 60(1), 2012
/// Valid    alike nodes; data contiguous in memory; nothing else on the way
/// Differs  the ends' transfers are measured with 1 B and the rest depends on the size: only the sum enters.
///          Composed as LogGPH; on a cluster of unlike nodes T is its mean over two cores drawn at random that use the
///          channel
/// Checked  tests/unit/models/mlog_np_test.cpp
#include <algorithm>

#include "models/calibration_process.hpp"
#include "models/channel_means.hpp"
#include "models/point_to_point.hpp"

namespace orrery::mlog_np_model {

namespace {

constexpr std::size_t message_column = 0, first_transfer_column = 1;

/// T_c at the measured sizes.
class Path {
 public:
  explicit Path(const ParameterTable& table) {
    for (const auto& row : table.rows) {
      sizes_.push_back(Bytes(row.at(message_column)));
      Seconds sum;
      for (std::size_t i = first_transfer_column; i < row.size(); ++i) sum += Seconds(row[i]);
      times_.push_back(sum);
    }
    if (sizes_.size() < 2 || std::ranges::adjacent_find(sizes_, std::greater_equal<>()) != sizes_.end())
      throw InputError("mlog_np: table 'transfers' has fewer than two sizes, or they do not ascend. Calibrate again?");
  }

  Seconds time(Bytes m) const {
    if (m <= sizes_.front()) return times_.front();
    const auto above = std::ranges::lower_bound(sizes_, m) - sizes_.begin();
    const auto i = static_cast<std::size_t>(std::min(above, std::ssize(sizes_) - 1));
    return times_[i - 1] + (times_[i] - times_[i - 1]) * ((m - sizes_[i - 1]) / (sizes_[i] - sizes_[i - 1]));
  }

  MessageRange range() const { return {sizes_.front(), sizes_.back()}; }

 private:
  std::vector<Bytes> sizes_;
  std::vector<Seconds> times_;
};

class MLogNP final : public PhaseModel {
 public:
  explicit MLogNP(const ModelParameters& parameters) : model_(parameters) {
    for (const auto channel : {ChannelKind::shared_memory, ChannelKind::network})
      for (const auto& table : parameters.tables)
        if (const auto label = table.labels.find(channel_label);
            label != table.labels.end() && label->second == channel_name(channel))
          paths_[static_cast<std::size_t>(channel)].emplace(table);
  }

  Seconds communication_time(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const override {
    const auto path = [&](const Message& message) -> const Path& {
      const auto channel =
          layout.same_node(message.from, message.to) ? ChannelKind::shared_memory : ChannelKind::network;
      const auto& found = paths_[static_cast<std::size_t>(channel)];
      if (!found) channel_table(model_, "transfers", channel);  // refuses
      return *found;
    };
    const auto cost = [&](const Message& message) -> TransmissionCost {
      const Seconds time = path(message).time(message.size);
      return {time, time, Seconds(0.0)};
    };
    return compose(phase, cost, steps);
  }

  std::vector<std::string> notes(const PredictionInput& input) const override {
    const auto& any = paths_[0] ? paths_[0] : paths_[1];  // both were measured with the same sizes
    return any ? notes_on_sizes(input, any->range()) : std::vector<std::string>{};
  }

 private:
  ModelParameters model_;
  std::optional<Path> paths_[channel_kinds];
};

ModelParameters fit(const Platform& platform, const Network& network, const CalibrationRange& range,
                    const std::vector<Measurement>& measurements) {
  require_two_sizes("mlog_np", range);
  const Measurements measured(measurements);
  ModelParameters parameters{
      .model = "mlog_np", .platform = platform.name, .network = network.name, .origin = {}, .tables = {}};
  for_each_channel(platform, network, [&](ChannelKind channel, const auto& pairs, const auto& weights) {
    const bool memory = channel == ChannelKind::shared_memory;
    ParameterTable table{.name = "transfers",
                         .labels = {{channel_label, channel_name(channel)}},
                         .columns = {"message_B", "transfer_0_s", "transfer_1_s"},
                         .rows = {}};
    if (!memory) table.columns.push_back("transfer_2_s");
    for (const auto size : range.sizes) {
      Seconds whole, first, last;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto a = process_fit(platform, channel, pairs[i].a, measured);
        const auto b = process_fit(platform, channel, pairs[i].b, measured);
        first += weights[i] * (a.overhead_send + b.overhead_send) / 2.0;
        last += weights[i] * (a.overhead_receive + b.overhead_receive) / 2.0;
        whole += weights[i] * measured.time(series_name("pingpong", platform, pairs[i]), size);
      }
      if (memory)
        table.rows.push_back({size.si(), first.si(), (whole - first).si()});
      else
        table.rows.push_back({size.si(), first.si(), (whole - first - last).si(), last.si()});
    }
    parameters.tables.push_back(std::move(table));
  });
  return parameters;
}

const bool entered = models().add(
    {.name = "mlog_np",
     .summary = "the implicit transfers of a message add up, by size and by channel",
     .source = "Cameron, Ge & Sun, IEEE Trans. Computers 56(3), 2007; by levels: Tu, Fan, Zhan & Zhao, The Journal of "
               "Supercomputing 60(1), 2012",
     .page = "T_c(m) = sum over i < n of o_i(m) + l_i(m)      n = 2 in shared memory, 3 between nodes\n"
             "phase: a rank's transmissions add up; a stage takes the maximum over ranks; stages add\n\n"
             "Parameters by channel and size (table 'transfers')\n"
             "  message_B      B  m\n"
             "  transfer_0_s   s  o_0 + l_0, the sender's: into the shared buffer or to the adapter\n"
             "  transfer_1_s   s  o_1 + l_1, out of the shared buffer or over the wire\n"
             "  transfer_2_s   s  o_2 + l_2, the receiver's: from the adapter\n"
             "measured by the kernels overhead and pingpong; only the sum enters",
     .assumptions = {"all nodes are alike; shared memory and network differ",
                     "the implicit transfers of a message add up; none overlaps with another",
                     "a rank's transmissions add up, whether they start one after another or together",
                     "messages of different ranks do not slow each other down, whatever they share",
                     "a stage takes as long as its slowest rank; stages add"},
     .plan = process_and_pingpong_plan,
     .fit = fit,
     .make = [](const ModelInput& input) -> std::unique_ptr<PhaseModel> {
       return std::make_unique<MLogNP>(input.parameters);
     }});

}  // namespace

}  // namespace orrery::mlog_np_model
