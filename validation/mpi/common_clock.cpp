#include "validation/mpi/common_clock.hpp"

#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <string>

namespace orrery::mpi {

namespace {

constexpr int round_trips = 100, clock_tag = 1;
constexpr double least_margin_s = 0.003;

double monotonic_s() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void sleep_until(double at_s) {
  timespec t{};
  t.tv_sec = static_cast<time_t>(std::floor(at_s));
  t.tv_nsec = static_cast<long>((at_s - std::floor(at_s)) * 1e9);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
  }
}

std::array<char, 64> boot_id() {
  std::array<char, 64> id{};
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  file.getline(id.data(), id.size());
  return id;
}

/// What to add to this rank's clock to get rank 0's.
double offset_to_first(MPI_Comm world, int rank, int ranks) {
  auto own = boot_id(), first = own;
  MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, world);
  int elsewhere = own != first || own[0] == '\0';
  double offset = 0.0;
  for (int other = 1; other < ranks; ++other) {
    int ask = other == rank && elsewhere;
    MPI_Bcast(&ask, 1, MPI_INT, other, world);
    if (!ask) continue;
    double quickest = INFINITY;
    for (int i = 0; i < round_trips; ++i) {
      double time = monotonic_s();
      if (rank == other) {
        const double asked = time;
        MPI_Send(&time, 1, MPI_DOUBLE, 0, clock_tag, world);
        MPI_Recv(&time, 1, MPI_DOUBLE, 0, clock_tag, world, MPI_STATUS_IGNORE);
        const double answered = monotonic_s();
        if (answered - asked < quickest) quickest = answered - asked, offset = time - (asked + answered) / 2.0;
      } else if (rank == 0) {
        MPI_Recv(&time, 1, MPI_DOUBLE, other, clock_tag, world, MPI_STATUS_IGNORE);
        time = monotonic_s();
        MPI_Send(&time, 1, MPI_DOUBLE, other, clock_tag, world);
      }
    }
  }
  return offset;
}

}  // namespace

CommonClock::CommonClock(MPI_Comm world) {
  prctl(PR_SET_TIMERSLACK, 1);  // 50 us otherwise
  int rank = 0, ranks = 1;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
  offset_s_ = offset_to_first(world, rank, ranks);
}

double CommonClock::common() const { return monotonic_s() + offset_s_; }
double CommonClock::now() const { return common() - left_out_s_; }

double CommonClock::meet(MPI_Comm ranks, double entered_s, double& met_at_s) {
  // The last to enter, and how far ahead the moment must lie: twice what the agreement took last time.
  const double own[] = {entered_s, common(), agreement_s_};
  double greatest[3];
  MPI_Allreduce(own, greatest, 3, MPI_DOUBLE, MPI_MAX, ranks);
  agreement_s_ = std::max(0.0, common() - greatest[1]);
  met_at_s = greatest[1] + std::max(least_margin_s, 2.0 * greatest[2]);
  sleep_until(met_at_s - offset_s_);
  lateness_s_ = std::max(lateness_s_, common() - met_at_s);
  return greatest[0];
}

void CommonClock::start_together(MPI_Comm ranks) {
  double met_at_s = 0.0;
  meet(ranks, 0.0, met_at_s);
  left_out_s_ = met_at_s;
  lateness_s_ = std::max(0.0, now());
}

void CommonClock::ideal_barrier(MPI_Comm ranks) {
  double met_at_s = 0.0;
  const double last_entered_s = meet(ranks, now(), met_at_s);
  left_out_s_ = met_at_s - last_entered_s;
}

}  // namespace orrery::mpi
