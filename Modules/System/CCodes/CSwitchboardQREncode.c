#include "CSwitchboardQREncode.h"

#include "../Loading.h"

#include <errno.h>
#include <limits.h>
#include <qrencode.h>

// The functions of the library, resolved on first use.
static struct {
    __typeof__(&QRcode_encodeData) encode;
    __typeof__(&QRcode_free) free;
    bool is_complete;
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = sb_open("libqrencode.so.4", &library.is_complete);
    if (handle == NULL) return;
    SB_FIND(handle, library, encode, "QRcode_encodeData");
    SB_FIND(handle, library, free, "QRcode_free");
}

sb_qr_status sb_qr_write(const uint8_t *bytes, size_t length, void *context, sb_qr_written written) {
    pthread_once(&once, load);
    if (!library.is_complete) return SB_QR_NO_LIBRARY;
    if (length > INT_MAX) return SB_QR_TOO_LONG;
    QRcode *code = library.encode((int)length, bytes, 0, QR_ECLEVEL_M);
    if (code == NULL) return errno == ERANGE ? SB_QR_TOO_LONG : SB_QR_FAILED;
    bool is_whole = code->width > 0 && code->data != NULL;
    if (is_whole) written(context, (uint32_t)code->width, code->data);
    library.free(code);
    return is_whole ? SB_QR_OK : SB_QR_FAILED;
}
