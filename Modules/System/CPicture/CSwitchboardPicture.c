#include "CSwitchboardPicture.h"

#include "../Loading.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

// MARK: - The libraries

// The functions of both libraries, resolved on first use. Never unloaded: other threads may still be inside them when
// the process exits. Both libraries check the version they were compiled for.
static struct {
    __typeof__(&png_image_begin_read_from_memory) begin_read;
    __typeof__(&png_image_finish_read) finish_read;
    __typeof__(&png_image_write_to_memory) write;
    __typeof__(&png_image_free) free;
    bool is_complete;
} png;

static struct {
    __typeof__(&jpeg_std_error) std_error;
    __typeof__(&jpeg_CreateDecompress) create;
    __typeof__(&jpeg_mem_src) mem_src;
    __typeof__(&jpeg_read_header) read_header;
    __typeof__(&jpeg_start_decompress) start;
    __typeof__(&jpeg_read_scanlines) read_scanlines;
    __typeof__(&jpeg_finish_decompress) finish;
    __typeof__(&jpeg_destroy_decompress) destroy;
    bool is_complete;
} jpeg;

static pthread_once_t png_once = PTHREAD_ONCE_INIT;
static pthread_once_t jpeg_once = PTHREAD_ONCE_INIT;

static void load_png(void) {
    void *handle = sb_open("libpng16.so.16", &png.is_complete);
    if (handle == NULL) return;
    SB_FIND(handle, png, begin_read, "png_image_begin_read_from_memory");
    SB_FIND(handle, png, finish_read, "png_image_finish_read");
    SB_FIND(handle, png, write, "png_image_write_to_memory");
    SB_FIND(handle, png, free, "png_image_free");
}

// The soname identifies the ABI that the headers describe.
#if JPEG_LIB_VERSION >= 80
#define SB_JPEG_NAME "libjpeg.so.8"
#define SB_JPEG_PACKAGE "libjpeg-turbo8"
#else
#define SB_JPEG_NAME "libjpeg.so.62"
#define SB_JPEG_PACKAGE "libjpeg62-turbo"
#endif

static void load_jpeg(void) {
    void *handle = sb_open(SB_JPEG_NAME, &jpeg.is_complete);
    if (handle == NULL) return;
    SB_FIND(handle, jpeg, std_error, "jpeg_std_error");
    SB_FIND(handle, jpeg, create, "jpeg_CreateDecompress");
    SB_FIND(handle, jpeg, mem_src, "jpeg_mem_src");
    SB_FIND(handle, jpeg, read_header, "jpeg_read_header");
    SB_FIND(handle, jpeg, start, "jpeg_start_decompress");
    SB_FIND(handle, jpeg, read_scanlines, "jpeg_read_scanlines");
    SB_FIND(handle, jpeg, finish, "jpeg_finish_decompress");
    SB_FIND(handle, jpeg, destroy, "jpeg_destroy_decompress");
}

static void set_message(sb_picture *picture, const char *text) {
    snprintf(picture->message, sizeof picture->message, "%s", text);
}

// MARK: - PNG

static sb_picture_status read_png(const uint8_t *bytes, size_t length, uint64_t max_pixels, sb_picture *picture) {
    pthread_once(&png_once, load_png);
    if (!png.is_complete) {
        set_message(picture, "libpng16-16");
        return SB_PICTURE_NO_LIBRARY;
    }
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png.begin_read(&image, bytes, length)) {
        set_message(picture, image.message);
        return SB_PICTURE_DAMAGED;
    }
    picture->width = image.width;
    picture->height = image.height;
    uint64_t pixels = (uint64_t)image.width * image.height;
    if (pixels > max_pixels) {
        png.free(&image);
        return SB_PICTURE_TOO_LARGE;
    }
    image.format = PNG_FORMAT_GRAY;
    picture->pixels = malloc(pixels);
    if (picture->pixels == NULL) {
        png.free(&image);
        return SB_PICTURE_NO_MEMORY;
    }
    png_color white = {255, 255, 255};
    if (!png.finish_read(&image, &white, picture->pixels, (png_int_32)image.width, NULL)) {
        set_message(picture, image.message);
        png.free(&image);
        return SB_PICTURE_DAMAGED;
    }
    return SB_PICTURE_OK;
}

sb_picture_status sb_picture_write_png(
    const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t **bytes, size_t *length) {
    pthread_once(&png_once, load_png);
    if (!png.is_complete) return SB_PICTURE_NO_LIBRARY;
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_GRAY;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *memory = malloc(size);
    if (memory == NULL) return SB_PICTURE_NO_MEMORY;
    if (!png.write(&image, memory, &size, 0, pixels, (png_int_32)width, NULL)) {
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

// A progressive file of a few kilobytes may contain thousands of scans over all its pixels.
enum { max_scans = 100 };

static void check_scans(j_common_ptr info) {
    j_decompress_ptr reader = (j_decompress_ptr)info;
    if (reader->input_scan_number > max_scans) {
        set_message(((jpeg_failure *)info->err)->picture, "the picture has too many scans");
        longjmp(((jpeg_failure *)info->err)->leave, 1);
    }
}

static void read_cmyk_row(const uint8_t *row, uint32_t width, uint8_t *grey) {
    // Adobe's programs, which write nearly all such files, invert the values: 255 is no ink.
    for (uint32_t x = 0; x < width; x++, row += 4) {
        unsigned colour = (77u * row[0] + 151u * row[1] + 28u * row[2]) >> 8;
        grey[x] = (uint8_t)(colour * row[3] / 255);
    }
}

static sb_picture_status read_jpeg(const uint8_t *bytes, size_t length, uint64_t max_pixels, sb_picture *picture) {
    pthread_once(&jpeg_once, load_jpeg);
    if (!jpeg.is_complete) {
        set_message(picture, SB_JPEG_PACKAGE);
        return SB_PICTURE_NO_LIBRARY;
    }
    struct jpeg_decompress_struct reader;
    jpeg_failure failure;
    struct jpeg_progress_mgr progress = {.progress_monitor = check_scans};
    uint8_t *volatile row = NULL;
    failure.picture = picture;
    reader.err = jpeg.std_error(&failure.base);
    failure.base.error_exit = leave;
    failure.base.output_message = say_nothing;
    if (setjmp(failure.leave)) {
        jpeg.destroy(&reader);
        free(row);
        return SB_PICTURE_DAMAGED;
    }
    jpeg.create(&reader, JPEG_LIB_VERSION, sizeof reader);
    reader.progress = &progress;
    jpeg.mem_src(&reader, bytes, length);
    jpeg.read_header(&reader, TRUE);
    picture->width = reader.image_width;
    picture->height = reader.image_height;
    uint64_t pixels = (uint64_t)reader.image_width * reader.image_height;
    if (pixels > (reader.progressive_mode ? max_pixels / 3 : max_pixels)) {
        jpeg.destroy(&reader);
        return SB_PICTURE_TOO_LARGE;
    }
    int is_cmyk = reader.jpeg_color_space == JCS_CMYK || reader.jpeg_color_space == JCS_YCCK;
    reader.out_color_space = is_cmyk ? JCS_CMYK : JCS_GRAYSCALE;
    jpeg.start(&reader);
    picture->pixels = malloc(pixels);
    row = malloc((size_t)reader.output_width * (is_cmyk ? 4 : 1));
    if (picture->pixels == NULL || row == NULL) {
        jpeg.destroy(&reader);
        free(row);
        return SB_PICTURE_NO_MEMORY;
    }
    while (reader.output_scanline < reader.output_height) {
        uint8_t *target = picture->pixels + (size_t)reader.output_scanline * reader.output_width;
        JSAMPROW into = is_cmyk ? row : target;
        jpeg.read_scanlines(&reader, &into, 1);
        if (is_cmyk) read_cmyk_row(row, reader.output_width, target);
    }
    jpeg.finish(&reader);
    jpeg.destroy(&reader);
    free(row);
    return SB_PICTURE_OK;
}

// MARK: - Both formats

sb_picture_status sb_picture_read(const uint8_t *bytes, size_t length, uint64_t max_pixels, sb_picture *picture) {
    memset(picture, 0, sizeof *picture);
    sb_picture_status status = SB_PICTURE_UNKNOWN;
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    if (length >= sizeof signature && memcmp(bytes, signature, sizeof signature) == 0) {
        status = read_png(bytes, length, max_pixels, picture);
    } else if (length >= 3 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF) {
        status = read_jpeg(bytes, length, max_pixels, picture);
    }
    if (status != SB_PICTURE_OK) sb_picture_free(picture);
    return status;
}

void sb_picture_free(sb_picture *picture) {
    free(picture->pixels);
    picture->pixels = NULL;
}
