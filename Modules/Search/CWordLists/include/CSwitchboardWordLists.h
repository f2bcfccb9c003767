#pragma once

#include <stddef.h>

// The words of text entry with nine keys, inside the program itself: nothing to find, open or read at a start, and pages of it that are
// never looked at are never loaded. The bytes are constant and live as long as the program; their layout is told in the README beside
// the data.

// The first byte of a list, counted from 0, and through `size` how many bytes there are; NULL behind the last one. A list says itself of
// which language it is.
const unsigned char *sb_word_list(size_t number, size_t *size);
