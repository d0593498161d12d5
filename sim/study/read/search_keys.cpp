#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/study/read/keys_detail.hpp"

namespace orrery {

using config::Fields;
using config::KeyKind;
using config::Value;

namespace scenario_detail {

namespace {

const Fields<SearchSpec>& bound_fields(bool at_most) {
  const auto made = [](const char* name, const char* about, const char* example, bool most) {
    const auto add = [most](SearchSpec& spec, const std::string& quantity, const Value& value) {
      spec.bounds.push_back({quantity, value.written(), value.where(), most});
    };
    return Fields<SearchSpec>{{.name = name, .about = about}, {{add, setting("<quantity>", example)}}};
  };
  static const Fields<SearchSpec> most = made("search.at-most", "Upper bounds for a point.",
                                              "a metric of a run, time, simulated, memory, nodes or ranks", true);
  static const Fields<SearchSpec> least =
      made("search.at-least", "Lower bounds for a point.", "a metric of a run, as in Gflop/s: 900 Gflop/s", false);
  return at_most ? most : least;
}

}  // namespace

const Fields<SearchSpec>& search_fields() {
  static const Fields<SearchSpec> fields{
      {.name = "search",
       .about = "The goal of 'orrery search', which finds the best point of the sweep without simulating all."},
      {{[](SearchSpec& spec, const Value& value) { spec.objective = value.text(), spec.where = value.where(); },
        {.name = "least",
         .absent = "time",
         .example = "energy",
         .about = "quantity to minimize: a metric of a run, time, or simulated (the compared phase)"}},
       {[](SearchSpec& spec, const Value& value) {
          spec.objective = value.text(), spec.where = value.where(), spec.most = true;
        },
        {.name = "most", .absent = "'least' applies", .example = "Gflop/s", .about = "quantity to maximize"}},
       {bound_fields(true),
        {.name = "at-most",
         .absent = "no bound",
         .example = "{greatest power: 20kW, memory: 80%}",
         .about = "upper bounds; memory is the used fraction of the fullest node or GPU"}},
       {bound_fields(false),
        {.name = "at-least", .absent = "no bound", .example = "{Gflop/s: 900 Gflop/s}", .about = "lower bounds"}},
       {[](SearchSpec& spec, const Value& value) { spec.model = value.text(), spec.model_where = value.where(); },
        {.name = "model",
         .absent = "every point is simulated that may be the best",
         .example = "bsp-matrix",
         .about = "model of phases, with settings, whose best proposals alone are simulated"}},
       {&SearchSpec::confirm,
        {.name = "confirm",
         .least = 1,
         .most = 1e5,
         .fallback = "8",
         .example = "8",
         .about = "number of the model's proposals to simulate"}}}};
  return fields;
}

}  // namespace scenario_detail

SearchSpec read_search(const config::Section& section) {
  SearchSpec spec;
  config::read_fields(section, scenario_detail::search_fields(), spec);
  if (section.has("least") && section.has("most"))
    section.refuse("most", "'least' and 'most' are both given (one quantity is sought). Bound the other by 'at-most'?");
  if (section.has("confirm") && spec.model.empty())
    section.refuse("confirm", "'confirm' without 'model' (whose proposals are played). Add 'model: bsp-matrix'?");
  section.finish();
  return spec;
}

}  // namespace orrery
