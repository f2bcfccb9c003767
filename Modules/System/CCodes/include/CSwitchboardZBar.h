// A C interface to zbar: takes a grayscale picture and reports its QR codes.
//
// The library is loaded on first use. Linking it would add more than a millisecond to each start (X11, video and D-Bus
// come with it).
#pragma once

#include "CSwitchboardCode.h"

#include <stdbool.h>

/// Loads zbar.
///
/// - Returns: false if zbar is not installed.
bool sb_zbar_load(void);

/// Reads the QR codes of a picture with one byte per pixel and no padding. Uses zbar's binary mode; otherwise zbar
/// guesses East Asian encodings and corrupts UTF-8. zbar still converts the bytes after an announced ISO-8859 or
/// Shift_JIS to UTF-8, ignores other announcements, and joins the parts of a structured append. Thread-safe.
///
/// - Returns: false if zbar is not installed or memory is short.
bool sb_zbar_read(const uint8_t *pixels, uint32_t width, uint32_t height, void *context, sb_code_found found);
