// Pictures as grayscale bytes with libpng, libjpeg, libheif, libwebp and giflib. A C interface is needed because libpng
// and libjpeg report errors with longjmp, which must not cross Swift frames. The libraries are loaded on first use.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The maximum width and height.
enum { SB_PICTURE_MAX_SIDE = 12000 };

typedef enum {
    SB_PICTURE_OK = 0,
    SB_PICTURE_UNKNOWN = 1,    // none of the formats
    SB_PICTURE_DAMAGED = 2,    // see the message
    SB_PICTURE_TOO_LARGE = 3,  // more pixels than allowed, or too long a side; width and height are set
    SB_PICTURE_NO_MEMORY = 4,
    SB_PICTURE_NO_LIBRARY = 5  // the library is not installed; the message names the Debian package
} sb_picture_status;

typedef struct {
    uint32_t width;
    uint32_t height;
    uint8_t ground;       // the brightness behind transparent pixels
    bool is_transparent;  // some pixels may be
    uint8_t *pixels;  // one byte per pixel, 0 black and 255 white, no padding; freed by sb_picture_free
    char message[256];
} sb_picture;

// Decodes a PNG, JPEG, HEIC, WebP or GIF file (its first frame) of `length` bytes, which need not be trusted. Transparent
// pixels are blended with the brightness `ground`; HEIC files have none here. The size is checked before decoding, so a small file cannot
// allocate much memory: at most three bytes per pixel, and about six for progressive JPEG files and for lossless or
// transparent WebP files, whose limit is a third of `max_pixels`.
sb_picture_status sb_picture_read(
    const uint8_t *bytes, size_t length, uint64_t max_pixels, uint8_t ground, sb_picture *picture);

// Frees the pixels.
void sb_picture_free(sb_picture *picture);

// Encodes grayscale pixels as a PNG file. The caller must release the memory with `free`.
sb_picture_status sb_picture_write_png(
    const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t **bytes, size_t *length);
