// What a program may do that a trace cannot hold, on two ranks:
//   odd unnamed      names a phase with a null pointer
//   odd lost         sends a message that nobody receives
//   odd waits FILE   writes its process into FILE and waits for ever
//   odd phases       gives phases names that are taken, or that become one word; on rank 1 also another
//   odd turns        lets a second thread exchange messages once the first is out of MPI
//   odd at-once      lets a second thread send while the first waits for an answer
#include <mpi.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

extern "C" void orrery_phase(const char* name) __attribute__((weak));

namespace {

void send(int to, int tag) { MPI_Send(&tag, 1, MPI_INT, to, tag, MPI_COMM_WORLD); }
void receive(int from, int tag) { MPI_Recv(&tag, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

void name_phases(int rank) {
  if (orrery_phase == nullptr) return;
  for (const char* name : {"run", "a b", "a-b", "a b", "program", rank == 0 ? "x y" : "x-y"}) {
    orrery_phase(name);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/// Rank 1 answers tag 1 once it has tag 2, which rank 0 sends from a thread of its own.
void use_threads(int rank, bool at_once) {
  if (rank == 1) {
    if (!at_once) send(0, 1);
    receive(0, 2);
    if (at_once) send(0, 1);
    return;
  }
  std::thread other([at_once] {
    if (at_once) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    send(1, 2);
  });
  if (!at_once) other.join();
  receive(1, 1);
  if (at_once) other.join();
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  const std::string what = argc > 1 ? argv[1] : "";
  int rank = 0, data = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (what == "unnamed" && orrery_phase != nullptr) orrery_phase(nullptr);
  if (what == "phases") name_phases(rank);
  if ((what == "turns" || what == "at-once") && level == MPI_THREAD_MULTIPLE) use_threads(rank, what == "at-once");
  if (what == "lost" && rank == 0) MPI_Send(&data, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  if (what == "waits" && argc > 2 && rank == 0) {
    if (std::FILE* file = std::fopen(argv[2], "w"); file != nullptr) {
      std::fprintf(file, "%d\n", static_cast<int>(::getpid()));
      std::fclose(file);
    }
  }
  if (what == "waits") MPI_Recv(&data, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
