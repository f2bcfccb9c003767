// A C interface to SQLite's session extension, whose functions are looked up on first use.
//
// A program that records no changes does not need the extension. The functions return SQLite's result codes, or
// SB_SESSION_MISSING if the library was built without the extension.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct sqlite3;
struct sqlite3_session;

enum { SB_SESSION_MISSING = -1 };

// Begins to record the changes of a connection in all tables of its main database that have a primary key, except for
// one, whose name must outlive the recording. The caller deletes the session before it closes the connection.
int sb_session_create(struct sqlite3 *connection, const char *excluded, struct sqlite3_session **session);

void sb_session_delete(struct sqlite3_session *session);

// Returns the recorded changes, which the caller releases with sb_session_free. Without changes, `size` is 0.
int sb_session_changeset(struct sqlite3_session *session, void **bytes, size_t *size);

void sb_session_free(void *bytes);

// Disables or enables the triggers of a connection. A changeset contains the effects of triggers.
int sb_session_set_triggers(struct sqlite3 *connection, bool are_enabled);

// Applies changes within a transaction of the caller. `has_conflict` is set if a row is not as it was before the change
// or a table does not exist; the caller then rolls back.
int sb_session_apply(struct sqlite3 *connection, const void *bytes, size_t size, bool *has_conflict);
