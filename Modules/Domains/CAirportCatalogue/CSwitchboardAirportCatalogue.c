#include "CSwitchboardAirportCatalogue.h"

// `#embed` is C23; clang supports it in every mode, with a warning in older ones.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char airports[] = {
#embed "data/airports.tsv"
};

static const unsigned char cities[] = {
#embed "data/cities.tsv"
};

static const unsigned char places[] = {
#embed "data/places.tsv"
};

static const unsigned char countries[] = {
#embed "data/countries.tsv"
};

static const unsigned char keyboards[] = {
#embed "data/keyboards.tsv"
};

const unsigned char *sb_airports(size_t *size) {
    *size = sizeof airports;
    return airports;
}

const unsigned char *sb_cities(size_t *size) {
    *size = sizeof cities;
    return cities;
}

const unsigned char *sb_places(size_t *size) {
    *size = sizeof places;
    return places;
}

const unsigned char *sb_countries(size_t *size) {
    *size = sizeof countries;
    return countries;
}

const unsigned char *sb_keyboards(size_t *size) {
    *size = sizeof keyboards;
    return keyboards;
}
