// The part of the C interface to libphonenumber that is written in C++ and compiled against the library's headers.
//
// It is a separate shared library, because linking libphonenumber would load protobuf, ICU and Boost at every start.
// CSwitchboardPhoneNumber loads it at first use. A program may also link it.
#pragma once

#include "CSwitchboardPhoneNumber.h"

#ifdef __cplusplus
extern "C" {
#endif

/// See ``sb_phone_parse``.
sb_phone_status sb_phone_library_parse(
    const char *text, size_t length, const char *region, sb_phone_number *number);

#ifdef __cplusplus
}
#endif
