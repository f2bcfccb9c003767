#pragma once

#include <stddef.h>

// The word lists of text entry with nine keys, embedded in the program. Unused pages are never loaded. The bytes are
// constant and live as long as the program; data/README.md describes their format.

// Returns a list by its index from 0 and stores its size in `size`. Returns NULL past the last list. The header of a list
// contains its language.
const unsigned char *sb_word_list(size_t number, size_t *size);
