// A C interface to libxml2's parsers of HTML and XML: takes bytes and reports tags and text in order.
//
// The library is loaded on first use. Linking it would add a millisecond to each start (ICU comes with it).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The outcome of parsing a page.
typedef enum {
    /// The page was parsed to its end.
    sb_html_read,
    /// An element has too many attributes. Parsing stopped, because libxml2 compares each attribute with all others.
    sb_html_too_many_attributes,
    /// libxml2 is not installed.
    sb_html_no_library,
    /// Out of memory.
    sb_html_no_memory,
} sb_html_outcome;

/// The callbacks of the parser. Names are in lower case. Strings end with NUL and are valid only during the call.
typedef struct {
    void *context;
    /// A start tag: its name, its attributes as alternating names and values (a value may be NULL) terminated by NULL,
    /// and its line, counted from 1.
    void (*open)(void *context, const char *name, const char *const *attributes, int64_t line);
    /// An end tag, explicit or implied. Tags are balanced, except that elements open at the end of a truncated page are
    /// not closed.
    void (*close)(void *context, const char *name);
    /// A part of the text between tags, with decoded entities.
    void (*text)(void *context, const uint8_t *bytes, size_t length);
} sb_html_events;

/// Parses HTML, which must be valid UTF-8 without NUL. Fetches nothing, prints nothing. Thread-safe.
///
/// At a depth of 256 elements, all open elements are closed, because libxml2's cost of an end tag grows with the depth.
sb_html_outcome sb_html_parse(const uint8_t *bytes, size_t length, sb_html_events events);

/// Returns the character of a named entity such as "eacute", or 0 if it is unknown or libxml2 is not installed.
uint32_t sb_html_entity(const char *name);

/// The outcome of parsing XML.
typedef enum {
    /// The document is well-formed and was parsed to its end.
    sb_xml_read,
    /// The document is not well-formed.
    sb_xml_malformed,
    /// The document has a document type declaration. Parsing stopped before it was read.
    sb_xml_has_doctype,
    /// A callback has stopped the parser.
    sb_xml_stopped,
    /// libxml2 is not installed.
    sb_xml_no_library,
    /// Out of memory.
    sb_xml_no_memory,
} sb_xml_outcome;

/// The callbacks of the XML parser. A callback returns false to stop. Strings are valid only during the call.
typedef struct {
    void *context;
    /// A start tag: its local name and its namespace, which is empty without one. Both end with NUL.
    bool (*open)(void *context, const char *name, const char *space);
    /// An attribute of the last start tag: its local name, which ends with NUL, and its value.
    bool (*attribute)(void *context, const char *name, const uint8_t *value, size_t length);
    /// An end tag.
    bool (*close)(void *context);
    /// A part of the text between tags, in UTF-8.
    bool (*text)(void *context, const uint8_t *bytes, size_t length);
} sb_xml_events;

/// Parses XML. Refuses document types, and thereby entities; fetches nothing, prints nothing. Thread-safe.
sb_xml_outcome sb_xml_parse(const uint8_t *bytes, size_t length, sb_xml_events events);
