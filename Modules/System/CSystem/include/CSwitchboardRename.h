// Linux file operations that POSIX lacks. Each returns 0 or an error number.
#pragma once

// Exchanges two files atomically (renameat2(2)). EINVAL if the file system does not support it.
int sb_rename_exchanging(const char *from, const char *to);

// Renames a file without replacing another one (renameat2(2)). EEXIST if the target exists.
int sb_rename_new(const char *from, const char *to);

// Starts writing a file's dirty pages to disk without waiting (sync_file_range(2)).
int sb_begin_writing(int descriptor);
