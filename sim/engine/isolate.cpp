#include "sim/engine/isolate.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "sim/core/error.hpp"

namespace orrery::engine {

namespace {

constexpr int internal_error = 1;
constexpr int poll_interval_ms = 100;

// A child writes any number of `progress` records, then `answered`, the exit code and the bytes or the message.
constexpr char progress = 't', answered = 'a';
constexpr std::size_t progress_size = 1 + sizeof(double) + sizeof(std::uint64_t);

struct Child {
  pid_t pid = -1;
  int pipe = -1;
  std::size_t task = 0;
  std::string received;
};

void write_all(int to, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = ::write(to, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(internal_error);  // the parent is gone
    written += static_cast<std::size_t>(n);
  }
}

std::string progress_record(double simulated_s, std::uint64_t messages) {
  std::string record(progress_size, progress);
  std::memcpy(record.data() + 1, &simulated_s, sizeof simulated_s);
  std::memcpy(record.data() + 1 + sizeof simulated_s, &messages, sizeof messages);
  return record;
}

/// In the child. Never returns.
[[noreturn]] void serve(const Task& task, int to) {
  const auto tell = [to](double simulated_s, std::uint64_t messages) {
    write_all(to, progress_record(simulated_s, messages));
    return true;
  };
  std::string answer;
  try {
    answer = '\0' + task.body(tell);
  } catch (const Error& error) {
    answer = static_cast<char>(error.exit_code()) + error.refusal().bytes();
  } catch (const std::exception& error) {
    answer = static_cast<char>(internal_error) + Refusal("{}: {}", task.name, error.what()).bytes();
  }
  write_all(to, answered + answer);
  std::fflush(nullptr);
  _exit(0);
}

Child start(const Task& task, std::size_t index) {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) throw Skipped("{}: no pipe ({})", task.name, std::strerror(errno));
  std::fflush(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) throw Skipped("{}: no child process ({})", task.name, std::strerror(errno));
  if (pid == 0) {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    ::close(ends[0]);
    serve(task, ends[1]);
  }
  ::close(ends[1]);
  return {pid, ends[0], index, {}};
}

/// The child closed its pipe: what it said, or how it died.
Outcome reap(Child& child, const Task& task) {
  ::close(child.pipe);
  int status = 0;
  while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    return {{},
            4,
            Refusal("{}: the simulation was killed by signal {} ({})", task.name, WTERMSIG(status),
                    strsignal(WTERMSIG(status)))};
  if (child.received.empty() || (WIFEXITED(status) && WEXITSTATUS(status) != 0))
    return {{},
            4,
            Refusal("{}: the simulation ended with exit code {} and no result", task.name,
                    WIFEXITED(status) ? WEXITSTATUS(status) : -1)};
  const int code = static_cast<unsigned char>(child.received.at(1));
  child.received.erase(0, 2);
  if (code != 0) return {{}, code, Refusal::from_bytes(child.received)};
  return {std::move(child.received), 0, {}};
}

/// False at the end of the stream.
bool read_some(Child& child) {
  char buffer[65536];
  const ssize_t n = ::read(child.pipe, buffer, sizeof buffer);
  if (n < 0 && errno == EINTR) return true;
  if (n <= 0) return false;
  child.received.append(buffer, static_cast<std::size_t>(n));
  return true;
}

/// Takes out what the child told and hands on the latest of it.
template <class OnTold>
void hand_on(Child& child, const OnTold& on_told) {
  std::size_t at = 0;
  while (child.received.size() - at >= progress_size && child.received[at] == progress) at += progress_size;
  if (at == 0) return;
  double simulated_s = 0.0;
  std::uint64_t messages = 0;
  const char* latest = child.received.data() + at - progress_size + 1;
  std::memcpy(&simulated_s, latest, sizeof simulated_s);
  std::memcpy(&messages, latest + sizeof simulated_s, sizeof messages);
  child.received.erase(0, at);
  if (on_told) on_told(child.task, simulated_s, messages);
}

/// Ends what still runs, whatever way the pool is left.
struct Pool {
  std::vector<Child> children;
  ~Pool() {
    for (const Child& child : children) {
      ::kill(child.pid, SIGKILL);
      ::close(child.pipe);
      while (::waitpid(child.pid, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
  }
};

}  // namespace

bool has_threads() { return true; }

std::vector<Outcome> run_isolated(unsigned jobs, const std::vector<Task>& tasks,
                                  const std::function<void(std::size_t, Outcome&)>& on_done,
                                  const std::function<bool()>& poll,
                                  const std::function<void(std::size_t, double, std::uint64_t)>& on_told) {
  std::vector<Outcome> outcomes(tasks.size());
  Pool pool;
  std::vector<pollfd> watched;
  for (std::size_t next = 0; next < tasks.size() || !pool.children.empty();) {
    while (next < tasks.size() && pool.children.size() < (jobs == 0 ? 1 : jobs)) {
      pool.children.push_back(start(tasks[next], next));
      ++next;
    }
    watched.clear();
    for (const Child& child : pool.children) watched.push_back({child.pipe, POLLIN, 0});
    ::poll(watched.data(), watched.size(), poll_interval_ms);
    if (poll && !poll()) throw Interrupted("interrupted: the running simulations were stopped");
    for (std::size_t i = watched.size(); i-- > 0;) {
      Child& child = pool.children[i];
      if ((watched[i].revents & (POLLIN | POLLHUP | POLLERR)) == 0) continue;
      const bool more = read_some(child);
      hand_on(child, on_told);
      if (more) continue;
      const std::size_t task = child.task;
      outcomes[task] = reap(child, tasks[task]);
      pool.children.erase(pool.children.begin() + static_cast<std::ptrdiff_t>(i));
      if (on_done) on_done(task, outcomes[task]);
    }
  }
  return outcomes;
}

}  // namespace orrery::engine
