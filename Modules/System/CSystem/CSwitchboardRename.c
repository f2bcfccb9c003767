#define _GNU_SOURCE
#include "CSwitchboardRename.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

// renameat2 by its number, because glibc's header does not expose it to Swift.
static int rename_with(const char *from, const char *to, unsigned int flags) {
    return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags) == 0 ? 0 : errno;
}

int sb_rename_exchanging(const char *from, const char *to) { return rename_with(from, to, 1u << 1); }

int sb_rename_new(const char *from, const char *to) { return rename_with(from, to, 1u << 0); }

int sb_begin_writing(int descriptor) {
    return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE) == 0 ? 0 : errno;
}
