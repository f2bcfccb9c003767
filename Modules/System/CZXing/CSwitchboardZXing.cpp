#include "CSwitchboardZXing.h"

#include <dlfcn.h>

#define ZX_USE_UTF8 1
#include <ZXing/ReadBarcode.h>

namespace {

// The functions of the library, resolved on first use. The mangled names contain the argument types and the soname the
// ABI version, so an incompatible version is not found, rather than called wrongly.
struct Library {
    ZXing::Results (*read)(const ZXing::ImageView &, const ZXing::DecodeHints &) = nullptr;
    const ZXing::ByteArray &(*bytes)(const ZXing::Result *) = nullptr;

    Library() noexcept {
        void *handle = dlopen("libZXing.so.2", RTLD_LAZY | RTLD_LOCAL);
        if (handle == nullptr) return;
        void *first = dlsym(handle, "_ZN5ZXing12ReadBarcodesERKNS_9ImageViewERKNS_11DecodeHintsE");
        void *second = dlsym(handle, "_ZNK5ZXing6Result5bytesEv");
        if (first == nullptr || second == nullptr) return;
        read = reinterpret_cast<decltype(read)>(first);
        bytes = reinterpret_cast<decltype(bytes)>(second);
    }

    // Never unloaded: other threads may still be inside the library when the process exits.
    static const Library &shared() {
        static const Library *library = new Library;
        return *library;
    }
};

}  // namespace

bool sb_zxing_read(const uint8_t *pixels, uint32_t width, uint32_t height, void *context, sb_zxing_found found) {
    try {
        const Library &library = Library::shared();
        if (library.read == nullptr) return false;
        ZXing::DecodeHints hints;
        hints.setFormats(ZXing::BarcodeFormat::QRCode);
        const ZXing::ImageView view(
            pixels, static_cast<int>(width), static_cast<int>(height), ZXing::ImageFormat::Lum);
        for (const auto &result : library.read(view, hints)) {
            if (!result.isValid()) continue;
            const auto &bytes = library.bytes(&result);
            found(context, bytes.data(), bytes.size());
        }
        return true;
    } catch (...) {
        return false;
    }
}
