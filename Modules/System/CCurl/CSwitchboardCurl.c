#include "CSwitchboardCurl.h"

#include "../Loading.h"

#if !__has_include(<curl/curl.h>)
#error "The headers of libcurl are missing: install libcurl4-openssl-dev."
#endif

#include <curl/curl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// libcurl wraps these functions in macros that check the types of options.
#undef curl_easy_setopt
#undef curl_easy_getinfo

// The functions of the library, resolved on first use.
static struct {
    __typeof__(&curl_global_init) global_init;
    __typeof__(&curl_version_info) version_info;
    __typeof__(&curl_easy_init) easy_init;
    __typeof__(&curl_easy_setopt) set;
    __typeof__(&curl_easy_getinfo) get;
    __typeof__(&curl_easy_cleanup) cleanup;
    __typeof__(&curl_multi_init) multi_init;
    __typeof__(&curl_multi_add_handle) multi_add;
    __typeof__(&curl_multi_perform) multi_perform;
    __typeof__(&curl_multi_poll) multi_poll;
    __typeof__(&curl_multi_info_read) multi_read;
    __typeof__(&curl_multi_remove_handle) multi_remove;
    __typeof__(&curl_multi_cleanup) multi_cleanup;
    __typeof__(&curl_easy_strerror) describe;
    __typeof__(&curl_slist_append) append;
    __typeof__(&curl_slist_free_all) free_list;
    bool is_complete;
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = sb_open("libcurl.so.4", &library.is_complete);
    if (handle == NULL) return;
    SB_FIND(handle, library, global_init, "curl_global_init");
    SB_FIND(handle, library, version_info, "curl_version_info");
    SB_FIND(handle, library, easy_init, "curl_easy_init");
    SB_FIND(handle, library, set, "curl_easy_setopt");
    SB_FIND(handle, library, get, "curl_easy_getinfo");
    SB_FIND(handle, library, cleanup, "curl_easy_cleanup");
    SB_FIND(handle, library, multi_init, "curl_multi_init");
    SB_FIND(handle, library, multi_add, "curl_multi_add_handle");
    SB_FIND(handle, library, multi_perform, "curl_multi_perform");
    SB_FIND(handle, library, multi_poll, "curl_multi_poll");
    SB_FIND(handle, library, multi_read, "curl_multi_info_read");
    SB_FIND(handle, library, multi_remove, "curl_multi_remove_handle");
    SB_FIND(handle, library, multi_cleanup, "curl_multi_cleanup");
    SB_FIND(handle, library, describe, "curl_easy_strerror");
    SB_FIND(handle, library, append, "curl_slist_append");
    SB_FIND(handle, library, free_list, "curl_slist_free_all");
    // CURLOPT_PROTOCOLS_STR requires 7.85.
    library.is_complete = library.is_complete && library.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK
        && library.version_info(CURLVERSION_NOW)->version_num >= 0x075500;
}

typedef struct {
    const sb_curl_request *request;
    bool has_refused;
    bool is_stopped;
} exchange;

// Checks the exact address of the connection, so a changed DNS answer cannot bypass the check.
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    exchange *state = context;
    // The buffer for the address is larger than the declared type of the field (curl/curl.h).
    const char *place = (const char *)address + offsetof(struct curl_sockaddr, addr);
    bool is_allowed = false;
    if (purpose == CURLSOCKTYPE_IPCXN && address->family == AF_INET) {
        struct sockaddr_in given;
        memcpy(&given, place, sizeof given);
        is_allowed = state->request->may_connect(state->request->context, (const uint8_t *)&given.sin_addr, 4);
    } else if (purpose == CURLSOCKTYPE_IPCXN && address->family == AF_INET6) {
        struct sockaddr_in6 given;
        memcpy(&given, place, sizeof given);
        is_allowed = state->request->may_connect(state->request->context, (const uint8_t *)&given.sin6_addr, 16);
    }
    if (!is_allowed) {
        state->has_refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
    exchange *state = context;
    size_t length = size * count;
    if (state->request->take_header(state->request->context, (const uint8_t *)bytes, length)) return length;
    state->is_stopped = true;
    return length + 1;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    exchange *state = context;
    size_t length = size * count;
    if (state->request->take_body(state->request->context, (const uint8_t *)bytes, length)) return length;
    state->is_stopped = true;
    return length + 1;
}

static int report_progress(void *context, curl_off_t total, curl_off_t now, curl_off_t upload, curl_off_t uploaded) {
    (void)total, (void)now, (void)upload, (void)uploaded;
    exchange *state = context;
    return state->request->is_cancelled(state->request->context) ? 1 : 0;
}

// Like curl_easy_perform, which checks for cancellation only once a second.
static CURLcode perform(CURL *handle, const sb_curl_request *request) {
    CURLM *multi = library.multi_init();
    if (multi == NULL) return CURLE_OUT_OF_MEMORY;
    CURLcode code = CURLE_FAILED_INIT;
    if (library.multi_add(multi, handle) == CURLM_OK) {
        int running = 1;
        while (running > 0) {
            if (request->is_cancelled(request->context)) {
                code = CURLE_ABORTED_BY_CALLBACK;
                break;
            }
            if (library.multi_perform(multi, &running) != CURLM_OK) break;
            if (running > 0 && library.multi_poll(multi, NULL, 0, 50, NULL) != CURLM_OK) break;
        }
        int left = 0;
        const CURLMsg *message = running > 0 ? NULL : library.multi_read(multi, &left);
        if (message != NULL && message->msg == CURLMSG_DONE) code = message->data.result;
        library.multi_remove(multi, handle);
    }
    library.multi_cleanup(multi);
    return code;
}

static sb_curl_outcome outcome_of(CURLcode code, const exchange *state) {
    if (state->is_stopped) return sb_curl_stopped;
    switch (code) {
    case CURLE_OK: return sb_curl_answered;
    case CURLE_URL_MALFORMAT: return sb_curl_bad_address;
    case CURLE_COULDNT_RESOLVE_HOST: return sb_curl_unknown_host;
    case CURLE_COULDNT_CONNECT: return state->has_refused ? sb_curl_refused_address : sb_curl_unreachable;
    case CURLE_OPERATION_TIMEDOUT: return sb_curl_timed_out;
    case CURLE_ABORTED_BY_CALLBACK: return sb_curl_cancelled;
    case CURLE_FILESIZE_EXCEEDED: return sb_curl_too_large;
    case CURLE_OUT_OF_MEMORY: return sb_curl_no_memory;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_USE_SSL_FAILED: return sb_curl_insecure;
    default: return sb_curl_damaged;
    }
}

static void copy_text(char *target, size_t room, const char *text) {
    if (room == 0) return;
    size_t length = text != NULL ? strlen(text) : 0;
    if (length >= room) length = room - 1;
    memcpy(target, text != NULL ? text : "", length);
    target[length] = 0;
}

sb_curl_answer sb_curl_send(
    const sb_curl_request *request, char *redirect, size_t redirect_room, char *reason, size_t reason_room) {
    sb_curl_answer answer = {.outcome = sb_curl_no_library};
    copy_text(redirect, redirect_room, NULL);
    copy_text(reason, reason_room, NULL);
    pthread_once(&once, load);
    if (!library.is_complete) return answer;
    answer.outcome = sb_curl_no_memory;
    CURL *handle = library.easy_init();
    if (handle == NULL) return answer;
    struct curl_slist *headers = NULL;
    bool is_set = true;
    for (const char *const *header = request->headers; *header != NULL; header++) {
        struct curl_slist *longer = library.append(headers, *header);
        if (longer == NULL) is_set = false; else headers = longer;
    }
    exchange state = {.request = request};
    char details[CURL_ERROR_SIZE] = "";
#define SB_SET(option, value) is_set = library.set(handle, option, value) == CURLE_OK && is_set
    SB_SET(CURLOPT_URL, request->address);
    SB_SET(CURLOPT_USERAGENT, request->user_agent);
    SB_SET(CURLOPT_HTTPHEADER, headers);
    if (request->body != NULL) {
        SB_SET(CURLOPT_POST, 1L);
        SB_SET(CURLOPT_POSTFIELDS, (const char *)request->body);
        SB_SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
    }
    SB_SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SB_SET(CURLOPT_FOLLOWLOCATION, 0L);
    // All encodings that libcurl supports. The decoded size is limited by the caller. libcurl does not report
    // truncation.
    SB_SET(CURLOPT_ACCEPT_ENCODING, request->unpacks ? "" : (const char *)NULL);
    // A proxy would bypass the check of the address.
    SB_SET(CURLOPT_PROXY, "");
    SB_SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    SB_SET(CURLOPT_NOSIGNAL, 1L);
    SB_SET(CURLOPT_ERRORBUFFER, details);
    SB_SET(CURLOPT_CONNECTTIMEOUT_MS, (long)request->connect_milliseconds);
    SB_SET(CURLOPT_TIMEOUT_MS, (long)request->total_milliseconds);
    SB_SET(CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)request->limit);
    SB_SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    SB_SET(CURLOPT_OPENSOCKETDATA, &state);
    SB_SET(CURLOPT_HEADERFUNCTION, take_header);
    SB_SET(CURLOPT_HEADERDATA, &state);
    SB_SET(CURLOPT_WRITEFUNCTION, take_body);
    SB_SET(CURLOPT_WRITEDATA, &state);
    SB_SET(CURLOPT_NOPROGRESS, 0L);
    SB_SET(CURLOPT_XFERINFOFUNCTION, report_progress);
    SB_SET(CURLOPT_XFERINFODATA, &state);
#undef SB_SET
#if LIBCURL_VERSION_NUM >= 0x075700
    // Do not wait for a pending DNS query after a timeout.
    library.set(handle, CURLOPT_QUICK_EXIT, 1L);
#endif
    if (is_set) {
        CURLcode code = perform(handle, request);
        answer.outcome = outcome_of(code, &state);
        copy_text(reason, reason_room, details[0] != 0 ? details : library.describe(code));
        library.get(handle, CURLINFO_RESPONSE_CODE, &answer.status);
        const char *target = NULL;
        library.get(handle, CURLINFO_REDIRECT_URL, &target);
        copy_text(redirect, redirect_room, target);
    }
    library.cleanup(handle);
    library.free_list(headers);
    return answer;
}
