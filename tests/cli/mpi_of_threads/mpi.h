/* As much of MPI as `orrery barrier --emit-c` writes, with threads of one process for ranks: for machines without MPI.
   A signal is a token; a synchronous send is over when its token has been taken. */
#pragma once

#include <pthread.h>
#include <stddef.h>

enum { MPI_SUCCESS = 0, MPI_ERR_COMM = 5, MPI_BYTE = 1, ranks_max = 64 };
#define MPI_STATUSES_IGNORE NULL

typedef int MPI_Comm; /* its number of ranks */
typedef struct {
  int other, is_send, ticket;
} MPI_Request;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int sent[ranks_max][ranks_max], taken[ranks_max][ranks_max]; /* [from][to] */
static _Thread_local int my_rank;

static int MPI_Comm_rank(MPI_Comm comm, int *rank) {
  (void)comm;
  *rank = my_rank;
  return MPI_SUCCESS;
}
static int MPI_Comm_size(MPI_Comm comm, int *size) {
  *size = comm;
  return MPI_SUCCESS;
}
static int MPI_Irecv(void *data, int count, int type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
  (void)data, (void)count, (void)type, (void)tag, (void)comm;
  *request = (MPI_Request){from, 0, 0};
  return MPI_SUCCESS;
}
static int MPI_Issend(const void *data, int count, int type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  (void)data, (void)count, (void)type, (void)tag, (void)comm;
  pthread_mutex_lock(&mutex);
  *request = (MPI_Request){to, 1, ++sent[my_rank][to]};
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return MPI_SUCCESS;
}
static int MPI_Waitall(int count, MPI_Request *requests, void *statuses) {
  (void)statuses;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < count; ++i) /* receives take what has come, in whatever order the requests are */
    if (!requests[i].is_send) {
      while (sent[requests[i].other][my_rank] == taken[requests[i].other][my_rank]) pthread_cond_wait(&changed, &mutex);
      ++taken[requests[i].other][my_rank];
      pthread_cond_broadcast(&changed);
    }
  for (int i = 0; i < count; ++i)
    if (requests[i].is_send)
      while (taken[my_rank][requests[i].other] < requests[i].ticket) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return MPI_SUCCESS;
}
