// A small MPI program that makes every kind of call that a recording has to understand. Any number of ranks from 2 on.
//   every_call            all that a trace can hold
//   every_call unheld     also what it cannot: one-sided calls, files, neighbours
//   every_call dies       ends without MPI_Finalize
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

int me, ranks;

void point_to_point() {
  const int next = (me + 1) % ranks, before = (me + ranks - 1) % ranks;
  std::vector<double> out(1000, 1.0), in(2000);  // room for twice the message
  MPI_Status status;
  if (me % 2 == 0 && me + 1 < ranks) {
    MPI_Send(out.data(), 1000, MPI_DOUBLE, me + 1, 5, MPI_COMM_WORLD);
    MPI_Ssend(out.data(), 10, MPI_DOUBLE, me + 1, 6, MPI_COMM_WORLD);
  } else if (me % 2 == 1) {
    MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
    MPI_Recv(in.data(), 2000, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Recv(in.data(), 2000, MPI_DOUBLE, me - 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Sendrecv(out.data(), 100, MPI_DOUBLE, next, 7, in.data(), 2000, MPI_DOUBLE, before, 7, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(out.data(), 100, MPI_DOUBLE, MPI_PROC_NULL, 7, in.data(), 2000, MPI_DOUBLE, MPI_PROC_NULL, 7,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Request requests[4];
  MPI_Irecv(in.data(), 500, MPI_DOUBLE, before, 8, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(in.data() + 500, 500, MPI_DOUBLE, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(out.data(), 500, MPI_DOUBLE, next, 8, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(out.data(), 400, MPI_DOUBLE, next, 9, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  // One at a time, some at a time, by tests.
  MPI_Irecv(in.data(), 500, MPI_DOUBLE, before, 10, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out.data(), 50, MPI_DOUBLE, next, 10, MPI_COMM_WORLD, &requests[1]);
  int which = 0, done = 0, some[2];
  MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
  MPI_Waitsome(2, requests, &done, some, MPI_STATUSES_IGNORE);
  MPI_Irecv(in.data(), 500, MPI_DOUBLE, before, 11, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out.data(), 50, MPI_DOUBLE, next, 11, MPI_COMM_WORLD, &requests[1]);
  for (done = 0; done == 0;) MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
  MPI_Request_free(&requests[1]);
  // A receive that is cancelled never was.
  MPI_Irecv(in.data(), 1, MPI_DOUBLE, MPI_ANY_SOURCE, 12, MPI_COMM_WORLD, &requests[0]);
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Message message;
  MPI_Isend(out.data(), 30, MPI_DOUBLE, next, 13, MPI_COMM_WORLD, &requests[0]);
  MPI_Mprobe(before, 13, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(in.data(), 2000, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

void persistent() {
  const int next = (me + 1) % ranks, before = (me + ranks - 1) % ranks;
  std::vector<char> out(64), in(64);
  MPI_Request both[2];
  MPI_Recv_init(in.data(), 64, MPI_CHAR, before, 20, MPI_COMM_WORLD, &both[0]);
  MPI_Send_init(out.data(), 64, MPI_CHAR, next, 20, MPI_COMM_WORLD, &both[1]);
  for (int i = 0; i < 3; ++i) {
    MPI_Startall(2, both);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
}

void collectives(MPI_Comm comm) {
  int mine = 0, all = 1;
  MPI_Comm_rank(comm, &mine);
  MPI_Comm_size(comm, &all);
  const auto p = static_cast<std::size_t>(all);
  std::vector<double> out(100 * p), in(100 * p);
  std::vector<int> counts, places;
  int total = 0;
  for (int i = 0; i < all; ++i) {
    counts.push_back(10 * (i + 1));
    places.push_back(total);
    total += counts.back();
  }
  const int own = counts[static_cast<std::size_t>(mine)], last = all - 1;
  std::vector<double> uneven(static_cast<std::size_t>(total));
  MPI_Barrier(comm);
  MPI_Bcast(out.data(), 100, MPI_DOUBLE, last, comm);
  MPI_Reduce(out.data(), in.data(), 100, MPI_DOUBLE, MPI_SUM, 0, comm);
  MPI_Allreduce(MPI_IN_PLACE, in.data(), 25, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Scan(out.data(), in.data(), 3, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Exscan(out.data(), in.data(), 3, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Allgather(out.data(), 40, MPI_DOUBLE, in.data(), 40, MPI_DOUBLE, comm);
  MPI_Alltoall(out.data(), 30, MPI_DOUBLE, in.data(), 30, MPI_DOUBLE, comm);
  MPI_Gather(out.data(), 20, MPI_DOUBLE, in.data(), 20, MPI_DOUBLE, last, comm);
  MPI_Scatter(out.data(), 20, MPI_DOUBLE, mine == 0 ? MPI_IN_PLACE : in.data(), 20, MPI_DOUBLE, 0, comm);
  MPI_Gatherv(out.data(), own, MPI_DOUBLE, uneven.data(), counts.data(), places.data(), MPI_DOUBLE, last, comm);
  MPI_Scatterv(uneven.data(), counts.data(), places.data(), MPI_DOUBLE, in.data(), own, MPI_DOUBLE, 0, comm);
  MPI_Allgatherv(out.data(), own, MPI_DOUBLE, uneven.data(), counts.data(), places.data(), MPI_DOUBLE, comm);
  const std::vector<int> same(p, own);
  std::vector<int> steps(p), none(p);
  for (std::size_t i = 0; i < p; ++i) steps[i] = 0;
  std::vector<double> much(static_cast<std::size_t>(total));
  MPI_Alltoallv(out.data(), counts.data(), none.data(), MPI_DOUBLE, much.data(), same.data(), none.data(), MPI_DOUBLE,
                comm);
  MPI_Reduce_scatter(uneven.data(), in.data(), counts.data(), MPI_DOUBLE, MPI_SUM, comm);
  MPI_Reduce_scatter_block(out.data(), in.data(), 5, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Request both[2];
  MPI_Iallreduce(out.data(), in.data(), 8, MPI_DOUBLE, MPI_SUM, comm, &both[0]);
  MPI_Ibcast(out.data(), 16, MPI_DOUBLE, 0, comm, &both[1]);
  if (mine % 2 == 0) MPI_Wait(&both[1], MPI_STATUS_IGNORE);  // in another order than others
  MPI_Wait(&both[0], MPI_STATUS_IGNORE);
  if (mine % 2 == 1) MPI_Wait(&both[1], MPI_STATUS_IGNORE);
}

void communicators() {
  MPI_Comm twin, half, ring;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &half);  // the ranks of a half in falling order
  const int periodic = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring);
  int before = 0, next = 0, token = me;
  MPI_Cart_shift(ring, 0, 1, &before, &next);
  MPI_Sendrecv_replace(&token, 1, MPI_INT, next, 1, before, 1, ring, MPI_STATUS_IGNORE);
  collectives(twin);
  collectives(half);
  MPI_Comm_free(&half);
  MPI_Comm_free(&twin);
  MPI_Comm_free(&ring);
}

void unheld() {
  int value = me, got = 0;
  MPI_Win window;
  MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Get(&got, 1, MPI_INT, (me + 1) % ranks, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_File file;
  if (MPI_File_open(MPI_COMM_WORLD, "every_call.out", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) ==
      MPI_SUCCESS) {
    MPI_File_write_at_all(file, me * 4, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::string what = argc > 1 ? argv[1] : "";
  point_to_point();
  if (what == "dies") std::exit(3);
  MPI_Pcontrol(0);
  int unseen = 0;
  MPI_Bcast(&unseen, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Pcontrol(1);
  persistent();
  collectives(MPI_COMM_WORLD);
  communicators();
  if (what == "unheld") unheld();
  MPI_Finalize();
  return 0;
}
