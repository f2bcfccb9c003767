// What the files of this target share: the functions of libsystemd, and opening a bus within a deadline.

#pragma once

#include "../Loading.h"

#include <stdint.h>
#include <systemd/sd-bus.h>
#include <time.h>

#define SB_SD_FUNCTIONS(each) \
    each(call) each(call_method) each(close_unref) each(creds_get_pid) each(creds_unref) each(error_free) \
    each(error_has_name) each(error_is_set) each(flush_close_unref) each(get_events) each(get_fd) \
    each(get_property) each(get_property_trivial) each(get_timeout) each(is_ready) each(message_append_array) \
    each(message_append_basic) each(message_close_container) each(message_enter_container) \
    each(message_exit_container) each(message_get_interface) each(message_get_member) each(message_get_path) \
    each(message_get_sender) each(message_get_signature) each(message_get_type) each(message_new_method_call) \
    each(message_new_method_error) each(message_new_method_return) each(message_open_container) \
    each(message_peek_type) each(message_read) each(message_read_array) each(message_read_basic) \
    each(message_unref) each(new) each(open_system) each(open_user) each(process) each(query_sender_creds) \
    each(release_name) each(request_name) each(send) each(set_address) each(set_bus_client) \
    each(set_method_call_timeout) each(set_property) each(start) each(wait)

#define SB_DECLARE(name) __typeof__(&sd_bus_##name) name;
// Resolved by sb_sd_load.
struct sb_sd_functions {
    SB_SD_FUNCTIONS(SB_DECLARE)
    bool is_complete;
};
extern struct sb_sd_functions sb_sd;

// Loads libsystemd at the first call. Returns whether all functions are there.
bool sb_sd_load(void);

// Connects to an address, or as `open` does if it is null, and completes the handshake within the deadline. Left to the
// first call, a bus that hangs would block for sd-bus's own limit of 90 seconds. The caller closes the bus, also after a
// failure.
int sb_sd_open(const char *address, int (*open)(sd_bus **), uint64_t deadline, sd_bus **bus);

static inline uint64_t sb_now_microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}
