#define _GNU_SOURCE  // ppoll

#include "CSwitchboardDBus.h"

#include "LibSystemd.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/eventfd.h>

struct sb_sd_functions sb_sd;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = sb_open("libsystemd.so.0", &sb_sd.is_complete);
    if (handle == NULL) return;
#define FIND(name) SB_FIND(handle, sb_sd, name, "sd_bus_" #name);
    SB_SD_FUNCTIONS(FIND)
}

bool sb_sd_load(void) {
    pthread_once(&once, load);
    return sb_sd.is_complete;
}

bool sb_bus_is_available(void) { return sb_sd_load(); }

int sb_sd_open(const char *address, int (*open)(sd_bus **), uint64_t deadline, sd_bus **bus) {
    int code;
    if (address == NULL) {
        code = open(bus);
    } else {
        code = sb_sd.new(bus);
        if (code >= 0) code = sb_sd.set_address(*bus, address);
        if (code >= 0) code = sb_sd.set_bus_client(*bus, 1);
        if (code >= 0) code = sb_sd.start(*bus);
    }
    while (code >= 0 && (code = sb_sd.is_ready(*bus)) == 0) {
        code = sb_sd.process(*bus, NULL);
        if (code != 0) continue;
        uint64_t now = sb_now_microseconds();
        if (now >= deadline) return -ETIMEDOUT;
        code = sb_sd.wait(*bus, deadline - now);
        if (code == -EINTR) code = 0;
    }
    return code;
}

int sb_bus_open(const char *address, uint64_t timeout_microseconds, sb_bus **result) {
    sd_bus *bus = NULL;
    int code = sb_sd_open(address, sb_sd.open_user, sb_now_microseconds() + timeout_microseconds, &bus);
    if (code < 0) {
        sb_sd.flush_close_unref(bus);
        return code;
    }
    *result = bus;
    return 0;
}

void sb_bus_close(sb_bus *bus) { sb_sd.flush_close_unref(bus); }

int sb_bus_request_name(sb_bus *bus, const char *name) { return sb_sd.request_name(bus, name, 0); }

int sb_bus_release_name(sb_bus *bus, const char *name) { return sb_sd.release_name(bus, name); }

// Waits until the connection needs processing or `wake` can be read. The time limit of sd-bus is absolute.
static int wait_for_input(sd_bus *bus, int wake, uint64_t deadline) {
    uint64_t limit = UINT64_MAX;
    int code = sb_sd.get_timeout(bus, &limit);
    if (code < 0) return code;
    if (deadline < limit) limit = deadline;
    int events = sb_sd.get_events(bus);
    if (events < 0) return events;
    struct pollfd files[] = {{.fd = sb_sd.get_fd(bus), .events = (short)events}, {.fd = wake, .events = POLLIN}};
    if (files[0].fd < 0) return files[0].fd;
    uint64_t now = sb_now_microseconds();
    uint64_t left = limit > now ? limit - now : 0;
    struct timespec timeout = {(time_t)(left / 1000000), (long)(left % 1000000) * 1000};
    code = ppoll(files, 2, limit == UINT64_MAX ? NULL : &timeout, NULL);
    if (code < 0) return errno == EINTR ? 0 : -errno;
    return files[1].revents != 0 ? 1 : 0;
}

int sb_bus_next(sb_bus *bus, int wake, uint64_t timeout_microseconds, sb_message **message) {
    uint64_t now = sb_now_microseconds();
    uint64_t deadline = timeout_microseconds > UINT64_MAX - now ? UINT64_MAX : now + timeout_microseconds;
    for (;;) {
        sd_bus_message *received = NULL;
        int code = sb_sd.process(bus, &received);
        if (code < 0) return code;
        if (received != NULL) {
            *message = received;
            return 1;
        }
        if (code > 0) continue;
        code = wait_for_input(bus, wake, deadline);
        if (code < 0) return code;
        if (code > 0 || sb_now_microseconds() >= deadline) return 0;
    }
}

int sb_wake_open(void) {
    int file = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return file < 0 ? -errno : file;
}

void sb_wake(int file) { eventfd_write(file, 1); }

void sb_wake_clear(int file) {
    eventfd_t count;
    eventfd_read(file, &count);
}

void sb_message_release(sb_message *message) { sb_sd.message_unref(message); }

sb_message_type sb_message_type_of(sb_message *message) {
    uint8_t type = 0;
    sb_sd.message_get_type(message, &type);
    return (sb_message_type)type;
}

const char *sb_message_sender(sb_message *message) { return sb_sd.message_get_sender(message); }
const char *sb_message_path(sb_message *message) { return sb_sd.message_get_path(message); }
const char *sb_message_interface(sb_message *message) { return sb_sd.message_get_interface(message); }
const char *sb_message_member(sb_message *message) { return sb_sd.message_get_member(message); }
const char *sb_message_signature(sb_message *message) { return sb_sd.message_get_signature(message, 1); }

int sb_message_read(sb_message *message, char type, void *value) { return sb_sd.message_read_basic(message, type, value); }

int sb_message_read_bytes(sb_message *message, const uint8_t **bytes, size_t *count) {
    return sb_sd.message_read_array(message, 'y', (const void **)bytes, count);
}

int sb_message_peek(sb_message *message, char *type, const char **contents) {
    return sb_sd.message_peek_type(message, type, contents);
}

int sb_message_enter(sb_message *message, char type, const char *contents) {
    return sb_sd.message_enter_container(message, type, contents);
}

int sb_message_exit(sb_message *message) { return sb_sd.message_exit_container(message); }

int sb_message_new_call(sb_bus *bus, const char *destination, const char *path, const char *interface,
                        const char *member, sb_message **message) {
    return sb_sd.message_new_method_call(bus, message, destination, path, interface, member);
}

int sb_message_new_return(sb_message *call, sb_message **message) {
    return sb_sd.message_new_method_return(call, message);
}

int sb_message_new_error(sb_message *call, const char *name, const char *text, sb_message **message) {
    const sd_bus_error error = {.name = name, .message = text};
    return sb_sd.message_new_method_error(call, message, &error);
}

int sb_message_append(sb_message *message, char type, const void *value) {
    return sb_sd.message_append_basic(message, type, value);
}

int sb_message_append_bytes(sb_message *message, const uint8_t *bytes, size_t count) {
    return sb_sd.message_append_array(message, 'y', bytes, count);
}

int sb_message_open(sb_message *message, char type, const char *contents) {
    return sb_sd.message_open_container(message, type, contents);
}

int sb_message_close(sb_message *message) { return sb_sd.message_close_container(message); }

int sb_message_send(sb_bus *bus, sb_message *message) {
    // sd-bus marks a call without a cookie as one that expects no reply.
    uint64_t cookie;
    return sb_sd.send(bus, message, &cookie);
}

int sb_message_call(sb_bus *bus, sb_message *call, uint64_t timeout_microseconds, sb_message **reply,
                    sb_bus_error *failure) {
    sd_bus_error error = SD_BUS_ERROR_NULL;
    int code = sb_sd.call(bus, call, timeout_microseconds, &error, reply);
    snprintf(failure->name, sizeof failure->name, "%s", error.name != NULL ? error.name : "");
    snprintf(failure->text, sizeof failure->text, "%s", error.message != NULL ? error.message : "");
    sb_sd.error_free(&error);
    return code;
}

int sb_message_process(sb_message *message, int32_t *process) {
    sd_bus_creds *creds = NULL;
    pid_t pid = 0;
    int code = sb_sd.query_sender_creds(message, SD_BUS_CREDS_PID, &creds);
    if (code >= 0) code = sb_sd.creds_get_pid(creds, &pid);
    sb_sd.creds_unref(creds);
    *process = (int32_t)pid;
    return code < 0 ? code : 0;
}
