// A small C face of zbar: a grey picture in, the bytes of its QR codes out.
//
// The library is loaded when the first picture is read, not when the program starts: linking it costs every start more
// than a millisecond (X11, video and D-Bus come with it), and only scanning needs it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Takes the bytes of one code, as they stand in it; they are gone when it returns.
typedef void (*sb_zbar_found)(void *context, const uint8_t *bytes, size_t length);

/// Reads the QR codes of a picture, a byte a pixel, rows without gaps, in zbar's binary mode: without it zbar guesses
/// encodings of East Asia and spoils names in UTF-8.
///
/// - Returns: false if zbar is not installed or has no memory left. It may be called from several threads.
bool sb_zbar_read(const uint8_t *pixels, uint32_t width, uint32_t height, void *context, sb_zbar_found found);
