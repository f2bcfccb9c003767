#define _GNU_SOURCE  // ppoll

#include "CSwitchboardDBus.h"

#include "../Loading.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <systemd/sd-bus.h>
#include <time.h>

// The functions of libsystemd, resolved on first use.
#define FUNCTIONS(each)                                                                                           \
    each(creds_get_pid) each(creds_unref) each(error_free) each(flush_close_unref) each(get_events) each(get_fd)   \
    each(get_timeout) each(is_ready) each(message_append_array) each(message_append_basic)                        \
    each(message_close_container) each(message_enter_container) each(message_exit_container)                      \
    each(message_get_interface) each(message_get_member) each(message_get_path)                                   \
    each(message_get_sender) each(message_get_signature) each(message_get_type) each(message_new_method_call)     \
    each(message_new_method_error) each(message_new_method_return) each(message_open_container)                   \
    each(message_peek_type) each(message_read_array) each(message_read_basic) each(message_unref) each(new)       \
    each(open_user) each(process) each(query_sender_creds) each(release_name) each(request_name) each(send)       \
    each(set_address) each(set_bus_client) each(start) each(call) each(wait)

#define DECLARE(name) __typeof__(&sd_bus_##name) name;
static struct {
    FUNCTIONS(DECLARE)
    bool is_complete;
} sd;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = sb_open("libsystemd.so.0", &sd.is_complete);
    if (handle == NULL) return;
#define FIND(name) SB_FIND(handle, sd, name, "sd_bus_" #name);
    FUNCTIONS(FIND)
}

bool sb_bus_is_available(void) {
    pthread_once(&once, load);
    return sd.is_complete;
}

static uint64_t now_microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

// Completes the handshake within the deadline, because the first call would wait for sd-bus's own limit of 90 seconds.
static int wait_until_ready(sd_bus *bus, uint64_t deadline) {
    for (;;) {
        int code = sd.is_ready(bus);
        if (code != 0) return code;
        code = sd.process(bus, NULL);
        if (code < 0) return code;
        if (code > 0) continue;
        uint64_t now = now_microseconds();
        if (now >= deadline) return -ETIMEDOUT;
        code = sd.wait(bus, deadline - now);
        if (code < 0 && code != -EINTR) return code;
    }
}

int sb_bus_open(const char *address, uint64_t timeout_microseconds, sb_bus **result) {
    uint64_t deadline = now_microseconds() + timeout_microseconds;
    sd_bus *bus = NULL;
    int code;
    if (address == NULL) {
        code = sd.open_user(&bus);
    } else {
        code = sd.new(&bus);
        if (code >= 0) code = sd.set_address(bus, address);
        if (code >= 0) code = sd.set_bus_client(bus, 1);
        if (code >= 0) code = sd.start(bus);
    }
    if (code >= 0) code = wait_until_ready(bus, deadline);
    if (code < 0) {
        sd.flush_close_unref(bus);
        return code;
    }
    *result = bus;
    return 0;
}

void sb_bus_close(sb_bus *bus) { sd.flush_close_unref(bus); }

int sb_bus_request_name(sb_bus *bus, const char *name) { return sd.request_name(bus, name, 0); }

int sb_bus_release_name(sb_bus *bus, const char *name) { return sd.release_name(bus, name); }

// Waits until the connection needs processing or `wake` can be read. The time limit of sd-bus is absolute.
static int wait_for_input(sd_bus *bus, int wake, uint64_t deadline) {
    uint64_t limit = UINT64_MAX;
    int code = sd.get_timeout(bus, &limit);
    if (code < 0) return code;
    if (deadline < limit) limit = deadline;
    int events = sd.get_events(bus);
    if (events < 0) return events;
    struct pollfd files[] = {{.fd = sd.get_fd(bus), .events = (short)events}, {.fd = wake, .events = POLLIN}};
    if (files[0].fd < 0) return files[0].fd;
    uint64_t now = now_microseconds();
    uint64_t left = limit > now ? limit - now : 0;
    struct timespec timeout = {(time_t)(left / 1000000), (long)(left % 1000000) * 1000};
    code = ppoll(files, 2, limit == UINT64_MAX ? NULL : &timeout, NULL);
    if (code < 0) return errno == EINTR ? 0 : -errno;
    return files[1].revents != 0 ? 1 : 0;
}

int sb_bus_next(sb_bus *bus, int wake, uint64_t timeout_microseconds, sb_message **message) {
    uint64_t now = now_microseconds();
    uint64_t deadline = timeout_microseconds > UINT64_MAX - now ? UINT64_MAX : now + timeout_microseconds;
    for (;;) {
        sd_bus_message *received = NULL;
        int code = sd.process(bus, &received);
        if (code < 0) return code;
        if (received != NULL) {
            *message = received;
            return 1;
        }
        if (code > 0) continue;
        code = wait_for_input(bus, wake, deadline);
        if (code < 0) return code;
        if (code > 0 || now_microseconds() >= deadline) return 0;
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

void sb_message_release(sb_message *message) { sd.message_unref(message); }

sb_message_type sb_message_type_of(sb_message *message) {
    uint8_t type = 0;
    sd.message_get_type(message, &type);
    return (sb_message_type)type;
}

const char *sb_message_sender(sb_message *message) { return sd.message_get_sender(message); }
const char *sb_message_path(sb_message *message) { return sd.message_get_path(message); }
const char *sb_message_interface(sb_message *message) { return sd.message_get_interface(message); }
const char *sb_message_member(sb_message *message) { return sd.message_get_member(message); }
const char *sb_message_signature(sb_message *message) { return sd.message_get_signature(message, 1); }

int sb_message_read(sb_message *message, char type, void *value) { return sd.message_read_basic(message, type, value); }

int sb_message_read_bytes(sb_message *message, const uint8_t **bytes, size_t *count) {
    return sd.message_read_array(message, 'y', (const void **)bytes, count);
}

int sb_message_peek(sb_message *message, char *type, const char **contents) {
    return sd.message_peek_type(message, type, contents);
}

int sb_message_enter(sb_message *message, char type, const char *contents) {
    return sd.message_enter_container(message, type, contents);
}

int sb_message_exit(sb_message *message) { return sd.message_exit_container(message); }

int sb_message_new_call(sb_bus *bus, const char *destination, const char *path, const char *interface,
                        const char *member, sb_message **message) {
    return sd.message_new_method_call(bus, message, destination, path, interface, member);
}

int sb_message_new_return(sb_message *call, sb_message **message) {
    return sd.message_new_method_return(call, message);
}

int sb_message_new_error(sb_message *call, const char *name, const char *text, sb_message **message) {
    const sd_bus_error error = {.name = name, .message = text};
    return sd.message_new_method_error(call, message, &error);
}

int sb_message_append(sb_message *message, char type, const void *value) {
    return sd.message_append_basic(message, type, value);
}

int sb_message_append_bytes(sb_message *message, const uint8_t *bytes, size_t count) {
    return sd.message_append_array(message, 'y', bytes, count);
}

int sb_message_open(sb_message *message, char type, const char *contents) {
    return sd.message_open_container(message, type, contents);
}

int sb_message_close(sb_message *message) { return sd.message_close_container(message); }

int sb_message_send(sb_bus *bus, sb_message *message) {
    // sd-bus marks a call without a cookie as one that expects no reply.
    uint64_t cookie;
    return sd.send(bus, message, &cookie);
}

int sb_message_call(sb_bus *bus, sb_message *call, uint64_t timeout_microseconds, sb_message **reply,
                    sb_bus_error *failure) {
    sd_bus_error error = SD_BUS_ERROR_NULL;
    int code = sd.call(bus, call, timeout_microseconds, &error, reply);
    snprintf(failure->name, sizeof failure->name, "%s", error.name != NULL ? error.name : "");
    snprintf(failure->text, sizeof failure->text, "%s", error.message != NULL ? error.message : "");
    sd.error_free(&error);
    return code;
}

int sb_message_process(sb_message *message, int32_t *process) {
    sd_bus_creds *creds = NULL;
    pid_t pid = 0;
    int code = sd.query_sender_creds(message, SD_BUS_CREDS_PID, &creds);
    if (code >= 0) code = sd.creds_get_pid(creds, &pid);
    sd.creds_unref(creds);
    *process = (int32_t)pid;
    return code < 0 ? code : 0;
}
