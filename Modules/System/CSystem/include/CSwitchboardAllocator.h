// The allocator of glibc, malloc(3).
#pragma once

// Limits the number of arenas, by default eight per processor (mallopt(3)). Each arena keeps its own free memory.
void sb_limit_arenas(int count);

// Returns the pages of free memory to the system (malloc_trim(3)).
void sb_return_free_memory(void);
