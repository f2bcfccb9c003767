// Two ways of renaming that lose nothing, which Linux has and POSIX does not (renameat2(2)).
#pragma once

// Exchanges two files at once. 0, or the number of the error: EINVAL where the file system cannot.
int sb_rename_exchanging(const char *from, const char *to);

// Renames a file unless there is one of the new name: EEXIST then. 0, or the number of the error.
int sb_rename_new(const char *from, const char *to);

// Has the system begin to write what a file was given, and does not wait for it (sync_file_range(2)). 0, or the number of the error.
int sb_begin_writing(int descriptor);
