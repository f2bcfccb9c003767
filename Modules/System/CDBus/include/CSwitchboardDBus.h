#pragma once

#include "CSwitchboardGeoClue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A connection to a message bus through sd-bus. A C interface is needed because the functions of libsystemd, which is
// loaded on first use, are looked up at run time. No function calls back: messages are fetched with sb_bus_next.
//
// A connection and its messages belong to one thread at a time. Functions that return an int return a negative errno for
// a failure. Texts belong to their message. sd-bus checks incoming messages: texts are UTF-8 that ends with NUL, and a
// container has the length that it declares.

typedef struct sd_bus sb_bus;
typedef struct sd_bus_message sb_message;

typedef enum { SB_MESSAGE_CALL = 1, SB_MESSAGE_RETURN = 2, SB_MESSAGE_ERROR = 3, SB_MESSAGE_SIGNAL = 4 } sb_message_type;

// True if libsystemd could be loaded. No other function may be called before it has returned true.
bool sb_bus_is_available(void);

// Connects to the bus at an address, or to the session bus if it is null, and waits until the connection is ready.
int sb_bus_open(const char *address, uint64_t timeout_microseconds, sb_bus **bus);

// Sends what is queued and closes the connection.
void sb_bus_close(sb_bus *bus);

// Requests a name, which fails with -EEXIST if another connection owns it.
int sb_bus_request_name(sb_bus *bus, const char *name);
int sb_bus_release_name(sb_bus *bus, const char *name);

// Waits for a message that is not for sd-bus itself. Returns 1 and the message, or 0 after the timeout or if the file
// `wake` can be read. The message must be released.
int sb_bus_next(sb_bus *bus, int wake, uint64_t timeout_microseconds, sb_message **message);

// A file that another thread makes readable to end the wait of sb_bus_next. Returns a negative errno on failure.
int sb_wake_open(void);
void sb_wake(int file);
void sb_wake_clear(int file);

void sb_message_release(sb_message *message);

// The parts of an incoming message. Missing parts are null.
sb_message_type sb_message_type_of(sb_message *message);
const char *sb_message_sender(sb_message *message);
const char *sb_message_path(sb_message *message);
const char *sb_message_interface(sb_message *message);
const char *sb_message_member(sb_message *message);
const char *sb_message_signature(sb_message *message);

// Reads the next value. `type` is a basic type of the D-Bus specification; `value` is a const char * for texts.
// Each returns 0 at the end of the container or message.
int sb_message_read(sb_message *message, char type, void *value);
int sb_message_read_bytes(sb_message *message, const uint8_t **bytes, size_t *count);
// The type of the next value and, for a container, the signature of its contents.
int sb_message_peek(sb_message *message, char *type, const char **contents);
int sb_message_enter(sb_message *message, char type, const char *contents);
int sb_message_exit(sb_message *message);

// New messages. Each is released after it was sent.
int sb_message_new_call(sb_bus *bus, const char *destination, const char *path, const char *interface,
                        const char *member, sb_message **message);
int sb_message_new_return(sb_message *call, sb_message **message);
int sb_message_new_error(sb_message *call, const char *name, const char *text, sb_message **message);

// Appends a basic value: a pointer to the text itself, or a pointer to a number.
int sb_message_append(sb_message *message, char type, const void *value);
int sb_message_append_bytes(sb_message *message, const uint8_t *bytes, size_t count);
int sb_message_open(sb_message *message, char type, const char *contents);
int sb_message_close(sb_message *message);

// Queues a message and sends as much as possible without waiting.
int sb_message_send(sb_bus *bus, sb_message *message);

// The error with which another program or the bus replied to a call.
typedef struct {
    char name[256];
    char text[1024];
} sb_bus_error;

// Sends a call and waits for its reply, which must be released. After a failure, `error` has a name and a text.
int sb_message_call(sb_bus *bus, sb_message *call, uint64_t timeout_microseconds, sb_message **reply,
                    sb_bus_error *error);

// The process ID of the sender of a message, or a negative errno.
int sb_message_process(sb_message *message, int32_t *process);
