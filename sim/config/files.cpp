#include "sim/config/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string_view>

#include "sim/core/error.hpp"

namespace orrery::config {

namespace fs = std::filesystem;

namespace {

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags, mode_t mode = 0666)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  bool open() const { return fd_ >= 0; }
  int number() const { return fd_; }
  /// False when the last bytes could not be stored (a full disk may say so only here).
  bool close() {
    const int fd = fd_;
    fd_ = -1;
    return ::close(fd) == 0;
  }

 private:
  int fd_;
};

[[noreturn]] void cannot_read(const std::string& path, int reason) {
  throw InputError("{}: cannot be read ({}). Check the path?", path, std::strerror(reason));
}

[[noreturn]] void cannot_write(const std::string& path, const std::string& reason) {
  throw InputError("{}: cannot be written ({}). Choose another path with --out or -o?", path, reason);
}

/// What a path names that is no regular file; null for one that is.
const char* other_kind(mode_t mode) {
  return S_ISREG(mode)    ? nullptr
         : S_ISDIR(mode)  ? "a folder"
         : S_ISFIFO(mode) ? "a named pipe"
         : S_ISSOCK(mode) ? "a socket"
                          : "a device";
}

/// Whether this process has the pipe open already, as of `<(...)` and /dev/stdin: then to open it waits for nobody.
bool is_open_here(const struct stat& pipe) {
  constexpr int descriptors = 256;  // a shell hands over low ones
  for (int fd = 0; fd < descriptors; ++fd) {
    struct stat status {};
    if (::fstat(fd, &status) == 0 && status.st_dev == pipe.st_dev && status.st_ino == pipe.st_ino) return true;
  }
  return false;
}

/// A pipe without a writer and a device may never end, and a socket cannot be opened.
void require_input(const std::string& path, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) throw InputError("{}: is a folder, not a file. Name a file inside it?", path);
  if (S_ISREG(status.st_mode) || (S_ISFIFO(status.st_mode) && is_open_here(status))) return;
  throw InputError(
      "{}: is {} (an input is a regular file, or a pipe that a shell has opened: '<(...)', /dev/stdin). "
      "Name a file?",
      path, other_kind(status.st_mode));
}

[[noreturn]] void goes_on(const std::string& path, std::size_t limit) {
  throw InputError("{}: goes on after {} MiB (the limit for an input). Is this the right file?", path, limit >> 20);
}

std::string read_to_end(const Descriptor& file, const std::string& path, std::size_t expected, std::size_t limit) {
  std::string text;
  text.resize(expected + 1);  // one more, so that a file of the expected size is read in one go
  for (std::size_t length = 0;;) {
    if (length == text.size()) text.resize(2 * text.size());
    const ssize_t got = ::read(file.number(), text.data() + length, text.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(path, errno);
    if (got == 0) return text.resize(length), text;
    length += static_cast<std::size_t>(got);
    if (length > limit) goes_on(path, limit);
  }
}

void drop_byte_order_mark(std::string& text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (text.starts_with(mark)) text.erase(0, mark.size());
}

/// Errno of the write that failed, 0 if none did.
int write_piece(const Descriptor& file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file.number(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// In pieces of a megabyte; after one that failed nothing more is written.
int write_all(Descriptor& file, const TextWriter& text) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 20;
  std::string piece;
  int failed = 0;
  const auto flush = [&] {
    if (failed == 0) failed = write_piece(file, piece);
    piece.clear();
  };
  text([&](std::string_view more) {
    piece += more;
    if (piece.size() >= piece_bytes) flush();
  });
  flush();
  if (failed != 0) return failed;
  return file.close() ? 0 : errno;
}

/// Where the chain of links ends; the last name need not exist yet.
std::string link_target(const std::string& path) {
  fs::path at(path);
  std::error_code failed;
  for (int links = 0; fs::is_symlink(fs::symlink_status(at, failed)); ++links) {
    if (links == 40) cannot_write(path, std::strerror(ELOOP));
    const fs::path next = fs::read_symlink(at, failed);
    if (failed) cannot_write(path, failed.message());
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  return at.string();
}

/// Of a name that nobody can know before: what is there already (a link that someone laid) is never opened.
struct NewFile {
  explicit NewFile(const std::string& beside) {
    std::random_device draw;
    for (int tries = 0; tries < 100 && !file; ++tries) {
      name = fmt::format("{}.{:08x}{:08x}.tmp", beside, draw(), draw());
      file.emplace(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
      if (file->open()) return;
      const int reason = errno;
      file.reset();
      if (reason != EEXIST) cannot_write(beside, std::strerror(reason));
    }
    cannot_write(beside, std::strerror(EEXIST));
  }
  std::string name;
  std::optional<Descriptor> file;
};

/// A regular file, new or instead of the old one, with its permissions.
void replace_file(const std::string& path, const TextWriter& text, const struct stat* old) {
  NewFile fresh(path);
  const std::string& temporary = fresh.name;
  Descriptor& file = *fresh.file;
  if (old != nullptr) {
    if (::fchown(file.number(), old->st_uid, old->st_gid) != 0) {  // not ours to give: it keeps its new owner
    }
    ::fchmod(file.number(), old->st_mode & 07777);
  }
  int failed = 0;
  try {
    failed = write_all(file, text);
  } catch (...) {  // the text was interrupted
    ::unlink(temporary.c_str());
    throw;
  }
  if (failed == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) failed = errno;
  if (failed == 0) return;
  ::unlink(temporary.c_str());
  cannot_write(path, std::strerror(failed));
}

}  // namespace

std::string tidy_path(const std::string& path) {
  if (path.empty()) return path;
  const bool here = path.starts_with("./") || path.front() == '-';
  std::string tidy = path.starts_with('/') ? "/" : here ? "./" : "";
  const std::size_t root = tidy.size();
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (const auto part = std::string_view(path).substr(begin, end - begin); !part.empty() && part != ".")
      tidy.append(tidy.size() > root ? "/" : "").append(part);
    begin = end + 1;
  }
  return tidy.empty() || tidy == "./" ? "." : tidy;
}

void require_regular_if_there(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return;
  if (const char* kind = other_kind(status.st_mode)) cannot_write(path, fmt::format("it is {}", kind));
}

std::string read_file(const std::string& path, std::size_t limit) {
  static std::mutex guard;
  static std::map<std::string, std::string> read_once;  // by path: what cannot be read again
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) cannot_read(path, errno);
  require_input(path, status);
  const bool again = S_ISREG(status.st_mode);
  if (!again) limit = std::min(limit, stream_bytes_max);
  const auto size = again ? static_cast<std::size_t>(status.st_size) : 65'536;
  if (size > limit) goes_on(path, limit);  // before it takes its size of memory
  const std::lock_guard lock(guard);
  if (const auto kept = read_once.find(path); !again && kept != read_once.end()) return kept->second;
  // Without waiting: another file may have come into its place meanwhile.
  const Descriptor file(path, O_RDONLY | (again ? O_NONBLOCK : 0));
  if (!file.open()) cannot_read(path, errno);
  if (::fstat(file.number(), &status) == 0) require_input(path, status);
  auto text = read_to_end(file, path, size, limit);
  drop_byte_order_mark(text);
  if (!again) read_once[path] = text;
  return text;
}

void write_file(const std::string& path, const std::string& text) {
  write_file(path, TextWriter([&text](const TextSink& write) { write(text); }));
}

void write_file(const std::string& path, const TextWriter& text) {
  std::error_code failed;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty()) fs::create_directories(folder, failed);
  if (failed) cannot_write(path, failed.message());
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) cannot_write(path, "it is a folder");
  if (exists && !S_ISREG(status.st_mode)) {
    Descriptor file(path, O_WRONLY);
    const int reason = file.open() ? write_all(file, text) : errno;
    if (reason != 0) cannot_write(path, std::strerror(reason));
    return;
  }
  if (exists && (status.st_mode & 0222) == 0) cannot_write(path, "it is read-only");
  replace_file(link_target(path), text, exists ? &status : nullptr);
}

void write_into(const std::string& folder, const std::string& name, const std::string& text) {
  const std::string path = folder + "/" + name;
  struct stat status {};
  const bool there = ::lstat(path.c_str(), &status) == 0;
  if (!there || !S_ISLNK(status.st_mode)) {
    if (const char* kind = there ? other_kind(status.st_mode) : nullptr)
      cannot_write(path, fmt::format("it is {}", kind));
    return write_file(path, text);
  }
  replace_file(
      path, [&text](const TextSink& write) { write(text); }, nullptr);
}

}  // namespace orrery::config
