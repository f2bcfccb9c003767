// Written by Scripts/page-table: do not edit.
#include "CSwitchboardWebPage.h"

// `#embed` is C23; clang offers it in every mode and warns that it is an extension in the older ones.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file0[] = {
#embed "page/index.html"
};

static const unsigned char file1[] = {
#embed "page/manifest.webmanifest"
};

static const unsigned char file2[] = {
#embed "page/icon-192.png"
};

static const unsigned char file3[] = {
#embed "page/icon-512.png"
};

static const unsigned char file4[] = {
#embed "page/icon.svg"
};

static const unsigned char file5[] = {
#embed "page/scripts/access.js"
};

static const unsigned char file6[] = {
#embed "page/scripts/airport-map.js"
};

static const unsigned char file7[] = {
#embed "page/scripts/continuing.js"
};

static const unsigned char file8[] = {
#embed "page/scripts/dialogs.js"
};

static const unsigned char file9[] = {
#embed "page/scripts/elements.js"
};

static const unsigned char file10[] = {
#embed "page/scripts/events.js"
};

static const unsigned char file11[] = {
#embed "page/scripts/failures.js"
};

static const unsigned char file12[] = {
#embed "page/scripts/forms.js"
};

static const unsigned char file13[] = {
#embed "page/scripts/frame.js"
};

static const unsigned char file14[] = {
#embed "page/scripts/highlights.js"
};

static const unsigned char file15[] = {
#embed "page/scripts/icons.js"
};

static const unsigned char file16[] = {
#embed "page/scripts/installing.js"
};

static const unsigned char file17[] = {
#embed "page/scripts/keypad.js"
};

static const unsigned char file18[] = {
#embed "page/scripts/keys.js"
};

static const unsigned char file19[] = {
#embed "page/scripts/latest.js"
};

static const unsigned char file20[] = {
#embed "page/scripts/links.js"
};

static const unsigned char file21[] = {
#embed "page/scripts/list-keys.js"
};

static const unsigned char file22[] = {
#embed "page/scripts/main.js"
};

static const unsigned char file23[] = {
#embed "page/scripts/messages.js"
};

static const unsigned char file24[] = {
#embed "page/scripts/paged-list.js"
};

static const unsigned char file25[] = {
#embed "page/scripts/panes.js"
};

static const unsigned char file26[] = {
#embed "page/scripts/place.js"
};

static const unsigned char file27[] = {
#embed "page/scripts/projection.js"
};

static const unsigned char file28[] = {
#embed "page/scripts/requests.js"
};

static const unsigned char file29[] = {
#embed "page/scripts/routes.js"
};

static const unsigned char file30[] = {
#embed "page/scripts/rows.js"
};

static const unsigned char file31[] = {
#embed "page/scripts/search-field.js"
};

static const unsigned char file32[] = {
#embed "page/scripts/session.js"
};

static const unsigned char file33[] = {
#embed "page/scripts/swipe.js"
};

static const unsigned char file34[] = {
#embed "page/scripts/texts.js"
};

static const unsigned char file35[] = {
#embed "page/scripts/times.js"
};

static const unsigned char file36[] = {
#embed "page/scripts/views/activity.js"
};

static const unsigned char file37[] = {
#embed "page/scripts/views/airport-detail.js"
};

static const unsigned char file38[] = {
#embed "page/scripts/views/airports.js"
};

static const unsigned char file39[] = {
#embed "page/scripts/views/badge.js"
};

static const unsigned char file40[] = {
#embed "page/scripts/views/camera.js"
};

static const unsigned char file41[] = {
#embed "page/scripts/views/contact-detail.js"
};

static const unsigned char file42[] = {
#embed "page/scripts/views/contact-form.js"
};

static const unsigned char file43[] = {
#embed "page/scripts/views/contacts.js"
};

static const unsigned char file44[] = {
#embed "page/scripts/views/find.js"
};

static const unsigned char file45[] = {
#embed "page/scripts/views/prospect-changes.js"
};

static const unsigned char file46[] = {
#embed "page/scripts/views/prospect-detail.js"
};

static const unsigned char file47[] = {
#embed "page/scripts/views/prospect-form.js"
};

static const unsigned char file48[] = {
#embed "page/scripts/views/prospects.js"
};

static const unsigned char file49[] = {
#embed "page/scripts/views/scanning.js"
};

static const unsigned char file50[] = {
#embed "page/scripts/views/settings.js"
};

static const unsigned char file51[] = {
#embed "page/scripts/views/sign-in.js"
};

static const unsigned char file52[] = {
#embed "page/styles/airports.css"
};

static const unsigned char file53[] = {
#embed "page/styles/base.css"
};

static const unsigned char file54[] = {
#embed "page/styles/controls.css"
};

static const unsigned char file55[] = {
#embed "page/styles/detail.css"
};

static const unsigned char file56[] = {
#embed "page/styles/dialogs.css"
};

static const unsigned char file57[] = {
#embed "page/styles/frame.css"
};

static const unsigned char file58[] = {
#embed "page/styles/keypad.css"
};

static const unsigned char file59[] = {
#embed "page/styles/rows.css"
};

static const unsigned char file60[] = {
#embed "page/styles/search.css"
};

static const unsigned char file61[] = {
#embed "page/tick.svg"
};

static const sb_page_file files[] = {
    {"/", "text/html; charset=utf-8", file0, sizeof file0},
    {"/manifest.webmanifest", "application/manifest+json", file1, sizeof file1},
    {"/page/icon-192.png", "image/png", file2, sizeof file2},
    {"/page/icon-512.png", "image/png", file3, sizeof file3},
    {"/page/icon.svg", "image/svg+xml", file4, sizeof file4},
    {"/page/scripts/access.js", "text/javascript; charset=utf-8", file5, sizeof file5},
    {"/page/scripts/airport-map.js", "text/javascript; charset=utf-8", file6, sizeof file6},
    {"/page/scripts/continuing.js", "text/javascript; charset=utf-8", file7, sizeof file7},
    {"/page/scripts/dialogs.js", "text/javascript; charset=utf-8", file8, sizeof file8},
    {"/page/scripts/elements.js", "text/javascript; charset=utf-8", file9, sizeof file9},
    {"/page/scripts/events.js", "text/javascript; charset=utf-8", file10, sizeof file10},
    {"/page/scripts/failures.js", "text/javascript; charset=utf-8", file11, sizeof file11},
    {"/page/scripts/forms.js", "text/javascript; charset=utf-8", file12, sizeof file12},
    {"/page/scripts/frame.js", "text/javascript; charset=utf-8", file13, sizeof file13},
    {"/page/scripts/highlights.js", "text/javascript; charset=utf-8", file14, sizeof file14},
    {"/page/scripts/icons.js", "text/javascript; charset=utf-8", file15, sizeof file15},
    {"/page/scripts/installing.js", "text/javascript; charset=utf-8", file16, sizeof file16},
    {"/page/scripts/keypad.js", "text/javascript; charset=utf-8", file17, sizeof file17},
    {"/page/scripts/keys.js", "text/javascript; charset=utf-8", file18, sizeof file18},
    {"/page/scripts/latest.js", "text/javascript; charset=utf-8", file19, sizeof file19},
    {"/page/scripts/links.js", "text/javascript; charset=utf-8", file20, sizeof file20},
    {"/page/scripts/list-keys.js", "text/javascript; charset=utf-8", file21, sizeof file21},
    {"/page/scripts/main.js", "text/javascript; charset=utf-8", file22, sizeof file22},
    {"/page/scripts/messages.js", "text/javascript; charset=utf-8", file23, sizeof file23},
    {"/page/scripts/paged-list.js", "text/javascript; charset=utf-8", file24, sizeof file24},
    {"/page/scripts/panes.js", "text/javascript; charset=utf-8", file25, sizeof file25},
    {"/page/scripts/place.js", "text/javascript; charset=utf-8", file26, sizeof file26},
    {"/page/scripts/projection.js", "text/javascript; charset=utf-8", file27, sizeof file27},
    {"/page/scripts/requests.js", "text/javascript; charset=utf-8", file28, sizeof file28},
    {"/page/scripts/routes.js", "text/javascript; charset=utf-8", file29, sizeof file29},
    {"/page/scripts/rows.js", "text/javascript; charset=utf-8", file30, sizeof file30},
    {"/page/scripts/search-field.js", "text/javascript; charset=utf-8", file31, sizeof file31},
    {"/page/scripts/session.js", "text/javascript; charset=utf-8", file32, sizeof file32},
    {"/page/scripts/swipe.js", "text/javascript; charset=utf-8", file33, sizeof file33},
    {"/page/scripts/texts.js", "text/javascript; charset=utf-8", file34, sizeof file34},
    {"/page/scripts/times.js", "text/javascript; charset=utf-8", file35, sizeof file35},
    {"/page/scripts/views/activity.js", "text/javascript; charset=utf-8", file36, sizeof file36},
    {"/page/scripts/views/airport-detail.js", "text/javascript; charset=utf-8", file37, sizeof file37},
    {"/page/scripts/views/airports.js", "text/javascript; charset=utf-8", file38, sizeof file38},
    {"/page/scripts/views/badge.js", "text/javascript; charset=utf-8", file39, sizeof file39},
    {"/page/scripts/views/camera.js", "text/javascript; charset=utf-8", file40, sizeof file40},
    {"/page/scripts/views/contact-detail.js", "text/javascript; charset=utf-8", file41, sizeof file41},
    {"/page/scripts/views/contact-form.js", "text/javascript; charset=utf-8", file42, sizeof file42},
    {"/page/scripts/views/contacts.js", "text/javascript; charset=utf-8", file43, sizeof file43},
    {"/page/scripts/views/find.js", "text/javascript; charset=utf-8", file44, sizeof file44},
    {"/page/scripts/views/prospect-changes.js", "text/javascript; charset=utf-8", file45, sizeof file45},
    {"/page/scripts/views/prospect-detail.js", "text/javascript; charset=utf-8", file46, sizeof file46},
    {"/page/scripts/views/prospect-form.js", "text/javascript; charset=utf-8", file47, sizeof file47},
    {"/page/scripts/views/prospects.js", "text/javascript; charset=utf-8", file48, sizeof file48},
    {"/page/scripts/views/scanning.js", "text/javascript; charset=utf-8", file49, sizeof file49},
    {"/page/scripts/views/settings.js", "text/javascript; charset=utf-8", file50, sizeof file50},
    {"/page/scripts/views/sign-in.js", "text/javascript; charset=utf-8", file51, sizeof file51},
    {"/page/styles/airports.css", "text/css; charset=utf-8", file52, sizeof file52},
    {"/page/styles/base.css", "text/css; charset=utf-8", file53, sizeof file53},
    {"/page/styles/controls.css", "text/css; charset=utf-8", file54, sizeof file54},
    {"/page/styles/detail.css", "text/css; charset=utf-8", file55, sizeof file55},
    {"/page/styles/dialogs.css", "text/css; charset=utf-8", file56, sizeof file56},
    {"/page/styles/frame.css", "text/css; charset=utf-8", file57, sizeof file57},
    {"/page/styles/keypad.css", "text/css; charset=utf-8", file58, sizeof file58},
    {"/page/styles/rows.css", "text/css; charset=utf-8", file59, sizeof file59},
    {"/page/styles/search.css", "text/css; charset=utf-8", file60, sizeof file60},
    {"/page/tick.svg", "image/svg+xml", file61, sizeof file61},
};

const sb_page_file *sb_page_files(size_t *count) {
    *count = sizeof files / sizeof files[0];
    return files;
}
