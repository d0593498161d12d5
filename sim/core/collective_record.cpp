#include "sim/core/collective_record.hpp"

namespace orrery {

double bus_factor(Operation operation, std::uint32_t ranks) {
  if (operation == Operation::barrier || ranks < 2) return 0.0;
  const double others = (ranks - 1.0) / ranks;
  switch (operation) {
    case Operation::allreduce:
      return 2.0 * others;
    case Operation::bcast:
    case Operation::reduce:
    case Operation::scan:
    case Operation::exscan:
      return 1.0;
    default:
      return others;
  }
}

BytesPerSecond CollectiveRecord::bandwidth() const {
  return time > Seconds{} ? static_cast<double>(calls) * bytes / time : BytesPerSecond{};
}
BytesPerSecond CollectiveRecord::bus_bandwidth() const { return bus_factor(operation, ranks) * bandwidth(); }

}  // namespace orrery
