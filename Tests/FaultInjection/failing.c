// Makes system calls that change files below a folder fail. Preloaded with LD_PRELOAD.
//
// FAILING_FOLDER   the folder
// FAILING_AT       the number of the call that fails, from 1; 0 for none
// FAILING_ON       if set, all later calls fail as well
// FAILING_CODE     the errno, 5 (EIO) by default
// FAILING_WHILE    instead of the above: calls fail while this file exists
// FAILING_COUNT    a file that receives the number of calls and the name of the failed one
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_int calls;
static int at, code = EIO;
static int goes_on;
static const char *folder, *during, *failed;

__attribute__((constructor)) static void begin(void) {
    folder = getenv("FAILING_FOLDER");
    during = getenv("FAILING_WHILE");
    if (getenv("FAILING_AT")) at = atoi(getenv("FAILING_AT"));
    if (getenv("FAILING_CODE")) code = atoi(getenv("FAILING_CODE"));
    goes_on = getenv("FAILING_ON") != NULL;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAILING_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%d %s\n", atomic_load(&calls), failed ? failed : "-");
    fclose(file);
}

// Returns nonzero if this call must fail.
static int fails(const char *name, const char *path) {
    if (!folder || !path || strncmp(path, folder, strlen(folder)) != 0) return 0;
    if (during) {
        int kept = errno;
        int is_there = faccessat(AT_FDCWD, during, F_OK, 0) == 0;
        errno = is_there ? code : kept;
        return is_there;
    }
    int number = atomic_fetch_add(&calls, 1) + 1;
    if (at == 0 || number < at || (number > at && !goes_on)) return 0;
    if (!failed) failed = name;
    errno = code;
    return 1;
}

static int fails_at(const char *name, int descriptor) {
    if (!folder) return 0;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    int kept = errno;
    ssize_t length = readlink(link, path, sizeof path - 1);
    errno = kept;
    if (length <= 0) return 0;
    path[length] = 0;
    return fails(name, path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int d, const void *bytes, size_t count) { return fails_at("write", d) ? -1 : NEXT(write)(d, bytes, count); }
ssize_t writev(int d, const struct iovec *v, int n) { return fails_at("writev", d) ? -1 : NEXT(writev)(d, v, n); }
ssize_t pwrite(int d, const void *b, size_t n, off_t o) { return fails_at("pwrite", d) ? -1 : NEXT(pwrite)(d, b, n, o); }
ssize_t pwrite64(int d, const void *b, size_t n, off64_t o) { return fails_at("pwrite", d) ? -1 : NEXT(pwrite64)(d, b, n, o); }
int fsync(int d) { return fails_at("fsync", d) ? -1 : NEXT(fsync)(d); }
int fdatasync(int d) { return fails_at("fdatasync", d) ? -1 : NEXT(fdatasync)(d); }
int ftruncate(int d, off_t size) { return fails_at("ftruncate", d) ? -1 : NEXT(ftruncate)(d, size); }
int ftruncate64(int d, off64_t size) { return fails_at("ftruncate", d) ? -1 : NEXT(ftruncate64)(d, size); }
int rename(const char *from, const char *to) { return fails("rename", to) ? -1 : NEXT(rename)(from, to); }
int mkdir(const char *path, mode_t mode) { return fails("mkdir", path) ? -1 : NEXT(mkdir)(path, mode); }
int mknod(const char *path, mode_t mode, dev_t device) {
    return fails("mknod", path) ? -1 : NEXT(mknod)(path, mode, device);
}

static mode_t mode_of(int flags, va_list more) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; }

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = mode_of(flags, more);
    va_end(more);
    if ((flags & O_CREAT) && fails("open", path)) return -1;
    return NEXT(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = mode_of(flags, more);
    va_end(more);
    if ((flags & O_CREAT) && fails("open", path)) return -1;
    return NEXT(open64)(path, flags, mode);
}
