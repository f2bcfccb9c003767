#include "CSwitchboardLibXML2.h"

#include "../Loading.h"

#if !__has_include(<libxml/HTMLparser.h>)
#error "The headers of libxml2 are missing: install libxml2-dev. They are expected in /usr/include/libxml2."
#endif

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <limits.h>
#include <string.h>

// The functions of the library, resolved on first use.
static struct {
    __typeof__(&xmlInitParser) init_parser;
    __typeof__(&htmlNewParserCtxt) new_context;
    __typeof__(&htmlFreeParserCtxt) free_context;
    __typeof__(&htmlCtxtReadIO) read;
    __typeof__(&xmlStopParser) stop;
    __typeof__(&xmlFreeDoc) free_document;
    __typeof__(&htmlEntityLookup) entity;
    __typeof__(&xmlNewParserCtxt) new_xml_context;
    __typeof__(&xmlFreeParserCtxt) free_xml_context;
    __typeof__(&xmlCtxtReadMemory) read_xml;
    bool is_complete;
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = sb_open("libxml2.so.2", &library.is_complete);
    if (handle == NULL) return;
    SB_FIND(handle, library, init_parser, "xmlInitParser");
    SB_FIND(handle, library, new_context, "htmlNewParserCtxt");
    SB_FIND(handle, library, free_context, "htmlFreeParserCtxt");
    SB_FIND(handle, library, read, "htmlCtxtReadIO");
    SB_FIND(handle, library, stop, "xmlStopParser");
    SB_FIND(handle, library, free_document, "xmlFreeDoc");
    SB_FIND(handle, library, entity, "htmlEntityLookup");
    SB_FIND(handle, library, new_xml_context, "xmlNewParserCtxt");
    SB_FIND(handle, library, free_xml_context, "xmlFreeParserCtxt");
    SB_FIND(handle, library, read_xml, "xmlCtxtReadMemory");
    if (library.is_complete) library.init_parser();
}

enum {
    // Twenty times the depth of common pages. libxml2 compares each end tag with all open elements.
    max_depth = 256,
    // Names and values: about seven hundred attributes, because libxml2 doubles the array.
    max_attribute_slots = 2048,
};

typedef struct {
    sb_html_events events;
    const uint8_t *bytes;
    size_t length;
    // The number of bytes that libxml2 has read.
    size_t position;
    // The number of lines before the start of this parser.
    int64_t lines_before;
    htmlParserCtxtPtr parser;
    // Set when the maximum depth is reached: the position and line where a new parser continues.
    bool is_restarted;
    size_t restart;
    int64_t restart_line;
    bool has_too_many_attributes;
    // Buffered text: libxml2 reports each "&" separately.
    size_t text_length;
    uint8_t text[8192];
} reading;

static void flush_text(reading *state) {
    if (state->text_length == 0) return;
    state->events.text(state->events.context, state->text, state->text_length);
    state->text_length = 0;
}

static int64_t line_of(const reading *state) {
    const xmlParserInput *input = state->parser->input;
    return state->lines_before + (input != NULL ? input->line : 1);
}

static void start_element(void *context, const xmlChar *name, const xmlChar **attributes) {
    reading *state = context;
    if (state->is_restarted) return;
    flush_text(state);
    static const char *const none[] = {NULL};
    const char *const *given = attributes != NULL ? (const char *const *)attributes : none;
    state->events.open(state->events.context, (const char *)name, given, line_of(state));
    const xmlParserInput *input = state->parser->input;
    if (state->parser->nameNr < max_depth || input == NULL) return;
    // Close all open elements, and continue after this tag with an empty stack.
    state->is_restarted = true;
    state->restart = state->position - (size_t)(input->end - input->cur);
    state->restart_line = line_of(state) - 1;
    for (int place = state->parser->nameNr - 1; place >= 0; place--) {
        state->events.close(state->events.context, (const char *)state->parser->nameTab[place]);
    }
    library.stop(state->parser);
}

static void end_element(void *context, const xmlChar *name) {
    reading *state = context;
    if (state->is_restarted) return;
    flush_text(state);
    state->events.close(state->events.context, (const char *)name);
}

static void characters(void *context, const xmlChar *bytes, int length) {
    reading *state = context;
    if (state->is_restarted || length <= 0) return;
    size_t count = (size_t)length;
    if (count > sizeof state->text - state->text_length) flush_text(state);
    if (count > sizeof state->text) {
        state->events.text(state->events.context, bytes, count);
        return;
    }
    memcpy(state->text + state->text_length, bytes, count);
    state->text_length += count;
}

static void ignore_error(void *context, xmlErrorPtr error) {
    (void)context;
    (void)error;
}

// Copies the next bytes into libxml2's buffer.
static int read_bytes(void *context, char *buffer, int room) {
    reading *state = context;
    // The only place to detect a tag whose attributes never end.
    if (state->parser->maxatts > max_attribute_slots) {
        state->has_too_many_attributes = true;
        return 0;
    }
    if (room <= 0) return 0;
    size_t left = state->length - state->position;
    size_t count = left < (size_t)room ? left : (size_t)room;
    memcpy(buffer, state->bytes + state->position, count);
    state->position += count;
    return (int)count;
}

static int close_bytes(void *context) {
    (void)context;
    return 0;
}

// Parses from the current position to the end, or until the maximum depth is reached.
static sb_html_outcome parse_segment(reading *state) {
    htmlParserCtxtPtr parser = library.new_context();
    if (parser == NULL) return sb_html_no_memory;
    htmlSAXHandler *handler = parser->sax;
    memset(handler, 0, sizeof *handler);
    handler->initialized = XML_SAX2_MAGIC;
    handler->startElement = start_element;
    handler->endElement = end_element;
    handler->characters = characters;
    handler->ignorableWhitespace = characters;
    handler->cdataBlock = characters;
    handler->serror = ignore_error;
    parser->userData = state;
    state->parser = parser;
    state->is_restarted = false;
    // RECOVER: a script ends with its own end tag. IGNORE_ENC: the caller has already converted the page to UTF-8.
    int options = HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NOIMPLIED | HTML_PARSE_IGNORE_ENC;
    htmlDocPtr document = library.read(parser, read_bytes, close_bytes, state, NULL, "UTF-8", options);
    if (document != NULL) library.free_document(document);
    flush_text(state);
    bool has_memory = parser->errNo != XML_ERR_NO_MEMORY;
    library.free_context(parser);
    state->parser = NULL;
    return has_memory ? sb_html_read : sb_html_no_memory;
}

sb_html_outcome sb_html_parse(const uint8_t *bytes, size_t length, sb_html_events events) {
    pthread_once(&once, load);
    if (!library.is_complete) return sb_html_no_library;
    reading state = {.events = events, .bytes = bytes, .length = length};
    while (true) {
        sb_html_outcome outcome = parse_segment(&state);
        if (outcome != sb_html_read) return outcome;
        if (state.has_too_many_attributes) return sb_html_too_many_attributes;
        if (!state.is_restarted) return sb_html_read;
        state.position = state.restart;
        state.lines_before = state.restart_line;
    }
}

uint32_t sb_html_entity(const char *name) {
    pthread_once(&once, load);
    if (!library.is_complete) return 0;
    const htmlEntityDesc *entity = library.entity((const xmlChar *)name);
    return entity != NULL ? entity->value : 0;
}

// MARK: XML

typedef struct {
    sb_xml_events events;
    xmlParserCtxtPtr parser;
    bool has_doctype;
    bool is_stopped;
} xml_reading;

static void stop_xml(xml_reading *state) {
    state->is_stopped = true;
    library.stop(state->parser);
}

static void open_xml(
    void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space, int namespace_count,
    const xmlChar **namespaces, int attribute_count, int defaulted_count, const xmlChar **attributes
) {
    (void)prefix, (void)namespace_count, (void)namespaces, (void)defaulted_count;
    xml_reading *state = context;
    if (state->is_stopped) return;
    const char *given = space != NULL ? (const char *)space : "";
    if (!state->events.open(state->events.context, (const char *)name, given)) return stop_xml(state);
    // Each attribute is a name, a prefix, a namespace, and the start and the end of its value.
    for (int index = 0; index < attribute_count; index++) {
        const xmlChar **attribute = attributes + 5 * index;
        size_t length = (size_t)(attribute[4] - attribute[3]);
        if (!state->events.attribute(state->events.context, (const char *)attribute[0], attribute[3], length)) {
            return stop_xml(state);
        }
    }
}

static void close_xml(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space) {
    (void)name, (void)prefix, (void)space;
    xml_reading *state = context;
    if (!state->is_stopped && !state->events.close(state->events.context)) stop_xml(state);
}

static void xml_text(void *context, const xmlChar *bytes, int length) {
    xml_reading *state = context;
    if (state->is_stopped || length <= 0) return;
    if (!state->events.text(state->events.context, bytes, (size_t)length)) stop_xml(state);
}

static void refuse_doctype(void *context, const xmlChar *name, const xmlChar *external, const xmlChar *system) {
    (void)name, (void)external, (void)system;
    xml_reading *state = context;
    state->has_doctype = true;
    stop_xml(state);
}

sb_xml_outcome sb_xml_parse(const uint8_t *bytes, size_t length, sb_xml_events events) {
    pthread_once(&once, load);
    if (!library.is_complete) return sb_xml_no_library;
    if (length > INT_MAX) return sb_xml_malformed;
    xmlParserCtxtPtr parser = library.new_xml_context();
    if (parser == NULL) return sb_xml_no_memory;
    xml_reading state = {.events = events, .parser = parser};
    memset(parser->sax, 0, sizeof *parser->sax);
    parser->sax->initialized = XML_SAX2_MAGIC;
    parser->sax->startElementNs = open_xml;
    parser->sax->endElementNs = close_xml;
    parser->sax->characters = xml_text;
    parser->sax->ignorableWhitespace = xml_text;
    parser->sax->cdataBlock = xml_text;
    parser->sax->internalSubset = refuse_doctype;
    parser->sax->serror = ignore_error;
    parser->userData = &state;
    xmlDocPtr document = library.read_xml(
        parser, (const char *)bytes, (int)length, NULL, NULL,
        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    if (document != NULL) library.free_document(document);
    bool is_well_formed = parser->wellFormed != 0;
    bool has_memory = parser->errNo != XML_ERR_NO_MEMORY;
    library.free_xml_context(parser);
    if (!has_memory) return sb_xml_no_memory;
    if (state.has_doctype) return sb_xml_has_doctype;
    if (state.is_stopped) return sb_xml_stopped;
    return is_well_formed ? sb_xml_read : sb_xml_malformed;
}
