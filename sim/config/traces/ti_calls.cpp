#include "sim/config/traces/ti_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery::config {

namespace {

/// The names of calls that are known, and the nearest.
struct UnknownCall {
  Advice known;
};

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// Bytes of SMPI's predefined datatypes by number; -1 is what it writes for a derived one.
/// Source   SimGrid 3.32, src/smpi/mpi/smpi_datatype.cpp, on x86-64
constexpr std::array<std::uint8_t, 60> datatype_sizes = {
    8, 4,  1,  2, 8, 4, 1,  8,  1, 1, 2, 4,  8, 8,  16, 4, 1, 1, 2, 4,  8,  1, 2, 4,  8,  8, 16, 32, 8, 8,
    8, 16, 16, 8, 8, 8, 16, 16, 4, 4, 8, 16, 8, 16, 16, 4, 2, 4, 8, 16, 32, 1, 8, 16, 32, 0, 0,  1,  8, 8};

int small_integer(std::string_view word, bool& good) {
  int value = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  good = status == std::errc() && end == word.data() + word.size();
  return value;
}

constexpr int any_source_number = -555;  // MPI_ANY_SOURCE
constexpr int untraced_source = -333;    // MPI_UNDEFINED: what `smpirun -trace-ti` writes for it
constexpr int any_tag_number = -444;     // MPI_ANY_TAG

}  // namespace

const TiRank::Call* TiRank::find(std::string_view name) {
  static constexpr Call calls[] = {{"allgather", &TiRank::all_gather, 2, 4},
                                   {"allgatherv", &TiRank::all_gather_v, 1, unlimited},
                                   {"allreduce", &TiRank::all_reduce, 2, 3},
                                   {"alltoall", &TiRank::all_to_all, 2, 4},
                                   {"alltoallv", &TiRank::all_to_all_v, 2, unlimited},
                                   {"barrier", &TiRank::barrier, 0, 0},
                                   {"bcast", &TiRank::bcast, 1, 3},
                                   {"comm_dup", &TiRank::communicator, 0, unlimited},
                                   {"comm_size", &TiRank::communicator, 0, unlimited},
                                   {"comm_split", &TiRank::communicator, 0, unlimited},
                                   {"compute", &TiRank::compute, 1, 1},
                                   {"exscan", &TiRank::all_reduce, 2, 3},
                                   {"finalize", &TiRank::finalize, 0, 0},
                                   {"gather", &TiRank::gather, 2, 5},
                                   {"gatherv", &TiRank::gather_v, 1, unlimited},
                                   {"init", &TiRank::init, 0, 1},
                                   {"irecv", &TiRank::receive, 3, 4},
                                   {"isend", &TiRank::send, 3, 4},
                                   {"location", &TiRank::nothing, 2, 2},
                                   {"recv", &TiRank::receive, 3, 4},
                                   {"reduce", &TiRank::reduce, 2, 4},
                                   {"reducescatter", &TiRank::reduce_scatter, 2, unlimited},
                                   {"scan", &TiRank::all_reduce, 2, 3},
                                   {"scatter", &TiRank::scatter, 2, 5},
                                   {"scatterv", &TiRank::scatter_v, 1, unlimited},
                                   {"send", &TiRank::send, 3, 4},
                                   {"sendRecv", &TiRank::send_receive, 4, 6},
                                   {"sleep", &TiRank::sleep, 1, 1},
                                   {"test", &TiRank::test, 3, 3},
                                   {"wait", &TiRank::wait, 3, 3},
                                   {"waitall", &TiRank::wait_all, 0, 1}};
  const auto found =
      std::ranges::lower_bound(calls, name, {}, [](const Call& call) { return std::string_view(call.name); });
  if (found != std::end(calls) && found->name == name) return found;
  if (name.empty()) return nullptr;
  std::vector<std::string> known;
  for (const Call& call : calls) known.emplace_back(call.name);
  throw UnknownCall{known_names(name, known)};
}

void TiRank::read(const TraceLines& at, const Words& words) {
  if (words.size() < 2) at.refuse("a rank without a call (RANK CALL ARGUMENTS). Is the line cut off?");
  const Call* call = nullptr;
  try {
    call = find(words[1]);
  } catch (const UnknownCall& unknown) {
    // One of several requests: no other call does that, however near its name.
    if (const std::string_view end = words[1].substr(std::min<std::size_t>(words[1].size(), 4));
        end == "any" || end == "Any" || end == "some" || end == "Some")
      at.refuse(
          Refusal("'{}' completes one of several requests, which a time-independent trace cannot say ('wait' names "
                  "its own). Write 'wait' for the one that it completed?",
                  words[1].substr(0, 40)));
    at.refuse(Refusal("unknown call '{}'{}", words[1].substr(0, 40), unknown.known));
  }
  if (ended_)
    at.refuse(
        Refusal("rank {} calls '{}' after its 'finalize' (the last call of a rank). Remove the line?", me_, words[1]));
  const std::size_t arguments = words.size() - 2;
  if (arguments < call->least || arguments > call->most)
    at.refuse(Refusal("'{}' has {} argument{} ({}). Is the line cut off?", call->name, arguments,
                      arguments == 1 ? "" : "s",
                      call->most == call->least ? fmt::format("{}", call->least)
                      : call->most == unlimited ? fmt::format("{} or more", call->least)
                                                : fmt::format("{} to {}", call->least, call->most)));
  last_line_ = at.line();
  (this->*call->read)(at, words);
}

void TiRank::finish(const std::string& file) {
  if (began_ && !ended_)
    throw InputError(
        "{}:{}: rank {} has no 'finalize' after this line (its trace begins with 'init'). Is the file cut "
        "off?",
        file, last_line_, me_);
  if (marked_)
    throw InputError(
        "{}:{}: rank {} has no '#orrery {} end' before this line (it began a collective). Is the file cut off?", file,
        last_line_, me_, me_);
  if (open_count_ == 0) return;
  notes_["requests that no wait completes, waited for at the end"] += open_count_;
  writer_.wait_all();
}

void TiRank::init(const TraceLines&, const Words& words) {
  began_ = true;
  default_size_ = words.size() > 2 ? 8.0 : 1.0;  // SMPI: an argument makes MPI_DOUBLE the default, else MPI_BYTE
}
void TiRank::finalize(const TraceLines&, const Words&) { ended_ = true; }
void TiRank::nothing(const TraceLines&, const Words&) { ++notes_["'location' lines dropped: they take no time"]; }
void TiRank::communicator(const TraceLines&, const Words& words) {
  if (words[1] != "comm_size")
    ++notes_
        ["'comm_split' and 'comm_dup' lines dropped: SMPI's traces do not say which communicator a call uses, so all "
         "calls use the world, as in smpirun -replay"];
}
void TiRank::compute(const TraceLines& at, const Words& words) { writer_.compute(at.number(words[2], "the flops")); }
void TiRank::sleep(const TraceLines& at, const Words& words) { writer_.sleep(at.number(words[2], "the time")); }

void TiRank::send(const TraceLines& at, const Words& words) {
  const Rank to = peer(at, words[2], "the receiver");
  const Tag number = tag(at, words[3], false);
  const double bytes = of_train(at, at.whole(words[4], "the size") * size_of(at, words, 5));
  if (words[1] == "isend") return open_send(at, to, number, bytes);
  lines_.sends.push_back({to, number, at.line(), static_cast<float>(bytes)});
  writer_.send(to, number, Bytes(bytes), std::exchange(train_, 1u));
}

void TiRank::receive(const TraceLines& at, const Words& words) {
  const Rank from = source(at, words[2]);
  const Tag number = tag(at, words[3], true);
  const bool unknown_size = words[4].starts_with('-');  // SMPI: whatever the message has
  const double bytes = unknown_size ? 0.0 : of_train(at, at.whole(words[4], "the size") * size_of(at, words, 5));
  const float room = unknown_size ? std::numeric_limits<float>::infinity() : static_cast<float>(bytes);
  lines_.receives.push_back({from, number, at.line(), room});
  if (words[1] == "irecv") return open_receive(from, number, bytes);
  writer_.recv(from, number, Bytes(bytes), std::exchange(train_, 1u));
}

void TiRank::open_send(const TraceLines& at, Rank to, Tag number, double bytes) {
  lines_.sends.push_back({to, number, at.line(), static_cast<float>(bytes)});
  open_.push_back({Rank{me_}, to, number, numbers_.take()});
  ++open_count_;
  writer_.isend(to, number, Bytes(bytes), open_.back().request, std::exchange(train_, 1u));
}

void TiRank::open_receive(Rank from, Tag number, double bytes) {
  open_.push_back({from, Rank{me_}, number, numbers_.take()});
  ++open_count_;
  writer_.irecv(from, number, Bytes(bytes), open_.back().request, std::exchange(train_, 1u));
}

/// MPI_Sendrecv as SMPI does it: tag 0, the send first, both awaited.
void TiRank::send_receive(const TraceLines& at, const Words& words) {
  const double sent = at.whole(words[2], "the size") * size_of(at, words, 6);
  const double received = at.whole(words[4], "the size") * size_of(at, words, 7);
  const Rank to = peer(at, words[3], "the receiver"), from = source(at, words[5]);
  open_send(at, to, Tag{0}, sent);
  lines_.receives.push_back({from, Tag{0}, at.line(), static_cast<float>(received)});
  open_receive(from, Tag{0}, received);
  for (std::size_t last = open_.size() - 2; last < open_.size(); ++last) {
    writer_.wait(open_[last].request);
    close(open_[last]);
  }
}

void TiRank::test(const TraceLines& at, const Words& words) {
  source(at, words[2]), source(at, words[3]), tag(at, words[4], true);
  ++notes_["'test' lines dropped: a test takes no time here (in SMPI smpi/test, 0 with our options)"];
}

void TiRank::wait(const TraceLines& at, const Words& words) {
  Open* open = find_open(source(at, words[2]), source(at, words[3]), tag(at, words[4], true));
  if (open == nullptr) {
    ++notes_
        ["'wait' lines dropped: no request of this sender, receiver and tag is open (a test may have completed it)"];
    return;
  }
  writer_.wait(open->request);
  close(*open);
}

TiRank::Open* TiRank::find_open(Rank from, Rank to, Tag number) {
  Open* wild = nullptr;
  for (std::size_t i = open_first_; i < open_.size(); ++i) {
    Open& open = open_[i];
    if (open.closed || open.to != to) continue;
    if (open.from == from && open.tag == number) return &open;
    const bool takes = (open.from == any_rank || open.from == from) && (open.tag == any_tag || open.tag == number);
    if (takes && wild == nullptr) wild = &open;
  }
  return wild;
}

void TiRank::close(Open& open) {
  open.closed = true;
  numbers_.give_back(open.request);
  if (--open_count_ == 0) {
    open_.clear();
    open_first_ = 0;
    return;
  }
  while (open_first_ < open_.size() && open_[open_first_].closed) ++open_first_;
}

void TiRank::wait_all(const TraceLines&, const Words&) {
  if (open_count_ == 0) return;
  writer_.wait_all();
  numbers_.give_back_all();
  open_.clear();
  open_first_ = open_count_ = 0;
}

Rank TiRank::source(const TraceLines& at, std::string_view word) const {
  bool good = false;
  const int number = small_integer(word, good);
  if (good && (number == any_source_number || number == untraced_source)) return any_rank;
  return peer(at, word, "the sender");
}

Rank TiRank::peer(const TraceLines& at, std::string_view word, const char* name) const {
  bool good = false;
  const int number = small_integer(word, good);
  if (!good || number < 0 || static_cast<std::uint32_t>(number) >= ranks_) {
    const std::string_view shown = word.substr(0, 40);
    if (index_.empty())
      throw RankOutside("{}: {} is '{}' (ranks are 0 to {}). Correct it?", at.where(), name, shown, ranks_ - 1);
    at.refuse(Refusal("{} is '{}' ({} names {} file{}, so ranks are 0 to {}). Does it lack a line?", name, shown,
                      index_, ranks_, ranks_ == 1 ? "" : "s", ranks_ - 1));
  }
  return Rank{static_cast<std::uint32_t>(number)};
}

Tag TiRank::tag(const TraceLines& at, std::string_view word, bool any_allowed) const {
  bool good = false;
  const int number = small_integer(word, good);
  if (good && any_allowed && number == any_tag_number) return any_tag;
  if (!good || number < 0)
    at.refuse(Refusal("the tag is '{}' (a whole number, 0 or more{}). Correct it?", word.substr(0, 40),
                      any_allowed ? ", or -444 for any" : ""));
  return Tag{static_cast<std::uint32_t>(number)};
}

double TiRank::size_of(const TraceLines& at, const Words& words, std::size_t datatype) {
  if (datatype >= words.size()) return default_size_;
  bool good = false;
  const int number = small_integer(words[datatype], good);
  if (good && number == -1) {
    ++notes_
        ["messages of a derived datatype (-1) taken as 0 B: a TI trace does not say how large it is, as in "
         "smpirun -replay"];
    return 0.0;
  }
  if (!good || number < 0 || static_cast<std::size_t>(number) >= datatype_sizes.size())
    at.refuse(Refusal("the datatype is '{}' (SMPI's numbers, -1 to {}). Correct it?", words[datatype].substr(0, 40),
                      datatype_sizes.size() - 1));
  return datatype_sizes[static_cast<std::size_t>(number)];
}

}  // namespace orrery::config
