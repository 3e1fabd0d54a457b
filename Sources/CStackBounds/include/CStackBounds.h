#ifndef C_STACK_BOUNDS_H
#define C_STACK_BOUNDS_H

#include <stdint.h>

/// The lowest address of the calling thread's stack, which grows downwards; 0 where the platform does not tell.
///
/// The one piece of C in this package: the function that tells on Linux is hidden from Swift's view of the C library.
uintptr_t jsonapi_stack_floor(void);

#endif
