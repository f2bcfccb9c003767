#include "CSwitchboardAirportCatalogue.h"

// `#embed` is C23; clang supports it in every mode, with a warning in older ones.
#pragma clang diagnostic ignored "-Wc23-extensions"

// The integers of an index are read in place.
_Alignas(64) static const unsigned char popular[] = {
#embed "data/airports-popular.index"
};

_Alignas(64) static const unsigned char others[] = {
#embed "data/airports.index"
};

const unsigned char *sb_popular_airports_index(size_t *size) {
    *size = sizeof popular;
    return popular;
}

const unsigned char *sb_airports_index(size_t *size) {
    *size = sizeof others;
    return others;
}
