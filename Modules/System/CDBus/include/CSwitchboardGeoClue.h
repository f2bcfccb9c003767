#pragma once

#include <stdint.h>

// The location of this machine from GeoClue over the system bus. A C interface is needed because the calls of sd-bus
// are variadic. All calls share one connection: GeoClue ends a client when its connection closes, so separate `busctl`
// calls would never see a location. libsystemd is loaded on first use.

typedef enum {
    SB_GEOCLUE_FOUND = 0,
    SB_GEOCLUE_NO_BUS = 1,      // the system bus is not reachable
    SB_GEOCLUE_NO_SERVICE = 2,  // GeoClue is not on the bus
    SB_GEOCLUE_DENIED = 3,      // GeoClue or its agent refused this program
    SB_GEOCLUE_TIMED_OUT = 4,   // no location within the timeout
    SB_GEOCLUE_FAILED = 5,      // another error; see the message
    SB_GEOCLUE_NO_LIBRARY = 6   // libsystemd is not installed
} sb_geoclue_status;

typedef struct {
    double latitude;   // degrees
    double longitude;  // degrees
    double accuracy;   // meters
} sb_geoclue_place;

// Requests the location once, with city accuracy, waiting little longer than `timeout_microseconds`. `address` is the
// address of a bus, or NULL for the system bus. On failure, `message` (a buffer of `message_size` bytes) receives a
// reason terminated by NUL; otherwise it is empty.
sb_geoclue_status sb_geoclue_locate(const char *address, const char *desktop_id, uint64_t timeout_microseconds,
                                    sb_geoclue_place *place, char *message, uint64_t message_size);
