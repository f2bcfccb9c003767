// A C interface to libpq, which is loaded on first use. A connection is used by one thread at a time.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_pg_connection sb_pg_connection;
typedef struct sb_pg_result sb_pg_result;

// A failure: the message and the SQLSTATE, which is empty unless the server reported it. Both end with NUL.
typedef struct {
    char message[480];
    char state[6];
} sb_pg_failure;

// A value in PostgreSQL's text or binary format; null if `bytes` is null. Text ends with NUL, which is not counted.
typedef struct {
    const void *bytes;
    int size;
    bool is_binary;
} sb_pg_value;

// Connects with a connection string or URI. Blocks. Null if that fails.
//
// Of several servers in the string, the one at `*server` is tried first, and `*server` is set to the one that was
// found. A server on another machine must prove its identity (`sslmode=verify-full`) unless the string says otherwise.
sb_pg_connection *sb_pg_connect(const char *parameters, int *server, sb_pg_failure *failure);

void sb_pg_disconnect(sb_pg_connection *connection);

// Returns true if the connection is lost. The outcome of the last statement is then unknown.
bool sb_pg_is_lost(const sb_pg_connection *connection);

// Returns true if the server has sent a warning since the last call. A cancelled wait for a standby is one.
bool sb_pg_take_warning(sb_pg_connection *connection);

// Executes statements without values. Null if that fails.
sb_pg_result *sb_pg_execute(sb_pg_connection *connection, const char *sql, sb_pg_failure *failure);

// Prepares a statement under a name.
bool sb_pg_prepare(sb_pg_connection *connection, const char *name, const char *sql, sb_pg_failure *failure);

// Executes a prepared statement with at most 16 values. Its results are binary. Null if that fails.
sb_pg_result *sb_pg_execute_prepared(
    sb_pg_connection *connection, const char *name, const sb_pg_value *values, int count, sb_pg_failure *failure);

int sb_pg_row_count(const sb_pg_result *result);
// Returns the number of rows that a statement has changed, or found.
long sb_pg_changed_row_count(sb_pg_result *result);
int sb_pg_column_count(const sb_pg_result *result);

// Returns a value of the result, which must have that row and column. The bytes live as long as the result.
sb_pg_value sb_pg_get(const sb_pg_result *result, int row, int column);

void sb_pg_free(sb_pg_result *result);
