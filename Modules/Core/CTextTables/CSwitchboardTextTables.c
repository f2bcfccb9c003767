#include "CSwitchboardTextTables.h"

// `#embed` is C23. Clang supports it in older modes with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

const unsigned char sb_folding_table[] = {
#embed "data/folding.table"
};

const unsigned char sb_mandarin_table[] = {
#embed "data/mandarin.table"
};

static const char arabic_names[] = {
#embed "data/arabic-names.txt" suffix(, 0)
};

static const char hebrew_names[] = {
#embed "data/hebrew-names.txt" suffix(, 0)
};

static const char korean_surnames[] = {
#embed "data/korean-surnames.txt" suffix(, 0)
};

static const char mandarin_readings[] = {
#embed "data/mandarin-readings.txt" suffix(, 0)
};

static const char kana[] = {
#embed "data/kana.txt" suffix(, 0)
};

static const char arabic[] = {
#embed "data/arabic.txt" suffix(, 0)
};

static const char armenian[] = {
#embed "data/armenian.txt" suffix(, 0)
};

static const char cyrillic[] = {
#embed "data/cyrillic.txt" suffix(, 0)
};

static const char georgian[] = {
#embed "data/georgian.txt" suffix(, 0)
};

static const char greek[] = {
#embed "data/greek.txt" suffix(, 0)
};

static const char greek_pairs[] = {
#embed "data/greek-pairs.txt" suffix(, 0)
};

static const char hebrew[] = {
#embed "data/hebrew.txt" suffix(, 0)
};

static const char indic[] = {
#embed "data/indic.txt" suffix(, 0)
};

static const char indic_names[] = {
#embed "data/indic-names.txt" suffix(, 0)
};

const char *sb_text(sb_text_table table) {
    switch (table) {
    case sb_arabic: return arabic;
    case sb_armenian: return armenian;
    case sb_cyrillic: return cyrillic;
    case sb_georgian: return georgian;
    case sb_greek: return greek;
    case sb_greek_pairs: return greek_pairs;
    case sb_hebrew: return hebrew;
    case sb_arabic_names: return arabic_names;
    case sb_hebrew_names: return hebrew_names;
    case sb_indic: return indic;
    case sb_indic_names: return indic_names;
    case sb_kana: return kana;
    case sb_korean_surnames: return korean_surnames;
    case sb_mandarin_readings: return mandarin_readings;
    }
    return "";
}
