#pragma once

#include <stddef.h>

// The airport catalogue and the keyboard layouts, embedded in the program: nothing to open or read at startup, and untouched pages are never
// loaded. Each function returns one tab-separated UTF-8 text with a header line, and its size in bytes through `size`.
// The bytes are constant and live as long as the program. The README beside the data describes the columns.

const unsigned char *sb_airports(size_t *size);
const unsigned char *sb_cities(size_t *size);
const unsigned char *sb_places(size_t *size);
const unsigned char *sb_countries(size_t *size);
const unsigned char *sb_keyboards(size_t *size);

// The search indexes of the popular airports, of the others and of the places without an airport, aligned to 64 bytes.
const unsigned char *sb_popular_airports_index(size_t *size);
const unsigned char *sb_airports_index(size_t *size);
const unsigned char *sb_places_index(size_t *size);
