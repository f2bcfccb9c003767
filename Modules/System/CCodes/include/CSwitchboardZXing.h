// A C interface to zxing-cpp: takes a grayscale picture and reports the bytes of its QR codes.
//
// The library is loaded on first use. Linking it would add most of a millisecond to each start.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Receives the bytes of a code, which are valid only during the call.
typedef void (*sb_zxing_found)(void *context, const uint8_t *bytes, size_t length);

/// Loads zxing-cpp.
///
/// - Returns: false if zxing-cpp is not installed, or if our library is not beside the program.
bool sb_zxing_load(void);

/// Reads the QR codes, including mirrored ones, of a picture with one byte per pixel and no padding. Thread-safe. No
/// exception leaves this function.
///
/// - Returns: false if zxing-cpp cannot be loaded, or if memory is short.
bool sb_zxing_read(const uint8_t *pixels, uint32_t width, uint32_t height, void *context, sb_zxing_found found);

#ifdef __cplusplus
}
#endif
