! Each rank sends to the next, with the oldest interface.
program ring
  implicit none
  include 'mpif.h'
  integer :: me, n, e, r(2), s(MPI_STATUS_SIZE, 2)
  double precision :: a(100), b(200)
  call MPI_INIT(e)
  call MPI_COMM_RANK(MPI_COMM_WORLD, me, e)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, n, e)
  a = me
  call MPI_IRECV(b, 200, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, r(1), e)
  call MPI_ISEND(a, 100, MPI_DOUBLE_PRECISION, mod(me + 1, n), 3, MPI_COMM_WORLD, r(2), e)
  call MPI_WAITALL(2, r, s, e)
  call MPI_ALLREDUCE(MPI_IN_PLACE, a, 100, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, e)
  call MPI_FINALIZE(e)
end program
