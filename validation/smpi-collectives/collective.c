/* One collective operation under SMPI: simulated times of its begin and end on every rank.
   Usage: collective OPERATION ROOT BYTES...   (BYTES as `message` of the kernel 'collective'; elements are doubles)

   Every rank prints RANK BYTES BEGIN END for each size. Ranks are brought together by sleeping until a common simulated
   time. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void sleep_until(double when) {
  const double left = when - MPI_Wtime();
  if (left <= 0.0) return;
  struct timespec wait = {(time_t)left, (long)(fmod(left, 1.0) * 1e9)};
  nanosleep(&wait, NULL);
}

static void perform(const char* operation, int count, int root, double* in, double* out, int* counts, int* offsets) {
  const MPI_Datatype type = MPI_DOUBLE;
  const MPI_Comm world = MPI_COMM_WORLD;
  if (!strcmp(operation, "barrier")) MPI_Barrier(world);
  if (!strcmp(operation, "bcast")) MPI_Bcast(in, count, type, root, world);
  if (!strcmp(operation, "reduce")) MPI_Reduce(in, out, count, type, MPI_SUM, root, world);
  if (!strcmp(operation, "allreduce")) MPI_Allreduce(in, out, count, type, MPI_SUM, world);
  if (!strcmp(operation, "scatter")) MPI_Scatter(in, count, type, out, count, type, root, world);
  if (!strcmp(operation, "scatterv")) MPI_Scatterv(in, counts, offsets, type, out, count, type, root, world);
  if (!strcmp(operation, "gather")) MPI_Gather(in, count, type, out, count, type, root, world);
  if (!strcmp(operation, "gatherv")) MPI_Gatherv(in, count, type, out, counts, offsets, type, root, world);
  if (!strcmp(operation, "allgather")) MPI_Allgather(in, count, type, out, count, type, world);
  if (!strcmp(operation, "allgatherv")) MPI_Allgatherv(in, count, type, out, counts, offsets, type, world);
  if (!strcmp(operation, "alltoall")) MPI_Alltoall(in, count, type, out, count, type, world);
  if (!strcmp(operation, "alltoallv")) MPI_Alltoallv(in, counts, offsets, type, out, counts, offsets, type, world);
  if (!strcmp(operation, "reduce_scatter")) MPI_Reduce_scatter(in, out, counts, type, MPI_SUM, world);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int* counts = malloc(2 * (size_t)ranks * sizeof(int));
  int* offsets = counts + ranks;
  double when = 100.0; /* seconds, simulated */
  for (int i = 3; i < argc; ++i, when += 100.0) {
    const int count = (int)(atol(argv[i]) / (long)sizeof(double)), root = atoi(argv[2]);
    double* in = calloc((size_t)count * ranks + 1, sizeof(double));
    double* out = calloc((size_t)count * ranks + 1, sizeof(double));
    for (int r = 0; r < ranks; ++r) {
      counts[r] = count;
      offsets[r] = r * count;
    }
    /* SMPI finds out about nodes in the first call. */
    if (i == 3) perform(argv[1], count, root, in, out, counts, offsets);
    sleep_until(when);
    const double begin = MPI_Wtime();
    perform(argv[1], count, root, in, out, counts, offsets);
    const double end = MPI_Wtime();
    sleep_until(when + 50.0); /* what is printed must not be timed */
    printf("%d %s %.12g %.12g\n", me, argv[i], begin, end);
    fflush(stdout);
    free(in);
    free(out);
  }
  free(counts);
  MPI_Finalize();
  return 0;
}
