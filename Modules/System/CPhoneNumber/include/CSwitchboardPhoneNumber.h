// A small C face of libphonenumber: one number in, its writings out.
//
// The library is loaded when the first number is read, not when the program starts: linking it costs every start some
// three milliseconds (protobuf and ICU come with it), and searching never needs it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How reading a number ended.
typedef enum {
    /// The text is a number that can be dialled from abroad; every field is filled.
    SB_PHONE_OK = 0,
    /// The text is no number, or one that has no international writing (a short code, a local number, no region).
    SB_PHONE_NOT_NORMALISABLE = 1,
    /// libphonenumber is not installed, or is of another version than the one this was compiled for.
    SB_PHONE_UNAVAILABLE = 2,
} sb_phone_status;

/// The writings of one number. Strings are ASCII digits ending in a zero byte, empty where there is none.
typedef struct {
    /// "+905321234567"
    char e164[24];
    /// The national significant number, "5321234567".
    char national[24];
    /// As dialled inside the country, "05321234567", "89123456789"; empty where the country has no trunk prefix.
    char trunk[32];
    /// "12" of "+90 532 123 45 67 ext. 12"
    char extension[32];
    /// The ISO 3166 code of the territory, "TR"; "001" for numbers of no territory.
    char region[4];
    /// 90
    int32_t country_code;
    /// Whether the numbering plan of the territory has such a number (not only one of that length).
    bool is_valid;
} sb_phone_number;

/// Reads `length` bytes of UTF-8 at `text`, as dialled from `region` (an ISO 3166 code of two capitals, or NULL for none).
///
/// With `in_depth` the exact territory and the validity are told too, which takes about twice the time; otherwise `region`
/// is the main territory of the country code and `is_valid` is false. Any bytes are allowed, and no exception leaves
/// this function. It may be called from several threads.
sb_phone_status sb_phone_parse(
    const char *text, size_t length, const char *region, bool in_depth, sb_phone_number *number);

/// Whether libphonenumber can be loaded; loads it.
bool sb_phone_is_available(void);

#ifdef __cplusplus
}
#endif
