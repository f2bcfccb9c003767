// A C interface to libphonenumber: takes a number and returns its forms.
//
// The library is loaded on first use. Linking it would add about four milliseconds to each start (protobuf and ICU come
// with it), and searching never needs it.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The status of parsing a number.
typedef enum {
    /// The number can be dialed from abroad. Every field is set.
    SB_PHONE_OK = 0,
    /// The text is not a number, or it has no international form (a short code, a local number, no region).
    SB_PHONE_NOT_NORMALISABLE = 1,
    /// libphonenumber is not installed, or our library is not beside the program.
    SB_PHONE_UNAVAILABLE = 2,
} sb_phone_status;

/// The forms of a number. Strings are ASCII digits terminated by NUL, or empty.
typedef struct {
    /// "+905321234567"
    char e164[24];
    /// The national significant number, "5321234567".
    char national[24];
    /// As dialed within the country: "05321234567", "89123456789". Empty if the country has no trunk prefix.
    char trunk[32];
    /// "12" of "+90 532 123 45 67 ext. 12"
    char extension[32];
} sb_phone_number;

/// Parses `length` bytes of UTF-8 at `text`, as dialed from `region` (an ISO 3166 code of two capitals, or NULL).
///
/// Accepts any bytes. Thread-safe. No exception leaves this function.
sb_phone_status sb_phone_parse(
    const char *text, size_t length, const char *region, sb_phone_number *number);

#ifdef __cplusplus
}
#endif
