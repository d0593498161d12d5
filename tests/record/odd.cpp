// What a program may do that a trace cannot hold, on two ranks:
//   odd unnamed      names a phase with a null pointer
//   odd lost         sends a message that nobody receives
//   odd waits FILE   writes its process into FILE and waits for ever
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <string>

extern "C" void orrery_phase(const char* name) __attribute__((weak));

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string what = argc > 1 ? argv[1] : "";
  int rank = 0, data = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (what == "unnamed" && orrery_phase != nullptr) orrery_phase(nullptr);
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
