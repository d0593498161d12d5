/* Every thread late in turn: nobody may leave the barrier before the late one has entered it (Meyer 2012, section 5.5). */
#include "mpi.h"

#include <stdio.h>
#include <unistd.h>

int tested_barrier(MPI_Comm comm);
#include BARRIER

enum { ranks = RANKS };
static int entered[ranks], early; /* under mutex */

static void *run(void *argument) {
  my_rank = (int)(size_t)argument;
  for (int late = 0; late < ranks; ++late) {
    if (my_rank == late) usleep(3000);
    pthread_mutex_lock(&mutex);
    ++entered[my_rank];
    pthread_mutex_unlock(&mutex);
    if (tested_barrier(ranks) != MPI_SUCCESS) early += 1000;
    pthread_mutex_lock(&mutex);
    for (int other = 0; other < ranks; ++other)
      if (entered[other] < late + 1) ++early;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[ranks];
  for (size_t r = 0; r < ranks; ++r) pthread_create(&threads[r], NULL, run, (void *)r);
  for (int r = 0; r < ranks; ++r) pthread_join(threads[r], NULL);
  if (tested_barrier(ranks + 1) != MPI_ERR_COMM) early += 1000; /* not this communicator's */
  printf("%d ranks, %d early\n", ranks, early);
  return early != 0;
}
