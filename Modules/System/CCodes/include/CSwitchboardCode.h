// A code in a picture, as a library read it.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
    // The contents, which are valid only during the call that reports them.
    const uint8_t *bytes;
    size_t length;
    // The smallest upright rectangle around the code, in pixels.
    int32_t left, top, right, bottom;
    // The position in a structured append and its number of codes: 0 of 1 for other codes. The count is 0 if unknown.
    int32_t part, parts;
    // The same number for all parts of a structured append.
    int32_t sequence;
    // The contents follow the ECI protocol: a backslash with six digits announces the character set of the bytes after it,
    // two backslashes are one.
    int32_t announces;
} sb_code;

// A number that no character set has: nothing is known about the bytes after it.
enum { SB_CODE_UNANNOUNCED = 999999 };

// Receives a code. Libraries report codes that they read twice, or as parts, as often as they see them.
typedef void (*sb_code_found)(void *context, const sb_code *code);
