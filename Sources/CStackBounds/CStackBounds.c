#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CStackBounds.h"

#if defined(__APPLE__) || defined(__linux__)
#include <pthread.h>
#endif
#if defined(__linux__)
#include <sys/resource.h>
#include <unistd.h>
#endif
#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#endif

/// A thread's stack: from the lowest address to the one above the highest. Both are 0 where the platform does not tell.
struct bounds {
    uintptr_t floor;
    uintptr_t top;
};

/// Asks the system. On Linux this costs microseconds, for the main thread tens of them: glibc reads `/proc/self/maps`.
static struct bounds ask(void) {
    struct bounds none = {0, 0};
#if defined(__APPLE__)
    pthread_t thread = pthread_self();
    uintptr_t top = (uintptr_t)pthread_get_stackaddr_np(thread);
    size_t size = pthread_get_stacksize_np(thread);
    if (top == 0 || size == 0 || size >= top) return none;
    struct bounds found = {top - size, top};
    return found;
#elif defined(__linux__)
    pthread_attr_t attributes;
    void *start = 0;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return none;
    int failed = pthread_attr_getstack(&attributes, &start, &size);
    // POSIX leaves open whether the guard is part of the size. Taking it off loses a few kilobytes at most.
    size_t guard = 0;
    if (pthread_attr_getguardsize(&attributes, &guard) != 0) guard = 0;
    pthread_attr_destroy(&attributes);
    if (failed || start == 0 || size == 0) return none;
    uintptr_t top = (uintptr_t)start + size;
#if !defined(__GLIBC__) && !defined(__ANDROID__)
    // musl tells how much of the main thread's stack is in use so far, not how far it may grow. The limit tells that. A stack
    // without limit grows until it meets other memory, which nothing tells.
    if (getpid() == gettid()) {
        struct rlimit limit;
        if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= top) return none;
        struct bounds found = {top - (uintptr_t)limit.rlim_cur, top};
        return found;
    }
#endif
    // glibc's answer for the main thread: RLIMIT_STACK, or less where other memory lies in the way, as it does with
    // `ulimit -s unlimited`. Android takes 8 MiB for an unlimited one.
    struct bounds found = {(uintptr_t)start + guard, top};
    return guard < size ? found : none;
#elif defined(_WIN32)
    ULONG_PTR low = 0, high = 0;
    GetCurrentThreadStackLimits(&low, &high);
    struct bounds found = {(uintptr_t)low, (uintptr_t)high};
    return found;
#else
    return none;
#endif
}

/// The bounds of the stack at whose address `here` the caller runs.
static struct bounds bounds_around(uintptr_t here) {
    // A thread keeps its stack as long as it lives. A limit for the main thread that is raised later is not noticed.
    static _Thread_local struct bounds known;
    static _Thread_local int is_known;
    if (!is_known) {
        known = ask();
        is_known = 1;
    }
    // A coroutine or a signal handler may run on memory that is not the thread's stack. Nothing is known about that.
    struct bounds none = {0, 0};
    return here >= known.floor && here < known.top ? known : none;
}

uintptr_t jsonapi_stack_floor(void) { return bounds_around(jsonapi_stack_address()).floor; }

uintptr_t jsonapi_stack_top(void) { return bounds_around(jsonapi_stack_address()).top; }

static _Thread_local uintptr_t thread_word;

uintptr_t jsonapi_thread_number(void) { return (uintptr_t)&thread_word; }

uintptr_t jsonapi_thread_word(void) { return thread_word; }

void jsonapi_set_thread_word(uintptr_t word) { thread_word = word; }
