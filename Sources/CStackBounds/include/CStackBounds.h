#ifndef C_STACK_BOUNDS_H
#define C_STACK_BOUNDS_H

#include <stdint.h>

/// Returns the lowest address of the stack that the caller runs on; 0 where the platform does not tell. Stacks grow downwards.
///
/// The platform is asked once per thread; every later call costs a few nanoseconds. 0 is also what a caller gets on a stack
/// that is not its thread's own. Where it is 0, no depth is known to be safe: rely on a limit for nesting there.
///
/// This is C because the function that tells on Linux is hidden from Swift's view of the C library.
uintptr_t jsonapi_stack_floor(void);

/// Returns the address above the highest one of the same stack; 0 where `jsonapi_stack_floor` returns 0.
uintptr_t jsonapi_stack_top(void);

/// Returns a number that no other running thread has.
uintptr_t jsonapi_thread_number(void);

/// Returns a word that belongs to the calling thread. It is 0 at first.
uintptr_t jsonapi_thread_word(void);

/// Sets the word of the calling thread.
void jsonapi_set_thread_word(uintptr_t word);

/// Returns an address of the caller's stack frame, or of one close to it.
static inline uintptr_t jsonapi_stack_address(void) {
    return (uintptr_t)__builtin_frame_address(0);
}

/// Whether another thread has set a flag. What that thread wrote before it set the flag is then visible to the caller.
static inline _Bool jsonapi_flag_is_set(const uint8_t *flag) {
    return __atomic_load_n(flag, __ATOMIC_ACQUIRE) != 0;
}

/// Sets a flag, after everything that the caller wrote before.
static inline void jsonapi_set_flag(uint8_t *flag) {
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

#endif
