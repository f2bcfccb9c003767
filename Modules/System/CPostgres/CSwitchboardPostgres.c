#include "CSwitchboardPostgres.h"

#include "../Loading.h"

#if !__has_include(<libpq-fe.h>)
#error "The headers of libpq are missing: install libpq-dev. They are expected in /usr/include/postgresql."
#endif

#include <libpq-fe.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The functions of the library, resolved on first use.
static struct {
    __typeof__(&PQconninfoParse) parse;
    __typeof__(&PQconninfoFree) free_options;
    __typeof__(&PQfreemem) free_memory;
    __typeof__(&PQconnectStartParams) start;
    __typeof__(&PQconnectPoll) go_on;
    __typeof__(&PQsocket) socket;
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
    SB_FIND(handle, library, parse, "PQconninfoParse");
    SB_FIND(handle, library, free_options, "PQconninfoFree");
    SB_FIND(handle, library, free_memory, "PQfreemem");
    SB_FIND(handle, library, start, "PQconnectStartParams");
    SB_FIND(handle, library, go_on, "PQconnectPoll");
    SB_FIND(handle, library, socket, "PQsocket");
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

// MARK: - Connecting

// The limits of a connection string.
enum { MAXIMUM_SERVERS = 8, MAXIMUM_PARAMETERS = 80, MAXIMUM_HOST = 256 };

// HEAD_START is the delay in milliseconds before the next server is tried, too. MAXIMUM_WAIT is in milliseconds,
// DEFAULT_TIMEOUT (for `connect_timeout`) in seconds.
enum { HEAD_START = 250, MAXIMUM_WAIT = 60000, DEFAULT_TIMEOUT = 5 };

// The parameters of a connection string. Null stands for the default of libpq.
typedef struct {
    PQconninfoOption *options;
    const char *hosts, *addresses, *ports, *timeout;
    bool chooses_encryption;
    int server_count;
} target;

// An attempt to connect to a server. Without a connection, it has not begun or has failed.
typedef struct {
    PGconn *connection;
    PostgresPollingStatusType status;
} attempt;

static long milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int element_count(const char *list) {
    int count = 1;
    for (; *list != 0; list++) count += *list == ',';
    return count;
}

// Copies an element of a comma-separated list. A single element applies to all servers.
static void copy_element(const char *list, int index, char element[MAXIMUM_HOST]) {
    if (element_count(list) == 1) index = 0;
    for (; index > 0; index--) list = strchr(list, ',') + 1;
    snprintf(element, MAXIMUM_HOST, "%.*s", (int)strcspn(list, ","), list);
}

// Returns true if a host name or an address belongs to this machine.
static bool is_local(const char *host) {
    return host[0] == 0 || host[0] == '/' || host[0] == '@' || strcmp(host, "localhost") == 0
        || strcmp(host, "::1") == 0 || strncmp(host, "127.", 4) == 0;
}

// Parses a connection string. The caller must free the options.
static bool read_target(const char *parameters, target *target, sb_pg_failure *failure) {
    // `PQconninfoParse` requires at least one parameter or a URI.
    char *message = NULL;
    target->options = library.parse(parameters, &message);
    if (target->options == NULL) {
        set_failure(failure, message, INTERNAL);
        if (message != NULL) library.free_memory(message);
        return false;
    }
    for (PQconninfoOption *option = target->options; option->keyword != NULL; option++) {
        // An empty value also means the default.
        if (option->val == NULL || option->val[0] == 0) continue;
        if (strcmp(option->keyword, "host") == 0) target->hosts = option->val;
        if (strcmp(option->keyword, "hostaddr") == 0) target->addresses = option->val;
        if (strcmp(option->keyword, "port") == 0) target->ports = option->val;
        if (strcmp(option->keyword, "connect_timeout") == 0) target->timeout = option->val;
        if (strcmp(option->keyword, "sslmode") == 0) target->chooses_encryption = true;
    }
    const char *servers = target->addresses != NULL ? target->addresses : target->hosts;
    target->server_count = servers == NULL ? 1 : element_count(servers);
    bool fits = target->server_count <= MAXIMUM_SERVERS;
    const char *const lists[] = {target->hosts, target->addresses, target->ports};
    for (int index = 0; index < 3; index++) {
        int count = lists[index] == NULL ? 1 : element_count(lists[index]);
        // Only a port may apply to all servers.
        if (count != target->server_count && !(count == 1 && (lists[index] == NULL || index == 2))) fits = false;
    }
    if (fits) return true;
    set_failure(failure, "the numbers of hosts and ports differ, or there are more than 8 hosts", INTERNAL);
    library.free_options(target->options);
    return false;
}

// Starts to connect to one server of a target. May wait for the host name to be resolved.
static PGconn *start_attempt(const target *target, int index) {
    char host[MAXIMUM_HOST] = "", address[MAXIMUM_HOST] = "", port[MAXIMUM_HOST] = "";
    if (target->hosts != NULL) copy_element(target->hosts, index, host);
    if (target->addresses != NULL) copy_element(target->addresses, index, address);
    if (target->ports != NULL) copy_element(target->ports, index, port);
    // A lost machine is detected within seconds. Parameters that follow override these.
    const char *names[MAXIMUM_PARAMETERS] = {
        "application_name", "tcp_user_timeout", "keepalives_idle", "keepalives_interval", "keepalives_count"};
    const char *values[MAXIMUM_PARAMETERS] = {"switchboard", "5000", "5", "2", "3"};
    int count = 5;
    // By default, libpq neither verifies the server nor requires encryption.
    if (!target->chooses_encryption && getenv("PGSSLMODE") == NULL && !is_local(address[0] != 0 ? address : host)) {
        names[count] = "sslmode";
        values[count++] = "verify-full";
    }
    for (PQconninfoOption *option = target->options; option->keyword != NULL; option++) {
        if (option->val == NULL || option->val[0] == 0 || count >= MAXIMUM_PARAMETERS - 1) continue;
        names[count] = option->keyword;
        values[count] = strcmp(option->keyword, "host") == 0 ? host
            : strcmp(option->keyword, "hostaddr") == 0       ? address
            : strcmp(option->keyword, "port") == 0           ? port
                                                             : option->val;
        count++;
    }
    return library.start(names, values, 0);
}

// Waits until an attempt can continue, or for a time in milliseconds. Sets `sockets` to the results of poll(2).
static void wait_for_attempts(const attempt attempts[], int count, long time, struct pollfd sockets[]) {
    for (int index = 0; index < count; index++) {
        const attempt *each = &attempts[index];
        short events = each->status == PGRES_POLLING_READING ? POLLIN : POLLOUT;
        // A negative socket is ignored.
        sockets[index] = (struct pollfd){each->connection == NULL ? -1 : library.socket(each->connection), events, 0};
    }
    // After an interruption, the caller waits again.
    (void)poll(sockets, (nfds_t)count, time < 0 ? 0 : (int)time);
}

// Continues an attempt whose socket is ready. Returns its connection if it has succeeded.
static PGconn *go_on(attempt *attempt, sb_pg_failure *failure) {
    PGconn *connection = attempt->connection;
    if (library.status(connection) == CONNECTION_BAD) attempt->status = PGRES_POLLING_FAILED;
    else attempt->status = library.go_on(connection);
    if (attempt->status != PGRES_POLLING_OK && attempt->status != PGRES_POLLING_FAILED) return NULL;
    attempt->connection = NULL;
    if (attempt->status == PGRES_POLLING_OK) return connection;
    set_failure(failure, library.message(connection), NULL);
    library.finish(connection);
    return NULL;
}

// Connects to the servers of a target, beginning with `first`. Each attempt starts shortly after the one before it, or
// at once if no other is running. Returns the first connection that succeeds, and its server.
//
// libpq itself tries the next server only after the timeout of the one before, which is longer than a failover takes.
static PGconn *connect_to_any(const target *target, int first, int *server, sb_pg_failure *failure) {
    attempt attempts[MAXIMUM_SERVERS] = {0};
    struct pollfd sockets[MAXIMUM_SERVERS];
    int count = target->server_count, begun = 0;
    long seconds = target->timeout == NULL ? DEFAULT_TIMEOUT : strtol(target->timeout, NULL, 10);
    // As in libpq: no limit unless positive, and two seconds at least.
    long next = milliseconds(), end = seconds <= 0 ? LONG_MAX : next + (seconds < 2 ? 2 : seconds) * 1000;
    PGconn *connection = NULL;
    set_failure(failure, "the server did not respond in time", NULL);
    while (connection == NULL && milliseconds() < end) {
        int running = 0;
        for (int index = 0; index < begun; index++) running += attempts[index].connection != NULL;
        if (running == 0 && begun == count) break;
        if (begun < count && (running == 0 || milliseconds() >= next)) {
            PGconn *started = start_attempt(target, (first + begun) % count);
            attempts[begun++] = (attempt){started, PGRES_POLLING_WRITING};
            next = milliseconds() + HEAD_START;
            // A mistake in the parameters is reported at once, and leaves no socket to wait for.
            if (started != NULL && library.status(started) == CONNECTION_BAD) (void)go_on(&attempts[begun - 1], failure);
            continue;
        }
        long until = begun < count && next < end ? next : end, time = until - milliseconds();
        wait_for_attempts(attempts, begun, time > MAXIMUM_WAIT ? MAXIMUM_WAIT : time, sockets);
        for (int index = 0; index < begun && connection == NULL; index++) {
            if (sockets[index].revents == 0) continue;
            connection = go_on(&attempts[index], failure);
            *server = (first + index) % count;
        }
    }
    for (int index = 0; index < begun; index++) {
        if (attempts[index].connection != NULL) library.finish(attempts[index].connection);
    }
    return connection;
}

// MARK: - Connections

static void receive_notice(void *context, const PGresult *notice) {
    // Not translated, unlike PG_DIAG_SEVERITY.
    const char *severity = library.field(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity != NULL && strcmp(severity, "WARNING") == 0) ((sb_pg_connection *)context)->has_warning = true;
}

sb_pg_connection *sb_pg_connect(const char *parameters, int *server, sb_pg_failure *failure) {
    pthread_once(&once, load);
    if (!library.is_complete) {
        set_failure(failure, "libpq is missing; install libpq5", INTERNAL);
        return NULL;
    }
    target target = {0};
    if (!read_target(parameters, &target, failure)) return NULL;
    int first = *server >= 0 && *server < target.server_count ? *server : 0;
    PGconn *connection = connect_to_any(&target, first, server, failure);
    library.free_options(target.options);
    if (connection == NULL) return NULL;
    sb_pg_connection *new = calloc(1, sizeof *new);
    if (new == NULL) {
        set_failure(failure, "out of memory", INTERNAL);
        library.finish(connection);
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
