// -*- C++ -*-
// The threads that libc++ asks for ("external threading API"), of a system with one: locks cost nothing, a second thread is
// refused with ENOTSUP. Copied to libc++'s headers as <__external_threading>; its names are libc++'s.
#pragma once
// clang-format off
#include <__config>
#include <__chrono/duration.h>
#include <errno.h>
#include <time.h>
// clang-format on

#define ORRERY_ONE_THREAD inline _LIBCPP_HIDE_FROM_ABI

_LIBCPP_BEGIN_NAMESPACE_STD

using __libcpp_timespec_t = ::timespec;

// Locks: always free.
using __libcpp_mutex_t = unsigned char;
using __libcpp_recursive_mutex_t = unsigned char;
#define _LIBCPP_MUTEX_INITIALIZER 0
ORRERY_ONE_THREAD int __libcpp_recursive_mutex_init(__libcpp_recursive_mutex_t*) { return 0; }
ORRERY_ONE_THREAD int __libcpp_recursive_mutex_lock(__libcpp_recursive_mutex_t*) { return 0; }
ORRERY_ONE_THREAD bool __libcpp_recursive_mutex_trylock(__libcpp_recursive_mutex_t*) { return true; }
ORRERY_ONE_THREAD int __libcpp_recursive_mutex_unlock(__libcpp_recursive_mutex_t*) { return 0; }
ORRERY_ONE_THREAD int __libcpp_recursive_mutex_destroy(__libcpp_recursive_mutex_t*) { return 0; }
ORRERY_ONE_THREAD int __libcpp_mutex_lock(__libcpp_mutex_t*) { return 0; }
ORRERY_ONE_THREAD bool __libcpp_mutex_trylock(__libcpp_mutex_t*) { return true; }
ORRERY_ONE_THREAD int __libcpp_mutex_unlock(__libcpp_mutex_t*) { return 0; }
ORRERY_ONE_THREAD int __libcpp_mutex_destroy(__libcpp_mutex_t*) { return 0; }

// Whoever waited would wait for ever.
using __libcpp_condvar_t = unsigned char;
#define _LIBCPP_CONDVAR_INITIALIZER 0
ORRERY_ONE_THREAD int __libcpp_condvar_signal(__libcpp_condvar_t*) { return 0; }
ORRERY_ONE_THREAD int __libcpp_condvar_broadcast(__libcpp_condvar_t*) { return 0; }
ORRERY_ONE_THREAD int __libcpp_condvar_wait(__libcpp_condvar_t*, __libcpp_mutex_t*) { return ENOTSUP; }
ORRERY_ONE_THREAD int __libcpp_condvar_timedwait(__libcpp_condvar_t*, __libcpp_mutex_t*, __libcpp_timespec_t*) {
  return ETIMEDOUT;
}
ORRERY_ONE_THREAD int __libcpp_condvar_destroy(__libcpp_condvar_t*) { return 0; }

using __libcpp_exec_once_flag = bool;
#define _LIBCPP_EXEC_ONCE_INITIALIZER false
ORRERY_ONE_THREAD int __libcpp_execute_once(__libcpp_exec_once_flag* done, void (*run)()) {
  if (!*done) {
    *done = true;
    run();
  }
  return 0;
}

// The one thread is number 1.
using __libcpp_thread_id = unsigned;
using __libcpp_thread_t = unsigned;
#define _LIBCPP_NULL_THREAD 0
ORRERY_ONE_THREAD bool __libcpp_thread_id_equal(__libcpp_thread_id a, __libcpp_thread_id b) { return a == b; }
ORRERY_ONE_THREAD bool __libcpp_thread_id_less(__libcpp_thread_id a, __libcpp_thread_id b) { return a < b; }
ORRERY_ONE_THREAD bool __libcpp_thread_isnull(const __libcpp_thread_t* thread) { return *thread == 0; }
ORRERY_ONE_THREAD int __libcpp_thread_create(__libcpp_thread_t*, void* (*)(void*), void*) { return ENOTSUP; }
ORRERY_ONE_THREAD __libcpp_thread_id __libcpp_thread_get_current_id() { return 1; }
ORRERY_ONE_THREAD __libcpp_thread_id __libcpp_thread_get_id(const __libcpp_thread_t* thread) { return *thread; }
ORRERY_ONE_THREAD int __libcpp_thread_join(__libcpp_thread_t*) { return EINVAL; }
ORRERY_ONE_THREAD int __libcpp_thread_detach(__libcpp_thread_t*) { return EINVAL; }
ORRERY_ONE_THREAD void __libcpp_thread_yield() {}
ORRERY_ONE_THREAD void __libcpp_thread_sleep_for(const chrono::nanoseconds&) {}

// Values of a thread: nothing is destroyed at its end, which is the module's.
#define _LIBCPP_TLS_DESTRUCTOR_CC
using __libcpp_tls_key = unsigned;
inline constexpr unsigned orrery_tls_most = 8;
inline void* orrery_tls_values[orrery_tls_most];
inline unsigned orrery_tls_count = 0;
ORRERY_ONE_THREAD int __libcpp_tls_create(__libcpp_tls_key* key, void (*)(void*)) {
  if (orrery_tls_count == orrery_tls_most) return EAGAIN;
  *key = orrery_tls_count++;
  return 0;
}
ORRERY_ONE_THREAD void* __libcpp_tls_get(__libcpp_tls_key key) { return orrery_tls_values[key]; }
ORRERY_ONE_THREAD int __libcpp_tls_set(__libcpp_tls_key key, void* value) {
  orrery_tls_values[key] = value;
  return 0;
}

_LIBCPP_END_NAMESPACE_STD
