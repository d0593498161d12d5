/// Parameters of tau-Lop, and the transmission time T^c(m, tau) that they give.
///
///   shared memory       T^0(m, tau) = o^0(m) + 2 L^0(m, tau)                                  (1)
///   network             T^1(m, tau) = o^1(m) + L^0_from(m, tau) + L^0_to(m, tau) + L^1(m, tau)  (2)
///   network with RDMA   T^1(m, tau) = o^1(m) + L^1(m, tau)                                    (3)
///
///   m    Bytes      B   message                        tau  1   concurrent transfers, 1..K; beyond K taken as K
///   o    Seconds    s   overhead: from the call until    L    s   time of one of tau concurrent transfers
///                       data enter the channel
///
/// T is tabulated at the measured sizes and interpolated linearly in m, including o. Below the first size it is
/// T(first); above the last, T(last) + T(m - last), and so on (the overhead is paid again).
///
/// T = o + X, with X^c(m, tau) the transfers alone (2 L^0; L^0 + L^0 + L^1; L^1). X is proportional to m below the
/// first size, because T(0 B) is o by definition, and X(last) + X(m - last) above the last. Where a row of X decreases
/// it is levelled, so that a longer message never takes less time than a shorter one.
///
/// Source   Rico-Gallego, Lastovetsky & Diaz-Martin 2016, equations (1)-(3)
/// Differs  (2) takes L^0 at tau, not 1, as the authors' own library does
/// Checked  tests/unit/models/taulop/parameters_test.cpp, golden_test.cpp
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/units.hpp"

namespace orrery::taulop {

/// Measurements of one channel.
struct ChannelTable {
  std::string name;                            ///< for messages: "shared-memory xeon12", a file
  std::vector<Bytes> sizes;                    ///< [sizes] ascending
  std::vector<Seconds> overhead;               ///< o(m)  [sizes]
  std::vector<std::vector<Seconds>> transfer;  ///< L(m, tau)  [K x sizes], tau from 1
};

/// When transmissions pay o.
///   once             in its own time, before its message enters the channel: the remainder of a message is no new call
///   per_slice        with every piece into which A2 cuts a message, as in the authors' library since 2023
///   none_on_network  as per_slice in memory and not at all on the network, as in their library of 2018
enum class Overhead : std::uint8_t { once, per_slice, none_on_network };

/// T^c(m, tau), its two parts and their inverses.
class TransmissionTable {
 public:
  /// times  [K x sizes]  s; overhead  [sizes]  s, none if empty. Throws InputError that begins with `name` if a shape
  /// is wrong, if the sizes do not ascend or if the last T is not positive (a long message would then cost nothing).
  TransmissionTable(const std::string& name, std::vector<Bytes> sizes, std::vector<std::vector<Seconds>> times,
                    std::vector<Seconds> overhead = {});

  Seconds time(Bytes message, std::uint32_t concurrency) const;  ///< T
  /// Whole bytes, rounded up, that one of `concurrency` transmissions carries in `t`, including overhead: 1 below the
  /// least T, or 0 if that is more than 100 t.
  Bytes bytes(Seconds t, std::uint32_t concurrency) const;

  Seconds overhead(Bytes message) const;                                  ///< o
  Seconds transfer_time(Bytes message, std::uint32_t concurrency) const;  ///< X
  /// Bytes that one of `concurrency` transmissions carries in `t` after its overhead, not rounded; unlimited if X is 0.
  Bytes transferred(Seconds t, std::uint32_t concurrency) const;

  Bytes greatest_message() const { return sizes_.back(); }
  std::uint32_t concurrency_max() const { return static_cast<std::uint32_t>(times_.size()); }
  /// The same transfers with o = 0.
  TransmissionTable without_overhead() const;

 private:
  std::size_t row(std::uint32_t concurrency) const;
  void separate_transfers();
  std::string name_;
  std::vector<Bytes> sizes_;
  std::vector<std::vector<Seconds>> times_;      ///< T  [K x sizes]
  std::vector<Seconds> overhead_;                ///< o  [sizes]
  std::vector<std::vector<Seconds>> transfers_;  ///< X  [K x sizes], never falling
};

TransmissionTable shared_memory_transmission(const ChannelTable& shared_memory);
TransmissionTable rdma_transmission(const ChannelTable& network);
/// L^0 is read at the network's sizes, linearly, so the two grids may differ.
TransmissionTable buffered_transmission(const ChannelTable& network, const ChannelTable& shared_memory_from,
                                        const ChannelTable& shared_memory_to);

/// Violations, in a measured table, of the paper's requirement L(m,1) <= L(m,tau) <= tau L(m,1) and L > 0: one sentence
/// per kind with the count and the first place. Measured tables have some; they are used unchanged.
std::vector<std::string> bound_violations(const ChannelTable& table);

}  // namespace orrery::taulop
