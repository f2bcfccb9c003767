// A C interface to libcurl: a request with a check of each address before connecting.
//
// The library is loaded on first use. Linking it would add several milliseconds to each start (OpenSSL, LDAP and SSH
// come with it). Its options are set with a variadic function, which Swift cannot call.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The outcome of a request.
typedef enum {
    /// A response was received, whatever its status.
    sb_curl_answered,
    /// The URL is not valid.
    sb_curl_bad_address,
    /// The host name cannot be resolved.
    sb_curl_unknown_host,
    /// `may_connect` refused all addresses of the host.
    sb_curl_refused_address,
    /// The connection failed.
    sb_curl_unreachable,
    /// TLS or the certificate failed.
    sb_curl_insecure,
    sb_curl_timed_out,
    /// `is_cancelled` returned true.
    sb_curl_cancelled,
    /// `take_header` or `take_body` returned false.
    sb_curl_stopped,
    /// The announced length exceeds the limit.
    sb_curl_too_large,
    /// The response is truncated or not valid HTTP, or the scheme is not supported.
    sb_curl_damaged,
    sb_curl_no_memory,
    /// libcurl is not installed, or older than 7.85.
    sb_curl_no_library,
} sb_curl_outcome;

typedef struct {
    const char *address;
    const char *user_agent;
    /// Lines such as "Accept: text/html", terminated by NULL.
    const char *const *headers;
    /// The body of a POST request; NULL for a GET request.
    const uint8_t *body;
    size_t body_length;
    int64_t connect_milliseconds;
    int64_t total_milliseconds;
    /// The maximum length that a response may announce.
    int64_t limit;
    /// Decodes a compressed body. If false, a body that the server compresses unasked is passed on as it is.
    bool unpacks;
    void *context;
    /// Returns whether a connection to an address of 4 or 16 bytes is allowed.
    bool (*may_connect)(void *context, const uint8_t *bytes, size_t length);
    /// Receives a header line. Headers start over with each line "HTTP/…". Returning false ends the request.
    bool (*take_header)(void *context, const uint8_t *bytes, size_t length);
    /// Receives a part of the body. Returning false ends the request.
    bool (*take_body)(void *context, const uint8_t *bytes, size_t length);
    /// Called at least ten times a second.
    bool (*is_cancelled)(void *context);
} sb_curl_request;

typedef struct {
    sb_curl_outcome outcome;
    long status;
} sb_curl_answer;

/// Sends a request without redirects, proxy, cookies or .netrc. Thread-safe.
///
/// - Parameters:
///   - redirect: Receives the absolute URL of a redirect, terminated by NUL; empty if there is none.
///   - reason: Receives libcurl's description of a failure.
sb_curl_answer sb_curl_send(
    const sb_curl_request *request, char *redirect, size_t redirect_room, char *reason, size_t reason_room);
