#include "sim/app/calibrate/platform_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/app/calibrate/figure_parts.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery::app {

namespace {

using namespace figure_parts;

constexpr double GB = 1e9;

std::optional<double> positive(double value) { return value > 0.0 ? std::optional(value) : std::nullopt; }

PlatformFigure time(const char* name, const char* about, double least, double most, const char* example) {
  return {.name = name,
          .about = about,
          .dimension = Dimension::time,
          .least = least,
          .most = most,
          .example = example,
          .matters = {},
          .stated = {}};
}
PlatformFigure rate(const char* name, const char* about, double most, const char* example) {
  return {.name = name,
          .about = about,
          .dimension = Dimension::bandwidth,
          .least = 0.1 * GB,
          .most = most * GB,
          .example = example,
          .matters = {},
          .stated = {}};
}

using Uses = const FigureUses&;
using Of = const FittedMachine&;

void add_network(std::vector<PlatformFigure>& all) {
  const auto between_nodes = [](Uses uses, Of) { return uses.between_nodes; };
  auto skew = time("start-skew", "by how much ranks leave a common start or an ideal barrier late", 1e-9, 0.1, "2us");
  skew.matters = [](Uses, Of) { return true; };
  skew.stated = [](Of of) { return positive(of.platform->start_skew.si()); };
  auto latency = time("latency", "from end to end between two nodes of one switch", 1e-8, 0.1, "1.2us");
  latency.matters = between_nodes;
  latency.stated = [](Of of) { return positive(of.network->latency.si()); };
  auto link_latency = time("link-latency", "that a link between switches adds", 1e-9, 0.01, "0.2us");
  link_latency.matters = between_nodes;
  link_latency.stated = [](Of of) { return positive(of.network->link_latency.si()); };
  PlatformFigure factor{.name = "latency-factor",
                        .about = "greatest of the steps that the platform states",
                        .dimension = Dimension::scalar,
                        .least = 1.001,
                        .most = 100.0,
                        .origin = 1.0,
                        .example = "1.4",
                        .matters = {},
                        .stated = {}};
  factor.matters = [](Uses uses, Of) { return uses.factored; };
  factor.stated = [](Of of) -> std::optional<double> {
    const double greatest = greatest_factor(of.network->protocol.latency_factor);
    return greatest > 1.0 ? std::optional(greatest) : std::nullopt;
  };
  auto bandwidth = rate("bandwidth", "of an adapter (name it or wire-efficiency: long messages tell their product)",
                        1000.0, "12.5GB/s");
  bandwidth.unasked = false;
  bandwidth.matters = between_nodes;
  bandwidth.stated = [](Of of) { return positive(of.network->bandwidth.si()); };
  PlatformFigure efficiency{.name = "wire-efficiency",
                            .about = "payload of what the wire carries",
                            .dimension = Dimension::scalar,
                            .least = 0.05,
                            .most = 1.0,
                            .example = "0.93",
                            .matters = between_nodes,
                            .stated = {}};
  efficiency.stated = [](Of of) { return std::optional(of.network->protocol.wire_efficiency(Bytes{})); };
  PlatformFigure factor_of_one{.name = "bandwidth-factor",
                               .about = "part of the bandwidth that one message gets at most",
                               .dimension = Dimension::scalar,
                               .least = 0.05,
                               .most = 1.0,
                               .example = "0.5",
                               .matters = between_nodes,
                               .stated = {}};
  factor_of_one.stated = [](Of of) -> std::optional<double> {
    const auto& stated = of.network->protocol.bandwidth_factor;
    return stated.steps().empty() ? std::nullopt : std::optional(stated(Bytes{}));
  };
  auto pair = rate("pair-bandwidth", "what messages between two ranks share, both ways together", 1000.0, "25GB/s");
  pair.matters = [](Uses uses, Of) { return uses.paired; };
  pair.stated = [](Of of) { return positive(of.network->protocol.pair_bandwidth.si()); };
  for (auto* figure : {&skew, &latency, &link_latency, &factor, &bandwidth, &efficiency, &factor_of_one, &pair})
    all.push_back(std::move(*figure));
}

void add_overheads(std::vector<PlatformFigure>& all) {
  auto send = time("send-overhead", "of the shortest message, and of rendezvous", 1e-8, 0.01, "0.2us");
  send.matters = [](Uses uses, Of) { return uses.between_nodes; };
  send.stated = [](Of of) { return positive(first_of(of.network->protocol.send_overhead)); };
  auto receive = time("receive-overhead", "of the shortest message", 1e-8, 0.01, "0.2us");
  receive.matters = [](Uses uses, Of) { return uses.eager; };
  receive.stated = [](Of of) { return positive(first_of(of.network->protocol.receive_overhead)); };
  auto send_copy = rate("send-copy", "rate of the copy of eager messages in send-overhead", 100.0, "10GB/s");
  send_copy.matters = [](Uses uses, Of) { return uses.eager; };
  send_copy.stated = [](Of of) { return copy_rate(of.network->protocol.send_overhead, of.network->protocol.eager); };
  auto receive_copy = rate("receive-copy", "rate of the copy of eager messages in receive-overhead", 100.0, "10GB/s");
  receive_copy.matters = send_copy.matters;
  receive_copy.stated = [](Of of) {
    return copy_rate(of.network->protocol.receive_overhead, of.network->protocol.eager);
  };
  auto rendezvous = time("rendezvous-overhead", "of receiving, from 'eager' on", 1e-8, 0.01, "0.5us");
  rendezvous.matters = [](Uses uses, Of) { return uses.rendezvous; };
  rendezvous.stated = [](Of of) {
    return positive(at_rendezvous(of.network->protocol.receive_overhead, of.network->protocol.eager));
  };
  for (auto* figure : {&send, &receive, &send_copy, &receive_copy, &rendezvous}) all.push_back(std::move(*figure));
}

/// Of one core, which moves no more than 100 GB/s to and from memory, three bytes for each that is reduced.
void add_local_work(std::vector<PlatformFigure>& all) {
  const auto add = [&](const char* name, const char* about, double most, const char* example, bool FigureUses::*use,
                       const char* falls_back_from, bool FigureUses::*also, BytesPerSecond LocalRates::*rates) {
    PlatformFigure figure = rate(name, about, most, example);
    figure.of_node = true;
    figure.matters = [=](Uses uses, Of of) {
      const bool stands_for_both = *falls_back_from != '\0' && !states(*of.platform, work_path(of) + falls_back_from);
      return uses.*use || (stands_for_both && uses.*also);
    };
    figure.stated = [=](Of of) -> std::optional<double> {
      if (!states(*of.platform, work_path(of) + name)) return std::nullopt;
      return positive((of.type->local_work.*rates).si());
    };
    all.push_back(std::move(figure));
  };
  using U = FigureUses;
  using R = LocalRates;
  add("reduction", "bytes of the result that a core reduces from memory", 33.0, "7GB/s", &U::reduction,
      "cached-reduction", &U::cached_reduction, &R::reduction);
  add("cached-reduction", "the same of vectors in caches", 100.0, "15GB/s", &U::cached_reduction, "", &U::reduction,
      &R::cached_reduction);
  add("copy", "bytes that a collective copies between its buffers", 50.0, "10GB/s", &U::copy, "cached-copy",
      &U::cached_copy, &R::copy);
  add("cached-copy", "the same of vectors in caches", 150.0, "20GB/s", &U::cached_copy, "", &U::copy, &R::cached_copy);
  add("fresh-memory", "first use of memory new from the operating system", 100.0, "8GB/s", &U::fresh, "", &U::fresh,
      &R::fresh_memory);
  add("heap-memory", "the same of sets of buffers that malloc gives back each time", 100.0, "3GB/s", &U::heap, "",
      &U::heap, &R::heap_memory);
  auto datatype = time("datatype", "making one of MPI for what a message takes", 1e-8, 1e-3, "3us");
  datatype.of_node = true;
  datatype.matters = [](Uses uses, Of) { return uses.datatypes; };
  datatype.stated = [](Of of) { return positive(of.type->local_work.datatype.si()); };
  all.push_back(std::move(datatype));
}

void add_inside_node(std::vector<PlatformFigure>& all) {
  const auto add = [&](PlatformFigure figure, std::function<double(const NodeType&)> value) {
    figure.of_node = true;
    figure.matters = [](Uses uses, Of) { return uses.inside_node; };
    figure.stated = [value = std::move(value)](Of of) { return positive(value(*of.type)); };
    all.push_back(std::move(figure));
  };
  add(time("inside-latency", "of shared-memory: from one core of a node to another", 1e-9, 0.001, "0.3us"),
      [](const NodeType& type) { return type.shared_memory_latency.si(); });
  add(time("inside-send-overhead", "of shared-memory, of the shortest message", 1e-9, 0.001, "0.2us"),
      [](const NodeType& type) { return first_of(type.shared_memory.send_overhead); });
  add(time("inside-receive-overhead", "of shared-memory, of the shortest message", 1e-9, 0.001, "0.2us"),
      [](const NodeType& type) { return first_of(type.shared_memory.receive_overhead); });
  add(rate("copy-bandwidth", "one core copying messages inside its node", 100.0, "8GB/s"),
      [](const NodeType& type) { return type.copy_bandwidth.si(); });
}

}  // namespace

FigureUses& FigureUses::operator|=(const FigureUses& other) {
  for (const auto use :
       {&FigureUses::between_nodes, &FigureUses::eager, &FigureUses::rendezvous, &FigureUses::factored,
        &FigureUses::paired, &FigureUses::inside_node, &FigureUses::reduction, &FigureUses::cached_reduction,
        &FigureUses::copy, &FigureUses::cached_copy, &FigureUses::fresh, &FigureUses::heap, &FigureUses::datatypes})
    this->*use = this->*use || other.*use;
  return *this;
}

FigureUses uses_of(const std::vector<Phase>& phases, const Layout& layout, const FittedMachine& machine) {
  FigureUses uses;
  const auto& protocol = machine.network->protocol;
  for (const Phase& phase : phases) {
    for (const Message& message : phase.messages) {
      if (layout.same_node(message.from, message.to)) {
        uses.inside_node = true;
        continue;
      }
      const Bytes size = message.size / static_cast<double>(message.repeat);
      uses.between_nodes = true;
      (size < protocol.eager ? uses.eager : uses.rendezvous) = true;
      uses.factored = uses.factored || protocol.latency_factor(size) != 1.0;
      uses.paired = uses.paired || protocol.pair_limited(size);
    }
    for (const ComputeItem& item : phase.computes) {
      const LocalRates& rates = machine.platform->local_rates(layout.of(item.rank));
      const bool cached = Bytes(item.compute.shape[1]) <= rates.cache;
      if (item.compute.work == Work::reduction) (cached ? uses.cached_reduction : uses.reduction) = true;
      if (item.compute.work == Work::buffer_copy) (cached ? uses.cached_copy : uses.copy) = true;
      if (item.compute.work == Work::fresh_buffer)
        (Bytes(item.compute.shape[0]) >= rates.fresh_from ? uses.fresh : uses.heap) = true;
      uses.datatypes = uses.datatypes || item.compute.work == Work::datatype;
    }
  }
  return uses;
}

const std::vector<PlatformFigure>& platform_figures() {
  static const std::vector<PlatformFigure> all = [] {
    std::vector<PlatformFigure> made;
    add_network(made);
    add_overheads(made);
    add_local_work(made);
    add_inside_node(made);
    return made;
  }();
  return all;
}

const PlatformFigure& platform_figure(const std::string& name, const std::string& where) {
  const auto found = std::ranges::find(platform_figures(), name, &PlatformFigure::name);
  if (found != platform_figures().end()) return *found;
  std::vector<std::string> known;
  for (const auto& figure : platform_figures()) known.push_back(figure.name);
  throw InputError(fmt::format("{}: unknown figure '{}'{}", where, shown(name), known_names(name, known)));
}

std::string figure_text(const PlatformFigure& figure, double value) {
  if (figure.dimension == Dimension::time) return to_text(Seconds(value));
  if (figure.dimension == Dimension::bandwidth) return to_text(BytesPerSecond(value));
  return fmt::format("{:.4g}", value);
}

}  // namespace orrery::app
