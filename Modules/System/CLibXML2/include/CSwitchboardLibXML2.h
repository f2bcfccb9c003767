// A small C face of libxml2's HTML parser: bytes in UTF-8 in, tags and texts out, in order.
//
// The library is loaded when the first page is read, not when the program starts: linking it costs every start a
// millisecond (ICU comes with it), and only web pages need it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How reading a page ended.
typedef enum {
    /// To its end.
    sb_html_read,
    /// An element has so many attributes that the rest is not read: comparing each with each would take hours.
    sb_html_too_many_attributes,
    /// libxml2 is not installed.
    sb_html_no_library,
    /// There is no memory.
    sb_html_no_memory,
} sb_html_outcome;

/// What a page consists of. Names are in small letters; strings end with NUL and are gone when the function returns.
typedef struct {
    void *context;
    /// A start tag: its name, the names and values of its attributes in turn (a value may be NULL), ended by a NULL,
    /// and its
    /// line in what was given, from 1.
    void (*open)(void *context, const char *name, const char *const *attributes, int64_t line);
    /// An end tag, written or implied. Tags nest; what is open when the page breaks off gets none.
    void (*close)(void *context, const char *name);
    /// Text between tags, its entities decoded, in pieces.
    void (*text)(void *context, const uint8_t *bytes, size_t length);
} sb_html_events;

/// Reads HTML, which is valid UTF-8 without NUL. It fetches nothing, prints nothing, and may be called from several
/// threads.
///
/// What is nested deeper than 256 elements is read as if all of them had been closed, for what libxml2 does
/// at an end tag grows with the depth.
sb_html_outcome sb_html_parse(const uint8_t *bytes, size_t length, sb_html_events events);

/// The character of a named entity such as "eacute", or 0 if there is none or libxml2 is not installed.
uint32_t sb_html_entity(const char *name);
