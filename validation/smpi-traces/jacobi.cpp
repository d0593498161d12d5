// A real program to record: Jacobi iterations on a square of 2-D blocks, with a reduction each iteration.
#include <mpi.h>

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0, me = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int sizes[2] = {0, 0}, periods[2] = {0, 0};
  MPI_Dims_create(ranks, 2, sizes);
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
  MPI_Comm_rank(grid, &me);
  constexpr int side = 400;
  std::vector<double> field((side + 2) * (side + 2), me), next(field), column(4 * side);
  for (int k = 0; k < 10; ++k) {
    MPI_Request requests[8];
    int open = 0;
    for (int axis = 0; axis < 2; ++axis) {
      int lower = 0, upper = 0;
      MPI_Cart_shift(grid, axis, 1, &lower, &upper);
      for (const int peer : {lower, upper}) {
        if (peer == MPI_PROC_NULL) continue;
        const bool is_lower = peer == lower;
        MPI_Irecv(&column[static_cast<std::size_t>(2 * axis + is_lower) * side], side, MPI_DOUBLE, peer,
                  2 * axis + (is_lower ? 0 : 1), grid, &requests[open++]);
        MPI_Isend(&field[side + 2], side, MPI_DOUBLE, peer, 2 * axis + (is_lower ? 1 : 0), grid, &requests[open++]);
      }
    }
    MPI_Waitall(open, requests, MPI_STATUSES_IGNORE);
    double change = 0.0, all = 0.0;
    for (int y = 1; y <= side; ++y)
      for (int x = 1; x <= side; ++x) {
        const int i = y * (side + 2) + x;
        next[i] = 0.25 * (field[i - 1] + field[i + 1] + field[i - side - 2] + field[i + side + 2]);
        change += (next[i] - field[i]) * (next[i] - field[i]);
      }
    field.swap(next);
    MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, grid);
  }
  MPI_Finalize();
}
