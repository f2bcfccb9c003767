#include "CSwitchboardZXing.h"

#include "../Loading.h"
#include "SwitchboardZXingLibrary.h"

#include <pthread.h>

// Null unless the program links the library.
#pragma weak sb_zxing_library_read

static __typeof__(&sb_zxing_library_read) read_codes;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Never unloaded: other threads may still be inside the library when the process exits.
static void load(void) {
    read_codes = &sb_zxing_library_read;
    if (read_codes != NULL) return;
    void *handle = sb_open_installed("libSwitchboardZXingLibrary.so");
    if (handle != NULL) *(void **)(&read_codes) = dlsym(handle, "sb_zxing_library_read");
}

bool sb_zxing_load(void) {
    pthread_once(&once, load);
    return read_codes != NULL;
}

bool sb_zxing_read(const uint8_t *pixels, uint32_t width, uint32_t height, void *context, sb_code_found found) {
    return sb_zxing_load() && read_codes(pixels, width, height, context, found);
}
