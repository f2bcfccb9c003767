#pragma once

#include <stddef.h>

// Returns the coastlines of the world, embedded in the program, and stores their size in bytes in `size`. The bytes are
// constant and live as long as the program. The README beside the data describes their format.
const unsigned char *sb_coastlines(size_t *size);
