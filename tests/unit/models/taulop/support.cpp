#include "tests/unit/models/taulop/support.hpp"

#include <sstream>

#include "sim/config/dist2.hpp"
#include "sim/config/files.hpp"

namespace orrery::test {

namespace {

const std::string folder = std::string(ORRERY_SOURCE_DIR) + "/tests/unit/models/taulop/golden/";

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

}  // namespace

taulop::ChannelTable synthetic_channel(const std::string& channel, bool with_overhead) {
  taulop::ChannelTable table{.name = channel, .sizes = {}, .overhead = {}, .transfer = {}};
  for (const double size :
       {1.,      64.,     128.,    256.,    512.,    1024.,    1536.,    2048.,    3072.,    4096.,
        5120.,   6144.,   7168.,   8192.,   16384.,  32768.,   49152.,   65536.,   98304.,   131072.,
        196608., 262144., 393216., 524288., 786432., 1048576., 1572864., 2097152., 3145728., 4194304.})
    table.sizes.push_back(Bytes(size));
  const Seconds overhead = channel == "SHM" ? 0.5_us : channel == "IB" ? 2_us : 30_us;
  table.overhead.assign(table.sizes.size(), with_overhead ? overhead : 0_us);
  for (int tau = 1; tau <= 8; ++tau) {
    const SecondsPerByte rate(channel == "SHM"  ? 1e-10 * (1.0 + 0.5 * (tau - 1))
                              : channel == "IB" ? 4e-10 * (1.0 + 0.75 * (tau - 1))
                                                : 8e-9 * tau);
    auto& row = table.transfer.emplace_back();
    for (const auto size : table.sizes) row.push_back(size * rate);
  }
  return table;
}

std::vector<SyntheticPlatform> synthetic_platforms() {
  std::vector<SyntheticPlatform> platforms;
  for (const bool with_overhead : {false, true}) {
    const auto shared = synthetic_channel("SHM", with_overhead);
    const auto transmission = taulop::shared_memory_transmission(shared);
    const std::string synth = with_overhead ? "synth1" : "synth0";
    platforms.push_back(
        {synth + "_IB", {transmission, taulop::rdma_transmission(synthetic_channel("IB", with_overhead))}});
    platforms.push_back(
        {synth + "_TCP",
         {transmission, taulop::buffered_transmission(synthetic_channel("TCP", with_overhead), shared, shared)}});
  }
  return platforms;
}

std::vector<GoldenRow> rows_of(const std::string& text) {
  std::vector<GoldenRow> rows;
  std::vector<std::string> names;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line.starts_with("# ")) continue;
    const auto fields = split(line);
    if (names.empty()) {
      names = fields;
      continue;
    }
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size() && i < fields.size(); ++i) row[names[i]] = fields[i];
  }
  return rows;
}

std::vector<GoldenRow> golden(const std::string& name) { return rows_of(config::read_file(folder + name + ".tsv")); }

Seconds byte_of_each_slice(const taulop::Timeline& timeline, const std::vector<taulop::TransmissionTable>& tables) {
  Seconds sum;
  for (const auto& slice : timeline.slices) {
    const auto& table = tables[slice.channel];
    sum += table.time(slice.message + 1_B, slice.concurrency) - table.time(slice.message, slice.concurrency);
  }
  return sum;
}

Partition fig8() { return config::read_dist2(folder + "fig8.2dist").partition; }

}  // namespace orrery::test
