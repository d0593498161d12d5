#include "sim/study/lab/lab_keys.hpp"

namespace orrery::lab {

namespace {

const Fields<Curve>& curve_fields() {
  const auto name = [](Curve& curve, const std::string& line, const Value& value) {
    curve.names[line] = value.written();
  };
  static const Fields<Curve> names{
      {.name = "curve.names", .about = "Labels of the lines, and of the state 'broken'."},
      {{name, {.name = "<line>", .kind = KeyKind::any, .example = "ring", .about = "label, as in lr: ring"}}}};
  static const Fields<Curve> fields{
      {.name = "curve", .about = "The chart: a quantity of each run against a setting of the sweep."},
      {{&Curve::x, {.name = "x", .example = "kernel.message", .about = "a numeric axis of the scenario's sweep"}},
       {&Curve::y,
        {.name = "y",
         .fallback = "time",
         .example = "simulated",
         .about = "time: the whole run; simulated: the compared phase; or a metric of the run"}},
       {&Curve::line,
        {.name = "line",
         .absent = "one line",
         .example = "kernel.algorithm",
         .about = "another axis of the sweep, with one line per value"}},
       {&Curve::x_text,
        {.name = "x-text", .absent = "the name of x", .example = "\"message\"", .about = "label of the x axis"}},
       {&Curve::y_text,
        {.name = "y-text", .absent = "the name of y", .example = "\"time\"", .about = "label of the y axis"}},
       {names,
        {.name = "names", .absent = "their values", .about = "labels of the lines, and of the state 'broken'"}}}};
  return fields;
}

const Fields<Formula>& formula_fields() {
  static const Fields<Formula> fields{
      {.name = "formula", .about = "The student's formula, drawn as a line in the chart."},
      {{&Formula::write,
        {.name = "write",
         .example = "\"L + m / B\"",
         .about = "start of the formula; allowed: + - * / ^, log2, sqrt, min, max, ceil; L and B: latency and "
                  "bandwidth of the network, P: ranks, N: nodes"}},
       {&Formula::of, {.name = "of", .example = "m", .about = "name of the 'curve.x' setting in the formula"}}}};
  return fields;
}

const Fields<Measured>& measured_fields() {
  static const Fields<Measured> fields{
      {.name = "measured", .about = "Measurements of real machines, shown with the simulation."},
      {{[](Measured& measured, const Value& value) {
          measured.file = value.text();
          measured.where = value.where();
        },
        {.name = "file",
         .example = "measured/ping-pong.csv",
         .about =
             "CSV file with columns platform, line, x, y; rows of platform 'any' are for machines without other rows"}},
       {&Measured::source,
        {.name = "source",
         .example = "\"NetGauge on Tukey\"",
         .about = "author, machine and licence of the measurements"}}}};
  return fields;
}

const Fields<Knob>& knob_fields() {
  static const Fields<Knob> fields{
      {.name = "knob", .about = "A setting that the student can change while stepping through 'moment'."},
      {{&Knob::path, {.name = "path", .example = "kernel.message", .about = "path of the setting"}},
       {&Knob::values, {.name = "values", .example = "[8B, 64KiB]", .about = "values to choose from"}},
       {&Knob::text, {.name = "text", .example = "\"message\"", .about = "label of the setting"}}}};
  return fields;
}

template <class Part>
Field<Lab> part_line(std::optional<Part> Lab::*member, const Fields<Part>& fields, Key key) {
  return {[member, &fields](Lab& lab, const Value& value) {
            Part part;
            config::read_fields(value.section(), fields, part);
            value.section().finish();
            lab.*member = std::move(part);
          },
          section_key(std::move(key), fields.mapping())};
}

const Mapping& draw_mapping() {
  static const Mapping mapping{
      .name = "draw",
      .about = "Randomized values: each student gets one item of each list, chosen by the student's name.",
      .keys = {{.name = "<draw>",
                .kind = KeyKind::any,
                .shape = Shape::list,
                .example = "[8B, 64KiB]",
                .about = "list of values or sections; with machine: [{platform: fermi}, {platform: lab}] write "
                         "$(machine.platform) elsewhere"}}};
  return mapping;
}

using Lines = std::vector<Field<Lab>>;

Lines heading_lines() {
  return {
      {&Lab::title, {.name = "title", .example = "\"When is a message long?\"", .about = "title of the lab"}},
      {&Lab::source, {.name = "source", .example = "\"my own question\"", .about = "author or origin of the question"}},
      section_key(
          {.name = "draw", .absent = "all students get the same", .about = "values that are randomized per student"},
          draw_mapping()),
      Key{.name = "other",
          .shape = Shape::list,
          .absent = "none: the transfer question has the same values",
          .example = "[machine]",
          .about = "names in 'draw' randomized again for the transfer question"},
      {[](Lab& lab, const Value& value) { lab.scenario = value.text(), lab.scenario_where = value.where(); },
       {.name = "scenario",
        .example = "\"{source: s, platform: fermi, network: infiniband, engine: flow, layout: {ranks: 2}, "
                   "kernel: {name: broadcast}, sweep: {kernel.message: [8B, 64KiB]}}\"",
        .about = "scenario file as text; the chart shows its sweep"}},
      {[](Lab& lab, const Value& value) {
         config::read_fields(value.section(), curve_fields(), lab.curve);
         const Section section = value.section();
         section.finish();
       },
       section_key({.name = "curve", .example = "{x: kernel.message}", .about = "the chart"},
                   curve_fields().mapping())}};
}

Lines question_lines() {
  const auto question = [](std::optional<Question> Lab::*member) {
    return [member](Lab& lab, const Value& value) { lab.*member = read_question(value.section()); };
  };
  const Mapping& inside = question_fields().mapping();
  return {
      {[](Lab& lab, const Value& value) { lab.predict = read_question(value.section()); },
       section_key(
           {.name = "predict",
            .example =
                "{text: \"How long?\", answer: {what: value, of: {kernel.message: 8B}}, unit: time, axis: [1us, 1s]}",
            .about = "question for a number"},
           inside)},
      {question(&Lab::choose), section_key({.name = "choose",
                                            .absent = "none",
                                            .example = "{text: \"Which?\", answer: {what: least-line}}",
                                            .about = "multiple-choice question beside it"},
                                           inside)},
      {question(&Lab::transfer), section_key({.name = "transfer",
                                              .absent = "none",
                                              .example = "{text: \"And there?\", answer: {what: least-line}}",
                                              .about = "final question, on the values of 'other'"},
                                             inside)}};
}

Lines shown_lines() {
  return {part_line(&Lab::formula, formula_fields(),
                    {.name = "formula", .absent = "none", .about = "formula of the student, drawn in the chart"}),
          part_line(&Lab::measured, measured_fields(),
                    {.name = "measured", .absent = "nothing", .about = "measured points shown in the chart"}),
          conditions_line(&Lab::moment, {.name = "moment",
                                         .absent = "none",
                                         .example = "{kernel.message: 8B}",
                                         .about = "point of the sweep that students step through"}),
          part_line(&Lab::knob, knob_fields(),
                    {.name = "knob", .absent = "none", .about = "setting that students can change there"}),
          conditions_line(&Lab::break_it, {.name = "break-it",
                                           .absent = "none",
                                           .example = "{layout.per-node: 1}",
                                           .about = "settings that define the state 'broken', shown as another line"})};
}

}  // namespace

const Fields<Lab>& lab_fields() {
  static const Fields<Lab> fields = [] {
    Lines all = heading_lines();
    for (const Lines& lines : {question_lines(), shown_lines()}) all.insert(all.end(), lines.begin(), lines.end());
    return Fields<Lab>{
        {.name = "", .about = "A lab asks students questions; each student has another machine ('orrery new lab')."},
        all};
  }();
  return fields;
}

const Mapping& lab_keys() { return lab_fields().mapping(); }

}  // namespace orrery::lab
