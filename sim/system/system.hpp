/// What differs between systems, for everything in sim: linux.cpp where Linux has it, posix.cpp anywhere else, chosen
/// when CMake configures. Whatever is not here keeps to POSIX.1-2008.
///
/// Checked  tests/unit/system/system_test.cpp, of the file that was built (-DORRERY_SYSTEM=posix builds the other)
#pragma once

#include <string>
#include <vector>

namespace orrery::system {

/// First thing in main: argv[0], of which only posix.cpp makes use.
void started_as(const char* name);

/// The file of this program; empty where nothing tells.
std::string program_path();

/// A library or script that comes with `program`: beside it where it was built, in ../lib/orrery where it was installed.
/// The path beside it where there is neither.
std::string file_of(const std::string& program, const std::string& name);

/// What tells this build of the program from all others: the linker's hash of it, or one of its file; empty where
/// neither is to be had.
std::string build_hash();

/// In a child, before it becomes another program: it gets `signal` when its parent ends, where the system can do that.
void end_with_parent(int signal);

/// The network filesystem that a folder is on ("nfs", "lustre"); empty where it is none or the system does not tell.
std::string network_filesystem(const std::string& folder);

/// The columns of the terminal behind an open file; 0 where it is none or the system does not tell.
unsigned terminal_columns(int file);

/// This process works in a folder, for the time of this object.
class FolderInUse {
 public:
  explicit FolderInUse(const std::string& folder);
  ~FolderInUse();
  FolderInUse(const FolderInUse&) = delete;
  FolderInUse& operator=(const FolderInUse&) = delete;
  /// No other process does just now; asked once, at the end. False where the system does not tell.
  bool alone() const;

 private:
  int folder_ = -1;
};

/// A stack of this thread for handlers of signals, while this object lives, so that one can speak when the thread's own
/// has run out; nothing where the system has none.
class SignalStack {
 public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;
  /// Among the flags of a handler: it runs on that stack.
  static int flag();

 private:
  std::vector<char> room_;
};

/// The environment variable of libraries that are loaded before those of a program; null where there is none.
const char* preload_variable();

/// This process and its children come before what else the machine does, for the time of this object and where that is
/// permitted.
class Urgent {
 public:
  Urgent();
  ~Urgent();
  Urgent(const Urgent&) = delete;
  Urgent& operator=(const Urgent&) = delete;

 private:
  int policy_ = 0, priority_ = 0;
};

}  // namespace orrery::system
