#include "validation/mpi/mpi_player.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/collectives/beside.hpp"
#include "sim/core/error.hpp"
#include "validation/mpi/agreed.hpp"
#include "validation/mpi/needs.hpp"

/// Of 'orrery record', where it is preloaded.
extern "C" [[gnu::weak]] void orrery_phase(const char* name);

namespace orrery::mpi {

namespace {

int number(Rank rank) { return rank == any_rank ? MPI_ANY_SOURCE : static_cast<int>(rank); }
int number(Tag tag) { return tag == any_tag ? MPI_ANY_TAG : static_cast<int>(tag); }
std::size_t as_count(Bytes bytes) { return static_cast<std::size_t>(std::llround(bytes.si())); }

std::uint32_t tag_max() {
  int* bound = nullptr;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&bound), &found);
  return static_cast<std::uint32_t>(found ? *bound : 32767);
}

bool uneven(Operation operation) {
  return operation == Operation::scatterv || operation == Operation::gatherv || operation == Operation::allgatherv ||
         operation == Operation::alltoallv;
}

/// Multiplies and adds in registers, and streams through memory, as often as the step says.
void work(const Compute& compute, double share, std::vector<unsigned char>& memory) {
  constexpr std::size_t lanes = 16, stream_max = 1u << 26;
  volatile double kept = 0.0;
  double x[lanes];
  for (std::size_t i = 0; i < lanes; ++i) x[i] = 1.0 + static_cast<double>(i);
  const auto rounds = static_cast<std::uint64_t>(compute.flops.si() * share / (2.0 * lanes));
  for (std::uint64_t r = 0; r < rounds; ++r)
    for (double& lane : x) lane = lane * 0.999999 + 1e-6;
  for (const double lane : x) kept = kept + lane;
  auto left = static_cast<std::size_t>(compute.traffic.si() * share);
  if (left > 0 && memory.size() < std::min(left, stream_max)) memory.resize(std::min(left, stream_max));
  while (left > 0) {
    const std::size_t part = std::min(left, memory.size());
    for (std::size_t at = 0; at < part; at += 64) memory[at] = static_cast<unsigned char>(memory[at] + 1);
    left -= part;
  }
}

}  // namespace

MpiPlayer::MpiPlayer(const Program& program, const ComputeModel& compute, MPI_Comm ranks, const PlayOptions& options)
    : program_(program), compute_(compute), options_(options), ranks_(ranks) {
  MPI_Comm_rank(ranks_, &me_);
  Needs needs;
  agreed(ranks_, [&] { needs = needs_of(program_, Rank{static_cast<std::uint32_t>(me_)}, tag_max()); });
  sent_ = needs.sends;
  source_.resize(needs.largest);
  sink_.resize(needs.largest);
  make_communicators(needs);
}

MpiPlayer::~MpiPlayer() {
  for (auto& [id, communicator] : communicators_) MPI_Comm_free(&communicator);
  for (auto& [id, communicator] : groups_) MPI_Comm_free(&communicator);
}

void MpiPlayer::make_communicators(const Needs& needs) {
  std::uint32_t most = 0;
  MPI_Allreduce(&needs.greatest_communicator, &most, 1, MPI_UINT32_T, MPI_MAX, ranks_);
  for (std::uint32_t id = 0; id <= most; ++id) MPI_Comm_dup(ranks_, &communicators_[Communicator{id}]);
  if (!options_.library_collectives) return;
  MPI_Group all;
  MPI_Comm_group(ranks_, &all);
  for (const auto& [fingerprint, group] : needs.groups) {  // in one order at all members: nobody waits in a circle
    std::vector<int> members;
    for (Member m = 0; m < group.size(); ++m) members.push_back(number(group.rank(m)));
    MPI_Group some;
    MPI_Group_incl(all, static_cast<int>(members.size()), members.data(), &some);
    MPI_Comm_create_group(ranks_, some, 0, &groups_[fingerprint]);
    MPI_Group_free(&some);
  }
  MPI_Group_free(&all);
}

void MpiPlayer::play(CommonClock& clock, bool check, bool record) {
  clock_ = &clock;
  recorded_ = record;
  check_ = check;
  skipping_ = false;
  computes_ = checked_ = 0;
  work_.clear();
  auto steps = program_.steps(Rank{static_cast<std::uint32_t>(me_)});
  if (options_.worker != nullptr) options_.worker->begin();
  clock.start_together(ranks_);
  if (recorded_) MPI_Pcontrol(1);
  times_.begin(0.0);
  while (const Step* step = steps.next()) {
    if (skipping_ && !std::holds_alternative<CollectiveEnd>(*step)) continue;
    visit_step([this](const auto& one) { perform(one); }, *step);
  }
  if (options_.worker != nullptr) options_.worker->end();
  end_s_ = clock.now();
  if (recorded_) MPI_Pcontrol(0);
  times_.end(end_s_);
  if (!open_.empty())
    throw ReplayError("{}: rank {} ends with {} requests that it never waited for", program_.name(), me_, open_.size());
}

std::vector<unsigned char> MpiPlayer::take_buffer(std::size_t bytes) {
  std::vector<unsigned char> buffer;
  if (!spare_.empty()) {
    buffer = std::move(spare_.back());
    spare_.pop_back();
  }
  if (buffer.size() < bytes) buffer.resize(bytes);
  return buffer;
}

Address MpiPlayer::sent_to(const Send& send) const {
  return {static_cast<std::uint32_t>(me_), static_cast<std::uint32_t>(send.to), static_cast<std::uint32_t>(send.tag)};
}

const void* MpiPlayer::outgoing(const Send& send, std::vector<unsigned char>& buffer) {
  if (!check_) return source_.data();
  const std::size_t bytes = as_count(send.message);
  buffer = take_buffer(bytes);
  write_payload({buffer.data(), bytes}, sent_to(send));
  return buffer.data();
}

void MpiPlayer::require_size(const MPI_Status& status, std::size_t bytes) const {
  int count = 0;
  MPI_Get_count(&status, MPI_BYTE, &count);
  if (static_cast<std::size_t>(count) != bytes)
    throw ReplayError("{}: rank {} receives {} bytes from rank {} with tag {}, but expects {}", program_.name(), me_,
                      count, status.MPI_SOURCE, status.MPI_TAG, bytes);
}

programs::Worker* MpiPlayer::carrier(Tag tag) const {
  return options_.worker != nullptr && options_.worker->carries(tag) ? options_.worker : nullptr;
}

const double* MpiPlayer::carried(const Send& send) const {
  const auto data = options_.worker->outgoing(send);
  if (data.size_bytes() != as_count(send.message))
    throw ReplayError("{}: rank {} sends rank {} {} bytes with tag {}, but has {} for it", program_.name(), me_,
                      index(send.to), as_count(send.message), index(send.tag), data.size_bytes());
  return data.data();
}

double* MpiPlayer::room_for(const Recv& recv) const {
  const auto room = options_.worker->room(recv);
  if (room.size_bytes() != as_count(recv.message))
    throw ReplayError("{}: rank {} receives {} bytes from rank {} with tag {}, but has room for {}", program_.name(),
                      me_, as_count(recv.message), index(recv.from), index(recv.tag), room.size_bytes());
  return room.data();
}

void MpiPlayer::received(const MPI_Status& status, const std::vector<unsigned char>& buffer, std::size_t bytes) {
  require_size(status, bytes);
  if (!check_) return;
  const Address address{static_cast<std::uint32_t>(status.MPI_SOURCE), static_cast<std::uint32_t>(me_),
                        static_cast<std::uint32_t>(status.MPI_TAG)};
  if (const auto wrong = first_wrong_byte({buffer.data(), bytes}, address))
    throw ReplayError("{}: byte {} of {} that rank {} received from rank {} with tag {} is wrong", program_.name(),
                      *wrong, bytes, me_, status.MPI_SOURCE, status.MPI_TAG);
  ++checked_;
}

void MpiPlayer::compute_for(const Compute& step, double share) {
  if (options_.compute == ComputeAs::none) return;
  if (options_.worker != nullptr) {
    const double begin_s = clock_->now();
    options_.worker->compute(step);
    WorkDone& done = work_[{times_.phase(), step.work}];
    ++done.steps;
    done.flops += step.flops;
    done.traffic += step.traffic;
    done.seconds += clock_->now() - begin_s;
    return;
  }
  if (options_.compute == ComputeAs::work && step.work != Work::elapsed) return work(step, share, sink_);
  const Rank me{static_cast<std::uint32_t>(me_)};
  const double until_s = clock_->now() + share * compute_.sampled_time(step, me, computes_).si();
  while (clock_->now() < until_s)
    if (options_.compute == ComputeAs::sleep) {
      const double left_s = until_s - clock_->now();
      const timespec t{static_cast<time_t>(left_s), static_cast<long>((left_s - std::floor(left_s)) * 1e9)};
      if (left_s > 0.0) nanosleep(&t, nullptr);
    }
}

void MpiPlayer::perform(const Compute& step) {
  times_.step();
  compute_for(step, 1.0);
  ++computes_;
}

void MpiPlayer::perform(const ComputeUntil& step) {
  times_.step();
  const auto open = open_.find(static_cast<std::uint32_t>(step.request));
  const std::uint32_t chunks = std::max(step.chunks, 1u);
  int arrived = open == open_.end();
  for (std::uint32_t done = 0; done < chunks;) {
    const std::uint32_t now = arrived && done > 0 ? chunks - done : 1;  // one look after each part until it has come
    compute_for(step.compute, static_cast<double>(now) / chunks);
    done += now;
    if (!arrived) MPI_Request_get_status(open->second.request, &arrived, MPI_STATUS_IGNORE);
  }
  ++computes_;
}

void MpiPlayer::perform(const Send& step) {
  times_.step();
  if (carrier(step.tag) != nullptr) {
    MPI_Send(carried(step), static_cast<int>(as_count(step.message)), MPI_BYTE, number(step.to), number(step.tag),
             of(step.communicator));
    return;
  }
  std::vector<unsigned char> buffer;
  const void* data = outgoing(step, buffer);
  MPI_Send(data, static_cast<int>(as_count(step.message)), MPI_BYTE, number(step.to), number(step.tag),
           of(step.communicator));
  if (check_) spare_.push_back(std::move(buffer));
}

void MpiPlayer::perform(const Recv& step) {
  times_.step();
  const std::size_t bytes = as_count(step.message);
  MPI_Status status;
  if (auto* const worker = carrier(step.tag)) {
    MPI_Recv(room_for(step), static_cast<int>(bytes), MPI_BYTE, number(step.from), number(step.tag),
             of(step.communicator), &status);
    require_size(status, bytes);
    ++checked_;
    return worker->arrived(step);
  }
  auto buffer = take_buffer(bytes);
  MPI_Recv(buffer.data(), static_cast<int>(buffer.size()), MPI_BYTE, number(step.from), number(step.tag),
           of(step.communicator), &status);
  received(status, buffer, bytes);
  spare_.push_back(std::move(buffer));
}

void MpiPlayer::perform(const Isend& step) {
  times_.step();
  Open& open = open_[static_cast<std::uint32_t>(step.request)];
  open.receives = false;
  const void* data = carrier(step.send.tag) != nullptr ? carried(step.send) : outgoing(step.send, open.buffer);
  MPI_Isend(data, static_cast<int>(as_count(step.send.message)), MPI_BYTE, number(step.send.to), number(step.send.tag),
            of(step.send.communicator), &open.request);
}

void MpiPlayer::perform(const Irecv& step) {
  times_.step();
  Open& open = open_[static_cast<std::uint32_t>(step.request)];
  open.receives = true;
  open.bytes = as_count(step.recv.message);
  open.recv = step.recv;
  if (carrier(step.recv.tag) != nullptr) {
    MPI_Irecv(room_for(step.recv), static_cast<int>(open.bytes), MPI_BYTE, number(step.recv.from),
              number(step.recv.tag), of(step.recv.communicator), &open.request);
    return;
  }
  open.buffer = take_buffer(open.bytes);
  MPI_Irecv(open.buffer.data(), static_cast<int>(open.buffer.size()), MPI_BYTE, number(step.recv.from),
            number(step.recv.tag), of(step.recv.communicator), &open.request);
}

void MpiPlayer::finish(RequestId id, const MPI_Status& status) {
  auto open = open_.extract(static_cast<std::uint32_t>(id));
  if (open.mapped().receives) {
    if (auto* const worker = carrier(open.mapped().recv.tag)) {
      require_size(status, open.mapped().bytes);
      ++checked_;
      worker->arrived(open.mapped().recv);
    } else {
      received(status, open.mapped().buffer, open.mapped().bytes);
    }
  }
  if (!open.mapped().buffer.empty()) spare_.push_back(std::move(open.mapped().buffer));
}

void MpiPlayer::perform(const Wait& step) {
  times_.step();
  const auto open = open_.find(static_cast<std::uint32_t>(step.request));
  if (open == open_.end()) return;
  MPI_Status status;
  MPI_Wait(&open->second.request, &status);
  finish(step.request, status);
}

void MpiPlayer::perform(const WaitAll& step) {
  times_.step();
  std::vector<std::uint32_t> ids;
  for (const auto& [id, open] : open_)
    if (id - static_cast<std::uint32_t>(step.first) < step.count) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  std::vector<MPI_Request> requests;
  requests.reserve(ids.size());
  for (const auto id : ids) requests.push_back(open_.at(id).request);
  std::vector<MPI_Status> statuses(ids.size());
  MPI_Waitall(static_cast<int>(ids.size()), requests.data(), statuses.data());
  for (std::size_t i = 0; i < ids.size(); ++i) finish(RequestId{ids[i]}, statuses[i]);
}

/// MPI_Waitany would end the request, which the program has yet to wait for.
void MpiPlayer::perform(const WaitAny& step) {
  times_.step();
  for (;;)
    for (std::uint32_t i = 0; i < step.of->size(); ++i) {
      const auto open = open_.find(static_cast<std::uint32_t>((*step.of)[i]));
      int done = 1;
      if (open != open_.end()) MPI_Request_get_status(open->second.request, &done, MPI_STATUS_IGNORE);
      if (done == 0) continue;
      *step.found = i;
      return;
    }
}

void MpiPlayer::perform(const Probe& step) {
  times_.step();
  int found = 0;
  MPI_Iprobe(number(step.from), number(step.tag), of(step.communicator), &found, MPI_STATUS_IGNORE);
  *step.found = found != 0;
}

void MpiPlayer::perform(const IdealBarrier&) {
  times_.step();
  if (recorded_) MPI_Pcontrol(0);  // it costs nothing, and its messages are not the program's
  clock_->ideal_barrier(ranks_);
  if (recorded_) MPI_Pcontrol(1);
}

void MpiPlayer::perform(const PhaseMark& mark) {
  times_.enter_phase(mark.name, clock_->now());
  if (recorded_ && orrery_phase != nullptr) orrery_phase(mark.name);
}
void MpiPlayer::perform(const IterationMark& mark) {
  times_.enter_iteration(mark.iteration, clock_->now());
  if (options_.worker != nullptr) options_.worker->iteration(mark.iteration);
}

void MpiPlayer::perform(const CollectiveBegin& mark) {
  if (!options_.library_collectives || uneven(mark.call->operation) || collectives::is_beside(*mark.call)) return;
  times_.step();
  call_library(*mark.call);
  skipping_ = true;
}

void MpiPlayer::perform(const CollectiveEnd&) { skipping_ = false; }

}  // namespace orrery::mpi
