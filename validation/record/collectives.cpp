// Collectives, blocking and not. Every rank writes what the reader wants to know of it, in elements of a size that
// SMPI's datatypes have, else in bytes. What a reduction computes is unknown and taken as nothing.
#include "validation/record/wrapper.hpp"

namespace {

/// SMPI's number of a datatype of this size.
struct Unit {
  std::int64_t bytes = 1;
  int type = 6;  ///< of single bytes
};

Unit unit_of(MPI_Datatype type) {
  switch (const std::int64_t size = bytes_of(1, type)) {
    case 2:
      return {size, 3};
    case 4:
      return {size, 1};
    case 8:
      return {size, 0};
    case 16:
      return {size, 14};
    case 32:
      return {size, 27};
    default:
      return {};
  }
}

/// The words of a call.
class Words {
 public:
  explicit Words(const char* call) : text_(call) {}
  Words& add(std::int64_t number) {
    text_.append(" ").append(std::to_string(number));
    return *this;
  }
  /// So many elements of the type.
  Words& add(std::int64_t count, MPI_Datatype type) { return add(bytes_of(count, type) / unit_of(type).bytes); }
  Words& add(const int* counts, int n, MPI_Datatype type) {
    for (int i = 0; i < n; ++i) add(counts[i], type);
    return *this;
  }
  Words& zeros(int n) {
    for (int i = 0; i < n; ++i) add(0);
    return *this;
  }
  Words& type(MPI_Datatype type) { return add(unit_of(type).type); }
  operator const std::string&() const { return text_; }  // NOLINT: words are a text

 private:
  std::string text_;
};

int size_of(MPI_Comm comm) {
  int size = 1;
  ORRERY_MPI(Comm_size)(comm, &size);
  return size;
}
int rank_in(MPI_Comm comm) {
  int rank = 0;
  ORRERY_MPI(Comm_rank)(comm, &rank);
  return rank;
}

std::string barrier() { return "barrier"; }

std::string bcast(int count, MPI_Datatype type, int root) {
  return Words("bcast").add(count, type).add(root).type(type);
}

std::string reduce(int count, MPI_Datatype type, int root) {
  return Words("reduce").add(count, type).add(0).add(root).type(type);
}

/// allreduce, scan, exscan
std::string reduction(const char* call, int count, MPI_Datatype type) {
  return Words(call).add(count, type).add(0).type(type);
}

/// allgather, alltoall; what is in place is described by what is received.
std::string exchange(const char* call, const void* out, int sends, MPI_Datatype sent, int receives,
                     MPI_Datatype received) {
  const bool in_place = out == MPI_IN_PLACE;
  const int count = in_place ? receives : sends;
  const MPI_Datatype type = in_place ? received : sent;
  return Words(call).add(count, type).add(count, type).type(type).type(type);
}

std::string gather(const void* out, int sends, MPI_Datatype sent, int receives, MPI_Datatype received, int root) {
  const bool in_place = out == MPI_IN_PLACE;
  const int count = in_place ? receives : sends;
  const MPI_Datatype type = in_place ? received : sent;
  return Words("gather").add(count, type).add(count, type).add(root).type(type).type(type);
}

std::string scatter(const void* in, int sends, MPI_Datatype sent, int receives, MPI_Datatype received, int root,
                    MPI_Comm comm) {
  const bool as_sent = in == MPI_IN_PLACE || rank_in(comm) == root;
  const int count = as_sent ? sends : receives;
  const MPI_Datatype type = as_sent ? sent : received;
  return Words("scatter").add(count, type).add(count, type).add(root).type(type).type(type);
}

/// Only the root knows the counts.
std::string gatherv(const void* out, int sends, MPI_Datatype sent, const int* counts, MPI_Datatype received, int root,
                    MPI_Comm comm) {
  const int p = size_of(comm), me = rank_in(comm);
  if (me != root) return Words("gatherv").add(sends, sent).zeros(p).add(root).type(sent).type(sent);
  const bool in_place = out == MPI_IN_PLACE;
  const int count = in_place ? counts[me] : sends;
  const MPI_Datatype type = in_place ? received : sent;
  return Words("gatherv").add(count, type).add(counts, p, received).add(root).type(type).type(received);
}

std::string scatterv(const void* in, const int* counts, MPI_Datatype sent, int receives, MPI_Datatype received,
                     int root, MPI_Comm comm) {
  const int p = size_of(comm), me = rank_in(comm);
  if (me != root) return Words("scatterv").zeros(p).add(receives, received).add(root).type(received).type(received);
  const bool in_place = in == MPI_IN_PLACE;
  const int count = in_place ? counts[me] : receives;
  const MPI_Datatype type = in_place ? sent : received;
  return Words("scatterv").add(counts, p, sent).add(count, type).add(root).type(sent).type(type);
}

std::string allgatherv(const void* out, int sends, MPI_Datatype sent, const int* counts, MPI_Datatype received,
                       MPI_Comm comm) {
  const bool in_place = out == MPI_IN_PLACE;
  const int count = in_place ? counts[rank_in(comm)] : sends;
  const MPI_Datatype type = in_place ? received : sent;
  return Words("allgatherv").add(count, type).add(counts, size_of(comm), received).type(type).type(received);
}

std::int64_t sum(const int* counts, int n) {
  std::int64_t total = 0;
  for (int i = 0; i < n; ++i) total += counts[i];
  return total;
}

std::string alltoallv(const void* out, const int* sends, MPI_Datatype sent, const int* receives, MPI_Datatype received,
                      MPI_Comm comm) {
  const bool in_place = out == MPI_IN_PLACE;
  const int* counts = in_place ? receives : sends;
  const MPI_Datatype type = in_place ? received : sent;
  const int p = size_of(comm);
  return Words("alltoallv")
      .add(sum(counts, p), type)
      .add(counts, p, type)
      .add(sum(receives, p), received)
      .add(receives, p, received)
      .type(type)
      .type(received);
}

/// In bytes: every rank may have a datatype of its own.
std::string alltoallw(const void* out, const int* sends, const MPI_Datatype* sent, const int* receives,
                      const MPI_Datatype* received, MPI_Comm comm) {
  const bool in_place = out == MPI_IN_PLACE;
  const int p = size_of(comm);
  Words words("alltoallv");
  const auto side = [&](const int* counts, const MPI_Datatype* types) {
    std::int64_t total = 0;
    for (int i = 0; i < p; ++i) total += bytes_of(counts[i], types[i]);
    words.add(total);
    for (int i = 0; i < p; ++i) words.add(bytes_of(counts[i], types[i]));
  };
  side(in_place ? receives : sends, in_place ? received : sent);
  side(receives, received);
  return words.type(MPI_BYTE).type(MPI_BYTE);
}

std::string reduce_scatter(const int* counts, MPI_Datatype type, MPI_Comm comm) {
  return Words("reducescatter").add(counts, size_of(comm), type).add(0).type(type);
}

std::string reduce_scatter_block(int count, MPI_Datatype type, MPI_Comm comm) {
  return reduce_scatter(std::vector<int>(static_cast<std::size_t>(size_of(comm)), count).data(), type, comm);
}

}  // namespace

/// A collective and its non-blocking kin: parameters before the communicator, how they are passed on, and the line.
#define ORRERY_COLLECTIVE(name, begun_name, parameters, passed, line)                           \
  extern "C" int MPI_##name(ORRERY_LIST parameters MPI_Comm comm) {                             \
    ORRERY_ENTRY(name);                                                                         \
    const int code = ORRERY_MPI(name)(ORRERY_LIST passed comm);                                 \
    entry.record(code, [&](Recorder& r) { r.collective(comm, line); });                         \
    return code;                                                                                \
  }                                                                                             \
  ORRERY_WRAPS(name)                                                                            \
  extern "C" int MPI_##begun_name(ORRERY_LIST parameters MPI_Comm comm, MPI_Request* request) { \
    ORRERY_ENTRY(begun_name);                                                                   \
    const int code = ORRERY_MPI(begun_name)(ORRERY_LIST passed comm, request);                  \
    entry.record(code, [&](Recorder& r) { r.begun(comm, line, *request); });                    \
    return code;                                                                                \
  }                                                                                             \
  ORRERY_WRAPS(begun_name)

ORRERY_COLLECTIVE(Barrier, Ibarrier, (), (), barrier())
ORRERY_COLLECTIVE(Bcast, Ibcast, (void* data, int count, MPI_Datatype type, int root, ), (data, count, type, root, ),
                  bcast(count, type, root))
ORRERY_COLLECTIVE(Reduce, Ireduce, (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, int root, ),
                  (out, in, count, type, op, root, ), reduce(count, type, root))
ORRERY_COLLECTIVE(Allreduce, Iallreduce, (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, ),
                  (out, in, count, type, op, ), reduction("allreduce", count, type))
ORRERY_COLLECTIVE(Scan, Iscan, (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, ),
                  (out, in, count, type, op, ), reduction("scan", count, type))
ORRERY_COLLECTIVE(Exscan, Iexscan, (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, ),
                  (out, in, count, type, op, ), reduction("exscan", count, type))
ORRERY_COLLECTIVE(Allgather, Iallgather,
                  (const void* out, int sends, MPI_Datatype sent, void* in, int receives, MPI_Datatype received, ),
                  (out, sends, sent, in, receives, received, ),
                  exchange("allgather", out, sends, sent, receives, received))
ORRERY_COLLECTIVE(Alltoall, Ialltoall,
                  (const void* out, int sends, MPI_Datatype sent, void* in, int receives, MPI_Datatype received, ),
                  (out, sends, sent, in, receives, received, ),
                  exchange("alltoall", out, sends, sent, receives, received))
ORRERY_COLLECTIVE(Gather, Igather,
                  (const void* out, int sends, MPI_Datatype sent, void* in, int receives, MPI_Datatype received,
                   int root, ),
                  (out, sends, sent, in, receives, received, root, ),
                  gather(out, sends, sent, receives, received, root))
ORRERY_COLLECTIVE(Scatter, Iscatter,
                  (const void* out, int sends, MPI_Datatype sent, void* in, int receives, MPI_Datatype received,
                   int root, ),
                  (out, sends, sent, in, receives, received, root, ),
                  scatter(in, sends, sent, receives, received, root, comm))
ORRERY_COLLECTIVE(Gatherv, Igatherv,
                  (const void* out, int sends, MPI_Datatype sent, void* in, const int counts[], const int places[],
                   MPI_Datatype received, int root, ),
                  (out, sends, sent, in, counts, places, received, root, ),
                  gatherv(out, sends, sent, counts, received, root, comm))
ORRERY_COLLECTIVE(Scatterv, Iscatterv,
                  (const void* out, const int counts[], const int places[], MPI_Datatype sent, void* in, int receives,
                   MPI_Datatype received, int root, ),
                  (out, counts, places, sent, in, receives, received, root, ),
                  scatterv(in, counts, sent, receives, received, root, comm))
ORRERY_COLLECTIVE(Allgatherv, Iallgatherv,
                  (const void* out, int sends, MPI_Datatype sent, void* in, const int counts[], const int places[],
                   MPI_Datatype received, ),
                  (out, sends, sent, in, counts, places, received, ),
                  allgatherv(out, sends, sent, counts, received, comm))
ORRERY_COLLECTIVE(Alltoallv, Ialltoallv,
                  (const void* out, const int sends[], const int out_places[], MPI_Datatype sent, void* in,
                   const int receives[], const int in_places[], MPI_Datatype received, ),
                  (out, sends, out_places, sent, in, receives, in_places, received, ),
                  alltoallv(out, sends, sent, receives, received, comm))
ORRERY_COLLECTIVE(Alltoallw, Ialltoallw,
                  (const void* out, const int sends[], const int out_places[], const MPI_Datatype sent[], void* in,
                   const int receives[], const int in_places[], const MPI_Datatype received[], ),
                  (out, sends, out_places, sent, in, receives, in_places, received, ),
                  alltoallw(out, sends, sent, receives, received, comm))
ORRERY_COLLECTIVE(Reduce_scatter, Ireduce_scatter,
                  (const void* out, void* in, const int counts[], MPI_Datatype type, MPI_Op op, ),
                  (out, in, counts, type, op, ), reduce_scatter(counts, type, comm))
ORRERY_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block,
                  (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, ), (out, in, count, type, op, ),
                  reduce_scatter_block(count, type, comm))
