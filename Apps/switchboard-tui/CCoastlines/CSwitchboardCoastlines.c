#include "CSwitchboardCoastlines.h"

// `#embed` is C23; clang supports it in every mode, with a warning in older ones.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char coastlines[] = {
#embed "data/coastlines.bin"
};

const unsigned char *sb_coastlines(size_t *size) {
    *size = sizeof coastlines;
    return coastlines;
}
