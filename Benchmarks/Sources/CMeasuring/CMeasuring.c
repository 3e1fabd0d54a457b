#include "CMeasuring.h"

#if defined(__linux__)

#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int perf_instructions_start(void) {
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.size = sizeof attributes;
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.disabled = 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    int handle = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
    if (handle < 0) return -1;
    if (ioctl(handle, PERF_EVENT_IOC_RESET, 0) != 0 || ioctl(handle, PERF_EVENT_IOC_ENABLE, 0) != 0) {
        close(handle);
        return -1;
    }
    return handle;
}

int64_t perf_instructions_stop(int handle) {
    struct {
        uint64_t value, enabled, running;
    } counter;
    ioctl(handle, PERF_EVENT_IOC_DISABLE, 0);
    ssize_t size = read(handle, &counter, sizeof counter);
    close(handle);
    if (size != sizeof counter || counter.enabled == 0 || counter.enabled != counter.running) return -1;
    return (int64_t)counter.value;
}

#else

int perf_instructions_start(void) { return -1; }
int64_t perf_instructions_stop(int handle) {
    (void)handle;
    return -1;
}

#endif

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
void heap_trim(void) { malloc_trim(0); }
#else
void heap_trim(void) {}
#endif
