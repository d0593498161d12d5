// Preloaded into the ranks of an emulated cluster: who polls while it waits sleeps until there is something to read.
// MPI libraries poll; with more ranks than processors that starves those that have work to do.
//
// Open MPI yields the processor between its polls, MPICH (over UCX) asks epoll_wait() again and again: after two real
// yields, or twenty answers of nothing, in a row both wait up to 2 ms for what the process last asked poll() or
// epoll_wait() about: much longer than messages take, as every end of a wait takes processor time from those that work.
// It harms programs that loop over MPI_Test and compute between.
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

constexpr int real_yields = 2, answers_of_nothing = 20, watched_max = 256;
constexpr long wait_ns = 2'000'000;

// Of each thread: the library's own threads wait for other things.
thread_local int yields = 0, nothing = 0;
thread_local pollfd watched[watched_max];
thread_local nfds_t count = 0;
thread_local bool of_epoll = false;  ///< each of `watched` is an epoll's descriptor

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

void found_something() { yields = nothing = 0; }

/// An epoll's descriptor is readable when the epoll would return something. A library may ask several in turn.
void watch(int epoll) {
  if (!of_epoll || count == watched_max) count = 0;
  of_epoll = true;
  for (nfds_t i = 0; i < count; ++i)
    if (watched[i].fd == epoll) return;
  watched[count++] = {epoll, POLLIN, 0};
}

void sleep_until_readable() {
  pollfd asked[watched_max];
  const nfds_t n = count;
  std::copy(watched, watched + n, asked);
  timespec wait{0, wait_ns};
  if (::syscall(SYS_ppoll, asked, n, &wait, nullptr, 0) <= 0) return;
  found_something();
  for (nfds_t i = 0; i < n; ++i)
    if (asked[i].revents & POLLNVAL) count = 0;  // closed meanwhile: it would be readable for ever
}

}  // namespace

extern "C" int poll(pollfd* fds, nfds_t n, int timeout) {
  static const auto real = next<int (*)(pollfd*, nfds_t, int)>("poll");
  if (n > 0 && n <= watched_max) {
    std::copy(fds, fds + n, watched);
    count = n;
    of_epoll = false;
  }
  const int ready = real(fds, n, timeout);
  if (ready > 0) found_something();
  return ready;
}

extern "C" int epoll_wait(int epoll, epoll_event* events, int most, int timeout) {
  static const auto real = next<int (*)(int, epoll_event*, int, int)>("epoll_wait");
  watch(epoll);
  const int ready = real(epoll, events, most, timeout);
  if (ready > 0)
    found_something();
  else if (timeout == 0 && ++nothing > answers_of_nothing)
    sleep_until_readable();
  return ready;
}

extern "C" int sched_yield() {
  nothing = 0;  // this caller yields: that is where it sleeps
  if (++yields <= real_yields || count == 0) return static_cast<int>(::syscall(SYS_sched_yield));
  sleep_until_readable();
  return 0;
}
