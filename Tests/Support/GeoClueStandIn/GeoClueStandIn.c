#include "GeoClueStandIn.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

struct sb_stand_in {
    sd_bus *bus;
    sb_stand_in_behaviour behaviour;
    char desktop_id[128];
    uint32_t accuracy;
    uint32_t polls;
    atomic_int stopped;
};

static const char manager_path[] = "/org/freedesktop/GeoClue2/Manager";
static const char client_path[] = "/org/freedesktop/GeoClue2/Client/1";
static const char location_path[] = "/org/freedesktop/GeoClue2/Client/1/Location/0";

static int get_client(sd_bus_message *call, void *user, sd_bus_error *error) {
    return sd_bus_reply_method_return(call, "o", client_path);
}

static int start(sd_bus_message *call, void *user, sd_bus_error *error) {
    sb_stand_in *self = user;
    if (self->behaviour.denies) return sd_bus_error_set(error, SD_BUS_ERROR_ACCESS_DENIED, "Geolocation disabled");
    return sd_bus_reply_method_return(call, "");
}

static int read_location(sd_bus *bus, const char *path, const char *interface, const char *property,
                         sd_bus_message *reply, void *user, sd_bus_error *error) {
    sb_stand_in *self = user;
    int found = self->polls++ >= self->behaviour.polls_before_found;
    return sd_bus_message_append(reply, "o", found ? location_path : "/");
}

static int read_desktop_id(sd_bus *bus, const char *path, const char *interface, const char *property,
                           sd_bus_message *reply, void *user, sd_bus_error *error) {
    return sd_bus_message_append(reply, "s", ((sb_stand_in *)user)->desktop_id);
}

static int write_desktop_id(sd_bus *bus, const char *path, const char *interface, const char *property,
                            sd_bus_message *value, void *user, sd_bus_error *error) {
    sb_stand_in *self = user;
    const char *text = "";
    int code = sd_bus_message_read(value, "s", &text);
    snprintf(self->desktop_id, sizeof self->desktop_id, "%s", text);
    return code;
}

static int read_accuracy(sd_bus *bus, const char *path, const char *interface, const char *property,
                         sd_bus_message *reply, void *user, sd_bus_error *error) {
    return sd_bus_message_append(reply, "u", ((sb_stand_in *)user)->accuracy);
}

static int write_accuracy(sd_bus *bus, const char *path, const char *interface, const char *property,
                          sd_bus_message *value, void *user, sd_bus_error *error) {
    return sd_bus_message_read(value, "u", &((sb_stand_in *)user)->accuracy);
}

static int read_degrees(sd_bus *bus, const char *path, const char *interface, const char *property,
                        sd_bus_message *reply, void *user, sd_bus_error *error) {
    sb_stand_in *self = user;
    double value = 25000;  // meters of accuracy
    if (strcmp(property, "Latitude") == 0) value = self->behaviour.latitude;
    if (strcmp(property, "Longitude") == 0) value = self->behaviour.longitude;
    return sd_bus_message_append(reply, "d", value);
}

static const sd_bus_vtable manager[] = {
    SD_BUS_VTABLE_START(0), SD_BUS_METHOD("GetClient", "", "o", get_client, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END};

static const sd_bus_vtable client[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Start", "", "", start, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_PROPERTY("Location", "o", read_location, 0, 0),
    SD_BUS_WRITABLE_PROPERTY("DesktopId", "s", read_desktop_id, write_desktop_id, 0, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_WRITABLE_PROPERTY(
        "RequestedAccuracyLevel", "u", read_accuracy, write_accuracy, 0, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END};

static const sd_bus_vtable location[] = {
    SD_BUS_VTABLE_START(0), SD_BUS_PROPERTY("Latitude", "d", read_degrees, 0, 0),
    SD_BUS_PROPERTY("Longitude", "d", read_degrees, 0, 0), SD_BUS_PROPERTY("Accuracy", "d", read_degrees, 0, 0),
    SD_BUS_VTABLE_END};

sb_stand_in *sb_stand_in_begin(const char *address, sb_stand_in_behaviour behaviour) {
    sb_stand_in *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->behaviour = behaviour;
    int code = sd_bus_new(&self->bus);
    if (code >= 0) code = sd_bus_set_address(self->bus, address);
    if (code >= 0) code = sd_bus_set_bus_client(self->bus, 1);
    if (code >= 0) code = sd_bus_start(self->bus);
    if (code >= 0)
        code = sd_bus_add_object_vtable(
            self->bus, NULL, manager_path, "org.freedesktop.GeoClue2.Manager", manager, self);
    if (code >= 0)
        code = sd_bus_add_object_vtable(self->bus, NULL, client_path, "org.freedesktop.GeoClue2.Client", client, self);
    if (code >= 0)
        code = sd_bus_add_object_vtable(
            self->bus, NULL, location_path, "org.freedesktop.GeoClue2.Location", location, self);
    if (code >= 0) code = sd_bus_request_name(self->bus, "org.freedesktop.GeoClue2", 0);
    if (code >= 0) return self;
    sb_stand_in_end(self);
    return NULL;
}

void sb_stand_in_serve(sb_stand_in *self) {
    while (!atomic_load(&self->stopped)) {
        int code = sd_bus_process(self->bus, NULL);
        if (code < 0) return;
        if (code == 0) sd_bus_wait(self->bus, 100 * 1000);
    }
}

void sb_stand_in_stop(sb_stand_in *self) { atomic_store(&self->stopped, 1); }

void sb_stand_in_end(sb_stand_in *self) {
    sd_bus_close_unref(self->bus);
    free(self);
}

const char *sb_stand_in_desktop_id(sb_stand_in *self) { return self->desktop_id; }
uint32_t sb_stand_in_accuracy(sb_stand_in *self) { return self->accuracy; }
