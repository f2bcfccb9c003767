#include "CSwitchboardPostgres.h"

#include "../Loading.h"

#if !__has_include(<libpq-fe.h>)
#error "The headers of libpq are missing: install libpq-dev. They are expected in /usr/include/postgresql."
#endif

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The functions of the library, resolved on first use.
static struct {
    __typeof__(&PQconnectdbParams) connect;
    __typeof__(&PQfinish) finish;
    __typeof__(&PQstatus) status;
    __typeof__(&PQerrorMessage) message;
    __typeof__(&PQsetNoticeReceiver) set_notices;
    __typeof__(&PQexec) execute;
    __typeof__(&PQprepare) prepare;
    __typeof__(&PQexecPrepared) execute_prepared;
    __typeof__(&PQresultStatus) result_status;
    __typeof__(&PQresultErrorField) field;
    __typeof__(&PQntuples) rows;
    __typeof__(&PQnfields) columns;
    __typeof__(&PQgetisnull) is_null;
    __typeof__(&PQgetvalue) value;
    __typeof__(&PQgetlength) size;
    __typeof__(&PQcmdTuples) changed_rows;
    __typeof__(&PQclear) clear;
    bool is_complete;
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = sb_open("libpq.so.5", &library.is_complete);
    if (handle == NULL) return;
    SB_FIND(handle, library, connect, "PQconnectdbParams");
    SB_FIND(handle, library, finish, "PQfinish");
    SB_FIND(handle, library, status, "PQstatus");
    SB_FIND(handle, library, message, "PQerrorMessage");
    SB_FIND(handle, library, set_notices, "PQsetNoticeReceiver");
    SB_FIND(handle, library, execute, "PQexec");
    SB_FIND(handle, library, prepare, "PQprepare");
    SB_FIND(handle, library, execute_prepared, "PQexecPrepared");
    SB_FIND(handle, library, result_status, "PQresultStatus");
    SB_FIND(handle, library, field, "PQresultErrorField");
    SB_FIND(handle, library, rows, "PQntuples");
    SB_FIND(handle, library, columns, "PQnfields");
    SB_FIND(handle, library, is_null, "PQgetisnull");
    SB_FIND(handle, library, value, "PQgetvalue");
    SB_FIND(handle, library, size, "PQgetlength");
    SB_FIND(handle, library, changed_rows, "PQcmdTuples");
    SB_FIND(handle, library, clear, "PQclear");
}

// The SQLSTATE of an internal error.
static const char INTERNAL[] = "XX000";

struct sb_pg_connection {
    PGconn *connection;
    bool has_warning;
};

static void set_failure(sb_pg_failure *failure, const char *message, const char *state) {
    snprintf(failure->message, sizeof failure->message, "%s", message == NULL ? "unknown error" : message);
    snprintf(failure->state, sizeof failure->state, "%s", state == NULL ? "" : state);
}

// MARK: - Connections

static void receive_notice(void *context, const PGresult *notice) {
    // Not translated, unlike PG_DIAG_SEVERITY.
    const char *severity = library.field(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity != NULL && strcmp(severity, "WARNING") == 0) ((sb_pg_connection *)context)->has_warning = true;
}

sb_pg_connection *sb_pg_connect(const char *parameters, sb_pg_failure *failure) {
    pthread_once(&once, load);
    if (!library.is_complete) {
        set_failure(failure, "libpq is missing; install libpq5", INTERNAL);
        return NULL;
    }
    sb_pg_connection *new = calloc(1, sizeof *new);
    // Those before `dbname` are the defaults of the parameters in it. A server whose machine is gone is noticed within
    // seconds.
    const char *const names[] = {
        "application_name", "connect_timeout", "tcp_user_timeout", "keepalives_idle", "keepalives_interval",
        "keepalives_count", "dbname", NULL};
    const char *const values[] = {"switchboard", "5", "5000", "5", "2", "3", parameters, NULL};
    PGconn *connection = new == NULL ? NULL : library.connect(names, values, 1);
    if (connection == NULL || library.status(connection) != CONNECTION_OK) {
        set_failure(failure, connection == NULL ? "out of memory" : library.message(connection), NULL);
        if (connection != NULL) library.finish(connection);
        free(new);
        return NULL;
    }
    new->connection = connection;
    library.set_notices(connection, receive_notice, new);
    return new;
}

void sb_pg_disconnect(sb_pg_connection *connection) {
    library.finish(connection->connection);
    free(connection);
}

bool sb_pg_is_lost(const sb_pg_connection *connection) {
    return library.status(connection->connection) != CONNECTION_OK;
}

bool sb_pg_take_warning(sb_pg_connection *connection) {
    bool has_warning = connection->has_warning;
    connection->has_warning = false;
    return has_warning;
}

// MARK: - Statements

// Returns the result if it is a success; otherwise releases it and reports the failure.
static sb_pg_result *checked(sb_pg_connection *connection, PGresult *result, sb_pg_failure *failure) {
    ExecStatusType status = library.result_status(result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) return (sb_pg_result *)result;
    set_failure(failure, library.field(result, PG_DIAG_MESSAGE_PRIMARY), library.field(result, PG_DIAG_SQLSTATE));
    if (result == NULL || failure->state[0] == 0) set_failure(failure, library.message(connection->connection), NULL);
    library.clear(result);
    return NULL;
}

sb_pg_result *sb_pg_execute(sb_pg_connection *connection, const char *sql, sb_pg_failure *failure) {
    return checked(connection, library.execute(connection->connection, sql), failure);
}

bool sb_pg_prepare(sb_pg_connection *connection, const char *name, const char *sql, sb_pg_failure *failure) {
    PGresult *result = library.prepare(connection->connection, name, sql, 0, NULL);
    sb_pg_result *prepared = checked(connection, result, failure);
    if (prepared != NULL) sb_pg_free(prepared);
    return prepared != NULL;
}

sb_pg_result *sb_pg_execute_prepared(
    sb_pg_connection *connection, const char *name, const sb_pg_value *values, int count, sb_pg_failure *failure) {
    enum { MAXIMUM = 16 };
    const char *bytes[MAXIMUM];
    int sizes[MAXIMUM], formats[MAXIMUM];
    if (count < 0 || count > MAXIMUM) {
        set_failure(failure, "too many values", INTERNAL);
        return NULL;
    }
    for (int index = 0; index < count; index++) {
        bytes[index] = values[index].bytes;
        sizes[index] = values[index].size;
        formats[index] = values[index].is_binary ? 1 : 0;
    }
    return checked(
        connection, library.execute_prepared(connection->connection, name, count, bytes, sizes, formats, 1), failure);
}

// MARK: - Results

int sb_pg_row_count(const sb_pg_result *result) { return library.rows((const PGresult *)result); }

long sb_pg_changed_row_count(sb_pg_result *result) {
    // Empty for a statement that changes nothing.
    return strtol(library.changed_rows((PGresult *)result), NULL, 10);
}

int sb_pg_column_count(const sb_pg_result *result) { return library.columns((const PGresult *)result); }

sb_pg_value sb_pg_get(const sb_pg_result *result, int row, int column) {
    const PGresult *rows = (const PGresult *)result;
    if (library.is_null(rows, row, column)) return (sb_pg_value){NULL, 0, true};
    return (sb_pg_value){library.value(rows, row, column), library.size(rows, row, column), true};
}

void sb_pg_free(sb_pg_result *result) { library.clear((PGresult *)result); }
