// A small C face of libcurl: one GET request, whose every address is asked for at the moment of connecting.
//
// The library is loaded when something is first fetched, not when the program starts: linking it costs every start
// several
// milliseconds (OpenSSL, LDAP and SSH come with it). Its options are given to a function with variable arguments, which
// Swift cannot call.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How a request ended.
typedef enum {
    /// There is an answer, whatever its status.
    sb_curl_answered,
    /// The address cannot be read.
    sb_curl_bad_address,
    /// The name of the host is not known.
    sb_curl_unknown_host,
    /// `may_connect` has refused each address of the host.
    sb_curl_refused_address,
    /// Nobody answers there.
    sb_curl_unreachable,
    /// The certificate or the encryption is not good.
    sb_curl_insecure,
    sb_curl_timed_out,
    /// `is_cancelled` said so.
    sb_curl_cancelled,
    /// `take_header` or `take_body` did not want more.
    sb_curl_stopped,
    /// The length that the answer announces is above the limit.
    sb_curl_too_large,
    /// The answer breaks off, or is not what HTTP says it should be; or the address is of another scheme.
    sb_curl_damaged,
    sb_curl_no_memory,
    /// libcurl is not installed, or older than 7.85.
    sb_curl_no_library,
} sb_curl_outcome;

typedef struct {
    const char *address;
    const char *user_agent;
    /// Lines such as "Accept: text/html", ended by a NULL.
    const char *const *headers;
    int64_t connect_milliseconds;
    int64_t total_milliseconds;
    /// The longest length that an answer may announce.
    int64_t limit;
    /// Whether a packed body is unpacked; a server that packs unasked is taken as it is otherwise.
    bool unpacks;
    void *context;
    /// Whether to connect to an address: its 4 or 16 bytes.
    bool (*may_connect)(void *context, const uint8_t *bytes, size_t length);
    /// A line of the head of the answer; it begins anew with each line "HTTP/…". False ends the request.
    bool (*take_header)(void *context, const uint8_t *bytes, size_t length);
    /// A piece of the body. False ends the request.
    bool (*take_body)(void *context, const uint8_t *bytes, size_t length);
    /// Asked at least ten times a second.
    bool (*is_cancelled)(void *context);
} sb_curl_request;

typedef struct {
    sb_curl_outcome outcome;
    long status;
} sb_curl_answer;

/// Sends a GET request without following redirects, with no proxy, no cookies and no passwords from files.
///
/// It may be called from several threads.
/// - Parameters:
///   - redirect: gets where a redirect leads, as an absolute address, ended by a NUL; empty if there is none.
///   - reason: gets what libcurl says of a failure.
sb_curl_answer sb_curl_get(
    const sb_curl_request *request, char *redirect, size_t redirect_room, char *reason, size_t reason_room);
