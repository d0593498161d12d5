/* What libc++'s <filesystem> asks for; refused. */
#pragma once
#include <dirent.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <stdlib.h>
#ifndef DT_SOCK
#define DT_SOCK 12
#endif
#ifndef DT_FIFO
#define DT_FIFO 13
#endif
#ifdef __cplusplus
extern "C" {
#endif
struct statvfs {
  unsigned long f_frsize, f_blocks, f_bfree, f_bavail;
};
int statvfs(const char* path, struct statvfs* into);
#ifdef __cplusplus
}
#endif
