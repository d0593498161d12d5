#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <utility>

#include "sim/system/system.hpp"

namespace orrery::system {

namespace {

std::size_t padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

std::string hexadecimal(const char* bytes, std::size_t count) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

/// The linker's hash of the executable's content, from its note of type GNU_BUILD_ID; empty where it has none.
std::string build_id_of(const dl_phdr_info& object) {
  for (std::size_t h = 0; h < object.dlpi_phnum; ++h) {
    const auto& header = object.dlpi_phdr[h];
    if (header.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(object.dlpi_addr + header.p_vaddr);
    const char* const end = at + header.p_memsz;
    while (end - at >= static_cast<std::ptrdiff_t>(sizeof(ElfW(Nhdr)))) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char* name = at + sizeof note;
      const char* content = name + padded(note.n_namesz);
      constexpr std::size_t told = 8;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
        return hexadecimal(content, note.n_descsz < told ? note.n_descsz : told);
      at = content + padded(note.n_descsz);
    }
  }
  return {};
}

/// The executable comes first among the objects of a process.
int take_first(dl_phdr_info* object, std::size_t, void* into) {
  *static_cast<std::string*>(into) = build_id_of(*object);
  return 1;
}

/// As statfs(2) numbers them.
constexpr std::pair<unsigned long, const char*> network_filesystems[] = {
    {0x6969, "nfs"},          {0x0bd00bd0, "lustre"}, {0x47504653, "gpfs"}, {0xff534d42, "cifs"},  {0xfe534d42, "smb2"},
    {0x517b, "smb"},          {0x19830326, "beegfs"}, {0x00c36400, "ceph"}, {0x5346414f, "afs"},   {0x01021997, "9p"},
    {0x20030528, "orangefs"}, {0xaad7aaea, "panfs"},  {0x73757245, "coda"}, {0x7461636f, "ocfs2"}, {0x01161970, "gfs2"},
};

}  // namespace

void started_as(const char*) {}

std::string program_path() {
  std::error_code failed;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? std::string() : path.string();
}

std::string build_hash() {
  std::string id;
  dl_iterate_phdr(take_first, &id);
  return id;
}

void end_with_parent(int signal) { ::prctl(PR_SET_PDEATHSIG, signal); }

std::string network_filesystem(const std::string& folder) {
  struct statfs found {};
  if (::statfs(folder.empty() ? "." : folder.c_str(), &found) != 0) return {};
  const auto type = static_cast<unsigned long>(found.f_type) & 0xfffffffful;
  for (const auto& [number, name] : network_filesystems)
    if (number == type) return name;
  return {};
}

unsigned terminal_columns(int file) {
  winsize size{};
  return ::ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

FolderInUse::FolderInUse(const std::string& folder)
    : folder_(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ >= 0) ::flock(folder_, LOCK_SH | LOCK_NB);
}

FolderInUse::~FolderInUse() {
  if (folder_ >= 0) ::close(folder_);
}

bool FolderInUse::alone() const { return folder_ >= 0 && ::flock(folder_, LOCK_EX | LOCK_NB) == 0; }

SignalStack::SignalStack() : room_(65536) {  // the least that systems ask for is below 16 KiB
  stack_t stack{};
  stack.ss_sp = room_.data();
  stack.ss_size = room_.size();
  ::sigaltstack(&stack, nullptr);
}

SignalStack::~SignalStack() {
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  ::sigaltstack(&none, nullptr);
}

int SignalStack::flag() { return SA_ONSTACK; }

const char* preload_variable() { return "LD_PRELOAD"; }

Urgent::Urgent() : policy_(::sched_getscheduler(0)) {
  sched_param before{};
  ::sched_getparam(0, &before);
  priority_ = before.sched_priority;
  sched_param urgent{};
  urgent.sched_priority = 10;
  ::sched_setscheduler(0, SCHED_RR, &urgent);  // where it is not permitted times scatter more
}

Urgent::~Urgent() {
  sched_param before{};
  before.sched_priority = priority_;
  ::sched_setscheduler(0, policy_, &before);
}

}  // namespace orrery::system
