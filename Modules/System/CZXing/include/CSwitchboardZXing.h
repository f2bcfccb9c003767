// A small C face of zxing-cpp: a grey picture in, the bytes of its QR codes out.
//
// The library is loaded when it is first needed, not when the program starts: linking it costs every start most of a
// millisecond, and only pictures that zbar cannot read need it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Takes the bytes of one code, as they stand in it; they are gone when it returns.
typedef void (*sb_zxing_found)(void *context, const uint8_t *bytes, size_t length);

/// Reads the QR codes of a picture, a byte a pixel, rows without gaps; mirrored ones, too.
///
/// - Returns: false if zxing-cpp is not installed, is of another version than the one this was compiled for, or has no
///   memory left. No exception leaves this function. It may be called from several threads.
bool sb_zxing_read(const uint8_t *pixels, uint32_t width, uint32_t height, void *context, sb_zxing_found found);

#ifdef __cplusplus
}
#endif
