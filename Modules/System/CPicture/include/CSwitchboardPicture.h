// Pictures as grey bytes, over libpng and libjpeg: a small C face, because both leave their errors by longjmp, which must
// not pass through Swift. The libraries are loaded when they are first needed.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum {
    SB_PICTURE_OK = 0,
    SB_PICTURE_UNKNOWN = 1,    // neither PNG nor JPEG
    SB_PICTURE_DAMAGED = 2,    // the message says what is wrong
    SB_PICTURE_TOO_LARGE = 3,  // more pixels than allowed; width and height are set
    SB_PICTURE_NO_MEMORY = 4,
    SB_PICTURE_NO_LIBRARY = 5  // libpng or libjpeg is not installed; the message names the Debian package that has it
} sb_picture_status;

typedef struct {
    uint32_t width;
    uint32_t height;
    uint8_t *pixels;  // a byte a pixel, 0 black and 255 white, rows without gaps; freed by sb_picture_free
    char message[256];
} sb_picture;

// Reads a PNG or JPEG file of `length` bytes. What is transparent is shown on white. The size is looked at before any pixel
// is read, so that a small file cannot claim much memory: at most one byte a pixel, and for progressive JPEG files, of
// which only a third of `most_pixels` is allowed, six more. Any bytes may be given.
sb_picture_status sb_picture_read(const uint8_t *bytes, size_t length, uint64_t most_pixels, sb_picture *picture);

// Frees the pixels.
void sb_picture_free(sb_picture *picture);

// Writes grey pixels as a PNG file into memory that `free` frees.
sb_picture_status sb_picture_write_png(
    const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t **bytes, size_t *length);
