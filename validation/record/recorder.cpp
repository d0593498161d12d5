#include "validation/record/recorder.hpp"

#include <unistd.h>

#include <numeric>

namespace orrery::record {

namespace {

constexpr int tags_of_communicator = 1 << 20, communicators_of_tags = 2047;

std::vector<int> world_ranks(MPI_Comm comm) {
  int size = 0;
  MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
  ORRERY_MPI(Comm_size)(comm, &size);
  ORRERY_MPI(Comm_group)(comm, &group);
  ORRERY_MPI(Comm_group)(MPI_COMM_WORLD, &world);
  std::vector<int> members(static_cast<std::size_t>(size)), ranks(members.size());
  std::iota(members.begin(), members.end(), 0);
  ORRERY_MPI(Group_translate_ranks)(group, size, members.data(), world, ranks.data());
  ORRERY_MPI(Group_free)(&group);
  ORRERY_MPI(Group_free)(&world);
  return ranks;
}

}  // namespace

std::int64_t bytes_of(std::int64_t count, MPI_Datatype type) {
  MPI_Count size = 0;
  ORRERY_MPI(Type_size_x)(type, &size);
  return count * size;
}

std::int64_t bytes_of(const MPI_Status& status) {
  MPI_Count bytes = 0;
  ORRERY_MPI(Get_elements_x)(&status, MPI_BYTE, &bytes);
  return bytes == MPI_UNDEFINED ? 0 : bytes;
}

Recorder& Recorder::one() {
  static Recorder& recorder = *new Recorder;  // programs call MPI while they end
  return recorder;
}

void Recorder::begin() {
  if (!belongs_here() || !open_file()) return;
  process_ = ::getpid();
  ORRERY_MPI(Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key_, nullptr);
  constexpr double nominal_flops_per_s = 1e9;
  lines_.emplace(rank_, flops_per_s_ > 0.0 ? flops_per_s_ : nominal_flops_per_s);
  world_ = &communicators_.emplace_back(Known{0, &*groups_.insert(world_ranks(MPI_COMM_WORLD)).first, rank_, "", {}});
  Known& self = communicators_.emplace_back(Known{next_number_++, &*groups_.insert({rank_}).first, 0, "", {}});
  ORRERY_MPI(Comm_set_attr)(MPI_COMM_SELF, key_, &self);
  if (rank_ == 0 && flops_per_s_ == 0.0) lines_->mark("speed 1000000000");
  lines_->call("init");
  ORRERY_MPI(Barrier)(MPI_COMM_WORLD);
  begin_thread();
  resumed_s_ = now_s();
  phases_.begin(0.0);
  phase_from_ = lines_->lines();
}

double Recorder::recorded_s() const { return took_s_ + (paused_ ? 0.0 : now_s() - resumed_s_); }

void Recorder::phase(const std::string& name) {
  const auto [word, changed] = phase_words_.word_of(name);
  if (!changed.empty()) note(changed);
  phases_.enter(word, in_use(), recorded_s());
  lines_->mark("phase " + word);
  phase_from_ = lines_->lines();
}

void Recorder::pause(bool paused) {
  if (paused == paused_) return;
  paused_ = paused;
  if (paused)
    took_s_ += now_s() - resumed_s_;
  else
    resumed_s_ = now_s();
}

/// One more than any number that one of its ranks has used: those of a rank's communicators all differ.
void Recorder::name(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return;
  int between = 0, number = 0;
  ORRERY_MPI(Comm_test_inter)(comm, &between);
  if (between != 0) return;
  const std::vector<int> ranks = world_ranks(comm);
  for (const int rank : ranks)
    if (rank == MPI_UNDEFINED) return;  // of processes that were started later and are not recorded
  ORRERY_MPI(Allreduce)(&next_number_, &number, 1, MPI_INT, MPI_MAX, comm);
  next_number_ = number + 1;
  int me = 0;
  ORRERY_MPI(Comm_rank)(comm, &me);
  const auto* group = &*groups_.insert(ranks).first;
  Known& known = communicators_.emplace_back(
      Known{number, group, me, "on " + std::to_string(number) + " " + ranks_text(ranks), {}});
  ORRERY_MPI(Comm_set_attr)(comm, key_, &known);
  note("communicators made: what making them took is not in the trace");
}

Known* Recorder::known(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) return world_;
  void* found = nullptr;
  int there = 0;
  ORRERY_MPI(Comm_get_attr)(comm, key_, static_cast<void*>(&found), &there);
  if (there != 0) return static_cast<Known*>(found);
  note("calls on a communicator between two groups or with processes started later: left out");
  return nullptr;
}

/// Messages of each communicator have tags of their own, as `orrery export --format ti` writes them.
int Recorder::tag_of(int tag, const Known& known) {
  if (known.number == 0) return tag;
  if (tag >= tags_of_communicator || known.number > communicators_of_tags)
    note("messages with tags of 2^20 and more, or of the 2048th communicator and later: their tags may fall together");
  return tag % tags_of_communicator + known.number % (communicators_of_tags + 1) * tags_of_communicator;
}

void Recorder::sent(const char* call, const Message& message, MPI_Comm comm) {
  const Known* where = peer_on(comm, message.peer);
  if (where == nullptr) return;
  lines_->message(call, {where->world_rank(message.peer), tag_of(message.tag, *where), message.bytes});
}

void Recorder::received(const MPI_Status& status, MPI_Comm comm) {
  if (status.MPI_SOURCE == MPI_PROC_NULL) return;
  if (const Known* where = known(comm))
    lines_->message("recv", {where->world_rank(status.MPI_SOURCE), tag_of(status.MPI_TAG, *where), bytes_of(status)});
}

/// Both at once, as MPI_Sendrecv does it: a trace's own call for that has no tags.
void Recorder::exchanged(const Message& sent, const MPI_Status& came, MPI_Comm comm) {
  const Known* where = known(comm);
  if (where == nullptr) return;
  const bool receives = came.MPI_SOURCE != MPI_PROC_NULL, sends = sent.peer != MPI_PROC_NULL;
  Message in, out;
  if (receives) {
    in = {where->world_rank(came.MPI_SOURCE), tag_of(came.MPI_TAG, *where), bytes_of(came)};
    lines_->message("irecv", in);
  }
  if (sends) {
    out = {where->world_rank(sent.peer), tag_of(sent.tag, *where), sent.bytes};
    lines_->message("isend", out);
  }
  if (receives) lines_->wait(in.peer, rank_, in.tag);
  if (sends) lines_->wait(rank_, out.peer, out.tag);
}

void Recorder::posted_send(const Message& message, MPI_Comm comm, MPI_Request request) {
  if (const Known* where = peer_on(comm, message.peer)) post_send(message, *where, request);
}

void Recorder::posted_receive(const Message& message, MPI_Comm comm, MPI_Request request) {
  if (const Known* where = peer_on(comm, message.peer)) post_receive(message, *where, request);
}

void Recorder::post_send(const Message& message, const Known& where, MPI_Request request) {
  const Message line{where.world_rank(message.peer), tag_of(message.tag, where), message.bytes};
  lines_->message("isend", line);
  open_[request].push_back({{}, rank_, line.peer, line.tag, line.bytes, &where});
}

void Recorder::post_receive(const Message& message, const Known& where, MPI_Request request) {
  const int from = message.peer == MPI_ANY_SOURCE ? MPI_ANY_SOURCE : where.world_rank(message.peer);
  const int tag = message.tag == MPI_ANY_TAG ? MPI_ANY_TAG : tag_of(message.tag, where);
  open_[request].push_back({lines_->receive("irecv"), from, rank_, tag, message.bytes, &where});
}

/// Kept by communicator as it is now: the program may free it before it starts the request.
void Recorder::persistent(bool receives, const Message& message, MPI_Comm comm, MPI_Request request) {
  if (const Known* where = peer_on(comm, message.peer)) templates_[request] = {receives, message, where};
}

void Recorder::started(MPI_Request request) {
  const auto found = templates_.find(request);
  if (found == templates_.end()) return;
  const Template& of = found->second;
  if (of.receives)
    post_receive(of.message, *of.known, request);
  else
    post_send(of.message, *of.known, request);
}

void Recorder::completed(MPI_Request request, const MPI_Status& status) {
  if (const auto found = begun_.find(request); found != begun_.end()) {
    Known& known = *found->second;
    begun_.erase(found);
    return complete_collectives(known, request);
  }
  const auto found = open_.find(request);
  if (found == open_.end()) return;  // to nobody, or not recorded
  const Posted posted = found->second.front();
  found->second.erase(found->second.begin());
  if (found->second.empty()) open_.erase(found);
  settle(posted, status);
}

void Recorder::settle(const Posted& posted, const MPI_Status& status) {
  int cancelled = 0;
  if (cancels_) ORRERY_MPI(Test_cancelled)(&status, &cancelled);
  if (cancelled != 0) {
    if (posted.receive) return lines_->drop(*posted.receive);
    return note("sends that were cancelled: the trace has them");
  }
  if (!posted.receive) return lines_->wait(posted.from, posted.to, posted.tag);
  const Message came{posted.known->world_rank(status.MPI_SOURCE), tag_of(status.MPI_TAG, *posted.known),
                     bytes_of(status)};
  lines_->settle(*posted.receive, came);
  lines_->wait(came.peer, rank_, came.tag);
}

void Recorder::freed(MPI_Request request) {
  templates_.erase(request);
  const auto found = open_.find(request);
  if (found == open_.end()) return;
  if (found->second.front().receive) abandoned_.push_back(found->second.front());
  found->second.erase(found->second.begin());
  if (found->second.empty()) open_.erase(found);
}

MPI_Comm Recorder::comm_of(MPI_Message message) {
  const auto found = matched_.find(message);
  const MPI_Comm comm = found == matched_.end() ? MPI_COMM_WORLD : found->second;
  if (found != matched_.end()) matched_.erase(found);
  return comm;
}

void Recorder::write_collective(const Known& known, const std::string& text) {
  if (known.number > 0) lines_->mark(known.on);
  lines_->call(text);
}

void Recorder::collective(MPI_Comm comm, const std::string& text) {
  Known* where = known(comm);
  if (where == nullptr || where->size() < 2) return;
  complete_collectives(*where, MPI_REQUEST_NULL);
  write_collective(*where, text);
}

void Recorder::begun(MPI_Comm comm, const std::string& text, MPI_Request request) {
  Known* where = known(comm);
  if (where == nullptr || where->size() < 2) return;
  note("non-blocking collectives: written where they were completed, so that nothing overlaps them");
  where->begun.push_back({request, text});
  begun_[request] = where;
}

/// In the order in which they were begun, which is the same on all ranks; null: all of them.
void Recorder::complete_collectives(Known& known, MPI_Request up_to) {
  for (bool last = false; !last && !known.begun.empty(); known.begun.pop_front()) {
    last = up_to != MPI_REQUEST_NULL && known.begun.front().request == up_to;
    begun_.erase(known.begun.front().request);
    write_collective(known, known.begun.front().text);
  }
}

}  // namespace orrery::record
