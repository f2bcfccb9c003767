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

_Alignas(64) static const unsigned char places[] = {
#embed "data/airports-places.index"
};

const unsigned char *sb_popular_airports_index(size_t *size) {
    *size = sizeof popular;
    return popular;
}

const unsigned char *sb_airports_index(size_t *size) {
    *size = sizeof others;
    return others;
}

const unsigned char *sb_places_index(size_t *size) {
    *size = sizeof places;
    return places;
}
