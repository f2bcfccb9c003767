#pragma once

#include <stdint.h>

// Where this machine is, as GeoClue tells it over the system bus: a small C face, because the calls of sd-bus take
// variable arguments, which Swift cannot pass. One connection asks for everything: GeoClue ends what a caller has
// begun when its connection closes, so separate `busctl` calls would never see an answer. libsystemd is loaded when a place
// is first asked for.

typedef enum {
    SB_GEOCLUE_FOUND = 0,
    SB_GEOCLUE_NO_BUS = 1,      // no system bus answers
    SB_GEOCLUE_NO_SERVICE = 2,  // a bus, but no GeoClue on it
    SB_GEOCLUE_DENIED = 3,      // GeoClue or its agent refused this program
    SB_GEOCLUE_TIMED_OUT = 4,   // no place within the time given
    SB_GEOCLUE_FAILED = 5,      // anything else; the message says what
    SB_GEOCLUE_NO_LIBRARY = 6   // libsystemd is not installed
} sb_geoclue_status;

typedef struct {
    double latitude;   // degrees
    double longitude;  // degrees
    double accuracy;   // metres
} sb_geoclue_place;

// Asks for the place once, to the accuracy of a city, and waits little longer than `timeout_microseconds`.
// `address` is that of a bus, NULL for the system bus. On failure `message` (of `message_size` bytes, ended by a zero)
// says why; it is empty otherwise.
sb_geoclue_status sb_geoclue_locate(const char *address, const char *desktop_id, uint64_t timeout_microseconds,
                                    sb_geoclue_place *place, char *message, uint64_t message_size);
