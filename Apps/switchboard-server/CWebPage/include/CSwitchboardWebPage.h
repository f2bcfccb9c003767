#pragma once

#include <stddef.h>

// The web page, embedded in the program, so it needs no files at run time.

/// A file of the page. All pointers are valid for the life of the program.
typedef struct {
    /// The path of the URL, such as "/" or "/page/scripts/main.js".
    const char *path;
    /// The value of Content-Type.
    const char *type;
    /// The content.
    const unsigned char *bytes;
    /// The number of bytes.
    size_t length;
} sb_page_file;

/// Returns the table of files and stores its length in `count`.
const sb_page_file *sb_page_files(size_t *count);
