// Messages between two ranks.
#include "validation/record/wrapper.hpp"

namespace {

void note_kind(Recorder& r, const char* what) {
  if (what != nullptr) r.note(what);
}

constexpr const char* synchronous =
    "synchronous sends: written as plain ones, whose end need not wait for the receiver";
constexpr const char* buffered = "buffered sends: written as plain ones, whose end may wait for the receiver";
constexpr const char* plain = nullptr;

}  // namespace

// The four kinds of send differ in when they may end, for which a trace has no word.
#define ORRERY_SEND(name, kind)                                                                               \
  extern "C" int MPI_##name(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) { \
    ORRERY_ENTRY(name);                                                                                       \
    const int code = ORRERY_MPI(name)(data, count, type, to, tag, comm);                                      \
    entry.record(code, [&](Recorder& r) {                                                                     \
      note_kind(r, kind);                                                                                     \
      r.sent("send", {to, tag, bytes_of(count, type)}, comm);                                                 \
    });                                                                                                       \
    return code;                                                                                              \
  }                                                                                                           \
  ORRERY_WRAPS(name)

#define ORRERY_ISEND(name, kind)                                                                            \
  extern "C" int MPI_##name(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                            MPI_Request* request) {                                                         \
    ORRERY_ENTRY(name);                                                                                     \
    const int code = ORRERY_MPI(name)(data, count, type, to, tag, comm, request);                           \
    entry.record(code, [&](Recorder& r) {                                                                   \
      note_kind(r, kind);                                                                                   \
      r.posted_send({to, tag, bytes_of(count, type)}, comm, *request);                                      \
    });                                                                                                     \
    return code;                                                                                            \
  }                                                                                                         \
  ORRERY_WRAPS(name)

#define ORRERY_SEND_INIT(name, kind)                                                                        \
  extern "C" int MPI_##name(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                            MPI_Request* request) {                                                         \
    ORRERY_ENTRY(name);                                                                                     \
    const int code = ORRERY_MPI(name)(data, count, type, to, tag, comm, request);                           \
    entry.follow(code, [&](Recorder& r) {                                                                   \
      note_kind(r, kind);                                                                                   \
      r.persistent(false, {to, tag, bytes_of(count, type)}, comm, *request);                                \
    });                                                                                                     \
    return code;                                                                                            \
  }                                                                                                         \
  ORRERY_WRAPS(name)

ORRERY_SEND(Send, plain)
ORRERY_SEND(Ssend, synchronous)
ORRERY_SEND(Bsend, buffered)
ORRERY_SEND(Rsend, plain)
ORRERY_ISEND(Isend, plain)
ORRERY_ISEND(Issend, synchronous)
ORRERY_ISEND(Ibsend, buffered)
ORRERY_ISEND(Irsend, plain)
ORRERY_SEND_INIT(Send_init, plain)
ORRERY_SEND_INIT(Ssend_init, synchronous)
ORRERY_SEND_INIT(Bsend_init, buffered)
ORRERY_SEND_INIT(Rsend_init, plain)

extern "C" {

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  ORRERY_ENTRY(Recv);
  MPI_Status own;
  MPI_Status* seen = status == MPI_STATUS_IGNORE ? &own : status;
  const int code = ORRERY_MPI(Recv)(data, count, type, from, tag, comm, seen);
  entry.record(code, [&](Recorder& r) { r.received(*seen, comm); });
  return code;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  ORRERY_ENTRY(Irecv);
  const int code = ORRERY_MPI(Irecv)(data, count, type, from, tag, comm, request);
  entry.record(code, [&](Recorder& r) { r.posted_receive({from, tag, bytes_of(count, type)}, comm, *request); });
  return code;
}

int MPI_Recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  ORRERY_ENTRY(Recv_init);
  const int code = ORRERY_MPI(Recv_init)(data, count, type, from, tag, comm, request);
  entry.follow(code, [&](Recorder& r) { r.persistent(true, {from, tag, bytes_of(count, type)}, comm, *request); });
  return code;
}

int MPI_Sendrecv(const void* out, int sends, MPI_Datatype sent, int to, int send_tag, void* in, int receives,
                 MPI_Datatype received, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  ORRERY_ENTRY(Sendrecv);
  MPI_Status own;
  MPI_Status* seen = status == MPI_STATUS_IGNORE ? &own : status;
  const int code = ORRERY_MPI(Sendrecv)(out, sends, sent, to, send_tag, in, receives, received, from, tag, comm, seen);
  entry.record(code, [&](Recorder& r) { r.exchanged({to, send_tag, bytes_of(sends, sent)}, *seen, comm); });
  return code;
}

int MPI_Sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int send_tag, int from, int tag,
                         MPI_Comm comm, MPI_Status* status) {
  ORRERY_ENTRY(Sendrecv_replace);
  MPI_Status own;
  MPI_Status* seen = status == MPI_STATUS_IGNORE ? &own : status;
  const int code = ORRERY_MPI(Sendrecv_replace)(data, count, type, to, send_tag, from, tag, comm, seen);
  entry.record(code, [&](Recorder& r) { r.exchanged({to, send_tag, bytes_of(count, type)}, *seen, comm); });
  return code;
}

// Waiting for a message to come is part of the receive that follows.
int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  ORRERY_ENTRY(Probe);
  return ORRERY_MPI(Probe)(from, tag, comm, status);
}
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* there, MPI_Status* status) {
  ORRERY_POLL(Iprobe);
  const int code = ORRERY_MPI(Iprobe)(from, tag, comm, there, status);
  if (*there != 0) poll.found(code, [](Recorder&) {});
  return code;
}

int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  ORRERY_ENTRY(Mprobe);
  const int code = ORRERY_MPI(Mprobe)(from, tag, comm, message, status);
  entry.follow(code, [&](Recorder& r) { r.matched(*message, comm); });
  return code;
}
int MPI_Improbe(int from, int tag, MPI_Comm comm, int* there, MPI_Message* message, MPI_Status* status) {
  ORRERY_POLL(Improbe);
  const int code = ORRERY_MPI(Improbe)(from, tag, comm, there, message, status);
  if (*there != 0) poll.found(code, [&](Recorder& r) { r.matched(*message, comm); });
  return code;
}
int MPI_Mrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  ORRERY_ENTRY(Mrecv);
  MPI_Status own;
  MPI_Status* seen = status == MPI_STATUS_IGNORE ? &own : status;
  const MPI_Message which = *message;
  const int code = ORRERY_MPI(Mrecv)(data, count, type, message, seen);
  entry.record(code, [&](Recorder& r) { r.received(*seen, r.comm_of(which)); });
  return code;
}
int MPI_Imrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
  ORRERY_ENTRY(Imrecv);
  const MPI_Message which = *message;
  const int code = ORRERY_MPI(Imrecv)(data, count, type, message, request);
  entry.record(code, [&](Recorder& r) {
    r.posted_receive({MPI_ANY_SOURCE, MPI_ANY_TAG, bytes_of(count, type)}, r.comm_of(which), *request);
  });
  return code;
}

}  // extern "C"

ORRERY_WRAPS(Recv)
ORRERY_WRAPS(Irecv)
ORRERY_WRAPS(Recv_init)
ORRERY_WRAPS(Sendrecv)
ORRERY_WRAPS(Sendrecv_replace)
ORRERY_WRAPS(Probe)
ORRERY_WRAPS(Iprobe)
ORRERY_WRAPS(Mprobe)
ORRERY_WRAPS(Improbe)
ORRERY_WRAPS(Mrecv)
ORRERY_WRAPS(Imrecv)
