#pragma once

#include <stddef.h>

// The airport catalogue, inside the program itself: nothing to find, open or read at a start, and pages of it that
// are never looked at are never loaded. Each function gives the first byte of one tab-separated UTF-8 text with a
// header line, and through `size` how many bytes there are. The bytes are constant and live as long as the program.
// The columns are described in the README beside the data.

const unsigned char *sb_airports(size_t *size);
const unsigned char *sb_cities(size_t *size);
const unsigned char *sb_countries(size_t *size);
