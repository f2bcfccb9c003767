// Reads the codes of a picture in a forked process, which can be stopped.
//
// zbar and zxing-cpp compare all triples of finder patterns. A picture of a few kilobytes with thousands of patterns keeps
// them busy for hours, and neither can be interrupted.
#pragma once

#include "CSwitchboardCode.h"

#include <stdbool.h>

// Finds codes in a picture with one byte per pixel and no padding; false if that failed. Runs in the forked process, so it
// must not need other threads, and the libraries that it calls must be loaded, those for converting text included.
typedef bool (*sb_forked_reader)(
    const uint8_t *pixels, uint32_t width, uint32_t height, void *context, sb_code_found found);

typedef enum {
    SB_FORKED_DONE = 0,
    SB_FORKED_OUT_OF_TIME = 1,
    SB_FORKED_CANCELLED = 2,
    SB_FORKED_FAILED = 3,    // the reader failed or crashed
    SB_FORKED_NO_MEMORY = 4  // no process could be started
} sb_forked_status;

// Calls a reader in a forked process for up to `milliseconds` of processor time. Thread-safe.
//
// Calls `found` with each code, and polls `is_cancelled` every 50 ms, both on this thread. `spent` is set to the processor
// time in milliseconds.
sb_forked_status sb_forked_read(
    sb_forked_reader reader, const uint8_t *pixels, uint32_t width, uint32_t height, int64_t milliseconds, void *context,
    sb_code_found found, bool (*is_cancelled)(void *context), int64_t *spent);

// Returns the processor time of this thread in milliseconds.
int64_t sb_thread_milliseconds(void);
