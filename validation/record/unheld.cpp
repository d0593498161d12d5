// Calls of which a trace can say nothing: counted, so that a recording says what is missing in it.
#include "validation/record/wrapper.hpp"

using orrery::record::Unheld;

namespace {

constexpr const char* one_sided = "one-sided calls: left out, their time counts as computing";
constexpr const char* files = "calls of MPI I/O: left out, their time counts as computing";
constexpr const char* neighbours = "collectives of neighbours: left out, their time counts as computing";
constexpr const char* processes = "calls that start or reach other processes: left out, their time counts as computing";
constexpr const char* idup = "communicators made without waiting: their calls are left out";

}  // namespace

#define ORRERY_UNHELD(name, what, parameters, passed) \
  extern "C" int MPI_##name(ORRERY_LIST parameters) { \
    const Unheld unheld(what);                        \
    return ORRERY_MPI(name)(ORRERY_LIST passed);      \
  }                                                   \
  ORRERY_WRAPS(name)

ORRERY_UNHELD(Put, one_sided,
              (const void* data, int count, MPI_Datatype type, int to, MPI_Aint place, int to_count,
               MPI_Datatype to_type, MPI_Win win),
              (data, count, type, to, place, to_count, to_type, win))
ORRERY_UNHELD(Get, one_sided,
              (void* data, int count, MPI_Datatype type, int to, MPI_Aint place, int to_count, MPI_Datatype to_type,
               MPI_Win win),
              (data, count, type, to, place, to_count, to_type, win))
ORRERY_UNHELD(Accumulate, one_sided,
              (const void* data, int count, MPI_Datatype type, int to, MPI_Aint place, int to_count,
               MPI_Datatype to_type, MPI_Op op, MPI_Win win),
              (data, count, type, to, place, to_count, to_type, op, win))
ORRERY_UNHELD(Get_accumulate, one_sided,
              (const void* data, int count, MPI_Datatype type, void* result, int result_count, MPI_Datatype result_type,
               int to, MPI_Aint place, int to_count, MPI_Datatype to_type, MPI_Op op, MPI_Win win),
              (data, count, type, result, result_count, result_type, to, place, to_count, to_type, op, win))
ORRERY_UNHELD(Fetch_and_op, one_sided,
              (const void* data, void* result, MPI_Datatype type, int to, MPI_Aint place, MPI_Op op, MPI_Win win),
              (data, result, type, to, place, op, win))
ORRERY_UNHELD(Compare_and_swap, one_sided,
              (const void* data, const void* compared, void* result, MPI_Datatype type, int to, MPI_Aint place,
               MPI_Win win),
              (data, compared, result, type, to, place, win))
ORRERY_UNHELD(Rput, one_sided,
              (const void* data, int count, MPI_Datatype type, int to, MPI_Aint place, int to_count,
               MPI_Datatype to_type, MPI_Win win, MPI_Request* request),
              (data, count, type, to, place, to_count, to_type, win, request))
ORRERY_UNHELD(Rget, one_sided,
              (void* data, int count, MPI_Datatype type, int to, MPI_Aint place, int to_count, MPI_Datatype to_type,
               MPI_Win win, MPI_Request* request),
              (data, count, type, to, place, to_count, to_type, win, request))
ORRERY_UNHELD(Raccumulate, one_sided,
              (const void* data, int count, MPI_Datatype type, int to, MPI_Aint place, int to_count,
               MPI_Datatype to_type, MPI_Op op, MPI_Win win, MPI_Request* request),
              (data, count, type, to, place, to_count, to_type, op, win, request))
ORRERY_UNHELD(Rget_accumulate, one_sided,
              (const void* data, int count, MPI_Datatype type, void* result, int result_count, MPI_Datatype result_type,
               int to, MPI_Aint place, int to_count, MPI_Datatype to_type, MPI_Op op, MPI_Win win,
               MPI_Request* request),
              (data, count, type, result, result_count, result_type, to, place, to_count, to_type, op, win, request))
ORRERY_UNHELD(Win_fence, one_sided, (int asserted, MPI_Win win), (asserted, win))
ORRERY_UNHELD(Win_start, one_sided, (MPI_Group group, int asserted, MPI_Win win), (group, asserted, win))
ORRERY_UNHELD(Win_complete, one_sided, (MPI_Win win), (win))
ORRERY_UNHELD(Win_post, one_sided, (MPI_Group group, int asserted, MPI_Win win), (group, asserted, win))
ORRERY_UNHELD(Win_wait, one_sided, (MPI_Win win), (win))
ORRERY_UNHELD(Win_lock, one_sided, (int kind, int rank, int asserted, MPI_Win win), (kind, rank, asserted, win))
ORRERY_UNHELD(Win_unlock, one_sided, (int rank, MPI_Win win), (rank, win))
ORRERY_UNHELD(Win_lock_all, one_sided, (int asserted, MPI_Win win), (asserted, win))
ORRERY_UNHELD(Win_unlock_all, one_sided, (MPI_Win win), (win))
ORRERY_UNHELD(Win_flush, one_sided, (int rank, MPI_Win win), (rank, win))
ORRERY_UNHELD(Win_flush_all, one_sided, (MPI_Win win), (win))
ORRERY_UNHELD(Win_create, one_sided, (void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* win),
              (base, size, unit, info, comm, win))
ORRERY_UNHELD(Win_allocate, one_sided,
              (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win),
              (size, unit, info, comm, base, win))
ORRERY_UNHELD(Win_allocate_shared, one_sided,
              (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win),
              (size, unit, info, comm, base, win))
ORRERY_UNHELD(Win_free, one_sided, (MPI_Win * win), (win))
ORRERY_UNHELD(File_open, files, (MPI_Comm comm, const char* path, int mode, MPI_Info info, MPI_File* file),
              (comm, path, mode, info, file))
ORRERY_UNHELD(File_close, files, (MPI_File * file), (file))
ORRERY_UNHELD(File_read, files, (MPI_File file, void* data, int count, MPI_Datatype type, MPI_Status* status),
              (file, data, count, type, status))
ORRERY_UNHELD(File_write, files, (MPI_File file, const void* data, int count, MPI_Datatype type, MPI_Status* status),
              (file, data, count, type, status))
ORRERY_UNHELD(File_read_all, files, (MPI_File file, void* data, int count, MPI_Datatype type, MPI_Status* status),
              (file, data, count, type, status))
ORRERY_UNHELD(File_write_all, files,
              (MPI_File file, const void* data, int count, MPI_Datatype type, MPI_Status* status),
              (file, data, count, type, status))
ORRERY_UNHELD(File_read_at, files,
              (MPI_File file, MPI_Offset offset, void* data, int count, MPI_Datatype type, MPI_Status* status),
              (file, offset, data, count, type, status))
ORRERY_UNHELD(File_write_at, files,
              (MPI_File file, MPI_Offset offset, const void* data, int count, MPI_Datatype type, MPI_Status* status),
              (file, offset, data, count, type, status))
ORRERY_UNHELD(File_read_at_all, files,
              (MPI_File file, MPI_Offset offset, void* data, int count, MPI_Datatype type, MPI_Status* status),
              (file, offset, data, count, type, status))
ORRERY_UNHELD(File_write_at_all, files,
              (MPI_File file, MPI_Offset offset, const void* data, int count, MPI_Datatype type, MPI_Status* status),
              (file, offset, data, count, type, status))
ORRERY_UNHELD(File_iread, files, (MPI_File file, void* data, int count, MPI_Datatype type, MPI_Request* request),
              (file, data, count, type, request))
ORRERY_UNHELD(File_iwrite, files, (MPI_File file, const void* data, int count, MPI_Datatype type, MPI_Request* request),
              (file, data, count, type, request))
ORRERY_UNHELD(File_iread_at, files,
              (MPI_File file, MPI_Offset offset, void* data, int count, MPI_Datatype type, MPI_Request* request),
              (file, offset, data, count, type, request))
ORRERY_UNHELD(File_iwrite_at, files,
              (MPI_File file, MPI_Offset offset, const void* data, int count, MPI_Datatype type, MPI_Request* request),
              (file, offset, data, count, type, request))
ORRERY_UNHELD(File_read_shared, files, (MPI_File file, void* data, int count, MPI_Datatype type, MPI_Status* status),
              (file, data, count, type, status))
ORRERY_UNHELD(File_write_shared, files,
              (MPI_File file, const void* data, int count, MPI_Datatype type, MPI_Status* status),
              (file, data, count, type, status))
ORRERY_UNHELD(File_read_ordered, files, (MPI_File file, void* data, int count, MPI_Datatype type, MPI_Status* status),
              (file, data, count, type, status))
ORRERY_UNHELD(File_write_ordered, files,
              (MPI_File file, const void* data, int count, MPI_Datatype type, MPI_Status* status),
              (file, data, count, type, status))
ORRERY_UNHELD(File_set_view, files,
              (MPI_File file, MPI_Offset start, MPI_Datatype element, MPI_Datatype pattern, const char* format,
               MPI_Info info),
              (file, start, element, pattern, format, info))
ORRERY_UNHELD(File_set_size, files, (MPI_File file, MPI_Offset size), (file, size))
ORRERY_UNHELD(File_sync, files, (MPI_File file), (file))
ORRERY_UNHELD(Neighbor_allgather, neighbours,
              (const void* out, int sends, MPI_Datatype sent, void* in, int receives, MPI_Datatype received,
               MPI_Comm comm),
              (out, sends, sent, in, receives, received, comm))
ORRERY_UNHELD(Neighbor_allgatherv, neighbours,
              (const void* out, int sends, MPI_Datatype sent, void* in, const int receives[], const int places[],
               MPI_Datatype received, MPI_Comm comm),
              (out, sends, sent, in, receives, places, received, comm))
ORRERY_UNHELD(Neighbor_alltoall, neighbours,
              (const void* out, int sends, MPI_Datatype sent, void* in, int receives, MPI_Datatype received,
               MPI_Comm comm),
              (out, sends, sent, in, receives, received, comm))
ORRERY_UNHELD(Neighbor_alltoallv, neighbours,
              (const void* out, const int sends[], const int out_places[], MPI_Datatype sent, void* in,
               const int receives[], const int in_places[], MPI_Datatype received, MPI_Comm comm),
              (out, sends, out_places, sent, in, receives, in_places, received, comm))
ORRERY_UNHELD(Neighbor_alltoallw, neighbours,
              (const void* out, const int sends[], const MPI_Aint out_places[], const MPI_Datatype sent[], void* in,
               const int receives[], const MPI_Aint in_places[], const MPI_Datatype received[], MPI_Comm comm),
              (out, sends, out_places, sent, in, receives, in_places, received, comm))
ORRERY_UNHELD(Ineighbor_allgather, neighbours,
              (const void* out, int sends, MPI_Datatype sent, void* in, int receives, MPI_Datatype received,
               MPI_Comm comm, MPI_Request* request),
              (out, sends, sent, in, receives, received, comm, request))
ORRERY_UNHELD(Ineighbor_allgatherv, neighbours,
              (const void* out, int sends, MPI_Datatype sent, void* in, const int receives[], const int places[],
               MPI_Datatype received, MPI_Comm comm, MPI_Request* request),
              (out, sends, sent, in, receives, places, received, comm, request))
ORRERY_UNHELD(Ineighbor_alltoall, neighbours,
              (const void* out, int sends, MPI_Datatype sent, void* in, int receives, MPI_Datatype received,
               MPI_Comm comm, MPI_Request* request),
              (out, sends, sent, in, receives, received, comm, request))
ORRERY_UNHELD(Ineighbor_alltoallv, neighbours,
              (const void* out, const int sends[], const int out_places[], MPI_Datatype sent, void* in,
               const int receives[], const int in_places[], MPI_Datatype received, MPI_Comm comm, MPI_Request* request),
              (out, sends, out_places, sent, in, receives, in_places, received, comm, request))
ORRERY_UNHELD(Ineighbor_alltoallw, neighbours,
              (const void* out, const int sends[], const MPI_Aint out_places[], const MPI_Datatype sent[], void* in,
               const int receives[], const MPI_Aint in_places[], const MPI_Datatype received[], MPI_Comm comm,
               MPI_Request* request),
              (out, sends, out_places, sent, in, receives, in_places, received, comm, request))
ORRERY_UNHELD(Intercomm_create, processes,
              (MPI_Comm local, int leader, MPI_Comm bridge, int remote, int tag, MPI_Comm* made),
              (local, leader, bridge, remote, tag, made))
ORRERY_UNHELD(Comm_spawn, processes,
              (const char* command, char* arguments[], int most, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made,
               int errors[]),
              (command, arguments, most, info, root, comm, made, errors))
ORRERY_UNHELD(Comm_spawn_multiple, processes,
              (int count, char* commands[], char** arguments[], const int most[], const MPI_Info infos[], int root,
               MPI_Comm comm, MPI_Comm* made, int errors[]),
              (count, commands, arguments, most, infos, root, comm, made, errors))
ORRERY_UNHELD(Comm_accept, processes, (const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made),
              (port, info, root, comm, made))
ORRERY_UNHELD(Comm_connect, processes, (const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made),
              (port, info, root, comm, made))
ORRERY_UNHELD(Comm_idup, idup, (MPI_Comm comm, MPI_Comm* made, MPI_Request* request), (comm, made, request))
