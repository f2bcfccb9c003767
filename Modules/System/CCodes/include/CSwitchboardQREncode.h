// A C interface to libqrencode, which is loaded on first use.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum {
    SB_QR_OK = 0,
    SB_QR_TOO_LONG = 1,   // the bytes do not fit into a code
    SB_QR_FAILED = 2,     // no memory
    SB_QR_NO_LIBRARY = 3  // libqrencode is not installed
} sb_qr_status;

// Receives a code with `size` modules per side, row by row, one byte per module. The lowest bit is set if it is dark.
typedef void (*sb_qr_written)(void *context, uint32_t size, const uint8_t *modules);

// Encodes bytes at error correction level M and calls `written` once with the code. Thread-safe.
sb_qr_status sb_qr_write(const uint8_t *bytes, size_t length, void *context, sb_qr_written written);
