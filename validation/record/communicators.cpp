// Communicators as they come; where they go nothing has to be done.
#include "validation/record/wrapper.hpp"

/// A call that makes a communicator from others: its parameters, and how it passes them on.
#define ORRERY_MAKES_COMM(maker, parameters, passed)         \
  extern "C" int MPI_##maker(ORRERY_LIST parameters) {       \
    ORRERY_ENTRY(maker);                                     \
    const int code = ORRERY_MPI(maker)(ORRERY_LIST passed);  \
    entry.follow(code, [&](Recorder& r) { r.name(*made); }); \
    return code;                                             \
  }                                                          \
  ORRERY_WRAPS(maker)

ORRERY_MAKES_COMM(Comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made))
ORRERY_MAKES_COMM(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* made), (comm, info, made))
ORRERY_MAKES_COMM(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made), (comm, color, key, made))
ORRERY_MAKES_COMM(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made),
                  (comm, type, key, info, made))
ORRERY_MAKES_COMM(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made), (comm, group, made))
ORRERY_MAKES_COMM(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made),
                  (comm, group, tag, made))
ORRERY_MAKES_COMM(Cart_create,
                  (MPI_Comm comm, int n, const int dims[], const int periods[], int reorder, MPI_Comm* made),
                  (comm, n, dims, periods, reorder, made))
ORRERY_MAKES_COMM(Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm* made), (comm, remain, made))
ORRERY_MAKES_COMM(Graph_create,
                  (MPI_Comm comm, int n, const int index[], const int edges[], int reorder, MPI_Comm* made),
                  (comm, n, index, edges, reorder, made))
ORRERY_MAKES_COMM(Dist_graph_create,
                  (MPI_Comm comm, int n, const int nodes[], const int degrees[], const int targets[],
                   const int weights[], MPI_Info info, int reorder, MPI_Comm* made),
                  (comm, n, nodes, degrees, targets, weights, info, reorder, made))
ORRERY_MAKES_COMM(Dist_graph_create_adjacent,
                  (MPI_Comm comm, int in, const int sources[], const int in_weights[], int out,
                   const int destinations[], const int out_weights[], MPI_Info info, int reorder, MPI_Comm* made),
                  (comm, in, sources, in_weights, out, destinations, out_weights, info, reorder, made))
ORRERY_MAKES_COMM(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm* made), (comm, high, made))
