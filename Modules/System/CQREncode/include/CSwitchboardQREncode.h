// QR codes written by libqrencode: a small C face, because the library is loaded when the first code is written.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum {
    SB_QR_OK = 0,
    SB_QR_TOO_LONG = 1,   // the bytes do not fit into a code
    SB_QR_FAILED = 2,     // no memory
    SB_QR_NO_LIBRARY = 3  // libqrencode is not installed
} sb_qr_status;

// Takes a code of `size` modules a side: a byte a module, row after row, whose lowest bit is set where it is dark.
typedef void (*sb_qr_written)(void *context, uint32_t size, const uint8_t *modules);

// Makes a code of level M of any bytes, as they are, and calls `written` once with it. May be called from several threads.
sb_qr_status sb_qr_write(const uint8_t *bytes, size_t length, void *context, sb_qr_written written);
