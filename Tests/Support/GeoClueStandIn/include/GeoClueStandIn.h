#pragma once

#include <stdint.h>

// A GeoClue for tests: the parts of its interfaces that we call, served on a bus of the test's own. Everything between
// it and the program is real: sd-bus, the socket, the bus daemon.

typedef struct sb_stand_in sb_stand_in;

typedef struct {
    double latitude;
    double longitude;
    uint32_t polls_before_found;  // how often the place is asked for in vain
    uint8_t denies;               // whether Start is refused
} sb_stand_in_behaviour;

// Takes GeoClue's name on the bus at `address`; NULL if that fails.
sb_stand_in *sb_stand_in_begin(const char *address, sb_stand_in_behaviour behaviour);
// Answers calls until `sb_stand_in_stop`; for a thread of its own.
void sb_stand_in_serve(sb_stand_in *stand_in);
// Ends serving from another thread, within a tenth of a second.
void sb_stand_in_stop(sb_stand_in *stand_in);
// Frees it, after serving has ended.
void sb_stand_in_end(sb_stand_in *stand_in);
// The program that asked, as it named itself; empty before it did. Valid until the end.
const char *sb_stand_in_desktop_id(sb_stand_in *stand_in);
// How exact it wanted to know, as GClueAccuracyLevel.
uint32_t sb_stand_in_accuracy(sb_stand_in *stand_in);
