#include "sim/study/fit/platform_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platforms/fields.hpp"
#include "platforms/local_work.hpp"
#include "sim/core/error.hpp"
#include "sim/core/fresh_buffer.hpp"
#include "sim/core/suggest.hpp"
#include "sim/study/fit/compute_speeds.hpp"
#include "sim/study/fit/gpu_fit_parameters.hpp"
#include "sim/study/fit/parameter_parts.hpp"

namespace orrery::study {

namespace {

using namespace parameter_parts;
using config::KeyKind;

using Uses = const ParameterUses&;
using Of = const FittedMachine&;

/// One key of a platform's file: its meaning, unit and value are those of its table.
template <class S>
class KeysOf {
 public:
  KeysOf(const config::Fields<S>& fields, std::function<std::string(Of)> path, std::function<const S&(Of)> whole)
      : fields_(fields), path_(std::move(path)), whole_(std::move(whole)) {}

  PlatformParameter operator()(const char* key, double least, double most, Matters matters) const {
    const auto& field = *std::ranges::find(fields_.fields(), key, [](const auto& one) { return one.key.name; });
    PlatformParameter parameter{.name = key,
                                .about = field.key.about,
                                .dimension = dimension_of(field.key.kind),
                                .least = least,
                                .most = most,
                                .example = field.key.example,
                                .matters = std::move(matters),
                                .stated = {}};
    parameter.path = [path = path_, key](Of of) { return path(of) + key; };
    parameter.stated = [place = parameter.path, value = field.value, whole = whole_](Of of) -> std::optional<double> {
      if (!states(*of.platform, place(of))) return std::nullopt;
      const auto stated = value(whole(of));
      return positive(std::get<double>(stated));
    };
    return parameter;
  }

 private:
  const config::Fields<S>& fields_;
  std::function<std::string(Of)> path_;
  std::function<const S&(Of)> whole_;
};

/// The same of a function of the message size, by one of its values.
PlatformParameter with_value(PlatformParameter parameter, std::function<std::optional<double>(Of)> stated) {
  parameter.stated = std::move(stated);
  return parameter;
}

PlatformParameter named(PlatformParameter parameter, std::string name, std::string about) {
  parameter.name = std::move(name);
  parameter.about = std::move(about);
  return parameter;
}

void add_network(std::vector<PlatformParameter>& all) {
  const KeysOf<Platform> platform(
      platform_fields(), [](Of) { return ""; }, [](Of of) -> const Platform& { return *of.platform; });
  const KeysOf<Network> network(network_fields(), network_path, [](Of of) -> const Network& { return *of.network; });
  const KeysOf<ChannelProperties> protocol(protocol_fields(), protocol_path,
                                           [](Of of) -> const ChannelProperties& { return of.network->protocol; });
  const auto between_nodes = when(&ParameterUses::between_nodes);
  all.push_back(platform("start-skew", 1e-9, 0.1, [](Uses, Of) { return true; }));
  const auto on_wires = when(&ParameterUses::on_wires);
  all.push_back(with_value(network("message-rate", 1e5, 1e10, on_wires), [](Of of) -> std::optional<double> {
    const auto& steps = of.network->adapters.message_rate.steps();
    return steps.empty() ? std::nullopt : std::optional(steps.front().second.si());
  }));
  all.back().example = "100M/s";
  all.push_back(network("latency", 1e-8, 0.1, between_nodes));
  all.push_back(network("link-latency", 1e-9, 0.01, between_nodes));
  all.push_back(with_value(named(protocol("latency-factor", 1.001, 100.0, when(&ParameterUses::factored)),
                                 "latency-factor", "greatest of the steps that the platform states"),
                           [](Of of) -> std::optional<double> {
                             const double greatest = greatest_factor(of.network->protocol.latency_factor);
                             return greatest > 1.0 ? std::optional(greatest) : std::nullopt;
                           }));
  all.back().origin = 1.0;
  all.back().example = "1.4";
  all.push_back(named(network("bandwidth", 0.1 * GB, 1000.0 * GB, on_wires), "bandwidth",
                      "of an adapter (name it or wire-efficiency: long messages tell their product)"));
  all.back().unasked = false;
  all.push_back(with_value(protocol("wire-efficiency", 0.05, 1.0, on_wires),
                           [](Of of) { return std::optional(of.network->protocol.wire_efficiency(Bytes{})); }));
  all.push_back(with_value(protocol("bandwidth-factor", 0.05, 1.0, on_wires), [](Of of) -> std::optional<double> {
    const auto& stated = of.network->protocol.bandwidth_factor;
    return stated.steps().empty() ? std::nullopt : std::optional(stated(Bytes{}));
  }));
  all.push_back(protocol("pair-bandwidth", 0.1 * GB, 1000.0 * GB, when(&ParameterUses::paired)));
}

/// Parts of overheads, which no key of a file states by itself.
void add_overheads(std::vector<PlatformParameter>& all) {
  const auto add = [&](const char* name, const char* about, Dimension dimension, double least, double most,
                       const char* example, Matters matters,
                       std::function<std::optional<double>(const ChannelProperties&)> value) {
    all.push_back({.name = name,
                   .about = about,
                   .dimension = dimension,
                   .least = least,
                   .most = most,
                   .example = example,
                   .matters = std::move(matters),
                   .stated = [value = std::move(value)](Of of) { return value(of.network->protocol); }});
  };
  using Channel = const ChannelProperties&;
  const auto eager = when(&ParameterUses::eager);
  add("send-overhead", "of the shortest message, and of rendezvous", Dimension::time, 1e-8, 0.01, "0.2us",
      when(&ParameterUses::between_nodes), [](Channel channel) { return positive(first_of(channel.send_overhead)); });
  add("receive-overhead", "of the shortest message", Dimension::time, 1e-8, 0.01, "0.2us", eager,
      [](Channel channel) { return positive(first_of(channel.receive_overhead)); });
  add("send-copy", "rate of the copy of eager messages in send-overhead", Dimension::bandwidth, 0.1 * GB, 100.0 * GB,
      "10GB/s", eager, [](Channel channel) { return copy_rate(channel.send_overhead, channel.eager); });
  add("receive-copy", "rate of the copy of eager messages in receive-overhead", Dimension::bandwidth, 0.1 * GB,
      100.0 * GB, "10GB/s", eager, [](Channel channel) { return copy_rate(channel.receive_overhead, channel.eager); });
  add("rendezvous-overhead", "of receiving, from 'eager' on", Dimension::time, 1e-8, 0.01, "0.5us",
      when(&ParameterUses::rendezvous),
      [](Channel channel) { return positive(at_rendezvous(channel.receive_overhead, channel.eager)); });
}

/// Of one core, which moves no more than 50 GB/s to and from memory: three bytes for each that is reduced, two for each
/// that is copied or that is new.
void add_local_work(std::vector<PlatformParameter>& all) {
  const KeysOf<LocalRates> work(local_work_fields(), work_path,
                                [](Of of) -> const LocalRates& { return of.type->local_work; });
  /// A rate stands for work in caches as well where the platform does not state that.
  const auto for_both = [](bool ParameterUses::*use, const char* cached, bool ParameterUses::*in_caches) -> Matters {
    return [=](Uses uses, Of of) {
      return uses.*use || (uses.*in_caches && !states(*of.platform, work_path(of) + cached));
    };
  };
  using U = ParameterUses;
  for (PlatformParameter parameter :
       {work("reduction", 0.1 * GB, 50.0 / 3.0 * GB, for_both(&U::reduction, "cached-reduction", &U::cached_reduction)),
        work("cached-reduction", 0.1 * GB, 100.0 * GB, when(&U::cached_reduction)),
        work("copy", 0.1 * GB, 25.0 * GB, for_both(&U::copy, "cached-copy", &U::cached_copy)),
        work("cached-copy", 0.1 * GB, 150.0 * GB, when(&U::cached_copy)),
        work("fresh-memory", 0.1 * GB, 25.0 * GB, when(&U::fresh)),
        work("heap-memory", 0.1 * GB, 25.0 * GB, when(&U::heap)), work("registration", 1e-6, 0.1, when(&U::registered)),
        work("datatype", 1e-8, 1e-3, when(&U::datatypes)), work("datatype-block", 1e-9, 1e-5, when(&U::datatypes)),
        work("count", 1e-9, 1e-6, when(&U::counts))}) {
    parameter.of_node = true;
    if (parameter.name.starts_with("cached-"))
      parameter.not_below = parameter.name.substr(std::string("cached-").size());
    all.push_back(std::move(parameter));
  }
}

/// A measurement for each parameter that others hardly show in.
const std::map<std::string, std::string, std::less<>> best_seen_in{
    {"start-skew", "a barrier and a broadcast of few bytes along a ring"},
    {"message-rate", "an exchange of few bytes between nodes with many ranks on each"},
    {"latency", "a ping-pong of few bytes between neighbouring nodes"},
    {"link-latency", "a ping-pong of few bytes over most links"},
    {"latency-factor", "a ping-pong just below 'eager'"},
    {"bandwidth", "a ping-pong of long messages, several ranks to a node"},
    {"wire-efficiency", "a ping-pong of long messages"},
    {"bandwidth-factor", "a ping-pong of long messages with one and with several ranks to a node"},
    {"pair-bandwidth", "an exchange of long messages in pairs beside a ring of them"},
    {"send-overhead", "a linear scatter of few bytes"},
    {"receive-overhead", "a linear gather of few bytes"},
    {"send-copy", "a linear scatter of messages just below 'eager'"},
    {"receive-copy", "a linear gather of messages just below 'eager'"},
    {"rendezvous-overhead", "a linear gather of messages just above 'eager'"},
    {"reduction", "a reduction of long vectors beside a gather of as many bytes"},
    {"cached-reduction", "a reduction of vectors that fit into the cache"},
    {"copy", "Bruck's allgather of long vectors beside a ring's"},
    {"cached-copy", "Bruck's allgather of vectors that fit into the cache"},
    {"fresh-memory", "a reduce-scatter of long vectors beside an allreduce"},
    {"heap-memory", "a reduce-scatter of middle-sized vectors beside an allreduce"},
    {"registration", "a ring reduce-scatter of long vectors beside one by recursive halving"},
    {"datatype", "Bruck's all-to-all of few bytes beside its allgather"},
    {"count", "allgatherv of few bytes beside allgather"},
    {"datatype-block", "Bruck's all-to-all of few bytes on two numbers of ranks"},
    {"inside-latency", "a ping-pong of few bytes inside a node"},
    {"inside-send-overhead", "a linear scatter of few bytes inside a node"},
    {"inside-receive-overhead", "a linear gather of few bytes inside a node"},
    {"copy-bandwidth", "a ping-pong of long messages inside a node"},
    {"memory-bandwidth", "an exchange of long messages inside a node that is full of ranks"},
    {"gpu-wire-efficiency", "an allreduce of long vectors by a ring on the GPUs of a node"},
    {"gpu-hop-ll", "an allreduce of few bytes on the GPUs of a node"},
    {"gpu-hop-ll128", "an allreduce of middle-sized vectors by a ring of LL128 on the GPUs of a node"},
    {"gpu-hop-simple", "an allreduce of middle-sized vectors by a ring of Simple on the GPUs of a node"},
    {"multicast-efficiency", "an allreduce of long vectors by the switch"},
    {"multicast-latency", "an allreduce of middle-sized vectors by the switch"},
    {"multicast-staging", "an allreduce of middle-sized vectors by the switch, of several sizes"},
    {"hop-rendezvous", "an allreduce by GPUs of two nodes just above 'eager'"},
    {"hop-gap", "an allreduce of long vectors by GPUs of two nodes"}};

void add_inside_node(std::vector<PlatformParameter>& all) {
  const auto type_of = [](Of of) -> const NodeType& { return *of.type; };
  const KeysOf<NodeType> shared(
      shared_memory_fields(), [](Of of) { return type_path(of) + "shared-memory."; }, type_of);
  const KeysOf<NodeType> type(node_type_fields(), type_path, type_of);
  const auto inside = when(&ParameterUses::inside_node);
  const auto overhead = [&](const char* key, PiecewiseLinear ChannelProperties::*member) {
    return with_value(named(shared(key, 1e-9, 0.001, inside), fmt::format("inside-{}", key),
                            "of shared-memory, of the shortest message"),
                      [member](Of of) { return positive(first_of(of.type->shared_memory.*member)); });
  };
  for (PlatformParameter parameter : {named(shared("latency", 1e-9, 0.001, inside), "inside-latency",
                                            "of shared-memory: from one core of a node to another"),
                                      overhead("send-overhead", &ChannelProperties::send_overhead),
                                      overhead("receive-overhead", &ChannelProperties::receive_overhead),
                                      type("copy-bandwidth", 0.1 * GB, 100.0 * GB, inside),
                                      type("memory-bandwidth", 0.1 * GB, 10'000.0 * GB, inside)}) {
    parameter.of_node = true;
    all.push_back(std::move(parameter));
  }
}

}  // namespace

ParameterUses uses_of(const std::vector<Phase>& phases, const Layout& layout, const FittedMachine& machine) {
  ParameterUses uses;
  const auto& protocol = machine.network->protocol;
  const RankRates rank_rates(*machine.platform, layout);
  uses.speeds = speeds_used(phases, layout, *machine.platform);
  for (const Phase& phase : phases) {
    for (const Message& message : phase.messages) {
      if (gpu_use(message, phase, layout, protocol, uses)) continue;
      if (layout.same_node(message.from, message.to)) {
        uses.inside_node = true;
        continue;
      }
      const Bytes size = message.size / static_cast<double>(message.repeat);
      uses.between_nodes = uses.on_wires = true;
      (size < protocol.eager ? uses.eager : uses.rendezvous) = true;
      uses.factored = uses.factored || protocol.latency_factor(size) != 1.0;
      uses.paired = uses.paired || protocol.pair_limited(size);
    }
    for (const ComputeItem& item : phase.computes) {
      const LocalRates& rates = rank_rates.of(item.rank);
      const bool cached = Bytes(item.compute.shape[1]) <= rates.cache;
      if (item.compute.work == Work::reduction) (cached ? uses.cached_reduction : uses.reduction) = true;
      if (item.compute.work == Work::buffer_copy) (cached ? uses.cached_copy : uses.copy) = true;
      if (item.compute.work == Work::fresh_buffer) {
        const bool mapped = Bytes(item.compute.shape[0]) >= rates.fresh_from;
        if (item.compute.shape[2] != FreshBuffer::block)
          (mapped ? uses.fresh : uses.heap) = true;
        else
          uses.registered = uses.registered || mapped;
      }
      if (item.compute.work == Work::datatype) (item.compute.shape[2] > 0.0 ? uses.counts : uses.datatypes) = true;
    }
  }
  return uses;
}

const std::vector<PlatformParameter>& platform_parameters() {
  static const std::vector<PlatformParameter> all = [] {
    std::vector<PlatformParameter> made;
    add_network(made);
    add_overheads(made);
    add_local_work(made);
    add_inside_node(made);
    add_gpu_parameters(made);
    for (auto& parameter : made)
      if (const auto found = best_seen_in.find(parameter.name); found != best_seen_in.end())
        parameter.seen_in = found->second;
    return made;
  }();
  return all;
}

const PlatformParameter& platform_parameter(const std::string& name, std::string_view where) {
  if (is_speed(name)) return speed_parameter(name);
  const auto found = std::ranges::find(platform_parameters(), name, &PlatformParameter::name);
  if (found != platform_parameters().end()) return *found;
  std::vector<std::string> known;
  for (const auto& parameter : platform_parameters()) known.push_back(parameter.name);
  throw InputError("{}: unknown parameter '{}'{}", where, shown(name), known_names(name, known));
}

std::string parameter_text(const PlatformParameter& parameter, double value) {
  if (parameter.dimension == Dimension::time) return to_text(Seconds(value));
  if (parameter.dimension == Dimension::rate) return to_text(PerSecond(value));
  if (parameter.dimension == Dimension::bandwidth) return to_text(BytesPerSecond(value));
  if (parameter.dimension == Dimension::speed) return to_text(FlopsPerSecond(value));
  return fmt::format("{:.4g}", value);
}

std::string parameter_unit(const PlatformParameter& parameter) {
  return parameter.dimension == Dimension::time        ? "s"
         : parameter.dimension == Dimension::bandwidth ? "B/s"
         : parameter.dimension == Dimension::rate      ? "1/s"
         : parameter.dimension == Dimension::speed     ? "flop/s"
                                                       : "1";
}

}  // namespace orrery::study
