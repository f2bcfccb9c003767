#include "CSwitchboardGeoClue.h"

#include "../Loading.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>

// The functions of libsystemd, resolved on first use.
static struct {
    __typeof__(&sd_bus_call_method) call_method;
    __typeof__(&sd_bus_close_unref) close_unref;
    __typeof__(&sd_bus_error_free) error_free;
    __typeof__(&sd_bus_error_has_name) error_has_name;
    __typeof__(&sd_bus_error_is_set) error_is_set;
    __typeof__(&sd_bus_get_property) get_property;
    __typeof__(&sd_bus_get_property_trivial) get_property_trivial;
    __typeof__(&sd_bus_is_ready) is_ready;
    __typeof__(&sd_bus_message_read) message_read;
    __typeof__(&sd_bus_message_unref) message_unref;
    __typeof__(&sd_bus_new) new;
    __typeof__(&sd_bus_open_system) open_system;
    __typeof__(&sd_bus_process) process;
    __typeof__(&sd_bus_set_address) set_address;
    __typeof__(&sd_bus_set_bus_client) set_bus_client;
    __typeof__(&sd_bus_set_method_call_timeout) set_method_call_timeout;
    __typeof__(&sd_bus_set_property) set_property;
    __typeof__(&sd_bus_start) start;
    __typeof__(&sd_bus_wait) wait;
    bool is_complete;
} sd;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = sb_open("libsystemd.so.0", &sd.is_complete);
    if (handle == NULL) return;
    SB_FIND(handle, sd, call_method, "sd_bus_call_method");
    SB_FIND(handle, sd, close_unref, "sd_bus_close_unref");
    SB_FIND(handle, sd, error_free, "sd_bus_error_free");
    SB_FIND(handle, sd, error_has_name, "sd_bus_error_has_name");
    SB_FIND(handle, sd, error_is_set, "sd_bus_error_is_set");
    SB_FIND(handle, sd, get_property, "sd_bus_get_property");
    SB_FIND(handle, sd, get_property_trivial, "sd_bus_get_property_trivial");
    SB_FIND(handle, sd, is_ready, "sd_bus_is_ready");
    SB_FIND(handle, sd, message_read, "sd_bus_message_read");
    SB_FIND(handle, sd, message_unref, "sd_bus_message_unref");
    SB_FIND(handle, sd, new, "sd_bus_new");
    SB_FIND(handle, sd, open_system, "sd_bus_open_system");
    SB_FIND(handle, sd, process, "sd_bus_process");
    SB_FIND(handle, sd, set_address, "sd_bus_set_address");
    SB_FIND(handle, sd, set_bus_client, "sd_bus_set_bus_client");
    SB_FIND(handle, sd, set_method_call_timeout, "sd_bus_set_method_call_timeout");
    SB_FIND(handle, sd, set_property, "sd_bus_set_property");
    SB_FIND(handle, sd, start, "sd_bus_start");
    SB_FIND(handle, sd, wait, "sd_bus_wait");
}

// The interfaces of GeoClue 2 (https://www.freedesktop.org/software/geoclue/docs/).
static const char service[] = "org.freedesktop.GeoClue2";
static const char manager_path[] = "/org/freedesktop/GeoClue2/Manager";
static const char manager_interface[] = "org.freedesktop.GeoClue2.Manager";
static const char client_interface[] = "org.freedesktop.GeoClue2.Client";
static const char location_interface[] = "org.freedesktop.GeoClue2.Location";

// GClueAccuracyLevel: city level suffices, because locations are rounded to three kilometers.
static const uint32_t accuracy_city = 4;

static uint64_t now_microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static sb_geoclue_status failure(int code, const sd_bus_error *error, char *message, uint64_t size) {
    if (sd.error_is_set(error)) {
        snprintf(message, size, "%s", error->message ? error->message : error->name);
        if (sd.error_has_name(error, SD_BUS_ERROR_SERVICE_UNKNOWN) ||
            sd.error_has_name(error, SD_BUS_ERROR_NAME_HAS_NO_OWNER) ||
            strncmp(error->name, "org.freedesktop.DBus.Error.Spawn", 32) == 0)
            return SB_GEOCLUE_NO_SERVICE;
        if (sd.error_has_name(error, SD_BUS_ERROR_ACCESS_DENIED)) return SB_GEOCLUE_DENIED;
        if (sd.error_has_name(error, SD_BUS_ERROR_NO_REPLY) || sd.error_has_name(error, SD_BUS_ERROR_TIMEOUT))
            return SB_GEOCLUE_TIMED_OUT;
        return SB_GEOCLUE_FAILED;
    }
    snprintf(message, size, "%s", strerror(-code));
    return code == -ETIMEDOUT ? SB_GEOCLUE_TIMED_OUT : SB_GEOCLUE_FAILED;
}

// The client's Location property is "/" until the location is known.
static int read_location_path(sd_bus *bus, const char *client, char *path, size_t size, sd_bus_error *error) {
    sd_bus_message *reply = NULL;
    const char *value = NULL;
    int code = sd.get_property(bus, service, client, client_interface, "Location", error, &reply, "o");
    if (code >= 0) code = sd.message_read(reply, "o", &value);
    if (code >= 0) snprintf(path, size, "%s", value);
    sd.message_unref(reply);
    return code;
}

static int read_double(sd_bus *bus, const char *path, const char *name, double *value, sd_bus_error *error) {
    return sd.get_property_trivial(bus, service, path, location_interface, name, error, 'd', value);
}

static sb_geoclue_status ask(sd_bus *bus, const char *desktop_id, uint64_t deadline, sb_geoclue_place *place,
                             char *message, uint64_t size, sd_bus_error *error, sd_bus_message **reply) {
    const char *client = NULL;
    int code = sd.call_method(bus, service, manager_path, manager_interface, "GetClient", error, reply, "");
    if (code >= 0) code = sd.message_read(*reply, "o", &client);
    if (code >= 0)
        code = sd.set_property(bus, service, client, client_interface, "DesktopId", error, "s", desktop_id);
    if (code >= 0)
        code = sd.set_property(
            bus, service, client, client_interface, "RequestedAccuracyLevel", error, "u", accuracy_city);
    if (code >= 0)
        code = sd.call_method(bus, service, client, client_interface, "Start", error, NULL, "");
    if (code < 0) return failure(code, error, message, size);

    // Polled, because the signal may arrive before a match rule is installed.
    char path[256] = "/";
    for (;;) {
        code = read_location_path(bus, client, path, sizeof path, error);
        if (code < 0) return failure(code, error, message, size);
        if (strcmp(path, "/") != 0) break;
        uint64_t now = now_microseconds();
        if (now >= deadline) return failure(-ETIMEDOUT, error, message, size);
        struct timespec pause = {0, 50 * 1000 * 1000};
        nanosleep(&pause, NULL);
    }
    code = read_double(bus, path, "Latitude", &place->latitude, error);
    if (code >= 0) code = read_double(bus, path, "Longitude", &place->longitude, error);
    if (code >= 0) code = read_double(bus, path, "Accuracy", &place->accuracy, error);
    return code < 0 ? failure(code, error, message, size) : SB_GEOCLUE_FOUND;
}

static int open_bus(const char *address, sd_bus **bus) {
    if (!address) return sd.open_system(bus);
    int code = sd.new(bus);
    if (code >= 0) code = sd.set_address(*bus, address);
    if (code >= 0) code = sd.set_bus_client(*bus, 1);
    if (code >= 0) code = sd.start(*bus);
    return code;
}

// Completes the handshake with the bus within the deadline. If left to the first call, a bus that hangs would block for
// sd-bus's own limit of 90 seconds.
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

sb_geoclue_status sb_geoclue_locate(const char *address, const char *desktop_id, uint64_t timeout_microseconds,
                                    sb_geoclue_place *place, char *message, uint64_t size) {
    uint64_t deadline = now_microseconds() + timeout_microseconds;
    sd_bus *bus = NULL;
    if (size > 0) message[0] = 0;
    pthread_once(&once, load);
    if (!sd.is_complete) return SB_GEOCLUE_NO_LIBRARY;
    int code = open_bus(address, &bus);
    if (code >= 0) code = wait_until_ready(bus, deadline);
    if (code < 0) {
        snprintf(message, size, "%s", strerror(-code));
        sd.close_unref(bus);
        return SB_GEOCLUE_NO_BUS;
    }
    // A GeoClue that hangs must not block for longer than the timeout.
    sd.set_method_call_timeout(bus, timeout_microseconds);

    sd_bus_error error = SD_BUS_ERROR_NULL;
    sd_bus_message *reply = NULL;
    sb_geoclue_status status = ask(bus, desktop_id, deadline, place, message, size, &error, &reply);
    sd.message_unref(reply);
    sd.error_free(&error);
    // Closing the connection ends the GeoClue client.
    sd.close_unref(bus);
    return status;
}
