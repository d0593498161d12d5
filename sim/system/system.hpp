/// Differences between systems, for everything in sim: linux.cpp on Linux, posix.cpp on other systems, selected at
/// configuration by CMake. All other code keeps to POSIX.1-2008.
///
/// Checked  tests/unit/system/system_test.cpp, of the file that was built (-DORRERY_SYSTEM=posix builds the other)
#pragma once

#include <string>
#include <vector>

namespace orrery::system {

/// Call first in main, with argv[0], which only posix.cpp uses.
void started_as(const char* name);

/// The file of this program; empty if not known.
std::string program_path();

/// A library or script that comes with `program`: next to it in a build, in ../lib/orrery in an installation. The path
/// next to it if neither exists.
std::string file_of(const std::string& program, const std::string& name);

/// Identifies this build of the program: the linker's hash of it, or one of its file; empty if neither is available.
std::string build_hash();

/// Call in a child before it becomes another program: it gets `signal` when its parent ends, if supported.
void end_with_parent(int signal);

/// The network filesystem of a folder ("nfs", "lustre"); empty if it has none or the system does not report it.
std::string network_filesystem(const std::string& folder);

/// The columns of the terminal behind an open file; 0 if it is none or the system does not report it.
unsigned terminal_columns(int file);

/// Marks a folder as in use by this process, for the lifetime of this object.
class FolderInUse {
 public:
  explicit FolderInUse(const std::string& folder);
  ~FolderInUse();
  FolderInUse(const FolderInUse&) = delete;
  FolderInUse& operator=(const FolderInUse&) = delete;
  /// Whether no other process uses it now; call once, at the end. False if the system does not report it.
  bool alone() const;

 private:
  int folder_ = -1;
};

/// A separate stack of this thread for signal handlers, while this object lives, so that they work after a stack
/// overflow; nothing if the system has no such stacks.
class SignalStack {
 public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;
  /// A flag for handlers: they run on that stack.
  static int flag();

 private:
  std::vector<char> room_;
};

/// The environment variable of libraries that are preloaded into programs; null if there is none.
const char* preload_variable();

/// Gives this process and its children priority over other work of the computer, for the lifetime of this object and if
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
