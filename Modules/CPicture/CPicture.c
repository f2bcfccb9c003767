#include "CPicture.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

static void set_message(sb_picture *picture, const char *text) {
    snprintf(picture->message, sizeof picture->message, "%s", text);
}

// MARK: - PNG

static sb_picture_status read_png(const uint8_t *bytes, size_t length, uint64_t most_pixels, sb_picture *picture) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, bytes, length)) {
        set_message(picture, image.message);
        return SB_PICTURE_DAMAGED;
    }
    picture->width = image.width;
    picture->height = image.height;
    uint64_t pixels = (uint64_t)image.width * image.height;
    if (pixels > most_pixels) {
        png_image_free(&image);
        return SB_PICTURE_TOO_LARGE;
    }
    image.format = PNG_FORMAT_GRAY;
    picture->pixels = malloc(pixels);
    if (picture->pixels == NULL) {
        png_image_free(&image);
        return SB_PICTURE_NO_MEMORY;
    }
    png_color white = {255, 255, 255};
    if (!png_image_finish_read(&image, &white, picture->pixels, (png_int_32)image.width, NULL)) {
        set_message(picture, image.message);
        png_image_free(&image);
        return SB_PICTURE_DAMAGED;
    }
    return SB_PICTURE_OK;
}

sb_picture_status sb_picture_write_png(
    const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t **bytes, size_t *length) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_GRAY;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *memory = malloc(size);
    if (memory == NULL) return SB_PICTURE_NO_MEMORY;
    if (!png_image_write_to_memory(&image, memory, &size, 0, pixels, (png_int_32)width, NULL)) {
        free(memory);
        return SB_PICTURE_NO_MEMORY;
    }
    *bytes = memory;
    *length = size;
    return SB_PICTURE_OK;
}

// MARK: - JPEG

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf leave;
    sb_picture *picture;
} jpeg_failure;

static void leave(j_common_ptr info) {
    jpeg_failure *failure = (jpeg_failure *)info->err;
    char text[JMSG_LENGTH_MAX];
    failure->base.format_message(info, text);
    set_message(failure->picture, text);
    longjmp(failure->leave, 1);
}

static void say_nothing(j_common_ptr info) { (void)info; }

// A progressive file of some kilobytes may ask for thousands of passes over all its pixels.
enum { most_scans = 100 };

static void check_scans(j_common_ptr info) {
    j_decompress_ptr reader = (j_decompress_ptr)info;
    if (reader->input_scan_number > most_scans) {
        set_message(((jpeg_failure *)info->err)->picture, "the picture has too many scans");
        longjmp(((jpeg_failure *)info->err)->leave, 1);
    }
}

static void read_cmyk_row(const uint8_t *row, uint32_t width, uint8_t *grey) {
    // Adobe's programs, from which nearly all of these come, write them inverted: 255 is no ink.
    for (uint32_t x = 0; x < width; x++, row += 4) {
        unsigned colour = (77u * row[0] + 151u * row[1] + 28u * row[2]) >> 8;
        grey[x] = (uint8_t)(colour * row[3] / 255);
    }
}

static sb_picture_status read_jpeg(const uint8_t *bytes, size_t length, uint64_t most_pixels, sb_picture *picture) {
    struct jpeg_decompress_struct reader;
    jpeg_failure failure;
    struct jpeg_progress_mgr progress = {.progress_monitor = check_scans};
    uint8_t *volatile row = NULL;
    failure.picture = picture;
    reader.err = jpeg_std_error(&failure.base);
    failure.base.error_exit = leave;
    failure.base.output_message = say_nothing;
    if (setjmp(failure.leave)) {
        jpeg_destroy_decompress(&reader);
        free(row);
        return SB_PICTURE_DAMAGED;
    }
    jpeg_create_decompress(&reader);
    reader.progress = &progress;
    jpeg_mem_src(&reader, bytes, length);
    jpeg_read_header(&reader, TRUE);
    picture->width = reader.image_width;
    picture->height = reader.image_height;
    uint64_t pixels = (uint64_t)reader.image_width * reader.image_height;
    if (pixels > (reader.progressive_mode ? most_pixels / 3 : most_pixels)) {
        jpeg_destroy_decompress(&reader);
        return SB_PICTURE_TOO_LARGE;
    }
    int is_cmyk = reader.jpeg_color_space == JCS_CMYK || reader.jpeg_color_space == JCS_YCCK;
    reader.out_color_space = is_cmyk ? JCS_CMYK : JCS_GRAYSCALE;
    jpeg_start_decompress(&reader);
    picture->pixels = malloc(pixels);
    row = malloc((size_t)reader.output_width * (is_cmyk ? 4 : 1));
    if (picture->pixels == NULL || row == NULL) {
        jpeg_destroy_decompress(&reader);
        free(row);
        return SB_PICTURE_NO_MEMORY;
    }
    while (reader.output_scanline < reader.output_height) {
        uint8_t *target = picture->pixels + (size_t)reader.output_scanline * reader.output_width;
        JSAMPROW into = is_cmyk ? row : target;
        jpeg_read_scanlines(&reader, &into, 1);
        if (is_cmyk) read_cmyk_row(row, reader.output_width, target);
    }
    jpeg_finish_decompress(&reader);
    jpeg_destroy_decompress(&reader);
    free(row);
    return SB_PICTURE_OK;
}

// MARK: - Either

sb_picture_status sb_picture_read(const uint8_t *bytes, size_t length, uint64_t most_pixels, sb_picture *picture) {
    memset(picture, 0, sizeof *picture);
    sb_picture_status status = SB_PICTURE_UNKNOWN;
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    if (length >= sizeof png && memcmp(bytes, png, sizeof png) == 0) {
        status = read_png(bytes, length, most_pixels, picture);
    } else if (length >= 3 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF) {
        status = read_jpeg(bytes, length, most_pixels, picture);
    }
    if (status != SB_PICTURE_OK) sb_picture_free(picture);
    return status;
}

void sb_picture_free(sb_picture *picture) {
    free(picture->pixels);
    picture->pixels = NULL;
}
