// The header declares the session extension only for builds with these options.
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1

#include "CSwitchboardSession.h"

#include "../Loading.h"

#include <limits.h>
#include <sqlite3.h>
#include <string.h>

// The functions of the extension, resolved on first use.
static struct {
    __typeof__(&sqlite3_libversion) version;
    __typeof__(&sqlite3session_create) create;
    __typeof__(&sqlite3session_table_filter) filter;
    __typeof__(&sqlite3session_attach) attach;
    __typeof__(&sqlite3session_changeset) changeset;
    __typeof__(&sqlite3session_delete) delete;
    __typeof__(&sqlite3changeset_apply) apply;
    bool is_complete;
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = sb_open("libsqlite3.so.0", &library.is_complete);
    if (handle == NULL) return;
    SB_FIND(handle, library, version, "sqlite3_libversion");
    SB_FIND(handle, library, create, "sqlite3session_create");
    SB_FIND(handle, library, filter, "sqlite3session_table_filter");
    SB_FIND(handle, library, attach, "sqlite3session_attach");
    SB_FIND(handle, library, changeset, "sqlite3session_changeset");
    SB_FIND(handle, library, delete, "sqlite3session_delete");
    SB_FIND(handle, library, apply, "sqlite3changeset_apply");
    // A program with its own copy of SQLite must not pass its connections to another copy.
    if (library.is_complete) library.is_complete = library.version() == sqlite3_libversion();
}

static bool is_available(void) {
    pthread_once(&once, load);
    return library.is_complete;
}

// MARK: - Recording

static int is_recorded(void *excluded, const char *table) { return strcmp(table, excluded) != 0; }

int sb_session_create(sqlite3 *connection, const char *excluded, sqlite3_session **session) {
    *session = NULL;
    if (!is_available()) return SB_SESSION_MISSING;
    int code = library.create(connection, "main", session);
    if (code != SQLITE_OK) return code;
    library.filter(*session, is_recorded, (void *)excluded);
    code = library.attach(*session, NULL);
    if (code == SQLITE_OK) return code;
    library.delete(*session);
    *session = NULL;
    return code;
}

void sb_session_delete(sqlite3_session *session) { library.delete(session); }

int sb_session_changeset(sqlite3_session *session, void **bytes, size_t *size) {
    int count = 0;
    *bytes = NULL;
    int code = library.changeset(session, &count, bytes);
    *size = code == SQLITE_OK && count > 0 ? (size_t)count : 0;
    return code;
}

void sb_session_free(void *bytes) { sqlite3_free(bytes); }

// MARK: - Applying

int sb_session_set_triggers(sqlite3 *connection, bool are_enabled) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, are_enabled ? 1 : 0, NULL);
}

typedef struct {
    sqlite3 *connection;
    bool has_conflict;
} application;

// SQLite skips the changes of a table that does not exist. Called once for each table.
static int is_applied(void *context, const char *table) {
    application *application = context;
    if (sqlite3_table_column_metadata(application->connection, "main", table, NULL, NULL, NULL, NULL, NULL, NULL) !=
        SQLITE_OK)
        application->has_conflict = true;
    return 1;
}

static int on_conflict(void *context, int kind, sqlite3_changeset_iter *change) {
    ((application *)context)->has_conflict = true;
    return SQLITE_CHANGESET_ABORT;
}

int sb_session_apply(sqlite3 *connection, const void *bytes, size_t size, bool *has_conflict) {
    *has_conflict = false;
    if (!is_available()) return SB_SESSION_MISSING;
    if (size > INT_MAX) return SQLITE_TOOBIG;
    application application = {connection, false};
    int code = library.apply(connection, (int)size, (void *)bytes, is_applied, on_conflict, &application);
    *has_conflict = application.has_conflict;
    return code;
}
