! Each rank sends to the next, with the newest interface.
program ring
  use mpi_f08
  implicit none
  integer :: me, n
  double precision :: a(100), b(200)
  type(MPI_Request) :: r(2)
  type(MPI_Status) :: s(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, n)
  a = me
  call MPI_Irecv(b, 200, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, r(1))
  call MPI_Isend(a, 100, MPI_DOUBLE_PRECISION, mod(me + 1, n), 3, MPI_COMM_WORLD, r(2))
  call MPI_Waitall(2, r, s)
  call MPI_Allreduce(MPI_IN_PLACE, a, 100, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Finalize()
end program
