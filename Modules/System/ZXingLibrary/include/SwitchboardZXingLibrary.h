// The part of the C interface to zxing-cpp that is written in C++ and compiled against the library's headers.
//
// It is a separate shared library, because linking zxing-cpp would load it at every start. CSwitchboardZXing loads it
// at first use. A program may also link it.
#pragma once

#include "CSwitchboardZXing.h"

#ifdef __cplusplus
extern "C" {
#endif

/// See ``sb_zxing_read``.
bool sb_zxing_library_read(
    const uint8_t *pixels, uint32_t width, uint32_t height, void *context, sb_code_found found);

#ifdef __cplusplus
}
#endif
