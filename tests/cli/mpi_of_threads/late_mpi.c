/* The same with MPI: every process late in turn, on a communicator that is not the world. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int tested_barrier(MPI_Comm comm);

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv) {
  int world_rank, world, rank, ranks, early = 0;
  MPI_Comm part;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world);
  MPI_Comm_split(MPI_COMM_WORLD, world_rank == 0, -world_rank, &part); /* all but the first, backwards */
  MPI_Comm_rank(part, &rank);
  MPI_Comm_size(part, &ranks);
  for (int late = 0; late < ranks && world_rank != 0; ++late) {
    double entered, last;
    if (rank == late) usleep(20000);
    entered = now();
    if (tested_barrier(part) != MPI_SUCCESS) early += 1000;
    const double left = now();
    MPI_Allreduce(&entered, &last, 1, MPI_DOUBLE, MPI_MAX, part);
    early += left < last;
  }
  if (world_rank == 0 && tested_barrier(part) != MPI_ERR_COMM) early += 1000; /* one process, not as many as it is for */
  MPI_Allreduce(MPI_IN_PLACE, &early, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (world_rank == 1) printf("%d ranks, %d early\n", ranks, early);
  MPI_Finalize();
  return early != 0;
}
