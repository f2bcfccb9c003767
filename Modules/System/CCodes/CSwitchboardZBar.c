#include "CSwitchboardZBar.h"

#include "../Loading.h"

#include <iconv.h>
#include <stdint.h>
#include <zbar.h>

// The functions of the library, resolved on first use.
static struct {
    __typeof__(&zbar_image_scanner_create) scanner_create;
    __typeof__(&zbar_image_scanner_destroy) scanner_destroy;
    __typeof__(&zbar_image_scanner_set_config) scanner_set_config;
    __typeof__(&zbar_scan_image) scan_image;
    __typeof__(&zbar_image_create) image_create;
    __typeof__(&zbar_image_destroy) image_destroy;
    __typeof__(&zbar_image_set_format) image_set_format;
    __typeof__(&zbar_image_set_size) image_set_size;
    __typeof__(&zbar_image_set_data) image_set_data;
    __typeof__(&zbar_image_first_symbol) image_first_symbol;
    __typeof__(&zbar_symbol_next) symbol_next;
    __typeof__(&zbar_symbol_get_type) symbol_get_type;
    __typeof__(&zbar_symbol_get_data) symbol_get_data;
    __typeof__(&zbar_symbol_get_data_length) symbol_get_data_length;
    __typeof__(&zbar_symbol_get_loc_size) symbol_get_loc_size;
    __typeof__(&zbar_symbol_get_loc_x) symbol_get_loc_x;
    __typeof__(&zbar_symbol_get_loc_y) symbol_get_loc_y;
    bool is_complete;
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;

// Loads the converters that zbar opens for each code, and keeps them. In a forked process, glibc would load them as
// libraries, and wait forever for another thread of the program that was loading one when the process was forked.
static void load_converters(void) {
    static const char *const sets[] = {"BIG-5", "CP437", "SJIS"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) iconv_open("UTF-8", sets[i]);
    for (int part = 1; part <= 16; part++) {
        char set[16];
        snprintf(set, sizeof set, "ISO8859-%d", part);
        iconv_open("UTF-8", set);
    }
}

static void load(void) {
    void *handle = sb_open("libzbar.so.0", &library.is_complete);
    if (handle == NULL) return;
    SB_FIND(handle, library, scanner_create, "zbar_image_scanner_create");
    SB_FIND(handle, library, scanner_destroy, "zbar_image_scanner_destroy");
    SB_FIND(handle, library, scanner_set_config, "zbar_image_scanner_set_config");
    SB_FIND(handle, library, scan_image, "zbar_scan_image");
    SB_FIND(handle, library, image_create, "zbar_image_create");
    SB_FIND(handle, library, image_destroy, "zbar_image_destroy");
    SB_FIND(handle, library, image_set_format, "zbar_image_set_format");
    SB_FIND(handle, library, image_set_size, "zbar_image_set_size");
    SB_FIND(handle, library, image_set_data, "zbar_image_set_data");
    SB_FIND(handle, library, image_first_symbol, "zbar_image_first_symbol");
    SB_FIND(handle, library, symbol_next, "zbar_symbol_next");
    SB_FIND(handle, library, symbol_get_type, "zbar_symbol_get_type");
    SB_FIND(handle, library, symbol_get_data, "zbar_symbol_get_data");
    SB_FIND(handle, library, symbol_get_data_length, "zbar_symbol_get_data_length");
    SB_FIND(handle, library, symbol_get_loc_size, "zbar_symbol_get_loc_size");
    SB_FIND(handle, library, symbol_get_loc_x, "zbar_symbol_get_loc_x");
    SB_FIND(handle, library, symbol_get_loc_y, "zbar_symbol_get_loc_y");
    load_converters();
}

bool sb_zbar_load(void) {
    pthread_once(&once, load);
    return library.is_complete;
}

static void report(const zbar_symbol_t *symbol, void *context, sb_code_found found) {
    const char *data = library.symbol_get_data(symbol);
    if (data == NULL) return;
    sb_code code = {
        .bytes = (const uint8_t *)data, .length = library.symbol_get_data_length(symbol), .left = INT32_MAX,
        .top = INT32_MAX, .right = INT32_MIN, .bottom = INT32_MIN, .parts = 1};
    for (unsigned i = 0; i < library.symbol_get_loc_size(symbol); i++) {
        int x = library.symbol_get_loc_x(symbol, i), y = library.symbol_get_loc_y(symbol, i);
        if (x < code.left) code.left = x;
        if (x > code.right) code.right = x;
        if (y < code.top) code.top = y;
        if (y > code.bottom) code.bottom = y;
    }
    found(context, &code);
}

bool sb_zbar_read(const uint8_t *pixels, uint32_t width, uint32_t height, void *context, sb_code_found found) {
    if (!sb_zbar_load()) return false;
    zbar_image_scanner_t *scanner = library.scanner_create();
    zbar_image_t *image = library.image_create();
    if (scanner != NULL && image != NULL) {
        library.scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0);
        library.scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1);
        library.scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1);
        library.image_set_format(image, 0x30303859);  // "Y800": one byte per pixel
        library.image_set_size(image, width, height);
        library.image_set_data(image, pixels, (unsigned long)width * height, NULL);
        library.scan_image(scanner, image);
        const zbar_symbol_t *symbol = library.image_first_symbol(image);
        for (; symbol != NULL; symbol = library.symbol_next(symbol)) {
            if (library.symbol_get_type(symbol) == ZBAR_QRCODE) report(symbol, context, found);
        }
    }
    bool is_read = scanner != NULL && image != NULL;
    if (image != NULL) library.image_destroy(image);
    if (scanner != NULL) library.scanner_destroy(scanner);
    return is_read;
}
