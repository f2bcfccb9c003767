// A C interface to zxing-cpp: takes a grayscale picture and reports its codes.
//
// The library is loaded on first use. Linking it would add most of a millisecond to each start.
#pragma once

#include "CSwitchboardCode.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Loads zxing-cpp.
///
/// - Returns: false if zxing-cpp is not installed, or if our library is not beside the program.
bool sb_zxing_load(void);

/// Reads the QR codes, including mirrored ones, of a picture with one byte per pixel and no padding, and the Micro QR,
/// Aztec, Data Matrix and PDF417 codes that are not on a QR code. Contents with announced character sets or in kanji mode
/// follow the ECI protocol. Thread-safe. No exception leaves this function.
///
/// - Returns: false if zxing-cpp cannot be loaded, or if memory is short.
bool sb_zxing_read(const uint8_t *pixels, uint32_t width, uint32_t height, void *context, sb_code_found found);

#ifdef __cplusplus
}
#endif
