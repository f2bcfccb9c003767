#include "SwitchboardZXingLibrary.h"

#define ZX_USE_UTF8 1
#include <ZXing/ReadBarcode.h>
#include <ZXing/TextUtfEncoding.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>

namespace {

void announce(std::string &contents, int characterSet) {
    char text[8];
    std::snprintf(text, sizeof text, "\\%06d", characterSet);
    contents += text;
}

// The contents of a code with its kanji announced as Shift_JIS; empty if it has none.
//
// The library converts the kanji mode by itself. All other bytes are characters of the same number in the text, because
// its default is ISO-8859-1. No pair of bytes in kanji mode is a character with the number of its first byte.
std::string contentsWithKanji(const ZXing::Result &result) {
    const auto &bytes = result.bytes();
    const std::wstring text = ZXing::TextUtfEncoding::FromUtf8(result.text());
    std::string contents;
    bool isKanji = false, hasKanji = false;
    size_t place = 0;
    for (const wchar_t character : text) {
        if (place >= bytes.size()) return {};
        const bool wasKanji = isKanji;
        isKanji = character != static_cast<wchar_t>(bytes[place]);
        if (isKanji != wasKanji) announce(contents, isKanji ? 20 : SB_CODE_UNANNOUNCED);
        for (int count = isKanji ? 2 : 1; count > 0 && place < bytes.size(); count--, place++) {
            if (bytes[place] == '\\') contents += '\\';
            contents += static_cast<char>(bytes[place]);
        }
        hasKanji = hasKanji || isKanji;
    }
    return hasKanji && place == bytes.size() ? contents : std::string();
}

void report(const ZXing::Result &result, void *context, sb_code_found found) {
    std::string contents;
    const bool isQR =
        result.format() == ZXing::BarcodeFormat::QRCode || result.format() == ZXing::BarcodeFormat::MicroQRCode;
    if (result.hasECI()) {
        const auto bytes = result.bytesECI();
        // Three characters name the kind of the code.
        if (bytes.size() > 3) contents.assign(bytes.begin() + 3, bytes.end());
    } else if (isQR) {
        contents = contentsWithKanji(result);
    }
    sb_code code = {};
    code.announces = !contents.empty();
    if (contents.empty()) contents.assign(result.bytes().begin(), result.bytes().end());
    code.bytes = reinterpret_cast<const uint8_t *>(contents.data());
    code.length = contents.size();
    const auto &corners = result.position();
    const auto [left, right] = std::minmax_element(
        corners.begin(), corners.end(), [](const auto &a, const auto &b) { return a.x < b.x; });
    const auto [top, bottom] = std::minmax_element(
        corners.begin(), corners.end(), [](const auto &a, const auto &b) { return a.y < b.y; });
    code.left = left->x;
    code.right = right->x;
    code.top = top->y;
    code.bottom = bottom->y;
    code.parts = 1;
    if (result.isPartOfSequence()) {
        code.part = result.sequenceIndex();
        code.parts = result.sequenceSize();
        code.sequence = static_cast<int32_t>(std::hash<std::string>()(result.sequenceId()));
    }
    found(context, &code);
}

}  // namespace

bool sb_zxing_library_read(
    const uint8_t *pixels, uint32_t width, uint32_t height, void *context, sb_code_found found) {
    using ZXing::BarcodeFormat;
    try {
        ZXing::DecodeHints hints;
        hints.setCharacterSet("ISO8859_1");
        const ZXing::ImageView view(
            pixels, static_cast<int>(width), static_cast<int>(height), ZXing::ImageFormat::Lum);
        hints.setFormats(BarcodeFormat::QRCode);
        for (const auto &result : ZXing::ReadBarcodes(view, hints)) {
            if (result.isValid()) report(result, context, found);
        }
        hints.setFormats(
            BarcodeFormat::MicroQRCode | BarcodeFormat::Aztec | BarcodeFormat::DataMatrix | BarcodeFormat::PDF417);
        for (const auto &result : ZXing::ReadBarcodes(view, hints)) {
            if (result.isValid()) report(result, context, found);
        }
        return true;
    } catch (...) {
        return false;
    }
}
