#pragma once

#include <stddef.h>

// The coastlines of the world, embedded in the program, and their size in bytes through `size`. The bytes are constant and
// live as long as the program. The README beside the data describes their format.
const unsigned char *sb_coastlines(size_t *size);
