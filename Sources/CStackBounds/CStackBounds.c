#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CStackBounds.h"

#if defined(__APPLE__) || defined(__linux__)
#include <pthread.h>
#endif

uintptr_t jsonapi_stack_floor(void) {
#if defined(__APPLE__)
    pthread_t thread = pthread_self();
    return (uintptr_t)pthread_get_stackaddr_np(thread) - pthread_get_stacksize_np(thread);
#elif defined(__linux__)
    pthread_attr_t attributes;
    void *start = 0;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    int failed = pthread_attr_getstack(&attributes, &start, &size);
    pthread_attr_destroy(&attributes);
    return failed ? 0 : (uintptr_t)start;
#else
    return 0;
#endif
}
