#ifndef C_MALLOC_COUNT_H
#define C_MALLOC_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations can be counted here: on Linux with glibc, where an executable's own `malloc` stands before the library's.
bool malloc_count_is_available(void);

/// Begins to count calls of malloc, calloc, realloc and the aligned ones, by any thread.
void malloc_count_start(void);

/// Stops, and answers how many there were.
uint64_t malloc_count_stop(void);

#endif
