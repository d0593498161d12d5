#include "sim/study/lab/lab_keys.hpp"

namespace orrery::lab {

namespace {

const Fields<Curve>& curve_fields() {
  const auto name = [](Curve& curve, const std::string& line, const Value& value) {
    curve.names[line] = value.written();
  };
  static const Fields<Curve> names{
      {.name = "curve.names", .about = "What people call the lines, and the state 'broken'."},
      {{name, {.name = "<line>", .kind = KeyKind::any, .example = "ring", .about = "its name: lr: ring"}}}};
  static const Fields<Curve> fields{
      {.name = "curve", .about = "The chart: a quantity of each run over a setting of the sweep."},
      {{&Curve::x,
        {.name = "x",
         .example = "kernel.message",
         .about = "an axis of the scenario's sweep whose values are numbers"}},
       {&Curve::y,
        {.name = "y",
         .fallback = "time",
         .example = "simulated",
         .about = "time: the whole run; simulated: the compared phase; or a metric of the run"}},
       {&Curve::line,
        {.name = "line",
         .absent = "one line",
         .example = "kernel.algorithm",
         .about = "another axis: a line for each of its values"}},
       {&Curve::x_text,
        {.name = "x-text", .absent = "the name of x", .example = "\"message\"", .about = "below the chart"}},
       {&Curve::y_text, {.name = "y-text", .absent = "the name of y", .example = "\"time\"", .about = "beside it"}},
       {names,
        {.name = "names", .absent = "their values", .about = "what people call the lines, and the state 'broken'"}}}};
  return fields;
}

const Fields<Formula>& formula_fields() {
  static const Fields<Formula> fields{
      {.name = "formula", .about = "The line that the student writes."},
      {{&Formula::write,
        {.name = "write",
         .example = "\"L + m / B\"",
         .about = "how it begins: + - * / ^, log2, sqrt, min, max, ceil; L and B are latency and bandwidth of the "
                  "network, P the ranks, N the nodes"}},
       {&Formula::of, {.name = "of", .example = "m", .about = "what the setting of 'curve.x' is called in it"}}}};
  return fields;
}

const Fields<Measured>& measured_fields() {
  static const Fields<Measured> fields{
      {.name = "measured", .about = "What was measured on real machines, beside the simulation."},
      {{[](Measured& measured, const Value& value) {
          measured.file = value.text();
          measured.where = value.where();
        },
        {.name = "file",
         .example = "measured/ping-pong.csv",
         .about =
             "a CSV file with columns platform, line, x, y; rows of platform 'any' are for machines without rows of "
             "their own"}},
       {&Measured::source,
        {.name = "source", .example = "\"NetGauge on Tukey\"", .about = "who measured, on what; its licence"}}}};
  return fields;
}

const Fields<Knob>& knob_fields() {
  static const Fields<Knob> fields{
      {.name = "knob", .about = "One setting to turn while the moment is stepped through."},
      {{&Knob::path, {.name = "path", .example = "kernel.message", .about = "which setting"}},
       {&Knob::values, {.name = "values", .example = "[8B, 64KiB]", .about = "what it may be"}},
       {&Knob::text, {.name = "text", .example = "\"message\"", .about = "what it is called"}}}};
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
      .about = "What differs from student to student: of each list one, by the student's name.",
      .keys = {{.name = "<draw>",
                .kind = KeyKind::any,
                .shape = Shape::list,
                .example = "[8B, 64KiB]",
                .about = "values, or sections of values: machine: [{platform: fermi}, {platform: lab}] is "
                         "$(machine.platform) elsewhere"}}};
  return mapping;
}

using Lines = std::vector<Field<Lab>>;

Lines heading_lines() {
  return {{&Lab::title, {.name = "title", .example = "\"When is a message long?\"", .about = "of the lab"}},
          {&Lab::source, {.name = "source", .example = "\"my own question\"", .about = "whose question it is"}},
          section_key({.name = "draw", .absent = "all students get the same", .about = "what each student gets of"},
                      draw_mapping()),
          Key{.name = "other",
              .shape = Shape::list,
              .absent = "the transfer question is of the same",
              .example = "[machine]",
              .about = "what is drawn anew for the transfer question"},
          {[](Lab& lab, const Value& value) { lab.scenario = value.text(), lab.scenario_where = value.where(); },
           {.name = "scenario",
            .example = "\"{source: s, platform: fermi, network: infiniband, engine: flow, layout: {ranks: 2}, "
                       "kernel: {name: broadcast}, sweep: {kernel.message: [8B, 64KiB]}}\"",
            .about = "a scenario file as text; its sweep is the chart"}},
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
            .about = "the number that is predicted"},
           inside)},
      {question(&Lab::choose), section_key({.name = "choose",
                                            .absent = "nothing is chosen",
                                            .example = "{text: \"Which?\", answer: {what: least-line}}",
                                            .about = "what is chosen with it"},
                                           inside)},
      {question(&Lab::transfer), section_key({.name = "transfer",
                                              .absent = "there is none",
                                              .example = "{text: \"And there?\", answer: {what: least-line}}",
                                              .about = "the question at the end, on what 'other' draws"},
                                             inside)}};
}

Lines shown_lines() {
  return {part_line(&Lab::formula, formula_fields(),
                    {.name = "formula", .absent = "none is asked for", .about = "the student's line in the chart"}),
          part_line(&Lab::measured, measured_fields(),
                    {.name = "measured", .absent = "nothing", .about = "the measured points in the chart"}),
          conditions_line(&Lab::moment, {.name = "moment",
                                         .absent = "none is stepped through",
                                         .example = "{kernel.message: 8B}",
                                         .about = "the point to step through"}),
          part_line(&Lab::knob, knob_fields(), {.name = "knob", .absent = "none", .about = "what is turned there"}),
          conditions_line(&Lab::break_it, {.name = "break-it",
                                           .absent = "nothing is broken",
                                           .example = "{layout.per-node: 1}",
                                           .about = "settings that break it: the state 'broken', a line of its own"})};
}

}  // namespace

const Fields<Lab>& lab_fields() {
  static const Fields<Lab> fields = [] {
    Lines all = heading_lines();
    for (const Lines& lines : {question_lines(), shown_lines()}) all.insert(all.end(), lines.begin(), lines.end());
    return Fields<Lab>{{.name = "", .about = "A lab asks students, each on a machine of their own ('orrery new lab')."},
                       all};
  }();
  return fields;
}

const Mapping& lab_keys() { return lab_fields().mapping(); }

}  // namespace orrery::lab
