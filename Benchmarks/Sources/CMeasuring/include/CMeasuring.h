#ifndef C_MEASURING_H
#define C_MEASURING_H

#include <stdint.h>

/// Begins to count the instructions that this thread executes in user space. A handle, or -1 where the machine or the system does
/// not let a program count them.
int perf_instructions_start(void);

/// Stops, and answers how many there were; -1 when they could not be read, or when the counter was shared meanwhile.
int64_t perf_instructions_stop(int handle);

/// Gives memory that was freed back to the system, where the C library can.
void heap_trim(void);

#endif
