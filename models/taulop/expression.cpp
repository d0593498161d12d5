#include "models/taulop/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery::taulop {

namespace {

constexpr double bytes_max = 9007199254740992.0;  // 2^53: beyond it whole bytes are not exact
constexpr std::uint64_t transmissions_max = 1000000;
constexpr const char* form = "T(channel,bytes[,tau[,n[,src rank,src node,dst rank,dst node]]])";

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Program program() {
    Program stages{stage()};
    while (accept(">>")) stages.push_back(stage());
    if (!at_end())
      fail(Refusal("'{}' is not expected here ('+' next in sequence, ';' concurrently, '>>' next stage)",
                   text_.substr(at_, 1)));
    return stages;
  }

 private:
  std::vector<Sequence> stage() {
    std::vector<Sequence> sequences{sequence()};
    while (accept(";")) sequences.push_back(sequence());
    return sequences;
  }

  Sequence sequence() {
    Sequence result;
    do {
      transmission(result);
    } while (accept("+"));
    return result;
  }

  void transmission(Sequence& into) {
    skip_spaces();
    if (!accept("T"))
      fail(at_end() ? Refusal("a transmission is missing at the end ({})", form)
                    : Refusal("'{}' does not start a transmission ({})", text_.substr(at_, 1), form));
    if (!accept("(")) fail(Refusal("'(' is missing after T ({})", form));
    Transmission t;
    t.channel = static_cast<std::uint32_t>(whole("channel", 0, 1, "0 shared memory, 1 network"));
    t.tables = TableSet{1} << t.channel;
    if (!accept(",")) fail(Refusal("the message's bytes are missing ({})", form));
    t.message = bytes();
    std::uint64_t repetitions = 1;
    if (accept(",")) {
      t.concurrency = static_cast<std::uint32_t>(whole("tau", 1, 65536, "1..65536"));
      if (accept(",")) {
        repetitions = whole("n", 1, 100000, "1..100000");
        if (accept(",")) t.to_node = nodes();
      }
    }
    if (!accept(")"))
      fail(at_end() ? Refusal("')' is missing at the end ({})", form)
                    : Refusal("'{}' stands where ')' is expected ({})", text_.substr(at_, 1), form));
    t.mergeable = repetitions == 1;
    transmissions_ += repetitions;
    if (transmissions_ > transmissions_max)
      fail(Refusal("the expression has more than {} transmissions", transmissions_max));
    into.insert(into.end(), repetitions, t);
  }

  /// The four placement fields; only the destination's node matters.
  NodeId nodes() {
    std::uint64_t node = 0;
    for (const char* name : {"source rank", "source node", "destination rank", "destination node"}) {
      if (std::string_view(name) != "source rank" && !accept(","))
        fail(Refusal("the {} is missing (the four placement fields come together: {})", name, form));
      node = whole(name, 0, 4294967294u, "0..4294967294");
    }
    return NodeId{static_cast<std::uint32_t>(node)};
  }

  /// The characters up to the next separator.
  std::string_view token(const char* what) {
    skip_spaces();
    token_at_ = at_;
    while (at_ < text_.size() && std::string_view(",()+;> ").find(text_[at_]) == std::string_view::npos) ++at_;
    if (at_ == token_at_) fail(Refusal("the {} is missing ({})", what, form));
    return text_.substr(token_at_, at_ - token_at_);
  }

  std::uint64_t whole(const char* what, std::uint64_t least, std::uint64_t most, const char* range) {
    const auto word = token(what);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < least || value > most)
      fail_at(token_at_, Refusal("{} '{}' is not a whole number in range ({})", what, word, range));
    return value;
  }

  Bytes bytes() {
    const auto word = token("number of bytes");
    double value = 0.0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc() && end == word.data() + word.size()) {
      check_bytes(value, word);
      return Bytes(value);
    }
    const auto parsed = parse_quantity(word, Dimension::data);
    if (!parsed.si) fail_at(token_at_, Refusal("message is '{}' {}", word, parsed.problem));
    check_bytes(*parsed.si, word);
    return Bytes(*parsed.si);
  }

  void check_bytes(double value, std::string_view word) {
    if (!(value >= 0.0 && value <= bytes_max) || value != std::floor(value))
      fail_at(token_at_, Refusal("message '{}' is not a whole number of bytes (0..2^53)", word));
  }

  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool at_end() {
    skip_spaces();
    return at_ >= text_.size();
  }
  bool accept(std::string_view symbol) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(symbol)) return false;
    at_ += symbol.size();
    return true;
  }
  [[noreturn]] void fail(const Refusal& problem) { fail_at(at_, problem); }
  [[noreturn]] void fail_at(std::size_t column, const Refusal& problem) {
    Refusal whole("expression, column {}: {}", column + 1, problem);
    if (whole.remedy.empty()) whole.remedy = "Write for example 'T(0,65536) + T(1,65536)'?";
    throw InputError(whole);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t token_at_ = 0;
  std::uint64_t transmissions_ = 0;
};

}  // namespace

Program parse(std::string_view expression) { return Parser(expression).program(); }

}  // namespace orrery::taulop
