#include "CSwitchboardWordLists.h"

// `#embed` is C23. Clang supports it in older modes with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char en[] = {
#embed "data/en.words"
};

static const unsigned char es[] = {
#embed "data/es.words"
};

static const unsigned char tr[] = {
#embed "data/tr.words"
};

static const unsigned char ru[] = {
#embed "data/ru.words"
};

static const unsigned char de[] = {
#embed "data/de.words"
};

static const unsigned char fr[] = {
#embed "data/fr.words"
};

static const unsigned char pt[] = {
#embed "data/pt.words"
};

static const unsigned char it[] = {
#embed "data/it.words"
};

static const unsigned char pl[] = {
#embed "data/pl.words"
};

static const unsigned char uk[] = {
#embed "data/uk.words"
};

static const unsigned char el[] = {
#embed "data/el.words"
};

static const struct {
    const unsigned char *bytes;
    size_t size;
} lists[] = {
    {en, sizeof en},
    {es, sizeof es},
    {tr, sizeof tr},
    {ru, sizeof ru},
    {de, sizeof de},
    {fr, sizeof fr},
    {pt, sizeof pt},
    {it, sizeof it},
    {pl, sizeof pl},
    {uk, sizeof uk},
    {el, sizeof el},
};

static const size_t count = sizeof lists / sizeof lists[0];

const unsigned char *sb_word_list(size_t number, size_t *size) {
    if (number >= count) {
        *size = 0;
        return NULL;
    }
    *size = lists[number].size;
    return lists[number].bytes;
}
