#include "platforms/fields.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

using namespace orrery;

namespace {

template <int S, int B, int F>
void change(Quantity<S, B, F>& member) {
  member = Quantity<S, B, F>(member.si() < 1e300 ? member.si() + 1.0 : 1.0);
}
void change(PiecewiseLinear& member) { member = PiecewiseLinear(1.0); }
void change(PiecewiseFactor& member) { member = PiecewiseFactor({{0.0, 0.5}}); }
void change(PiecewiseRate& member) { member = PiecewiseRate(PerSecond(1.0)); }
void change(bool& member) { member = !member; }
void change(std::string& member) { member += "x"; }
void change(CopyMode& member) { member = CopyMode::pipelined; }
void change(MessageProgress& member) { member = MessageProgress::in_calls; }
void change(Discipline& member) { member = Discipline::fifo; }
void change(Congestion& member) { member = Congestion::head_of_line; }
void change(Sharing& member) { member = Sharing::half_duplex; }
void change(Routing::Kind& member) { member = Routing::Kind::valiant; }
void change(std::array<std::uint8_t, 2>& member) { member[1] = 2; }
void change(std::optional<PowerDraw>& member) { member = PowerDraw{Watts(1.0), Watts(3.0), Watts(2.0)}; }
void change(std::optional<NetworkPower>& member) { member = NetworkPower{Watts(1.0), Watts(2.0), Watts(3.0)}; }
void change(std::optional<Aggregation>& member) { member = Aggregation{1_us, 1_GBps}; }
void change(HopLatency& member) { member[2] = Seconds(1.0); }
template <class T>
requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) void change(T& member) {
  member = static_cast<T>(member + 1);
}

/// Identities of a struct as it is made and with each of the members changed; as many as differ. `members` takes the
/// struct apart by name, so that a member that is added does not compile until it is there.
template <class S>
std::set<std::string> identities(const config::Fields<S>& fields, const S& plain, std::size_t count, auto members) {
  std::set<std::string> all{identity_of(fields, plain)};
  for (std::size_t i = 0; i < count; ++i) {
    S changed = plain;
    members(changed, [&, at = std::size_t{0}](auto& member) mutable {
      if (at++ == i) change(member);
    });
    all.insert(identity_of(fields, changed));
  }
  return all;
}

}  // namespace

TEST_SUITE("platforms/fields") {
  TEST_CASE("A channel with any one property changed is another channel by its table") {
    const auto members = [](ChannelProperties& channel, auto each) {
      auto& [send, isend, receive, probe, eager, detach, handshake, request, progress, copies, mode, unexpected,
             latency_factor, bandwidth_factor, efficiency, hop, rendezvous, gap, reported, limit, direct, variation,
             block, pair, pair_from, discipline, frame, frame_header, message_header, acknowledgement] = channel;
      each(block);
      each(send), each(isend), each(receive), each(probe), each(eager), each(detach), each(handshake), each(request);
      each(progress), each(copies), each(mode), each(unexpected), each(latency_factor), each(bandwidth_factor),
          each(efficiency);
      each(hop), each(rendezvous), each(gap), each(reported), each(limit), each(direct), each(variation), each(pair);
      each(pair_from), each(discipline), each(frame), each(frame_header), each(message_header), each(acknowledgement);
    };
    CHECK(identities(protocol_fields(), ChannelProperties{}, 30, members).size() == 31);
  }
  TEST_CASE("A host with another rate of a collective's own work is another host by its table") {
    const auto members = [](LocalRates& rates, auto each) {
      auto& [reduction, copy, cache, shared_cache, cached_reduction, cached_copy, fresh, fresh_from, heap, registration,
             datatype, datatype_block, count] = rates;
      each(shared_cache), each(registration), each(datatype_block), each(count);
      each(reduction), each(copy), each(cache), each(cached_reduction), each(cached_copy), each(fresh);
      each(fresh_from), each(heap), each(datatype);
    };
    CHECK(identities(local_work_fields(), LocalRates{}, 13, members).size() == 14);
  }
  TEST_CASE("A GPU with any one property changed is another GPU by its table") {
    const auto members = [](Gpu& gpu, auto each) {
      auto& [model, speed, matrix_speed, memory, memory_bandwidth, link_bandwidth, link_latency, local_work, power,
             double_matrix] = gpu;
      each(model), each(speed), each(matrix_speed), each(memory), each(memory_bandwidth), each(link_bandwidth),
          each(link_latency);
      each(local_work.copy), each(power), each(double_matrix);
    };
    CHECK(identities(gpu_fields(), Gpu{}, 10, members).size() == 11);
  }
  TEST_CASE("What a network states is in its table and the rest is where adapters and switches are") {
    const auto members = [](Network& network, auto each) {
      auto& [name, technology, bandwidth, latency, link_bandwidth, link_latency, protocol, topology, sharing, both_ways,
             nics, adapters, routing, congestion, aggregation, power, faults] = network;
      static_cast<void>(name), static_cast<void>(topology), static_cast<void>(nics), static_cast<void>(faults);
      auto& [at, affinity, rail_leaves, message_rate, send_queues, stripe_over, stripe_from] = adapters;
      static_cast<void>(at), static_cast<void>(affinity), static_cast<void>(rail_leaves);
      auto& [kind, paths, seed] = routing;
      each(technology), each(bandwidth), each(latency), each(link_bandwidth), each(link_latency);
      each(protocol.eager), each(message_rate), each(send_queues), each(stripe_over), each(stripe_from), each(kind),
          each(paths);
      each(seed), each(congestion), each(aggregation), each(power), each(sharing), each(both_ways);
    };
    CHECK(identities(network_fields(), Network{}, 18, members).size() == 19);
  }
  TEST_CASE("One message rate is told by its number as if there were no steps") {
    const auto identity = [](PiecewiseRate rate) {
      Network network;
      network.adapters.message_rate = std::move(rate);
      return identity_of(network_fields(), network);
    };
    CHECK(identity({}).find("message-rate=0\n") != std::string::npos);
    CHECK(identity(PiecewiseRate(PerSecond(5e6))).find("message-rate=5000000\n") != std::string::npos);
    CHECK(identity(PiecewiseRate({{0.0, PerSecond(5e6)}, {64.0, PerSecond(1e6)}})).find("message-rate=[[") !=
          std::string::npos);
  }
  TEST_CASE("Every line of a platform's tables says what it means and what stands where it is missing") {
    const auto tell = [](const auto& fields) {
      for (const auto& field : fields.fields()) {
        CAPTURE(field.key.name);
        CHECK_FALSE(field.key.about.empty());
        CHECK((field.key.fallback.empty() || field.key.absent.empty()));
        CHECK(field.key.least <= field.key.most);
      }
    };
    tell(platform_fields()), tell(node_type_fields()), tell(gpu_fields()), tell(cable_fields());
    tell(network_fields()), tell(protocol_fields()), tell(gpu_messages_fields()), tell(local_work_fields());
    tell(power_fields()), tell(network_power_fields());
  }
}
