#include "CSwitchboardPicture.h"

#include "../Loading.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>
#include <jpeglib.h>
#include <libheif/heif.h>
#include <png.h>
#include <webp/decode.h>

// MARK: - The libraries

// The functions of the libraries, resolved on first use. Never unloaded: other threads may still be inside them when
// the process exits. libpng and libjpeg check the version they were compiled for.
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

static struct {
    __typeof__(&heif_context_alloc) alloc;
    __typeof__(&heif_context_free) free;
    __typeof__(&heif_context_read_from_memory_without_copy) read;
    __typeof__(&heif_context_get_primary_image_handle) primary;
    __typeof__(&heif_image_handle_get_width) width;
    __typeof__(&heif_image_handle_get_height) height;
    __typeof__(&heif_image_handle_release) release_handle;
    __typeof__(&heif_decode_image) decode;
    __typeof__(&heif_image_get_width) image_width;
    __typeof__(&heif_image_get_height) image_height;
    __typeof__(&heif_image_get_bits_per_pixel_range) bits;
    __typeof__(&heif_image_get_plane_readonly) plane;
    __typeof__(&heif_image_release) release;
    bool is_complete;
} heif;

static struct {
    __typeof__(&WebPGetFeaturesInternal) features;
    __typeof__(&WebPDecodeYUV) decode_yuv;
    __typeof__(&WebPDecodeRGBA) decode_rgba;
    __typeof__(&WebPFree) free;
    bool is_complete;
} webp;

static struct {
    __typeof__(&DGifOpen) open;
    __typeof__(&DGifCloseFile) close;
    __typeof__(&DGifGetRecordType) record;
    __typeof__(&DGifGetImageDesc) image;
    __typeof__(&DGifGetLine) line;
    __typeof__(&DGifGetExtension) extension;
    __typeof__(&DGifGetExtensionNext) next_extension;
    __typeof__(&GifErrorString) error;
    bool is_complete;
} gif;

static pthread_once_t png_once = PTHREAD_ONCE_INIT;
static pthread_once_t jpeg_once = PTHREAD_ONCE_INIT;
static pthread_once_t heif_once = PTHREAD_ONCE_INIT;
static pthread_once_t webp_once = PTHREAD_ONCE_INIT;
static pthread_once_t gif_once = PTHREAD_ONCE_INIT;

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

static void load_heif(void) {
    void *handle = sb_open("libheif.so.1", &heif.is_complete);
    if (handle == NULL) return;
    SB_FIND(handle, heif, alloc, "heif_context_alloc");
    SB_FIND(handle, heif, free, "heif_context_free");
    SB_FIND(handle, heif, read, "heif_context_read_from_memory_without_copy");
    SB_FIND(handle, heif, primary, "heif_context_get_primary_image_handle");
    SB_FIND(handle, heif, width, "heif_image_handle_get_width");
    SB_FIND(handle, heif, height, "heif_image_handle_get_height");
    SB_FIND(handle, heif, release_handle, "heif_image_handle_release");
    SB_FIND(handle, heif, decode, "heif_decode_image");
    SB_FIND(handle, heif, image_width, "heif_image_get_width");
    SB_FIND(handle, heif, image_height, "heif_image_get_height");
    SB_FIND(handle, heif, bits, "heif_image_get_bits_per_pixel_range");
    SB_FIND(handle, heif, plane, "heif_image_get_plane_readonly");
    SB_FIND(handle, heif, release, "heif_image_release");
}

static void load_webp(void) {
    void *handle = sb_open("libwebp.so.7", &webp.is_complete);
    if (handle == NULL) return;
    SB_FIND(handle, webp, features, "WebPGetFeaturesInternal");
    SB_FIND(handle, webp, decode_yuv, "WebPDecodeYUV");
    SB_FIND(handle, webp, decode_rgba, "WebPDecodeRGBA");
    SB_FIND(handle, webp, free, "WebPFree");
}

static void load_gif(void) {
    void *handle = sb_open("libgif.so.7", &gif.is_complete);
    if (handle == NULL) return;
    SB_FIND(handle, gif, open, "DGifOpen");
    SB_FIND(handle, gif, close, "DGifCloseFile");
    SB_FIND(handle, gif, record, "DGifGetRecordType");
    SB_FIND(handle, gif, image, "DGifGetImageDesc");
    SB_FIND(handle, gif, line, "DGifGetLine");
    SB_FIND(handle, gif, extension, "DGifGetExtension");
    SB_FIND(handle, gif, next_extension, "DGifGetExtensionNext");
    SB_FIND(handle, gif, error, "GifErrorString");
}

static void set_message(sb_picture *picture, const char *text) {
    // Some libraries end their messages with a line break.
    snprintf(picture->message, sizeof picture->message, "%.*s", (int)strcspn(text, "\r\n"), text);
}

static bool is_too_large(uint64_t width, uint64_t height, uint64_t max_pixels) {
    return width > SB_PICTURE_MAX_SIDE || height > SB_PICTURE_MAX_SIDE || width * height > max_pixels;
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
    if (is_too_large(image.width, image.height, max_pixels)) {
        png.free(&image);
        return SB_PICTURE_TOO_LARGE;
    }
    picture->is_transparent = (image.format & PNG_FORMAT_FLAG_ALPHA) != 0;
    image.format = PNG_FORMAT_GRAY;
    picture->pixels = malloc(pixels);
    if (picture->pixels == NULL) {
        png.free(&image);
        return SB_PICTURE_NO_MEMORY;
    }
    png_color ground = {picture->ground, picture->ground, picture->ground};
    if (!png.finish_read(&image, &ground, picture->pixels, (png_int_32)image.width, NULL)) {
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
    // Adobe's programs, which write nearly all such files, invert the values: 255 means no ink.
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
    if (is_too_large(reader.image_width, reader.image_height, reader.progressive_mode ? max_pixels / 3 : max_pixels)) {
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

// MARK: - HEIC

// Copies the brightness of a decoded picture.
static sb_picture_status copy_brightness(const struct heif_image *image, uint64_t max_pixels, sb_picture *picture) {
    int width = heif.image_width(image, heif_channel_Y), height = heif.image_height(image, heif_channel_Y);
    int bits = heif.bits(image, heif_channel_Y), stride = 0;
    const uint8_t *plane = heif.plane(image, heif_channel_Y, &stride);
    if (plane == NULL || width <= 0 || height <= 0 || bits < 8 || bits > 16) return SB_PICTURE_DAMAGED;
    picture->width = (uint32_t)width;
    picture->height = (uint32_t)height;
    uint64_t pixels = (uint64_t)width * (uint64_t)height;
    if (is_too_large(picture->width, picture->height, max_pixels)) return SB_PICTURE_TOO_LARGE;
    picture->pixels = malloc(pixels);
    if (picture->pixels == NULL) return SB_PICTURE_NO_MEMORY;
    for (int y = 0; y < height; y++) {
        const uint8_t *row = plane + (size_t)y * (size_t)stride;
        uint8_t *target = picture->pixels + (size_t)y * (size_t)width;
        if (bits == 8) {
            memcpy(target, row, (size_t)width);
        } else {
            for (int x = 0; x < width; x++) {
                uint16_t value;
                memcpy(&value, row + 2 * (size_t)x, sizeof value);
                target[x] = (uint8_t)(value >> (bits - 8));
            }
        }
    }
    return SB_PICTURE_OK;
}

static sb_picture_status read_heif(const uint8_t *bytes, size_t length, uint64_t max_pixels, sb_picture *picture) {
    pthread_once(&heif_once, load_heif);
    if (!heif.is_complete) {
        set_message(picture, "libheif1");
        return SB_PICTURE_NO_LIBRARY;
    }
    sb_picture_status status = SB_PICTURE_DAMAGED;
    struct heif_image_handle *handle = NULL;
    struct heif_image *image = NULL;
    struct heif_context *context = heif.alloc();
    if (context == NULL) return SB_PICTURE_NO_MEMORY;
    struct heif_error error = heif.read(context, bytes, length, NULL);
    if (error.code == heif_error_Ok) error = heif.primary(context, &handle);
    if (error.code == heif_error_Ok) {
        int width = heif.width(handle), height = heif.height(handle);
        if (width <= 0 || height <= 0) {
            set_message(picture, "the picture is empty");
        } else if (is_too_large((uint64_t)width, (uint64_t)height, max_pixels)) {
            picture->width = (uint32_t)width;
            picture->height = (uint32_t)height;
            status = SB_PICTURE_TOO_LARGE;
        } else {
            error = heif.decode(handle, &image, heif_colorspace_YCbCr, heif_chroma_420, NULL);
            if (error.code == heif_error_Ok) status = copy_brightness(image, max_pixels, picture);
        }
    }
    if (error.code != heif_error_Ok) set_message(picture, error.message);
    if (image != NULL) heif.release(image);
    if (handle != NULL) heif.release_handle(handle);
    heif.free(context);
    return status;
}

// MARK: - WebP

static sb_picture_status read_webp(const uint8_t *bytes, size_t length, uint64_t max_pixels, sb_picture *picture) {
    pthread_once(&webp_once, load_webp);
    if (!webp.is_complete) {
        set_message(picture, "libwebp7");
        return SB_PICTURE_NO_LIBRARY;
    }
    WebPBitstreamFeatures features;
    if (webp.features(bytes, length, &features, WEBP_DECODER_ABI_VERSION) != VP8_STATUS_OK || features.width <= 0 ||
        features.height <= 0) {
        set_message(picture, "its header is invalid");
        return SB_PICTURE_DAMAGED;
    }
    if (features.has_animation) {
        set_message(picture, "it is animated; save one of its frames");
        return SB_PICTURE_DAMAGED;
    }
    picture->width = (uint32_t)features.width;
    picture->height = (uint32_t)features.height;
    picture->is_transparent = features.has_alpha;
    uint64_t pixels = (uint64_t)features.width * (uint64_t)features.height;
    // Lossless and transparent pictures take four bytes per pixel while they are decoded.
    if (features.format == 2 || features.has_alpha) max_pixels /= 3;
    if (is_too_large(picture->width, picture->height, max_pixels)) return SB_PICTURE_TOO_LARGE;
    picture->pixels = malloc(pixels);
    if (picture->pixels == NULL) return SB_PICTURE_NO_MEMORY;
    int width = 0, height = 0, stride = 0, colour_stride = 0;
    uint8_t *decoded, *u, *v;
    if (features.has_alpha) {
        decoded = webp.decode_rgba(bytes, length, &width, &height);
    } else {
        decoded = webp.decode_yuv(bytes, length, &width, &height, &u, &v, &stride, &colour_stride);
    }
    if (decoded == NULL || width != features.width || height != features.height) {
        webp.free(decoded);
        set_message(picture, "it ends early or is invalid");
        return SB_PICTURE_DAMAGED;
    }
    for (size_t y = 0; y < (size_t)height; y++) {
        uint8_t *target = picture->pixels + y * (size_t)width;
        for (size_t x = 0; x < (size_t)width; x++) {
            if (features.has_alpha) {
                const uint8_t *pixel = decoded + 4 * (y * (size_t)width + x);
                unsigned grey = (77u * pixel[0] + 151u * pixel[1] + 28u * pixel[2]) >> 8;
                target[x] = (uint8_t)((grey * pixel[3] + picture->ground * (255u - pixel[3])) / 255u);
            } else {
                // The brightness of video is between 16 and 235.
                int value = (decoded[y * (size_t)stride + x] - 16) * 255 / 219;
                target[x] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
            }
        }
    }
    webp.free(decoded);
    return SB_PICTURE_OK;
}

// MARK: - GIF

typedef struct {
    const uint8_t *bytes;
    size_t length;
} gif_source;

static int read_bytes(GifFileType *file, GifByteType *into, int count) {
    gif_source *source = file->UserData;
    size_t taken = (size_t)count < source->length ? (size_t)count : source->length;
    memcpy(into, source->bytes, taken);
    source->bytes += taken;
    source->length -= taken;
    return (int)taken;
}

// Draws the first frame on the ground.
static sb_picture_status read_frame(GifFileType *file, int transparent, uint64_t max_pixels, sb_picture *picture) {
    if (gif.image(file) != GIF_OK) return SB_PICTURE_DAMAGED;
    const GifImageDesc *frame = &file->Image;
    const ColorMapObject *colours = frame->ColorMap != NULL ? frame->ColorMap : file->SColorMap;
    if (frame->Width <= 0 || frame->Height <= 0 || frame->Left < 0 || frame->Top < 0 || colours == NULL) {
        set_message(picture, "its first frame is invalid");
        return SB_PICTURE_DAMAGED;
    }
    // Some programs write a screen that is smaller than the frame.
    int64_t width = frame->Left + (int64_t)frame->Width, height = frame->Top + (int64_t)frame->Height;
    if (width < file->SWidth) width = file->SWidth;
    if (height < file->SHeight) height = file->SHeight;
    picture->width = (uint32_t)width;
    picture->height = (uint32_t)height;
    uint64_t pixels = (uint64_t)width * (uint64_t)height;
    if (is_too_large(picture->width, picture->height, max_pixels)) return SB_PICTURE_TOO_LARGE;
    picture->pixels = malloc(pixels);
    uint8_t *row = malloc((size_t)frame->Width);
    if (picture->pixels == NULL || row == NULL) {
        free(row);
        return SB_PICTURE_NO_MEMORY;
    }
    memset(picture->pixels, picture->ground, pixels);
    // An interlaced frame has every eighth row, then the rows between them.
    static const int first[] = {0, 4, 2, 1}, distance[] = {8, 8, 4, 2};
    for (int pass = 0; pass < (frame->Interlace ? 4 : 1); pass++) {
        int step = frame->Interlace ? distance[pass] : 1;
        for (int y = frame->Interlace ? first[pass] : 0; y < frame->Height; y += step) {
            if (gif.line(file, row, frame->Width) != GIF_OK) {
                free(row);
                return SB_PICTURE_DAMAGED;
            }
            uint8_t *target = picture->pixels + (size_t)(frame->Top + y) * (size_t)width + (size_t)frame->Left;
            for (int x = 0; x < frame->Width; x++) {
                if (row[x] == transparent) picture->is_transparent = true;
                if (row[x] == transparent || row[x] >= colours->ColorCount) continue;
                GifColorType colour = colours->Colors[row[x]];
                target[x] = (uint8_t)((77u * colour.Red + 151u * colour.Green + 28u * colour.Blue) >> 8);
            }
        }
    }
    free(row);
    return SB_PICTURE_OK;
}

static sb_picture_status read_gif(const uint8_t *bytes, size_t length, uint64_t max_pixels, sb_picture *picture) {
    pthread_once(&gif_once, load_gif);
    if (!gif.is_complete) {
        set_message(picture, "libgif7");
        return SB_PICTURE_NO_LIBRARY;
    }
    gif_source source = {bytes, length};
    int code = 0, transparent = -1;
    GifFileType *file = gif.open(&source, read_bytes, &code);
    sb_picture_status status = SB_PICTURE_DAMAGED;
    GifRecordType record = UNDEFINED_RECORD_TYPE;
    while (file != NULL && gif.record(file, &record) == GIF_OK && record == EXTENSION_RECORD_TYPE) {
        int kind = 0;
        GifByteType *block = NULL;
        if (gif.extension(file, &kind, &block) != GIF_OK) break;
        // The graphic control extension: four bytes, the first with flags and the last with the transparent color.
        if (kind == GRAPHICS_EXT_FUNC_CODE && block != NULL && block[0] >= 4) {
            transparent = (block[1] & 1) != 0 ? block[4] : -1;
        }
        while (block != NULL && gif.next_extension(file, &block) == GIF_OK) {}
    }
    if (file != NULL && record == IMAGE_DESC_RECORD_TYPE) {
        status = read_frame(file, transparent, max_pixels, picture);
    }
    if (status == SB_PICTURE_DAMAGED && picture->message[0] == 0) {
        const char *text = gif.error(file != NULL ? file->Error : code);
        set_message(picture, text != NULL ? text : "it has no picture");
    }
    if (file != NULL) gif.close(file, &code);
    return status;
}

// MARK: - All formats

// HEIC files are ISO media files with one of these brands.
static bool is_heif(const uint8_t *bytes, size_t length) {
    static const char *const brands[] = {"heic", "heix", "heim", "heis", "mif1", "msf1"};
    if (length < 12 || memcmp(bytes + 4, "ftyp", 4) != 0) return false;
    for (size_t i = 0; i < sizeof brands / sizeof *brands; i++)
        if (memcmp(bytes + 8, brands[i], 4) == 0) return true;
    return false;
}

sb_picture_status sb_picture_read(
    const uint8_t *bytes, size_t length, uint64_t max_pixels, uint8_t ground, sb_picture *picture) {
    memset(picture, 0, sizeof *picture);
    picture->ground = ground;
    sb_picture_status status = SB_PICTURE_UNKNOWN;
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    if (length >= sizeof signature && memcmp(bytes, signature, sizeof signature) == 0) {
        status = read_png(bytes, length, max_pixels, picture);
    } else if (length >= 3 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF) {
        status = read_jpeg(bytes, length, max_pixels, picture);
    } else if (length >= 12 && memcmp(bytes, "RIFF", 4) == 0 && memcmp(bytes + 8, "WEBP", 4) == 0) {
        status = read_webp(bytes, length, max_pixels, picture);
    } else if (length >= 6 && (memcmp(bytes, "GIF87a", 6) == 0 || memcmp(bytes, "GIF89a", 6) == 0)) {
        status = read_gif(bytes, length, max_pixels, picture);
    } else if (is_heif(bytes, length)) {
        status = read_heif(bytes, length, max_pixels, picture);
    }
    if (status != SB_PICTURE_OK) sb_picture_free(picture);
    return status;
}

void sb_picture_free(sb_picture *picture) {
    free(picture->pixels);
    picture->pixels = NULL;
}
