/* Nothing sends a signal to a module: who catches them is told that all is well. */
#pragma once
#include_next <signal.h>
#ifdef __cplusplus
extern "C" {
#endif
#define SA_RESETHAND 1
#define SA_ONSTACK 2
#define SS_DISABLE 1
struct sigaction {
  void (*sa_handler)(int);
  int sa_flags;
};
typedef struct {
  void* ss_sp;
  int ss_flags;
  unsigned long ss_size;
} stack_t;
int sigaction(int signal, const struct sigaction* action, struct sigaction* old);
int sigaltstack(const stack_t* stack, stack_t* old);
int kill(int process, int signal); /* refused */
#ifdef __cplusplus
}
#endif
