// Preloaded into the ranks of an emulated cluster: who yields the processor while it waits sleeps until there is
// something to read. Open MPI polls; with more ranks than processors that starves those that have work to do.
//
// After two real yields in a row sched_yield() waits up to 2 ms for what the process last asked poll() or epoll_wait()
// about: much longer than messages take, as every end of a wait takes processor time from those that work. It harms
// programs that loop over MPI_Test and compute between.
#include <dlfcn.h>
#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace {

constexpr int real_yields = 2, watched_max = 256;
constexpr long wait_ns = 2'000'000;

// Of each thread: the library's own threads wait for other things.
thread_local int yields = 0;
thread_local pollfd watched[watched_max];
thread_local nfds_t count = 0;

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" int poll(pollfd* fds, nfds_t n, int timeout) {
  static const auto real = next<int (*)(pollfd*, nfds_t, int)>("poll");
  if (n > 0 && n <= watched_max) {
    std::copy(fds, fds + n, watched);
    count = n;
  }
  const int ready = real(fds, n, timeout);
  if (ready > 0) yields = 0;
  return ready;
}

extern "C" int epoll_wait(int epoll, epoll_event* events, int most, int timeout) {
  static const auto real = next<int (*)(int, epoll_event*, int, int)>("epoll_wait");
  watched[0] = {epoll, POLLIN, 0};  // readable when it would return something
  count = 1;
  const int ready = real(epoll, events, most, timeout);
  if (ready > 0) yields = 0;
  return ready;
}

extern "C" int sched_yield() {
  const nfds_t n = count;
  if (++yields <= real_yields || n == 0) return static_cast<int>(::syscall(SYS_sched_yield));
  pollfd asked[watched_max];
  std::copy(watched, watched + n, asked);
  timespec wait{0, wait_ns};
  if (::syscall(SYS_ppoll, asked, n, &wait, nullptr, 0) > 0) yields = 0;
  return 0;
}
