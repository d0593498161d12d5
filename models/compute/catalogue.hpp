/// Compute models: the time of a compute step on the host of a rank. One catalogue entry per .cpp of this folder, and
/// the parts that they share (`row_groups`, `variability`).
///
///   const auto& entry = compute_models().at("constant", where);
///   auto model = make_compute_model(entry, {platform, layout, Parameters(compute_parameters(entry))});
///
/// Engines handle time-sharing of cores by more ranks than cores: a model gives the time of a rank alone on its cores.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/catalogue.hpp"
#include "sim/core/compute_model.hpp"
#include "sim/core/data_table.hpp"
#include "sim/core/parameters.hpp"

namespace orrery {

struct ComputeInput {
  const Platform& platform;
  const Layout& layout;
  Parameters parameters;
  const DataTable* table = nullptr;  ///< of the file or the rows given by the user
};

struct ComputeModelEntry {
  enum class Table : std::uint8_t { none, optional, required };

  std::string name;     ///< = file name
  std::string summary;  ///< one line
  std::string source;
  std::string page = {};  ///< formula and columns, shown by `orrery show compute-model NAME`
  std::vector<Key> parameters;
  Table table = Table::none;  ///< whether it reads a table
  std::function<std::unique_ptr<ComputeModel>(const ComputeInput&)> make;
};

Catalogue<ComputeModelEntry>& compute_models();

/// Parameters for users: the entry's own and those of the variability that wraps every model.
std::vector<Key> compute_parameters(const ComputeModelEntry& entry);

/// The model with its variability. Throws InputError that begins with `where` if a table is missing or not needed.
std::unique_ptr<ComputeModel> make_compute_model(const ComputeModelEntry& entry, const ComputeInput& input,
                                                 const std::string& where = "compute");

/// Speed of each rank on its cores or GPU at peak: cores * core speed, or the GPU's speed.  [ranks]
std::vector<FlopsPerSecond> peak_speeds(const Platform& platform, const Layout& layout);
/// The same by work: matrix products on GPUs have their own peak if it is given.
class PeakSpeeds {
 public:
  PeakSpeeds(const Platform& platform, const Layout& layout);
  FlopsPerSecond of(Rank rank, Work work) const { return (work == Work::dgemm ? products_ : others_)[index(rank)]; }

 private:
  std::vector<FlopsPerSecond> others_, products_;  ///< [ranks]
};

/// A step of 10^9 flops of a kind of work in its usual shape, for questions about speed without a program.
Compute typical_work(Work work);

/// Speed of each rank for one piece of work, as input of a partitioner: flops / compute time.  [ranks]  flop/s
std::vector<double> process_speeds(const ComputeModel& model, const Layout& layout, const Compute& work);

/// The same at peak, for partitioning before any compute model is chosen.  [ranks]  flop/s
std::vector<double> process_speeds(const Platform& platform, const Layout& layout, Work work);

}  // namespace orrery
