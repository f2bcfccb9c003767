#define _GNU_SOURCE

#include "CSwitchboardForkedReader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The forked process has one thread: the one that called fork. It calls nothing but a reader and system calls. Readers need
// malloc, which glibc keeps usable in a forked process, and no lock that another thread may have held.

enum {
    poll_milliseconds = 50,
    max_output = 4 << 20,  // more than the contents of 255 codes, the maximum of zxing-cpp
    max_seconds = 300,     // of real time, should the process hang without using its processor time
};

// MARK: - The forked process

typedef struct {
    int output;
    sb_forked_reader reader;
    const uint8_t *pixels;
    uint32_t width, height;
    int64_t milliseconds;
} call;

static bool write_all(int output, const void *bytes, size_t length) {
    const uint8_t *rest = bytes;
    while (length > 0) {
        ssize_t written = write(output, rest, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        rest += written;
        length -= (size_t)written;
    }
    return true;
}

// Writes a code: the structure, then its bytes.
static void send_code(void *context, const sb_code *code) {
    int output = *(const int *)context;
    if (!write_all(output, code, sizeof *code) || !write_all(output, code->bytes, code->length)) _exit(1);
}

static _Noreturn void run(call call) {
    // The default action of each of these signals ends the process, without Swift's crash report.
    static const int signals[] = {SIGABRT, SIGALRM, SIGBUS, SIGFPE,  SIGHUP,  SIGILL,
                                  SIGINT,  SIGPIPE, SIGPROF, SIGQUIT, SIGSEGV, SIGTERM};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    // Files and connections of the program must be closed when it closes them. Only standard error stays open.
    int output = dup2(call.output, 0);
    close(1);
    close_range(3, ~0U, 0);
    struct itimerval limit = {
        .it_value = {.tv_sec = call.milliseconds / 1000, .tv_usec = call.milliseconds % 1000 * 1000}};
    setitimer(ITIMER_PROF, &limit, NULL);
    alarm(max_seconds);
    _exit(call.reader(call.pixels, call.width, call.height, &output, send_code) ? 0 : 1);
}

// MARK: - The caller

typedef struct {
    uint8_t *bytes;
    size_t length;
} output;

// Reads what the process writes until it ends; false if the call was cancelled or the process writes too much.
static bool receive(int input, output *output, void *context, bool (*is_cancelled)(void *context)) {
    while (output->length < max_output) {
        if (is_cancelled(context)) return false;
        struct pollfd ready = {.fd = input, .events = POLLIN};
        if (poll(&ready, 1, poll_milliseconds) <= 0) continue;
        ssize_t count = read(input, output->bytes + output->length, max_output - output->length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return true;
        output->length += (size_t)count;
    }
    return false;
}

static void report_codes(const output *output, void *context, sb_code_found found) {
    size_t place = 0;
    sb_code code;
    while (output->length - place >= sizeof code) {
        memcpy(&code, output->bytes + place, sizeof code);
        place += sizeof code;
        if (output->length - place < code.length) return;
        code.bytes = output->bytes + place;
        found(context, &code);
        place += code.length;
    }
}

static int64_t milliseconds(struct timeval time) { return time.tv_sec * 1000LL + time.tv_usec / 1000; }

sb_forked_status sb_forked_read(
    sb_forked_reader reader, const uint8_t *pixels, uint32_t width, uint32_t height, int64_t limit, void *context,
    sb_code_found found, bool (*is_cancelled)(void *context), int64_t *spent) {
    *spent = 0;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return SB_FORKED_NO_MEMORY;
    output output = {.bytes = malloc(max_output)};
    // No handler of the program may run in the forked process.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = output.bytes != NULL ? fork() : -1;
    // A limit of zero would mean no limit.
    if (child == 0) run((call){ends[1], reader, pixels, width, height, limit > 0 ? limit : 1});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    sb_forked_status status = SB_FORKED_NO_MEMORY;
    if (child > 0) {
        bool is_complete = receive(ends[0], &output, context, is_cancelled);
        if (!is_complete) kill(child, SIGKILL);
        int ending = 0;
        struct rusage usage = {0};
        pid_t ended;
        do ended = wait4(child, &ending, 0, &usage);
        while (ended < 0 && errno == EINTR);
        *spent = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
        if (!is_complete) {
            status = output.length < max_output ? SB_FORKED_CANCELLED : SB_FORKED_FAILED;
        } else if (ended < 0 || (WIFEXITED(ending) && WEXITSTATUS(ending) == 0)) {
            // A program that ignores SIGCHLD gets no exit status.
            status = SB_FORKED_DONE;
        } else {
            bool is_late = WIFSIGNALED(ending) && (WTERMSIG(ending) == SIGPROF || WTERMSIG(ending) == SIGALRM);
            status = is_late ? SB_FORKED_OUT_OF_TIME : SB_FORKED_FAILED;
        }
        report_codes(&output, context, found);
    }
    close(ends[0]);
    free(output.bytes);
    return status;
}

int64_t sb_thread_milliseconds(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}
