#include "sim/cli/pages/taulop_calculator.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <system_error>

#include "models/taulop/algebra.hpp"
#include "models/taulop/expression.hpp"
#include "models/taulop/timeline.hpp"
#include "sim/config/taulop_tables.hpp"
#include "sim/core/bound_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery::cli {

namespace taulop_pages {

using namespace taulop;

namespace {
using Json = nlohmann::ordered_json;
using Tables = std::vector<TransmissionTable>;  ///< by channel: shared memory, network

ChannelTable channel_table(const config::TauLopTable& text) {
  ChannelTable table{.name = text.file, .sizes = {}, .overhead = {}, .transfer = {}};
  for (const double m : text.message_B) table.sizes.push_back(Bytes(m));
  for (const double o : text.overhead_s) table.overhead.push_back(Seconds(o));
  for (const auto& row : text.transfer_s) {
    auto& into = table.transfer.emplace_back();
    for (const double l : row) into.push_back(Seconds(l));
  }
  return table;
}

Overhead overhead_of(const TauLopRequest& request) {
  if (request.overhead.empty()) return request.mode == "algebra" ? Overhead::per_slice : Overhead::once;
  return request.overhead == "once"        ? Overhead::once
         : request.overhead == "per-slice" ? Overhead::per_slice
                                           : Overhead::none_on_network;
}

Tables read_tables(const TauLopRequest& request, std::vector<std::string>& warnings) {
  if (request.network.empty())
    throw InputError("--network: no network is named (known: IB, TCP). Write '--network IB'?");
  if (request.network != "IB" && request.network != "TCP")
    throw InputError("--network: '{}' is not a network (known: IB, TCP). Write '--network IB'?", request.network);
  const auto shared_text = config::read_taulop_table(request.parameters + "/SHM.txt");
  const auto network_text = config::read_taulop_table(fmt::format("{}/{}.txt", request.parameters, request.network));
  config::require_same_sizes(shared_text, network_text);
  const auto shared = channel_table(shared_text), network = channel_table(network_text);
  for (const auto* table : {&shared, &network})
    for (auto& sentence : bound_violations(*table)) warnings.push_back(std::move(sentence));
  const auto transmission =
      request.network == "IB" ? rdma_transmission(network) : buffered_transmission(network, shared, shared);
  return {shared_memory_transmission(shared),
          overhead_of(request) == Overhead::none_on_network ? transmission.without_overhead() : transmission};
}

// --- look-ups ---

double number(const std::string& flag, const std::string& what, const std::string& word, Dimension dimension) {
  const double limit = dimension == Dimension::time ? 1e6 : 1e15;  // keeps bytes whole in a double
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) {
    const auto parsed = parse_quantity(word, dimension);
    if (!parsed.si) throw InputError("{}: {} is '{}' {}", flag, what, word, parsed.problem);
    value = *parsed.si;
  }
  if (!(value >= 0.0 && value <= limit))
    throw InputError("{}: {} '{}' lies outside 0..{}", flag, what, word, bound_text(limit));
  return value;
}

TauLopAnswer look_up(const TauLopRequest& request, bool bytes, const std::vector<std::string>& words) {
  const std::string flag = bytes ? "--bytes" : "--time", what = bytes ? "seconds" : "bytes";
  if (words.size() != 3)
    throw InputError("{}: {} value{} where channel, {} and tau are needed. Write '{} 1 {} 1'?", flag, words.size(),
                     words.size() == 1 ? "" : "s", what, flag, bytes ? "1e-4" : "65536");
  if (words[0] != "0" && words[0] != "1")
    throw InputError("{}: channel '{}' is not a channel (0 shared memory, 1 network)", flag, words[0]);
  const std::size_t channel = words[0] == "1" ? 1 : 0;
  std::uint32_t tau = 0;
  const auto [end, error] = std::from_chars(words[2].data(), words[2].data() + words[2].size(), tau);
  if (error != std::errc() || end != words[2].data() + words[2].size() || tau == 0)
    throw InputError("{}: tau '{}' is not a whole number from 1 on", flag, words[2]);
  const double value = number(flag, what, words[1], bytes ? Dimension::time : Dimension::data);
  TauLopAnswer answer;
  const auto tables = read_tables(request, answer.warnings);
  if (bytes) {
    const double carried = tables[channel].bytes(Seconds(value), tau) / Bytes(1);
    const Json whole = carried < 9e15 ? Json(static_cast<std::int64_t>(carried)) : Json(carried);
    answer.text = request.json ? Json{{"bytes", whole}}.dump() : fmt::format("{:.0f} B", carried);
  } else {
    const double time = tables[channel].time(Bytes(value), tau) / Seconds(1);
    answer.text = request.json ? Json{{"time_s", time}}.dump() : fmt::format("{:.9e} s", time);
  }
  answer.text += '\n';
  return answer;
}

// --- expressions ---

/// What an evaluation says, whatever the mode: steps in words, and the parts that add up to the time.
struct Report {
  Seconds time;
  std::string sum;  ///< "2 || T^0(950272 B) + ..."
  std::vector<std::string> steps;
  Json slices = Json::array(), rewrites = Json::array();
};

void add_slice(Report& report, const std::string& term, std::uint32_t concurrency, std::uint32_t channel, Bytes message,
               Seconds time) {
  report.sum += (report.sum.empty() ? "" : " + ") + term;
  report.slices.push_back({{"channel", channel},
                           {"concurrency", concurrency},
                           {"message_B", message / Bytes(1)},
                           {"time_s", time / Seconds(1)}});
  report.time += time;
}

void add_rewrites(Report& report, const std::vector<Rewrite>& rewrites) {
  for (const auto& rewrite : rewrites) {
    report.steps.push_back(fmt::format("{}  {}", rewrite.assumption, rewrite.text));
    report.rewrites.push_back({{"assumption", rewrite.assumption}, {"text", rewrite.text}});
  }
}

std::string stage_title(std::size_t stage, std::size_t stages) {
  return fmt::format("stage {} of {}, after the one before it has ended:", stage + 1, stages);
}

const char* name_of(Part part) {
  return part == Part::transmission ? "transmission" : part == Part::transfer ? "transfer" : "overhead";
}

Report timeline_report(taulop::Program stages, bool merge, Overhead overhead, const Tables& tables) {
  Report report;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    if (s > 0) report.steps.push_back(stage_title(s, stages.size()));
    for (auto& sequence : stages[s]) {
      const auto before = sequence.size();
      if (merge) sequence = merged(sequence, MergeBy::channel_and_node);
      if (sequence.size() < before)
        add_rewrites(report, {{"A1", fmt::format("{} transmissions of a sequence become {}: neighbours of one channel, "
                                                 "destination node and tau add up",
                                                 before, sequence.size())}});
    }
    for (const auto& slice : timeline(stages[s], tables, overhead).slices) {
      add_slice(report, term_text(slice), slice.concurrency, slice.channel, slice.message, slice.time);
      report.slices.back()["part"] = name_of(slice.part);
      report.slices.back()["to_node"] = index(slice.to_node);
      report.slices.back()["text"] = in_words(slice);
      report.steps.push_back(
          fmt::format("slice {}  {:.9e} s  {}", report.slices.size(), slice.time / Seconds(1), in_words(slice)));
    }
  }
  return report;
}

Report algebra_report(const taulop::Program& stages, AlgebraRule rule, bool merge, Overhead overhead,
                      const Tables& tables) {
  Report report;
  std::vector<Term> terms;
  std::vector<Rewrite> rewrites;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    if (s > 0) report.steps.push_back(stage_title(s, stages.size()));
    rewrites.clear();
    for (const auto& term : terms_of(stages[s], rule, tables, overhead, &rewrites)) terms.push_back(term);
    add_rewrites(report, rewrites);
  }
  if (merge) {
    rewrites.clear();
    terms = like_terms_merged(terms, &rewrites);
    if (!rewrites.empty()) report.steps.push_back("across the terms:");
    add_rewrites(report, rewrites);
  }
  for (const auto& term : terms) {
    const Seconds time = time_of(term, tables);
    add_slice(report, in_words({term}), term.concurrency, term.channel, term.message, time);
    report.slices.back()["text"] = in_words({term});
    report.steps.push_back(
        fmt::format("term {}  {:.9e} s  {}", report.slices.size(), time / Seconds(1), in_words({term})));
  }
  return report;
}

std::string rendered(const Report& report, const TauLopRequest& request) {
  if (request.json) {
    Json json{{"time_s", report.time / Seconds(1)}, {"slices", report.slices}};
    if (!report.rewrites.empty()) json["rewrites"] = report.rewrites;
    return json.dump(2) + '\n';
  }
  std::string text;
  if (request.steps)
    for (const auto& step : report.steps) text += step + '\n';
  return text + fmt::format("{:.9e} s  =  {}\n", report.time / Seconds(1), report.sum);
}

/// The words of a look-up written as in a file of cases: "@time 1 65536 2".
std::vector<std::string> words_in_text(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = text.find_first_not_of(' '); at != std::string::npos;) {
    const auto end = text.find(' ', at);
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(' ', end);
  }
  return words;
}

}  // namespace

}  // namespace taulop_pages

TauLopAnswer evaluate(const TauLopRequest& request) {
  using namespace taulop_pages;
  if (request.time && request.bytes)
    throw InputError("--bytes: '--time' is given too (only one is allowed). Remove one?");
  if (request.time || request.bytes) return look_up(request, request.bytes, request.words);
  std::string expression;
  for (const auto& word : request.words) expression += (expression.empty() ? "" : " ") + word;
  if (expression.empty())
    throw InputError(
        "taulop: nothing to evaluate (an EXPRESSION, '--time channel bytes tau' or '--bytes channel seconds "
        "tau'). Write 'T(1,65536)'?");
  if (auto words = words_in_text(expression); words.size() > 0 && (words[0] == "@time" || words[0] == "@bytes")) {
    const bool bytes = words[0] == "@bytes";
    words.erase(words.begin());
    return look_up(request, bytes, words);
  }
  const auto stages = parse(expression);
  TauLopAnswer answer;
  const auto tables = read_tables(request, answer.warnings);
  const auto report =
      request.mode == "algebra"
          ? algebra_report(stages, request.rule == "dropping" ? AlgebraRule::dropping : AlgebraRule::by_channel,
                           request.merge, overhead_of(request), tables)
          : timeline_report(stages, request.merge, overhead_of(request), tables);
  answer.text = rendered(report, request);
  return answer;
}

}  // namespace orrery::cli
