#pragma once

#include <stddef.h>

// The web page, inside the program itself: nothing to find, open or read at a start, and no folder that could be
// pointed somewhere else.

/// A file of the page. Everything in it is constant and lives as long as the program.
typedef struct {
    /// Where it is served, from the first slash on: "/", "/page/scripts/main.js".
    const char *path;
    /// The value of Content-Type.
    const char *type;
    /// The first of its bytes.
    const unsigned char *bytes;
    /// How many there are.
    size_t length;
} sb_page_file;

/// The first file of the table; through `count` how many there are.
const sb_page_file *sb_page_files(size_t *count);
