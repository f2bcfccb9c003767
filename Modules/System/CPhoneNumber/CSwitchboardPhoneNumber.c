#include "CSwitchboardPhoneNumber.h"

#include "../Loading.h"
#include "SwitchboardPhoneNumberLibrary.h"

#include <pthread.h>
#include <string.h>

// Null unless the program links the library.
#pragma weak sb_phone_library_parse

static __typeof__(&sb_phone_library_parse) parse;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Never unloaded: other threads may still be inside the library when the process exits.
static void load(void) {
    parse = &sb_phone_library_parse;
    if (parse != NULL) return;
    void *handle = sb_open_installed("libSwitchboardPhoneNumberLibrary.so");
    if (handle != NULL) *(void **)(&parse) = dlsym(handle, "sb_phone_library_parse");
}

sb_phone_status sb_phone_parse(
    const char *text, size_t length, const char *region, sb_phone_number *number) {
    pthread_once(&once, load);
    if (parse != NULL) return parse(text, length, region, number);
    if (number != NULL) memset(number, 0, sizeof *number);
    return SB_PHONE_UNAVAILABLE;
}
