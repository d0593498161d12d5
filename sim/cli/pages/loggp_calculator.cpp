#include "sim/cli/pages/loggp_calculator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/units.hpp"

namespace orrery::cli {

namespace {

using Json = nlohmann::ordered_json;

/// One summand of a transfer time.
struct LogGpTerm {
  std::string symbol, words;
  Seconds time;
};

struct LogGpMessage {
  Bytes size;
  Seconds start, transfer, next;  ///< `next`: how much later the sender's next message may start
  std::vector<LogGpTerm> terms;
};

/// What a model is made of.
struct LogGpNumbers {
  Seconds overhead_send, overhead_receive, latency, gap;
  SecondsPerByte gap_per_byte;
};

double number_of(const char* flag, const std::string& text, Dimension dimension, const std::string& model) {
  if (text.empty())
    throw InputError("{}: {} needs a value ({}). Write '{} {}'?", flag, model, unit_names(dimension), flag,
                     dimension == Dimension::time ? "1us" : "0.25ns/B");
  const ParsedQuantity parsed = parse_quantity(text, dimension);
  if (!parsed.si) throw InputError("{}: '{}' {}", flag, text, parsed.problem);
  if (!(*parsed.si >= 0.0)) throw InputError("{}: '{}' is negative (0 or more)", flag, text);
  return *parsed.si;
}

void refuse(const char* flag, const std::string& text, const std::string& model, const char* known) {
  if (!text.empty()) throw InputError("{}: {} has no such parameter (it has {}). Remove it?", flag, model, known);
}

LogGpNumbers numbers_of(const LogGpRequest& request) {
  const auto seconds = [&](const char* flag, const std::string& text) {
    return Seconds(number_of(flag, text, Dimension::time, request.model));
  };
  LogGpNumbers numbers;
  if (request.model == "hockney") {
    const char* known = "--latency, alpha, and --gap-per-byte, beta";
    refuse("--overhead", request.overhead, request.model, known);
    refuse("--gap", request.gap, request.model, known);
  } else {
    numbers.overhead_send = seconds("--overhead", request.overhead);
    numbers.gap = seconds("--gap", request.gap);
  }
  if (request.model == "hloggp" && !request.overhead_receive.empty())
    numbers.overhead_receive = seconds("--overhead-receive", request.overhead_receive);
  else
    numbers.overhead_receive = numbers.overhead_send;
  if (request.model != "hloggp")
    refuse("--overhead-receive", request.overhead_receive, request.model,
           request.model == "loggp" ? "one --overhead for both ends" : "--latency and --gap-per-byte");
  numbers.latency = seconds("--latency", request.latency);
  numbers.gap_per_byte =
      SecondsPerByte(number_of("--gap-per-byte", request.gap_per_byte, Dimension::time_per_byte, request.model));
  return numbers;
}

LogGpMessage message_of(const std::string& model, const LogGpNumbers& n, Bytes size) {
  LogGpMessage message{.size = size, .start = {}, .transfer = {}, .next = {}, .terms = {}};
  const bool hockney = model == "hockney", one_overhead = model == "loggp";
  const Bytes bytes = hockney ? size : std::max(Bytes(0.0), size - Bytes(1.0));
  const Seconds of_bytes = bytes * n.gap_per_byte;
  const std::string each = fmt::format("{:g} B, {} each", bytes.si(), to_text(Bytes(1.0) * n.gap_per_byte));
  if (hockney)
    message.terms = {{"alpha", "a message of no bytes", n.latency}, {"beta m", each, of_bytes}};
  else
    message.terms = {{one_overhead ? "o" : "o_s", "the sender's processor is busy", n.overhead_send},
                     {"(m - 1) G", "after the first byte " + each, of_bytes},
                     {"L", "the last byte is on its way", n.latency},
                     {one_overhead ? "o" : "o_r", "the receiver's processor is busy", n.overhead_receive}};
  for (const LogGpTerm& term : message.terms) message.transfer += term.time;
  message.next = one_overhead ? of_bytes + std::max(n.gap, n.overhead_send)
                 : hockney    ? message.transfer
                              : std::max(n.gap, message.transfer);
  return message;
}

const char* words_of_next(const std::string& model) {
  return model == "loggp" ? "(m - 1) G + max(g, o)" : model == "hockney" ? "T(m): one at a time" : "max(g, T(m))";
}

std::string as_text(const LogGpRequest& request, const std::vector<LogGpMessage>& messages, Seconds end) {
  std::string text;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const LogGpMessage& m = messages[i];
    text +=
        fmt::format("message {} of {}, {}, starts at {}\n", i + 1, messages.size(), to_text(m.size), to_text(m.start));
    for (const LogGpTerm& term : m.terms)
      text += fmt::format("  {:<10}{:>10}  {}\n", term.symbol, to_text(term.time), term.words);
    text += fmt::format("  {:<10}{:>10}\n", "T(m)", to_text(m.transfer));
    if (i + 1 < messages.size())
      text +=
          fmt::format("  {:<10}{:>10}  later the next starts: {}\n", "", to_text(m.next), words_of_next(request.model));
  }
  return text + fmt::format("all received after {}\n", to_text(end));
}

std::string as_json(const std::vector<LogGpMessage>& messages, Seconds end) {
  Json all = Json::array();
  for (const LogGpMessage& m : messages) {
    Json terms = Json::array();
    for (const LogGpTerm& term : m.terms) terms.push_back({{"term", term.symbol}, {"time_s", term.time.si()}});
    all.push_back({{"message_B", m.size.si()},
                   {"start_s", m.start.si()},
                   {"transfer_s", m.transfer.si()},
                   {"next_after_s", m.next.si()},
                   {"terms", std::move(terms)}});
  }
  return Json{{"time_s", end.si()}, {"messages", std::move(all)}}.dump(2) + '\n';
}

}  // namespace

std::string loggp_answer(const LogGpRequest& request) {
  if (request.messages.empty()) throw InputError("loggp: no message is given (sizes, as in '64KiB'). Write '64KiB'?");
  const LogGpNumbers numbers = numbers_of(request);
  std::vector<LogGpMessage> messages;
  Seconds start, end;
  for (const std::string& text : request.messages) {
    const double size = number_of("MESSAGE", text, Dimension::data, request.model);
    messages.push_back(message_of(request.model, numbers, Bytes(size)));
    messages.back().start = start;
    end = std::max(end, start + messages.back().transfer);
    start += messages.back().next;
  }
  return request.json ? as_json(messages, end) : as_text(request, messages, end);
}

}  // namespace orrery::cli
