/* C11's <threads.h>, which wasi-libc has for several threads only. libunwind asks for this of it. */
#pragma once
#define thread_local _Thread_local
