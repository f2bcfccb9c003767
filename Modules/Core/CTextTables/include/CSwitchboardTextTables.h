#pragma once

#include <stddef.h>
#include <stdint.h>

// The tables of text normalization, embedded in the program. Nothing is parsed at startup, and unused pages are never
// loaded. data/README.md describes the formats.

extern const unsigned char sb_folding_table[];
extern const unsigned char sb_mandarin_table[];

// Returns the number at an index of the folding table. The index must be in bounds.
static inline uint32_t sb_folding_number(size_t index) {
    const unsigned char *bytes = sb_folding_table + 3 * index;
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
}

// Returns the byte at an offset of the Mandarin readings. The offset must be in bounds.
static inline unsigned char sb_mandarin_byte(size_t offset) { return sb_mandarin_table[offset]; }

// The romanizations of alphabets, and the lists of names and readings.
typedef enum {
    sb_arabic,
    sb_armenian,
    sb_cyrillic,
    sb_georgian,
    sb_greek,
    sb_greek_pairs,
    sb_hebrew,
    sb_arabic_names,
    sb_hebrew_names,
    sb_indic,
    sb_indic_names,
    sb_kana,
    sb_korean_surnames,
    sb_mandarin_readings,
} sb_text_table;

// Returns a list in UTF-8, terminated by NUL.
const char *sb_text(sb_text_table table);
