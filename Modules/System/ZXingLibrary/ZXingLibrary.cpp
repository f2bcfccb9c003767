#include "SwitchboardZXingLibrary.h"

#define ZX_USE_UTF8 1
#include <ZXing/ReadBarcode.h>

bool sb_zxing_library_read(
    const uint8_t *pixels, uint32_t width, uint32_t height, void *context, sb_zxing_found found) {
    try {
        ZXing::DecodeHints hints;
        hints.setFormats(ZXing::BarcodeFormat::QRCode);
        const ZXing::ImageView view(
            pixels, static_cast<int>(width), static_cast<int>(height), ZXing::ImageFormat::Lum);
        for (const auto &result : ZXing::ReadBarcodes(view, hints)) {
            if (!result.isValid()) continue;
            const auto &bytes = result.bytes();
            found(context, bytes.data(), bytes.size());
        }
        return true;
    } catch (...) {
        return false;
    }
}
