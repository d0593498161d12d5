// Requests: started, waited for, tested, freed.
#include "validation/record/wrapper.hpp"

namespace {

/// Copies of the requests before MPI clears them, and statuses of our own where the program wants none.
class Seen {
 public:
  Seen(int n, const MPI_Request* requests, MPI_Status* theirs) : Seen(n, requests) {
    if (theirs != MPI_STATUSES_IGNORE) {
      statuses = theirs;
      return;
    }
    if (own().size() < before().size()) own().resize(before().size());
    statuses = own().data();
  }
  Seen(int n, const MPI_Request* requests) { before().assign(requests, requests + n); }
  const MPI_Status& status(int i) const { return statuses[i]; }
  MPI_Request request(int i) const { return before()[static_cast<std::size_t>(i)]; }

  MPI_Status* statuses = nullptr;

 private:
  // Kept from call to call: programs test millions of times.
  static std::vector<MPI_Request>& before() {
    static thread_local std::vector<MPI_Request> kept;
    return kept;
  }
  static std::vector<MPI_Status>& own() {
    static thread_local std::vector<MPI_Status> kept;
    return kept;
  }
};

}  // namespace

extern "C" {

int MPI_Start(MPI_Request* request) {
  ORRERY_ENTRY(Start);
  const int code = ORRERY_MPI(Start)(request);
  entry.record(code, [&](Recorder& r) { r.started(*request); });
  return code;
}

int MPI_Startall(int n, MPI_Request* requests) {
  ORRERY_ENTRY(Startall);
  const int code = ORRERY_MPI(Startall)(n, requests);
  entry.record(code, [&](Recorder& r) {
    for (int i = 0; i < n; ++i) r.started(requests[i]);
  });
  return code;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  ORRERY_ENTRY(Wait);
  MPI_Status own;
  MPI_Status* seen = status == MPI_STATUS_IGNORE ? &own : status;
  const MPI_Request before = *request;
  const int code = ORRERY_MPI(Wait)(request, seen);
  entry.follow(code, [&](Recorder& r) { r.completed(before, *seen); });
  return code;
}

int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  ORRERY_POLL(Test);
  MPI_Status own;
  MPI_Status* seen = status == MPI_STATUS_IGNORE ? &own : status;
  const MPI_Request before = *request;
  const int code = ORRERY_MPI(Test)(request, done, seen);
  if (*done != 0) poll.found(code, [&](Recorder& r) { r.completed(before, *seen); });
  return code;
}

int MPI_Waitall(int n, MPI_Request* requests, MPI_Status* statuses) {
  ORRERY_ENTRY(Waitall);
  const Seen seen(n, requests, statuses);
  const int code = ORRERY_MPI(Waitall)(n, requests, seen.statuses);
  entry.follow(code, [&](Recorder& r) {
    for (int i = 0; i < n; ++i) r.completed(seen.request(i), seen.status(i));
  });
  return code;
}

int MPI_Testall(int n, MPI_Request* requests, int* done, MPI_Status* statuses) {
  ORRERY_POLL(Testall);
  const Seen seen(n, requests, statuses);
  const int code = ORRERY_MPI(Testall)(n, requests, done, seen.statuses);
  if (*done != 0)
    poll.found(code, [&](Recorder& r) {
      for (int i = 0; i < n; ++i) r.completed(seen.request(i), seen.status(i));
    });
  return code;
}

int MPI_Waitany(int n, MPI_Request* requests, int* which, MPI_Status* status) {
  ORRERY_ENTRY(Waitany);
  MPI_Status own;
  MPI_Status* one = status == MPI_STATUS_IGNORE ? &own : status;
  const Seen seen(n, requests);
  const int code = ORRERY_MPI(Waitany)(n, requests, which, one);
  if (*which != MPI_UNDEFINED) entry.follow(code, [&](Recorder& r) { r.completed(seen.request(*which), *one); });
  return code;
}

int MPI_Testany(int n, MPI_Request* requests, int* which, int* done, MPI_Status* status) {
  ORRERY_POLL(Testany);
  MPI_Status own;
  MPI_Status* one = status == MPI_STATUS_IGNORE ? &own : status;
  const Seen seen(n, requests);
  const int code = ORRERY_MPI(Testany)(n, requests, which, done, one);
  if (*done != 0 && *which != MPI_UNDEFINED)
    poll.found(code, [&](Recorder& r) { r.completed(seen.request(*which), *one); });
  return code;
}

int MPI_Waitsome(int n, MPI_Request* requests, int* done, int* which, MPI_Status* statuses) {
  ORRERY_ENTRY(Waitsome);
  const Seen seen(n, requests, statuses);
  const int code = ORRERY_MPI(Waitsome)(n, requests, done, which, seen.statuses);
  if (*done != MPI_UNDEFINED)
    entry.follow(code, [&](Recorder& r) {
      for (int i = 0; i < *done; ++i) r.completed(seen.request(which[i]), seen.status(i));
    });
  return code;
}

int MPI_Testsome(int n, MPI_Request* requests, int* done, int* which, MPI_Status* statuses) {
  ORRERY_POLL(Testsome);
  const Seen seen(n, requests, statuses);
  const int code = ORRERY_MPI(Testsome)(n, requests, done, which, seen.statuses);
  if (*done != MPI_UNDEFINED)
    poll.found(code, [&](Recorder& r) {
      for (int i = 0; i < *done; ++i) r.completed(seen.request(which[i]), seen.status(i));
    });
  return code;
}

int MPI_Request_free(MPI_Request* request) {
  ORRERY_ENTRY(Request_free);
  const MPI_Request before = *request;
  const int code = ORRERY_MPI(Request_free)(request);
  entry.follow(code, [&](Recorder& r) { r.freed(before); });
  return code;
}

int MPI_Cancel(MPI_Request* request) {
  ORRERY_ENTRY(Cancel);
  entry.follow(MPI_SUCCESS, [](Recorder& r) { r.cancels(); });
  return ORRERY_MPI(Cancel)(request);
}

}  // extern "C"

ORRERY_WRAPS(Start)
ORRERY_WRAPS(Startall)
ORRERY_WRAPS(Wait)
ORRERY_WRAPS(Test)
ORRERY_WRAPS(Waitall)
ORRERY_WRAPS(Testall)
ORRERY_WRAPS(Waitany)
ORRERY_WRAPS(Testany)
ORRERY_WRAPS(Waitsome)
ORRERY_WRAPS(Testsome)
ORRERY_WRAPS(Request_free)
ORRERY_WRAPS(Cancel)
