// Libraries that are loaded at first use, and tables of their functions.
//
// A table takes the types of the functions from the header of the library:
//
//     static struct {
//         __typeof__(&QRcode_encodeData) encode;
//         bool is_complete;
//     } library;

#ifndef SB_LOADING_H
#define SB_LOADING_H

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

// Opens a library, or returns null. The soname guarantees the types of the functions and the layout of structures. The
// library is never closed: other threads may still be inside it when the process exits.
static inline void *sb_open(const char *soname, bool *is_complete) {
    void *handle = dlopen(soname, RTLD_LAZY | RTLD_LOCAL);
    *is_complete = handle != NULL;
    return handle;
}

// Looks up a function. A table without one of its functions is not complete.
#define SB_FIND(handle, table, field, name)                       \
    do {                                                          \
        *(void **)(&(table).field) = dlsym(handle, name);         \
        if ((table).field == NULL) (table).is_complete = false;   \
    } while (0)

#endif
