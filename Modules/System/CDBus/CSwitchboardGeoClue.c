#include "CSwitchboardGeoClue.h"

#include "LibSystemd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// The interfaces of GeoClue 2 (https://www.freedesktop.org/software/geoclue/docs/).
static const char service[] = "org.freedesktop.GeoClue2";
static const char manager_path[] = "/org/freedesktop/GeoClue2/Manager";
static const char manager_interface[] = "org.freedesktop.GeoClue2.Manager";
static const char client_interface[] = "org.freedesktop.GeoClue2.Client";
static const char location_interface[] = "org.freedesktop.GeoClue2.Location";

// GClueAccuracyLevel: city level suffices, because locations are rounded to three kilometers.
static const uint32_t accuracy_city = 4;

static sb_geoclue_status failure(int code, const sd_bus_error *error, char *message, uint64_t size) {
    if (sb_sd.error_is_set(error)) {
        snprintf(message, size, "%s", error->message ? error->message : error->name);
        if (sb_sd.error_has_name(error, SD_BUS_ERROR_SERVICE_UNKNOWN) ||
            sb_sd.error_has_name(error, SD_BUS_ERROR_NAME_HAS_NO_OWNER) ||
            strncmp(error->name, "org.freedesktop.DBus.Error.Spawn", 32) == 0)
            return SB_GEOCLUE_NO_SERVICE;
        if (sb_sd.error_has_name(error, SD_BUS_ERROR_ACCESS_DENIED)) return SB_GEOCLUE_DENIED;
        if (sb_sd.error_has_name(error, SD_BUS_ERROR_NO_REPLY) || sb_sd.error_has_name(error, SD_BUS_ERROR_TIMEOUT))
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
    int code = sb_sd.get_property(bus, service, client, client_interface, "Location", error, &reply, "o");
    if (code >= 0) code = sb_sd.message_read(reply, "o", &value);
    if (code >= 0) snprintf(path, size, "%s", value);
    sb_sd.message_unref(reply);
    return code;
}

static int read_double(sd_bus *bus, const char *path, const char *name, double *value, sd_bus_error *error) {
    return sb_sd.get_property_trivial(bus, service, path, location_interface, name, error, 'd', value);
}

static sb_geoclue_status ask(sd_bus *bus, const char *desktop_id, uint64_t deadline, sb_geoclue_place *place,
                             char *message, uint64_t size, sd_bus_error *error, sd_bus_message **reply) {
    const char *client = NULL;
    int code = sb_sd.call_method(bus, service, manager_path, manager_interface, "GetClient", error, reply, "");
    if (code >= 0) code = sb_sd.message_read(*reply, "o", &client);
    if (code >= 0)
        code = sb_sd.set_property(bus, service, client, client_interface, "DesktopId", error, "s", desktop_id);
    if (code >= 0)
        code = sb_sd.set_property(
            bus, service, client, client_interface, "RequestedAccuracyLevel", error, "u", accuracy_city);
    if (code >= 0)
        code = sb_sd.call_method(bus, service, client, client_interface, "Start", error, NULL, "");
    if (code < 0) return failure(code, error, message, size);

    // Polled, because the signal may arrive before a match rule is installed.
    char path[256] = "/";
    for (;;) {
        code = read_location_path(bus, client, path, sizeof path, error);
        if (code < 0) return failure(code, error, message, size);
        if (strcmp(path, "/") != 0) break;
        uint64_t now = sb_now_microseconds();
        if (now >= deadline) return failure(-ETIMEDOUT, error, message, size);
        struct timespec pause = {0, 50 * 1000 * 1000};
        nanosleep(&pause, NULL);
    }
    code = read_double(bus, path, "Latitude", &place->latitude, error);
    if (code >= 0) code = read_double(bus, path, "Longitude", &place->longitude, error);
    if (code >= 0) code = read_double(bus, path, "Accuracy", &place->accuracy, error);
    return code < 0 ? failure(code, error, message, size) : SB_GEOCLUE_FOUND;
}

sb_geoclue_status sb_geoclue_locate(const char *address, const char *desktop_id, uint64_t timeout_microseconds,
                                    sb_geoclue_place *place, char *message, uint64_t size) {
    uint64_t deadline = sb_now_microseconds() + timeout_microseconds;
    sd_bus *bus = NULL;
    if (size > 0) message[0] = 0;
    if (!sb_sd_load()) return SB_GEOCLUE_NO_LIBRARY;
    int code = sb_sd_open(address, sb_sd.open_system, deadline, &bus);
    if (code < 0) {
        snprintf(message, size, "%s", strerror(-code));
        sb_sd.close_unref(bus);
        return SB_GEOCLUE_NO_BUS;
    }
    // A GeoClue that hangs must not block for longer than the timeout.
    sb_sd.set_method_call_timeout(bus, timeout_microseconds);

    sd_bus_error error = SD_BUS_ERROR_NULL;
    sd_bus_message *reply = NULL;
    sb_geoclue_status status = ask(bus, desktop_id, deadline, place, message, size, &error, &reply);
    sb_sd.message_unref(reply);
    sb_sd.error_free(&error);
    // Closing the connection ends the GeoClue client.
    sb_sd.close_unref(bus);
    return status;
}
