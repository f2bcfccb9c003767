#pragma once

#include <stdint.h>

// A GeoClue service for tests with the interfaces that we call, on a private bus. Only the service is simulated:
// sd-bus, the socket and the bus daemon are real.

typedef struct sb_stand_in sb_stand_in;

typedef struct {
    double latitude;
    double longitude;
    uint32_t polls_before_found;  // the number of polls before the location is known
    uint8_t denies;               // nonzero if Start is denied
} sb_stand_in_behaviour;

// Acquires GeoClue's name on the bus at `address`. Returns NULL on failure.
sb_stand_in *sb_stand_in_begin(const char *address, sb_stand_in_behaviour behaviour);
// Handles calls until `sb_stand_in_stop`. Runs on its own thread.
void sb_stand_in_serve(sb_stand_in *stand_in);
// Stops serving from another thread, within 100 milliseconds.
void sb_stand_in_stop(sb_stand_in *stand_in);
// Frees the service after serving has stopped.
void sb_stand_in_end(sb_stand_in *stand_in);
// Returns the desktop ID of the client, empty before a call. Valid until `sb_stand_in_end`.
const char *sb_stand_in_desktop_id(sb_stand_in *stand_in);
// Returns the requested GClueAccuracyLevel.
uint32_t sb_stand_in_accuracy(sb_stand_in *stand_in);
