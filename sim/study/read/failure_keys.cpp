#include "sim/study/read/keys_detail.hpp"

namespace orrery::scenario_detail {

const config::Fields<FailureSpec>& failure_fields() {
  constexpr double longest_s = 1e12;
  static const config::Fields<FailureSpec> fields{
      {.name = "failures",
       .about = "Total time of many steps with node failures and checkpoints, as metrics of the point. Each step is a "
                "run of the point."},
      {{&FailureSpec::mtbf,
        {.name = "mtbf",
         .least = 1.0,
         .most = longest_s,
         .example = "50000h",
         .about = "mean time between failures of one node"}},
       {&FailureSpec::shape,
        {.name = "shape",
         .least = 0.2,
         .most = 10.0,
         .fallback = "1",
         .example = "0.7",
         .about = "shape of the Weibull distribution of a node's lifetime; 1: exponential; below 1: new nodes fail "
                  "more often"}},
       {&FailureSpec::steps,
        {.name = "steps",
         .least = 1,
         .most = 1e12,
         .example = "1000000",
         .about = "number of steps, each one run long"}},
       {&FailureSpec::checkpoint,
        {.name = "checkpoint",
         .least = 1.0,
         .example = "2TB",
         .about = "size of one checkpoint of all nodes together"}},
       {&FailureSpec::storage,
        {.name = "storage", .example = "100GB/s", .about = "file system bandwidth for all nodes together"}},
       {&FailureSpec::restart,
        {.name = "restart",
         .most = 1e7,
         .fallback = "0s",
         .example = "10min",
         .about = "time from a failure until the checkpoint can be read"}},
       {&FailureSpec::interval,
        {.name = "interval",
         .least = 1e-3,
         .most = longest_s,
         .absent = "the best of the randomized runs",
         .example = "1h",
         .about = "work between two checkpoints, as time"}},
       {&FailureSpec::draws,
        {.name = "draws",
         .least = 20,
         .most = 1e6,
         .fallback = "1000",
         .example = "10000",
         .about = "number of randomized runs"}},
       {&FailureSpec::seed,
        {.name = "seed", .fallback = "1", .example = "2", .about = "seed of the randomized runs"}}}};
  return fields;
}

}  // namespace orrery::scenario_detail
