// A real program to record: LU factorisation without pivoting on columns dealt out in turn, as HPL's small brother: the
// owner of a panel factorises it, broadcasts it down a ring, and everybody updates.
#include <mpi.h>

#include <algorithm>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0, me = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  constexpr int n = 512, block = 32;
  const int blocks = n / block;
  std::vector<std::vector<double>> mine(blocks);
  for (int b = me; b < blocks; b += ranks) {
    mine[b].resize(n * block);
    for (int i = 0; i < n * block; ++i) mine[b][i] = 1.0 / (1 + i) + (i % n == b * block + i / n ? n : 0);
  }
  std::vector<double> panel(n * block);
  for (int k = 0; k < blocks; ++k) {
    const int owner = k % ranks, first = k * block, rows = n - first;
    if (owner == me) {
      std::vector<double>& a = mine[k];
      for (int j = 0; j < block; ++j)
        for (int i = first + j + 1; i < n; ++i) {
          a[j * n + i] /= a[j * n + first + j];
          for (int c = j + 1; c < block; ++c) a[c * n + i] -= a[j * n + i] * a[c * n + first + j];
        }
      std::copy(a.begin(), a.end(), panel.begin());
    }
    const int distance = (me - owner + ranks) % ranks;
    if (distance > 0)
      MPI_Recv(panel.data(), rows * block, MPI_DOUBLE, (me + ranks - 1) % ranks, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (distance < ranks - 1) MPI_Send(panel.data(), rows * block, MPI_DOUBLE, (me + 1) % ranks, k, MPI_COMM_WORLD);
    for (int b = me; b < blocks; b += ranks) {
      if (b <= k) continue;
      std::vector<double>& a = mine[b];
      for (int c = 0; c < block; ++c)
        for (int j = 0; j < block; ++j)
          for (int i = first + j + 1; i < n; ++i) a[c * n + i] -= panel[j * n + i] * a[c * n + first + j];
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
