/* What WASI has not: refused with ENOSYS, or without effect where it could never happen. */
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

static int refused(void) {
  errno = ENOSYS;
  return -1;
}

int statvfs(const char* path, struct statvfs* into) { return (void)path, (void)into, refused(); }
int fchown(int file, uid_t owner, gid_t group) { return (void)file, (void)owner, (void)group, refused(); }
int fchmod(int file, mode_t mode) { return (void)file, (void)mode, refused(); }
int fchmodat(int folder, const char* path, mode_t mode, int flags) {
  return (void)folder, (void)path, (void)mode, (void)flags, refused();
}
int chmod(const char* path, mode_t mode) { return (void)path, (void)mode, refused(); }
int truncate(const char* path, off_t length) { return (void)path, (void)length, refused(); }
char* realpath(const char* path, char* resolved) { return (void)path, (void)resolved, refused(), (char*)0; }
int kill(int process, int signal) { return (void)process, (void)signal, refused(); }

unsigned alarm(unsigned seconds) { return (void)seconds, 0; }
int sigaction(int signal, const struct sigaction* action, struct sigaction* old) {
  return (void)signal, (void)action, (void)old, 0;
}
int sigaltstack(const stack_t* stack, stack_t* old) { return (void)stack, (void)old, 0; }

/* Debian's compiler runtime for wasm32 is compiled with -fstack-protector. */
unsigned long __stack_chk_guard = 0x5bd1e995;
void __stack_chk_fail(void) { __builtin_trap(); }
/* Destructors of thread_local objects: the one thread ends with the module. */
int __cxa_thread_atexit(void (*destroy)(void*), void* object, void* library) {
  return (void)destroy, (void)object, (void)library, 0;
}
