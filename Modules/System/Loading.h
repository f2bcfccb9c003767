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
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Opens a library, or returns null. The soname guarantees the types of the functions and the layout of structures. The
// library is never closed: other threads may still be inside it when the process exits.
static inline void *sb_open(const char *soname, bool *is_complete) {
    void *handle = dlopen(soname, RTLD_LAZY | RTLD_LOCAL);
    *is_complete = handle != NULL;
    return handle;
}

// Opens a library that is installed with the program: in ../lib/PROGRAM as in the Debian packages, or else in the
// program's own search path, which is the folder of the program. Returns null if it is in neither.
static inline void *sb_open_installed(const char *name) {
    char program[PATH_MAX], library[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash != NULL) {
        *slash = '\0';
        int written = snprintf(library, sizeof library, "%s/../lib/%s/%s", program, slash + 1, name);
        if (written > 0 && (size_t)written < sizeof library) {
            void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
            if (handle != NULL) return handle;
        }
    }
    return dlopen(name, RTLD_LAZY | RTLD_LOCAL);
}

// Looks up a function. A table without one of its functions is not complete.
#define SB_FIND(handle, table, field, name)                       \
    do {                                                          \
        *(void **)(&(table).field) = dlsym(handle, name);         \
        if ((table).field == NULL) (table).is_complete = false;   \
    } while (0)

#endif
