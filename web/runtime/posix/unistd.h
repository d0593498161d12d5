/* What wasi-libc leaves out of <unistd.h>. */
#pragma once
#include_next <unistd.h>
#include <sys/types.h>
#ifdef __cplusplus
extern "C" {
#endif
unsigned alarm(unsigned seconds);                /* never rings */
int fchown(int file, uid_t owner, gid_t group); /* refused, as all below */
int truncate(const char* path, off_t length);
#ifdef __cplusplus
}
#endif
